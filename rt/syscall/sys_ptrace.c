// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_ptrace.c - ptrace(2), a row for each request, and process_vm_readv(2) and
 * process_vm_writev(2).
 *
 * A request holds the lock of the tree of tasks only while it looks at the task or changes how that
 * goes on. In between a stopped task changes by its tracer's requests alone: it can only end.
 */
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/math.h"
#include "lib/string.h"
#include "rt/file/io.h"
#include "rt/mem/heap.h"
#include "rt/mem/mm.h"
#include "rt/perf/perf_parts.h"
#include "rt/ptrace/ptrace_parts.h"
#include "rt/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/audit.h>
#include <linux/elf.h>
#include <linux/errno.h>

/* Of struct user, as Linux has it. */
#define USER_BYTES_OF_STRUCT 928 /* with the two words that only the kernel has */
#define USER_DEBUG           848 /* offset of the debug registers */

#define OPTIONS (PTRACE_O_MASK & ~(uint64_t)(PTRACE_O_TRACESECCOMP | PTRACE_O_SUSPEND_SECCOMP))

struct request {
	int tid;
	uint64_t addr, data;
	struct process *by;
};

/* Reads or changes a stopped task, with the lock. */
typedef long locked_fn(struct task *t, const struct request *r);

/* --- The task --- */

static bool is_traced_by(const struct task *t, const struct process *by)
{
	return t->trace.by == by && t->process;
}

/* No requests but PTRACE_INTERRUPT while it runs or listens. */
static bool is_stopped_for(const struct task *t, const struct process *by)
{
	const struct ptrace_state *s = &t->trace;

	return is_traced_by(t, by) && s->stop && s->stop != PTRACE_IN_JOB_STOP && !s->listens;
}

struct in_tree {
	const struct request *r;
	locked_fn *fn;
	bool any; /* whether it is stopped or not */
	long result;
};

static int call_locked(struct task *t, void *arg)
{
	struct in_tree *in = arg;

	if (in->any ? !is_traced_by(t, in->r->by) : !is_stopped_for(t, in->r->by))
		return -ESRCH;
	in->result = in->fn(t, in->r);
	return 0;
}

static long with_stopped(const struct request *r, locked_fn *fn)
{
	struct in_tree in = {.r = r, .fn = fn};
	const int err = task_with(r->tid, call_locked, &in);

	return err ? err : in.result;
}

static long with_traced(const struct request *r, locked_fn *fn)
{
	struct in_tree in = {.r = r, .fn = fn, .any = true};
	const int err = task_with(r->tid, call_locked, &in);

	return err ? err : in.result;
}

/* --- Beginnings and ends --- */

static long traceme(const struct request *r)
{
	struct task *t = sched_current();
	const uint64_t flags = task_lock_tree();
	struct process *parent = t->process->parent;
	const bool may = !t->trace.by && parent;

	(void)r;
	if (may)
		ptrace_attach(t, parent, 0, false);
	task_unlock_tree(flags);
	return may ? 0 : -EPERM;
}

static bool may_attach(const struct task *t, const struct request *r)
{
	return t->process && t->process != r->by && !t->trace.by;
}

/* A task that is stopped already reports that. */
static void take_over_stop(struct task *t)
{
	if (t->trace.stop != PTRACE_IN_JOB_STOP)
		return;
	t->trace.stop = PTRACE_RUNS;
	t->trace.joins = true;
	sched_wake(t);
}

static int attach_locked(struct task *t, void *arg)
{
	const struct request *r = arg;
	const siginfo_t info = signal_info(SIGSTOP, SI_KERNEL);

	if (!may_attach(t, r))
		return -EPERM;
	ptrace_attach(t, r->by, 0, false);
	take_over_stop(t);
	signal_send_task(t, &info);
	return 0;
}

static long attach(const struct request *r)
{
	return task_with(r->tid, attach_locked, (void *)(uintptr_t)r);
}

static int seize_locked(struct task *t, void *arg)
{
	const struct request *r = arg;

	if (!may_attach(t, r))
		return -EPERM;
	ptrace_attach(t, r->by, (uint32_t)r->data, true);
	take_over_stop(t);
	return 0;
}

