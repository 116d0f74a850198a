// SPDX-License-Identifier: BSD-2-Clause
/* exec.c - see exec.h. */
#include "linux/program/exec.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/insn.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "linux/program/credentials.h"
#include "linux/program/random.h"
#include "linux/program/wx_memory.h"
#include "linux/program/program_pack.h"
#include "rt/base/heap.h"
#include "linux/program/file_map.h"

#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/mman.h>

/* --- Segments --- */

static unsigned prot_of(const struct elf_segment *s)
{
	return (s->prot & ELF_READ ? PROT_READ : 0) | (s->prot & ELF_WRITE ? PROT_WRITE : 0) |
	       (s->prot & ELF_EXEC ? PROT_EXEC : 0);
}

static int map_zeros(struct mm *mm, uint64_t start, uint64_t end, unsigned prot)
{
	long at;

	if (start >= end)
		return 0;
	at = mm_map(mm, &(struct mm_request){.address = start,
					     .bytes = end - start,
					     .prot = prot,
					     .flags = MAP_FIXED_NOREPLACE | MAP_PRIVATE});
	return at < 0 ? (int)at : 0;
}

/* Clears the last page of a segment behind its file bytes: the page maps whatever follows in the
 * file. */
static int clear_tail(struct mm *mm, const struct elf_segment *s)
{
	static const uint8_t zeros[256];
	const uint64_t filled = s->address + s->skip + s->filed, end = page_round(filled);
	int err = 0;

	if (!(s->prot & ELF_WRITE))
		return 0;
	for (uint64_t at = filled; at < end && !err;) {
		const size_t n = end - at < sizeof(zeros) ? end - at : sizeof(zeros);

		err = mm_poke(mm, at, zeros, n);
		at += n;
	}
	return err;
}

static int map_file_part(struct mm *mm, const struct exec_file *file, const struct elf_segment *s)
{
	const uint64_t bytes = page_round(s->skip + s->filed);
	long at;

	if (!s->filed)
		return 0;
	at = mm_map(mm, &(struct mm_request){.address = s->address,
					     .bytes = bytes,
					     .prot = prot_of(s),
					     .flags = MAP_FIXED_NOREPLACE | MAP_PRIVATE,
					     .from = mapped_get(file->mapped),
					     .offset = s->offset - s->skip});
	if (at < 0) {
		mapped_put(file->mapped);
		return (int)at;
	}
	return s->filed + s->skip < bytes ? clear_tail(mm, s) : 0;
}

static int map_segment(struct mm *mm, const struct exec_file *file, const struct elf_segment *s)
{
	const uint64_t bytes = page_round(s->skip + s->filed);
	int err = map_file_part(mm, file, s);

	if (!err)
		err = map_zeros(mm, s->address + (s->filed ? bytes : 0), s->address + s->bytes,
				prot_of(s));
	return err;
}

static int map_segments(struct mm *mm, const struct exec_file *file, const struct elf *elf,
			bool prefault)
{
	int err = 0;

	for (unsigned i = 0; i < elf->nsegments && !err; i++) {
		err = map_segment(mm, file, &elf->segment[i]);
		if (!err && prefault)
			mm_populate(mm, elf->segment[i].address, elf->segment[i].bytes);
	}
	return err;
}

/* --- The interpreter --- */

/* The base address of a position-independent interpreter: below all present mappings, as mmap(2)
 * would choose. */
static uint64_t room_for(struct mm *mm, const struct exec_file *file, const char **why)
{
	struct elf elf;

	*why = elf_read(&elf, &file->source, 0, 0, USER_END);
	return *why ? 0
		    : areas_gap(&mm->areas, page_round(elf.end), PAGE_SIZE, USER_START,
				mm_map_top());
}

static const char *load_interpreter(struct mm *mm, const struct exec *exec, const char *path,
				    bool prefault, struct elf *elf, int *err)
{
	struct exec_file file;
	const char *why;

	*err = file_map_exec(exec->view, path, &file);
	if (*err)
		return "its interpreter is not there";
	why = elf_read(elf, &file.source, room_for(mm, &file, &why), USER_START, USER_END);
	*err = why ? -ELIBBAD : map_segments(mm, &file, elf, prefault);
	mapped_put(file.mapped);
	return why ? why : *err ? "there is no memory for its interpreter" : NULL;
}

