// SPDX-License-Identifier: BSD-2-Clause
/* sys_ptrace_data.c - memory and registers of a stopped task, for its tracer. */
#include "linux/syscall/ptrace_request.h"

#include "arch/x86/cpu/user.h"
#include "lib/math.h"
#include "lib/string.h"
#include "linux/file/file_io.h"
#include "rt/base/heap.h"
#include "linux/mem/mm.h"
#include "linux/perf/perf_parts.h"

#include <linux/elf.h>
#include <linux/errno.h>

/* Offsets of struct user, as in Linux. */
#define USER_BYTES_OF_STRUCT 928 /* with the two words that only the kernel has */
#define USER_DEBUG           848 /* offset of the debug registers */

/* Copied to ring 3 without the lock. */
struct user_word {
	struct ptrace_request r;
	uint64_t word;
};

static uint64_t *user_word_of(const struct ptrace_request *r)
{
	return &((struct user_word *)((uint8_t *)(uintptr_t)r - offsetof(struct user_word, r)))
			->word;
}

/* --- Memory --- */

static long hold_memory(struct task *t, const struct ptrace_request *r)
{
	(void)r;
	return t->process->mm ? (long)(uintptr_t)mm_get(t->process->mm) : -EIO;
}

/* -errno, or `*mm` with a reference. */
static long memory_of(const struct ptrace_request *r, struct mm **mm)
{
	const long found = ptrace_with_stopped(r, hold_memory);

	if (found < 0 && found > -4096)
		return found;
	*mm = (struct mm *)found;
	return 0;
}

long ptrace_peek(const struct ptrace_request *r)
{
	struct mm *mm;
	long err = memory_of(r, &mm);
	uint64_t word;
	bool ok;

	if (err)
		return err;
	ok = mm_read(mm, r->addr, &word, sizeof(word)) == sizeof(word);
	mm_put(mm);
	return ok ? copy_to_user(r->data, &word, sizeof(word)) : -EIO;
}

long ptrace_poke(const struct ptrace_request *r)
{
	struct mm *mm;
	long err = memory_of(r, &mm);
	bool ok;

	if (err)
		return err;
	ok = mm_write(mm, r->addr, &r->data, sizeof(r->data)) == sizeof(r->data);
	mm_put(mm);
	return ok ? 0 : -EIO;
}

/* --- Registers --- */

static bool is_word_of_user(uint64_t offset)
{
	return !(offset % sizeof(uint64_t)) && offset < USER_BYTES_OF_STRUCT;
}

static bool is_debug_register(uint64_t offset)
{
	return offset >= USER_DEBUG &&
	       offset < USER_DEBUG + PTRACE_DEBUG_REGISTERS * sizeof(uint64_t);
}

static long peek_user(struct task *t, const struct ptrace_request *r)
{
	uint64_t *word = user_word_of(r);

	*word = 0;
	if (r->addr < PTRACE_WORDS * sizeof(*word))
		*word = ptrace_read_word(t, (unsigned)(r->addr / sizeof(*word)));
	else if (is_debug_register(r->addr))
		*word = ptrace_read_debug(t, (unsigned)((r->addr - USER_DEBUG) / sizeof(*word)));
	return 0;
}