static long seize(const struct request *r)
{
	if (r->addr || r->data & ~(uint64_t)OPTIONS)
		return -EIO;
	return task_with(r->tid, seize_locked, (void *)(uintptr_t)r);
}

static bool is_signal_or_none(uint64_t number)
{
	return number <= SIGNALS;
}

static long detach(struct task *t, const struct request *r)
{
	ptrace_detach(t);
	ptrace_let_go(t, (int)r->data);
	ptrace_note_watched(t);
	return 0;
}

/* --- Going on --- */

static long go_on(struct task *t, const struct request *r, bool calls, bool steps)
{
	t->trace.calls = calls;
	t->trace.steps = steps;
	ptrace_let_go(t, (int)r->data);
	return 0;
}

static long cont(struct task *t, const struct request *r)
{
	return go_on(t, r, false, false);
}

static long cont_to_call(struct task *t, const struct request *r)
{
	return go_on(t, r, true, false);
}

static long step(struct task *t, const struct request *r)
{
	return go_on(t, r, false, true);
}

static long kill_stopped(struct task *t, const struct request *r)
{
	const siginfo_t info = signal_info(SIGKILL, SI_USER);

	(void)r;
	signal_send_task(t, &info);
	return 0;
}

static long interrupt(struct task *t, const struct request *r)
{
	(void)r;
	if (!t->trace.seized)
		return -EIO;
	if (t->trace.listens)
		ptrace_retrap(t);
	else
		ptrace_trap(t);
	return 0;
}

static long listen(struct task *t, const struct request *r)
{
	struct ptrace_state *s = &t->trace;

	(void)r;
	if (!s->seized || s->stop != PTRACE_AT_GROUP || s->code >> 8 != PTRACE_EVENT_STOP)
		return -EIO;
	s->listens = true;
	if (s->traps)
		ptrace_retrap(t);
	return 0;
}

/* --- What a stop is --- */

static long set_options(struct task *t, const struct request *r)
{
	if (r->data & ~(uint64_t)OPTIONS)
		return -EINVAL;
	t->trace.options = (uint32_t)r->data;
	return 0;
}

/* Copied to ring 3 without the lock. */
struct answer {
	struct request r;
	union {
		siginfo_t info;
		uint64_t word;
		struct ptrace_syscall_info call;
		uint64_t words[PTRACE_WORDS];
	};
};

static struct answer *answer_of(const struct request *r)
{
	return (struct answer *)((uint8_t *)(uintptr_t)r - offsetof(struct answer, r));
}

static long message(struct task *t, const struct request *r)
{
	answer_of(r)->word = t->trace.message;
	return 0;
}