/* --- The stack --- */

#define AUX_MAX  24
#define PLATFORM "x86_64"

/* Layout from the top down: the end marker, path, environment, words, platform, random bytes.
 * Below them are the vectors, which begin at a multiple of 16. */
struct stack_image {
	uint8_t *bytes; /* content of [start, USER_STACK_TOP) */
	uint64_t start;
	size_t words; /* words of the vectors so far */
};

static void copy_to_stack(const struct stack_image *s, uint64_t address, const void *from, size_t n)
{
	memcpy(s->bytes + (address - s->start), from, n);
}

static void push_word(struct stack_image *s, uint64_t word)
{
	copy_to_stack(s, s->start + s->words++ * sizeof(word), &word, sizeof(word));
}

static void push_aux(struct stack_image *s, uint64_t type, uint64_t value)
{
	push_word(s, type);
	push_word(s, value);
}

struct stack_layout {
	uint64_t path, strings, platform, random;
};

/* The stack is shifted by pages, and by its alignment. */
static uint64_t shifted_bytes(void)
{
	return mm_layout_shift() * (PAGE_SIZE + 16);
}

static struct stack_layout lay_out(const struct exec *exec)
{
	struct stack_layout l;

	l.path = USER_STACK_TOP - shifted_bytes() - sizeof(uint64_t) - (strlen(exec->path) + 1);
	l.strings = l.path - exec->bytes;
	l.platform = (l.strings - sizeof(PLATFORM)) & ~15ull;
	l.random = l.platform - RANDOM_AUXILIARY;
	return l;
}

static void push_strings(struct stack_image *s, const struct exec *exec, uint64_t address)
{
	const char *at = exec->strings;

	push_word(s, exec->argc);
	for (unsigned i = 0; i < exec->argc + exec->envc; i++) {
		if (i == exec->argc)
			push_word(s, 0);
		push_word(s, address + (uint64_t)(at - exec->strings));
		at += strlen(at) + 1;
	}
	if (!exec->envc)
		push_word(s, 0);
	push_word(s, 0);
}

static void push_vector(struct stack_image *s, const struct exec *exec, const struct elf *elf,
			uint64_t interpreter, const struct stack_layout *l)
{
	static const struct credentials root;
	const struct credentials *who = exec->credentials ? exec->credentials : &root;

	push_aux(s, AT_HWCAP, insn_cpuid(1, 0).edx);
	push_aux(s, AT_PAGESZ, PAGE_SIZE);
	push_aux(s, AT_CLKTCK, 100);
	push_aux(s, AT_PHDR, elf->headers);
	push_aux(s, AT_PHENT, sizeof(Elf64_Phdr));
	push_aux(s, AT_PHNUM, elf->headers ? elf->nheaders : 0);
	push_aux(s, AT_BASE, interpreter);
	push_aux(s, AT_FLAGS, 0);
	push_aux(s, AT_ENTRY, elf->entry);
	push_aux(s, AT_UID, who->user.real);
	push_aux(s, AT_EUID, who->user.effective);
	push_aux(s, AT_GID, who->group.real);
	push_aux(s, AT_EGID, who->group.effective);
	push_aux(s, AT_SECURE, 0);
	push_aux(s, AT_RANDOM, l->random);
	push_aux(s, AT_HWCAP2, user_hwcap2());
	push_aux(s, AT_EXECFN, l->path);
	push_aux(s, AT_PLATFORM, l->platform);
	push_aux(s, AT_MINSIGSTKSZ, user_signal_stack_bytes());
	push_aux(s, AT_NULL, 0);
}

/* The total number of words in the vectors. */
static size_t vector_words(const struct exec *exec)
{
	return 1 + exec->argc + 1 + exec->envc + 1 + 2 * (size_t)AUX_MAX;
}