long ptrace_peek_user(const struct ptrace_request *r)
{
	struct user_word a = {.r = *r};
	long err = ptrace_with_stopped(&a.r, peek_user);

	if (!err && !is_word_of_user(r->addr))
		err = -EIO;
	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long write_user(struct task *t, const struct ptrace_request *r)
{
	return ptrace_write_word(t, (unsigned)(r->addr / sizeof(uint64_t)), r->data);
}

static long make_watch(struct task *t, const struct ptrace_request *r)
{
	(void)r;
	return ptrace_make_watch(t);
}

static long hold_task(struct task *t, const struct ptrace_request *r)
{
	(void)r;
	return (long)(uintptr_t)t;
}

/* A task that ends blocks on the turn in ptrace_end_watch(). */
static long write_debug(const struct ptrace_request *r)
{
	const long err = ptrace_with_stopped(r, make_watch);
	long result;

	if (err)
		return err;
	perf_lock();
	result = ptrace_with_stopped(r, hold_task);
	if (result != -ESRCH)
		result = ptrace_write_debug((struct task *)result,
					    (unsigned)((r->addr - USER_DEBUG) / sizeof(uint64_t)),
					    r->data);
	perf_unlock();
	return result;
}

long ptrace_poke_user(const struct ptrace_request *r)
{
	if (!is_word_of_user(r->addr))
		return -EIO;
	if (r->addr < PTRACE_WORDS * sizeof(uint64_t))
		return ptrace_with_stopped(r, write_user);
	return is_debug_register(r->addr) ? write_debug(r) : -EIO;
}

/* A set of registers, as PTRACE_GETREGSET has it. */
struct regset {
	uint64_t type;
	size_t (*bytes)(void);
	size_t unit; /* requested sizes are multiples of it */
	void (*read)(const struct task *t, uint8_t *to);
	int (*write)(struct task *t, const uint8_t *from, size_t bytes);
};

static size_t general_bytes(void)
{
	return PTRACE_WORDS * sizeof(uint64_t);
}

static void read_general(const struct task *t, uint8_t *to)
{
	for (unsigned i = 0; i < PTRACE_WORDS; i++) {
		const uint64_t word = ptrace_read_word(t, i);

		memcpy(to + i * sizeof(word), &word, sizeof(word));
	}
}

static int write_general(struct task *t, const uint8_t *from, size_t bytes)
{
	int err = 0;

	for (unsigned i = 0; i < bytes / sizeof(uint64_t) && !err; i++) {
		uint64_t word;

		memcpy(&word, from + i * sizeof(word), sizeof(word));
		err = ptrace_write_word(t, i, word);
	}
	return err;
}

static size_t fxsave_bytes(void)
{
	return USER_FXSAVE_BYTES;
}

/* The caller cuts the bytes behind the FXSAVE area. */
static void read_fpu(const struct task *t, uint8_t *to)
{
	user_xstate_read(&t->user, to);
}

static int write_fpu(struct task *t, const uint8_t *from, size_t bytes)
{
	return user_xstate_write(&t->user, from, bytes);
}

#define X86_XSTATE 0x202 /* NT_X86_XSTATE of <elf.h> */

static const struct regset regsets[] = {
	{NT_PRSTATUS, general_bytes, sizeof(uint64_t), read_general, write_general},
	{NT_PRFPREG, fxsave_bytes, sizeof(uint64_t), read_fpu, write_fpu},
	{X86_XSTATE, user_xstate_bytes, sizeof(uint64_t), read_fpu, write_fpu},
};
#define GENERAL (&regsets[0])
#define FPU     (&regsets[1])

struct registers {
	struct ptrace_request r;
	const struct regset *set;
	size_t bytes; /* number of bytes to write */
	uint8_t data[USER_FPU_BYTES];
};

static struct registers *registers_of(const struct ptrace_request *r)
{
	return (struct registers *)((uint8_t *)(uintptr_t)r - offsetof(struct registers, r));
}

static long read_registers(struct task *t, const struct ptrace_request *r)
{
	registers_of(r)->set->read(t, registers_of(r)->data);
	return 0;
}

/* A partial write keeps the rest of the set. */
static long write_registers(struct task *t, const struct ptrace_request *r)
{
	struct registers *g = registers_of(r);
	const size_t all = g->set->bytes();
	uint8_t whole[USER_FPU_BYTES];

	if (g->bytes < all) {
		g->set->read(t, whole);
		memcpy(whole, g->data, g->bytes);
		return g->set->write(t, whole, all);
	}
	return g->set->write(t, g->data, all);
}

static struct registers *new_registers(const struct ptrace_request *r, const struct regset *set)
{
	struct registers *g = heap_alloc(sizeof(*g));

	if (g) {
		g->r = *r;
		g->set = set;
	}
	return g;
}

static long get_set(const struct ptrace_request *r, const struct regset *set, uint64_t to,
		    size_t bytes)
{
	struct registers *g = new_registers(r, set);
	long err = g ? ptrace_with_stopped(&g->r, read_registers) : -ENOMEM;

	if (!err)
		err = copy_to_user(to, g->data, bytes);
	heap_free(g);
	return err;
}

static long set_set(const struct ptrace_request *r, const struct regset *set, uint64_t from,
		    size_t bytes)
{
	struct registers *g = new_registers(r, set);
	long err = g ? 0 : -ENOMEM;

	if (g)
		g->bytes = bytes;
	if (!err)
		err = copy_from_user(g->data, from, bytes);
	if (!err)
		err = ptrace_with_stopped(&g->r, write_registers);
	heap_free(g);
	return err;
}

long ptrace_get_regs(const struct ptrace_request *r)
{
	return get_set(r, GENERAL, r->data, GENERAL->bytes());
}

long ptrace_set_regs(const struct ptrace_request *r)
{
	return set_set(r, GENERAL, r->data, GENERAL->bytes());
}

long ptrace_get_fpregs(const struct ptrace_request *r)
{
	return get_set(r, FPU, r->data, FPU->bytes());
}

long ptrace_set_fpregs(const struct ptrace_request *r)
{
	return set_set(r, FPU, r->data, FPU->bytes());
}

static const struct regset *find_regset(uint64_t type)
{
	for (size_t i = 0; i < sizeof(regsets) / sizeof(regsets[0]); i++)
		if (regsets[i].type == type)
			return &regsets[i];
	return NULL;
}

/* Moves as much as the struct iovec has room for, and sets its length to the bytes copied. */
static long move_regset(const struct ptrace_request *r,
			long (*move)(const struct ptrace_request *, const struct regset *, uint64_t,
				     size_t))
{
	const struct regset *set = find_regset(r->addr);
	struct io_part part;
	long err;

	if (copy_from_user(&part, r->data, sizeof(part)))
		return -EFAULT;
	if (!set || part.bytes % set->unit)
		return -EINVAL;
	part.bytes = least_of(part.bytes, set->bytes());
	err = move(r, set, part.address, part.bytes);
	return err ? err : copy_to_user(r->data, &part, sizeof(part));
}

long ptrace_get_regset(const struct ptrace_request *r)
{
	return move_regset(r, get_set);
}

long ptrace_set_regset(const struct ptrace_request *r)
{
	return move_regset(r, set_set);
}