static long get_event_message(const struct request *r)
{
	struct answer a = {.r = *r};
	const long err = with_stopped(&a.r, message);

	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long info_of_stop(struct task *t, const struct request *r)
{
	if (!t->trace.has_info)
		return -EINVAL;
	answer_of(r)->info = t->trace.info;
	return 0;
}

static long get_siginfo(const struct request *r)
{
	struct answer a = {.r = *r};
	const long err = with_stopped(&a.r, info_of_stop);

	return err ? err : copy_to_user(r->data, &a.info, sizeof(a.info));
}

static long set_info_of_stop(struct task *t, const struct request *r)
{
	if (!t->trace.has_info)
		return -EINVAL;
	t->trace.info = answer_of(r)->info;
	return 0;
}

static long set_siginfo(const struct request *r)
{
	struct answer a = {.r = *r};

	if (copy_from_user(&a.info, r->data, sizeof(a.info)))
		return -EFAULT;
	return with_stopped(&a.r, set_info_of_stop);
}

static long blocked(struct task *t, const struct request *r)
{
	answer_of(r)->word = t->signals.restore ? t->signals.saved : t->signals.blocked;
	return 0;
}

static long get_sigmask(const struct request *r)
{
	struct answer a = {.r = *r};
	long err = with_stopped(&a.r, blocked);

	if (!err && r->addr != sizeof(a.word))
		err = -EINVAL;
	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long set_blocked(struct task *t, const struct request *r)
{
	t->signals.restore = false;
	t->signals.blocked = answer_of(r)->word & ~SIGNALS_UNMASKABLE;
	task_heed(t);
	return 0;
}

static long set_sigmask(const struct request *r)
{
	struct answer a = {.r = *r};

	if (r->addr != sizeof(a.word))
		return -EINVAL;
	if (copy_from_user(&a.word, r->data, sizeof(a.word)))
		return -EFAULT;
	return with_stopped(&a.r, set_blocked);
}

/* Number `i` of a queue; false: it has fewer. */
static bool queued_info(const struct signal_queue *q, uint64_t i, siginfo_t *info)
{
	const struct signal_entry *e = q->first;

	while (e && i--)
		e = e->next;
	if (e)
		*info = e->info;
	return e;
}

static long peek_info(struct task *t, const struct request *r)
{
	struct answer *a = answer_of(r);

	return queued_info(r->data ? &t->process->signals.queue : &t->signals.queue, r->addr,
			   &a->info);
}

static long peek_siginfo(const struct request *r)
{
	struct ptrace_peeksiginfo_args args;
	struct answer a = {.r = *r};
	long found = 1;
	int32_t i;

	if (copy_from_user(&args, r->addr, sizeof(args)))
		return -EFAULT;
	if (args.flags & ~PTRACE_PEEKSIGINFO_SHARED || args.nr < 0)
		return -EINVAL;
	a.r.data = args.flags & PTRACE_PEEKSIGINFO_SHARED;
	for (i = 0; i < args.nr; i++) {
		a.r.addr = args.off + (uint64_t)i;
		found = with_stopped(&a.r, peek_info);
		if (found <= 0)
			break;
		if (copy_to_user(r->data + (uint64_t)i * sizeof(a.info), &a.info, sizeof(a.info)))
			return i ? i : -EFAULT;
	}
	return found < 0 && !i ? found : i;
}

static void fill_call(const struct task *t, struct ptrace_syscall_info *info)
{
	const struct trap_frame *regs = &t->user.regs;

	if (t->trace.call == PTRACE_NO_CALL) {
		info->op = PTRACE_SYSCALL_INFO_EXIT;
		info->exit.rval = (int64_t)regs->rax;
		info->exit.is_error = regs->rax > (uint64_t)-4096;
		return;
	}
	info->op = PTRACE_SYSCALL_INFO_ENTRY;
	info->entry.nr = (uint64_t)t->trace.number;
	memcpy(info->entry.args,
	       (uint64_t[]){regs->rdi, regs->rsi, regs->rdx, regs->r10, regs->r8, regs->r9},
	       sizeof(info->entry.args));
}

static long describe_call(struct task *t, const struct request *r)
{
	struct ptrace_syscall_info *info = &answer_of(r)->call;

	info->op = PTRACE_SYSCALL_INFO_NONE;
	info->arch = AUDIT_ARCH_X86_64;
	info->instruction_pointer = t->user.regs.rip;
	info->stack_pointer = t->user.regs.rsp;
	if (t->trace.stop == PTRACE_AT_CALL)
		fill_call(t, info);
	return 0;
}

static size_t bytes_of_call(const struct ptrace_syscall_info *info)
{
	switch (info->op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		return offsetof(struct ptrace_syscall_info, entry) + sizeof(info->entry);
	case PTRACE_SYSCALL_INFO_EXIT:
		return offsetof(struct ptrace_syscall_info, exit.is_error) +
		       sizeof(info->exit.is_error);
	default:
		return offsetof(struct ptrace_syscall_info, entry);
	}
}

static long get_syscall_info(const struct request *r)
{
	struct answer a = {.r = *r};
	const long err = with_stopped(&a.r, describe_call);
	size_t bytes;

	if (err)
		return err;
	bytes = bytes_of_call(&a.call);
	return copy_to_user(r->data, &a.call, least_of(bytes, r->addr)) ? -EFAULT : (long)bytes;
}

/* --- Memory --- */

static long hold_memory(struct task *t, const struct request *r)
{
	(void)r;
	return t->process->mm ? (long)(uintptr_t)mm_get(t->process->mm) : -EIO;
}

/* -errno, or `*mm` with a reference. */
static long memory_of(const struct request *r, struct mm **mm)
{
	const long found = with_stopped(r, hold_memory);

	if (found < 0 && found > -4096)
		return found;
	*mm = (struct mm *)found;
	return 0;
}

static long peek(const struct request *r)
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

static long poke(const struct request *r)
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

static long read_user(struct task *t, const struct request *r)
{
	uint64_t *word = &answer_of(r)->word;

	*word = 0;
	if (r->addr < PTRACE_WORDS * sizeof(*word))
		*word = ptrace_read_word(t, (unsigned)(r->addr / sizeof(*word)));
	else if (is_debug_register(r->addr))
		*word = ptrace_read_debug(t, (unsigned)((r->addr - USER_DEBUG) / sizeof(*word)));
	return 0;
}

static long peek_user(const struct request *r)
{
	struct answer a = {.r = *r};
	long err = with_stopped(&a.r, read_user);

	if (!err && !is_word_of_user(r->addr))
		err = -EIO;
	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long write_user(struct task *t, const struct request *r)
{
	return ptrace_write_word(t, (unsigned)(r->addr / sizeof(uint64_t)), r->data);
}

static long make_watch(struct task *t, const struct request *r)
{
	(void)r;
	return ptrace_make_watch(t);
}

static long hold_task(struct task *t, const struct request *r)
{
	(void)r;
	return (long)(uintptr_t)t;
}

/* A task that ends waits for the turn in ptrace_end_watch(). */
static long write_debug(const struct request *r)
{
	const long err = with_stopped(r, make_watch);
	long result;

	if (err)
		return err;
	perf_lock();
	result = with_stopped(r, hold_task);
	if (result != -ESRCH)
		result = ptrace_write_debug((struct task *)result,
					    (unsigned)((r->addr - USER_DEBUG) / sizeof(uint64_t)),
					    r->data);
	perf_unlock();
	return result;
}

static long poke_user(const struct request *r)
{
	if (!is_word_of_user(r->addr))
		return -EIO;
	if (r->addr < PTRACE_WORDS * sizeof(uint64_t))
		return with_stopped(r, write_user);
	return is_debug_register(r->addr) ? write_debug(r) : -EIO;
}

/* A set of registers, as PTRACE_GETREGSET has it. */
struct regset {
	uint64_t type;
	size_t (*bytes)(void);
	size_t unit; /* sizes are multiples of it */
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

/* What lies behind FXSAVE's part is cut by the caller. */
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
	struct request r;
	const struct regset *set;
	size_t bytes; /* to be written */
	uint8_t data[USER_FPU_BYTES];
};

static struct registers *registers_of(const struct request *r)
{
	return (struct registers *)((uint8_t *)(uintptr_t)r - offsetof(struct registers, r));
}

static long read_registers(struct task *t, const struct request *r)
{
	registers_of(r)->set->read(t, registers_of(r)->data);
	return 0;
}

/* A set that is written in part keeps the rest. */
static long write_registers(struct task *t, const struct request *r)
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

static struct registers *new_registers(const struct request *r, const struct regset *set)
{
	struct registers *g = heap_alloc(sizeof(*g));

	if (g) {
		g->r = *r;
		g->set = set;
	}
	return g;
}

static long get_set(const struct request *r, const struct regset *set, uint64_t to, size_t bytes)
{
	struct registers *g = new_registers(r, set);
	long err = g ? with_stopped(&g->r, read_registers) : -ENOMEM;

	if (!err)
		err = copy_to_user(to, g->data, bytes);
	heap_free(g);
	return err;
}

static long set_set(const struct request *r, const struct regset *set, uint64_t from, size_t bytes)
{
	struct registers *g = new_registers(r, set);
	long err = g ? 0 : -ENOMEM;

	if (g)
		g->bytes = bytes;
	if (!err)
		err = copy_from_user(g->data, from, bytes);
	if (!err)
		err = with_stopped(&g->r, write_registers);
	heap_free(g);
	return err;
}

static long get_regs(const struct request *r)
{
	return get_set(r, GENERAL, r->data, GENERAL->bytes());
}

static long set_regs(const struct request *r)
{
	return set_set(r, GENERAL, r->data, GENERAL->bytes());
}

static long get_fpregs(const struct request *r)
{
	return get_set(r, FPU, r->data, FPU->bytes());
}

static long set_fpregs(const struct request *r)
{
	return set_set(r, FPU, r->data, FPU->bytes());
}

static const struct regset *find_set(uint64_t type)
{
	for (size_t i = 0; i < sizeof(regsets) / sizeof(regsets[0]); i++)
		if (regsets[i].type == type)
			return &regsets[i];
	return NULL;
}

/* What a struct iovec has room for; its length becomes that of what was copied. */
static long move_regset(const struct request *r,
			long (*move)(const struct request *, const struct regset *, uint64_t,
				     size_t))
{
	const struct regset *set = find_set(r->addr);
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

static long get_regset(const struct request *r)
{
	return move_regset(r, get_set);
}

static long set_regset(const struct request *r)
{
	return move_regset(r, set_set);
}

/* --- The rows --- */

/* `plain` without the lock; `stopped`: of a stopped task, `traced`: of any. */
static const struct row {
	uint64_t request;
	long (*plain)(const struct request *r);
	locked_fn *stopped, *traced;
	bool has_signal; /* data is one, or 0 */
} rows[] = {
	{PTRACE_TRACEME, .plain = traceme},
	{PTRACE_PEEKTEXT, .plain = peek},
	{PTRACE_PEEKDATA, .plain = peek},
	{PTRACE_PEEKUSR, .plain = peek_user},
	{PTRACE_POKETEXT, .plain = poke},
	{PTRACE_POKEDATA, .plain = poke},
	{PTRACE_POKEUSR, .plain = poke_user},
	{PTRACE_CONT, .stopped = cont, .has_signal = true},
	{PTRACE_KILL, .traced = kill_stopped},
	{PTRACE_SINGLESTEP, .stopped = step, .has_signal = true},
	{PTRACE_GETREGS, .plain = get_regs},
	{PTRACE_SETREGS, .plain = set_regs},
	{PTRACE_GETFPREGS, .plain = get_fpregs},
	{PTRACE_SETFPREGS, .plain = set_fpregs},
	{PTRACE_ATTACH, .plain = attach},
	{PTRACE_DETACH, .stopped = detach, .has_signal = true},
	{PTRACE_SYSCALL, .stopped = cont_to_call, .has_signal = true},
	{PTRACE_SETOPTIONS, .stopped = set_options},
	{PTRACE_OLDSETOPTIONS, .stopped = set_options},
	{PTRACE_GETEVENTMSG, .plain = get_event_message},
	{PTRACE_GETSIGINFO, .plain = get_siginfo},
	{PTRACE_SETSIGINFO, .plain = set_siginfo},
	{PTRACE_GETREGSET, .plain = get_regset},
	{PTRACE_SETREGSET, .plain = set_regset},
	{PTRACE_SEIZE, .plain = seize},
	{PTRACE_INTERRUPT, .traced = interrupt},
	{PTRACE_LISTEN, .stopped = listen},
	{PTRACE_PEEKSIGINFO, .plain = peek_siginfo},
	{PTRACE_GETSIGMASK, .plain = get_sigmask},
	{PTRACE_SETSIGMASK, .plain = set_sigmask},
	{PTRACE_GET_SYSCALL_INFO, .plain = get_syscall_info},
};

static long nothing(struct task *t, const struct request *r)
{
	(void)t;
	(void)r;
	return 0;
}

/* As Linux: a task that this process does not trace, or that runs, is told before all else. */
static long refuse_request(const struct request *r)
{
	const long err = with_stopped(r, nothing);

	return err ? err : -EIO;
}

static long make_request(const struct row *row, const struct request *r)
{
	if (row->has_signal && !is_signal_or_none(r->data))
		return refuse_request(r);
	if (row->plain)
		return row->plain(r);
	return row->stopped ? with_stopped(r, row->stopped) : with_traced(r, row->traced);
}

static long sys_ptrace(struct trap_frame *f)
{
	const struct request r = {
		.tid = (int)f->rsi,
		.addr = f->rdx,
		.data = f->r10,
		.by = sched_current()->process,
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].request == f->rdi)
			return make_request(&rows[i], &r);
	return refuse_request(&r);
}

/* --- process_vm_readv(2), process_vm_writev(2) --- */

static int get_mm(struct task *t, void *arg)
{
	struct mm **mm = arg;

	*mm = t->process && t->process->mm ? mm_get(t->process->mm) : NULL;
	return *mm ? 0 : -ESRCH;
}

/* Parts of the caller's memory, in the heap; NULL: `*err` says why, 0: there are none. */
static struct io_part *read_parts(uint64_t from, uint64_t n, long *err)
{
	struct io_part *parts;

	*err = n > IO_PARTS_MOST ? -EINVAL : 0;
	if (*err || !n)
		return NULL;
	parts = heap_alloc(n * sizeof(*parts));
	*err = parts ? 0 : -ENOMEM;
	if (parts && copy_from_user(parts, from, n * sizeof(*parts))) {
		heap_free(parts);
		parts = NULL;
		*err = -EFAULT;
	}
	return parts;
}

struct move {
	struct mm *mm;
	struct io *io; /* the caller's memory */
	bool write;
	uint8_t *page; /* a buffer */
};

/* Returns how many of `bytes` were moved. */
static size_t move_some(const struct move *m, uint64_t address, size_t bytes)
{
	size_t n = bytes;

	if (m->write)
		return io_from_user(m->io, m->page, n) ? 0 : mm_write(m->mm, address, m->page, n);
	n = mm_read(m->mm, address, m->page, n);
	return io_to_user(m->io, m->page, n) ? 0 : n;
}

/* -EFAULT: not one byte. */
static long move_parts(const struct move *m, const struct io_part *parts, uint64_t n)
{
	long done = 0;

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t at = 0; at < parts[i].bytes && m->io->left;) {
			const size_t wanted =
				least_of(least_of(parts[i].bytes - at, m->io->left), PAGE_SIZE);
			const size_t moved = move_some(m, parts[i].address + at, wanted);

			done += (long)moved;
			at += moved;
			if (moved < wanted)
				return done ? done : -EFAULT;
		}
	return done;
}

static long move_memory(const struct trap_frame *f, struct io *io, const struct io_part *remote,
			bool write)
{
	struct move m = {.io = io, .write = write, .page = heap_alloc(PAGE_SIZE)};
	long result = m.page ? task_with((int)f->rdi, get_mm, &m.mm) : -ENOMEM;

	if (!result) {
		result = move_parts(&m, remote, f->r8);
		mm_put(m.mm);
	}
	heap_free(m.page);
	return result;
}

static long process_vm(const struct trap_frame *f, bool write)
{
	struct io_part *local, *remote = NULL;
	struct io io;
	long err;

	if (f->r9)
		return -EINVAL;
	local = read_parts(f->rsi, f->rdx, &err);
	if (local)
		err = io_user_parts(&io, local, f->rdx);
	if (local && !err)
		remote = read_parts(f->r10, f->r8, &err);
	if (remote)
		err = move_memory(f, &io, remote, write);
	heap_free(remote);
	heap_free(local);
	return err;
}

static long sys_process_vm_readv(struct trap_frame *f)
{
	return process_vm(f, false);
}

static long sys_process_vm_writev(struct trap_frame *f)
{
	return process_vm(f, true);
}

const struct syscall_row syscall_ptrace_rows[] = {
	{__NR_ptrace, sys_ptrace},
	{__NR_process_vm_readv, sys_process_vm_readv},
	{__NR_process_vm_writev, sys_process_vm_writev},
	{0, NULL},
};