static int fill_stack(struct mm *mm, const struct exec *exec, const struct elf *elf,
		      uint64_t interpreter, uint64_t *rsp)
{
	const struct stack_layout l = lay_out(exec);
	struct stack_image s = {.start = (l.random - vector_words(exec) * sizeof(uint64_t)) &
					 ~15ull};
	const size_t bytes = USER_STACK_TOP - s.start;
	uint8_t random[RANDOM_AUXILIARY];
	int err;

	if (bytes > exec->stack_bytes / 4)
		return -E2BIG;
	s.bytes = heap_alloc(bytes);
	if (!s.bytes)
		return -ENOMEM;
	copy_to_stack(&s, l.path, exec->path, strlen(exec->path) + 1);
	copy_to_stack(&s, l.strings, exec->strings, exec->bytes);
	copy_to_stack(&s, l.platform, PLATFORM, sizeof(PLATFORM));
	random_auxiliary(random);
	copy_to_stack(&s, l.random, random, sizeof(random));
	push_strings(&s, exec, l.strings);
	mm->aux_start = s.start + s.words * sizeof(uint64_t);
	push_vector(&s, exec, elf, interpreter, &l);
	mm->aux_end = s.start + s.words * sizeof(uint64_t);
	err = mm_poke(mm, s.start, s.bytes, bytes);
	heap_free(s.bytes);
	*rsp = s.start;
	return err;
}

static void note_strings(struct mm *mm, const struct exec *exec, uint64_t rsp)
{
	const uint64_t strings = lay_out(exec).strings;
	size_t words = 0;

	for (unsigned i = 0; i < exec->argc; i++)
		words += strlen(exec->strings + words) + 1;
	mm->args_start = strings;
	mm->args_end = mm->env_start = strings + words;
	mm->env_end = strings + exec->bytes;
	mm->stack_start = rsp;
}

/* The part of a stack that every program uses is mapped at the start. */
#define STACK_FIRST (64ull << 10)

static int map_stack(struct mm *mm, uint64_t bytes)
{
	const long at = mm_map(mm, &(struct mm_request){
					   .address = USER_STACK_TOP - bytes,
					   .bytes = bytes,
					   .prot = PROT_READ | PROT_WRITE,
					   .flags = MAP_FIXED_NOREPLACE | MAP_PRIVATE,
					   .area = AREA_STACK,
				   });

	if (at < 0)
		return (int)at;
	mm_populate(mm, USER_STACK_TOP - STACK_FIRST, STACK_FIRST);
	return 0;
}

/* --- The whole program --- */

static void note_program(struct mm *mm, const struct elf *elf)
{
	mm->program_start = elf->segment[0].address;
	mm->program_end = elf->end;
	mm->brk_start = mm->brk = elf->end + mm_layout_shift() * PAGE_SIZE;
	mm->program_base = elf->base;
}

static const char *load_file(struct mm *mm, const struct exec *exec, struct exec_start *start,
			     int *err)
{
	struct elf elf, interpreter = {0};
	const uint64_t base = USER_PIE + mm_layout_shift() * PAGE_SIZE;
	const char *why = elf_read(&elf, &exec->file.source, base, USER_START, USER_END);
	bool prefault;

	*err = -ENOEXEC;
	if (why)
		return why;
	prefault = pack_prefault(!elf.interpreter[0]);
	mm->prefault = pack_prefault(false);
	mm->allow_wx = wx_allowed() || pack_allows_wx();
	*err = map_segments(mm, &exec->file, &elf, prefault);
	if (!*err)
		*err = map_stack(mm, exec->stack_bytes);
	if (*err)
		return "there is no memory for it";
	note_program(mm, &elf);
	if (elf.interpreter[0])
		why = load_interpreter(mm, exec, elf.interpreter, prefault, &interpreter, err);
	if (why)
		return why;
	*start = (struct exec_start){.rip = interpreter.nsegments ? interpreter.entry : elf.entry};
	*err = fill_stack(mm, exec, &elf, interpreter.base, &start->rsp);
	if (*err)
		return *err == -E2BIG ? "its words and environment are too long"
				      : "there is no memory for its stack";
	note_strings(mm, exec, start->rsp);
	mm->exe = mapped_get(exec->file.mapped);
	return NULL;
}

const char *exec_load(struct mm *mm, const struct exec *exec, struct exec_start *start, int *err)
{
	if (!exec->builtin)
		return load_file(mm, exec, start, err);
	*err = exec_load_words(mm, exec, start);
	return *err ? "it does not take such arguments, or there is no memory for it" : NULL;
}
