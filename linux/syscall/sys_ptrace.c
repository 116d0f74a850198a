// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_ptrace.c - ptrace(2), a row for each request. A request holds the lock of the tree of tasks
 * only while it reads the task or changes its state. In between only requests of its tracer change
 * a stopped task; otherwise it can only end.
 */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/math.h"
#include "lib/string.h"
#include "linux/syscall/ptrace_request.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/audit.h>
#include <linux/errno.h>

#define OPTIONS (PTRACE_O_MASK & ~(uint64_t)(PTRACE_O_TRACESECCOMP | PTRACE_O_SUSPEND_SECCOMP))

/* --- The task --- */

static bool is_traced_by(const struct task *t, const struct process *by)
{
	return t->trace.by == by && t->process;
}

/* A running or listening task accepts PTRACE_INTERRUPT only. */
static bool is_stopped_for(const struct task *t, const struct process *by)
{
	const struct ptrace_state *s = &t->trace;

	return is_traced_by(t, by) && s->stop && s->stop != PTRACE_IN_JOB_STOP && !s->listens;
}

struct in_tree {
	const struct ptrace_request *r;
	ptrace_locked *fn;
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

long ptrace_with_stopped(const struct ptrace_request *r, ptrace_locked *fn)
{
	struct in_tree in = {.r = r, .fn = fn};
	const int err = task_with(r->tid, call_locked, &in);

	return err ? err : in.result;
}

static long with_traced(const struct ptrace_request *r, ptrace_locked *fn)
{
	struct in_tree in = {.r = r, .fn = fn, .any = true};
	const int err = task_with(r->tid, call_locked, &in);

	return err ? err : in.result;
}

/* --- Attaching and detaching --- */

static long traceme(const struct ptrace_request *r)
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

static bool may_attach(const struct task *t, const struct ptrace_request *r)
{
	return t->process && t->process != r->by && !t->trace.by;
}

/* A task that is already stopped reports that stop. */
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
	const struct ptrace_request *r = arg;
	const siginfo_t info = signal_info(SIGSTOP, SI_KERNEL);

	if (!may_attach(t, r))
		return -EPERM;
	ptrace_attach(t, r->by, 0, false);
	take_over_stop(t);
	signal_send_task(t, &info);
	return 0;
}

static long attach(const struct ptrace_request *r)
{
	return task_with(r->tid, attach_locked, (void *)(uintptr_t)r);
}

static int seize_locked(struct task *t, void *arg)
{
	const struct ptrace_request *r = arg;

	if (!may_attach(t, r))
		return -EPERM;
	ptrace_attach(t, r->by, (uint32_t)r->data, true);
	take_over_stop(t);
	return 0;
}

static long seize(const struct ptrace_request *r)
{
	if (r->addr || r->data & ~(uint64_t)OPTIONS)
		return -EIO;
	return task_with(r->tid, seize_locked, (void *)(uintptr_t)r);
}

static bool is_signal_or_none(uint64_t number)
{
	return number <= SIGNALS;
}

static long detach(struct task *t, const struct ptrace_request *r)
{
	ptrace_detach(t);
	ptrace_let_go(t, (int)r->data);
	ptrace_note_watched(t);
	return 0;
}

/* --- Resumption --- */

static long go_on(struct task *t, const struct ptrace_request *r, bool calls, bool steps)
{
	t->trace.calls = calls;
	t->trace.steps = steps;
	ptrace_let_go(t, (int)r->data);
	return 0;
}

static long cont(struct task *t, const struct ptrace_request *r)
{
	return go_on(t, r, false, false);
}

static long cont_to_call(struct task *t, const struct ptrace_request *r)
{
	return go_on(t, r, true, false);
}

static long go_on_stepping(struct task *t, const struct ptrace_request *r)
{
	return go_on(t, r, false, true);
}

static long kill_stopped(struct task *t, const struct ptrace_request *r)
{
	const siginfo_t info = signal_info(SIGKILL, SI_USER);

	(void)r;
	signal_send_task(t, &info);
	return 0;
}

static long interrupt_traced(struct task *t, const struct ptrace_request *r)
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

static long listen(struct task *t, const struct ptrace_request *r)
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

/* --- Information on stops --- */

static long set_options(struct task *t, const struct ptrace_request *r)
{
	if (r->data & ~(uint64_t)OPTIONS)
		return -EINVAL;
	t->trace.options = (uint32_t)r->data;
	return 0;
}

/* Copied to ring 3 without the lock. */
struct answer {
	struct ptrace_request r;
	union {
		siginfo_t info;
		uint64_t word;
		struct ptrace_syscall_info call;
		uint64_t words[PTRACE_WORDS];
	};
};

static struct answer *answer_of(const struct ptrace_request *r)
{
	return (struct answer *)((uint8_t *)(uintptr_t)r - offsetof(struct answer, r));
}

static long message(struct task *t, const struct ptrace_request *r)
{
	answer_of(r)->word = t->trace.message;
	return 0;
}

static long get_event_message(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};
	const long err = ptrace_with_stopped(&a.r, message);

	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long info_of_stop(struct task *t, const struct ptrace_request *r)
{
	if (!t->trace.has_info)
		return -EINVAL;
	answer_of(r)->info = t->trace.info;
	return 0;
}

static long get_siginfo(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};
	const long err = ptrace_with_stopped(&a.r, info_of_stop);

	return err ? err : copy_to_user(r->data, &a.info, sizeof(a.info));
}

static long set_info_of_stop(struct task *t, const struct ptrace_request *r)
{
	if (!t->trace.has_info)
		return -EINVAL;
	t->trace.info = answer_of(r)->info;
	return 0;
}

static long set_siginfo(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};

	if (copy_from_user(&a.info, r->data, sizeof(a.info)))
		return -EFAULT;
	return ptrace_with_stopped(&a.r, set_info_of_stop);
}

static long blocked(struct task *t, const struct ptrace_request *r)
{
	answer_of(r)->word = t->signals.restore ? t->signals.saved : t->signals.blocked;
	return 0;
}

static long get_sigmask(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};
	long err = ptrace_with_stopped(&a.r, blocked);

	if (!err && r->addr != sizeof(a.word))
		err = -EINVAL;
	return err ? err : copy_to_user(r->data, &a.word, sizeof(a.word));
}

static long set_blocked(struct task *t, const struct ptrace_request *r)
{
	t->signals.restore = false;
	t->signals.blocked = answer_of(r)->word & ~SIGNALS_UNMASKABLE;
	task_heed(t);
	return 0;
}

static long set_sigmask(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};

	if (r->addr != sizeof(a.word))
		return -EINVAL;
	if (copy_from_user(&a.word, r->data, sizeof(a.word)))
		return -EFAULT;
	return ptrace_with_stopped(&a.r, set_blocked);
}

/* Entry `i` of a queue, in the order of signal numbers; false: the queue has fewer entries. */
static bool queued_info(const struct signal_queue *q, uint64_t i, siginfo_t *info)
{
	for (int number = 1; number <= SIGNALS; number++) {
		const struct signal_entry *last = q->last[number - 1], *e = last;

		while (e) {
			e = e->next;
			if (!i--) {
				*info = e->info;
				return true;
			}
			if (e == last)
				break;
		}
	}
	return false;
}

static long peek_info(struct task *t, const struct ptrace_request *r)
{
	struct answer *a = answer_of(r);

	return queued_info(r->data ? &t->process->signals.queue : &t->signals.queue, r->addr,
			   &a->info);
}

static long peek_siginfo(const struct ptrace_request *r)
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
		found = ptrace_with_stopped(&a.r, peek_info);
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

static long describe_call(struct task *t, const struct ptrace_request *r)
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

static long get_syscall_info(const struct ptrace_request *r)
{
	struct answer a = {.r = *r};
	const long err = ptrace_with_stopped(&a.r, describe_call);
	size_t bytes;

	if (err)
		return err;
	bytes = bytes_of_call(&a.call);
	return copy_to_user(r->data, &a.call, least_of(bytes, r->addr)) ? -EFAULT : (long)bytes;
}

/* --- The rows --- */

/* `plain` runs without the lock, `stopped` for a stopped task, `traced` for any traced task. */
static const struct row {
	uint64_t request;
	ptrace_fn *plain;
	ptrace_locked *stopped, *traced;
	bool has_signal; /* data is a signal, or 0 */
} rows[] = {
	{PTRACE_TRACEME, .plain = traceme},
	{PTRACE_PEEKTEXT, .plain = ptrace_peek},
	{PTRACE_PEEKDATA, .plain = ptrace_peek},
	{PTRACE_PEEKUSR, .plain = ptrace_peek_user},
	{PTRACE_POKETEXT, .plain = ptrace_poke},
	{PTRACE_POKEDATA, .plain = ptrace_poke},
	{PTRACE_POKEUSR, .plain = ptrace_poke_user},
	{PTRACE_CONT, .stopped = cont, .has_signal = true},
	{PTRACE_KILL, .traced = kill_stopped},
	{PTRACE_SINGLESTEP, .stopped = go_on_stepping, .has_signal = true},
	{PTRACE_GETREGS, .plain = ptrace_get_regs},
	{PTRACE_SETREGS, .plain = ptrace_set_regs},
	{PTRACE_GETFPREGS, .plain = ptrace_get_fpregs},
	{PTRACE_SETFPREGS, .plain = ptrace_set_fpregs},
	{PTRACE_ATTACH, .plain = attach},
	{PTRACE_DETACH, .stopped = detach, .has_signal = true},
	{PTRACE_SYSCALL, .stopped = cont_to_call, .has_signal = true},
	{PTRACE_SETOPTIONS, .stopped = set_options},
	{PTRACE_OLDSETOPTIONS, .stopped = set_options},
	{PTRACE_GETEVENTMSG, .plain = get_event_message},
	{PTRACE_GETSIGINFO, .plain = get_siginfo},
	{PTRACE_SETSIGINFO, .plain = set_siginfo},
	{PTRACE_GETREGSET, .plain = ptrace_get_regset},
	{PTRACE_SETREGSET, .plain = ptrace_set_regset},
	{PTRACE_SEIZE, .plain = seize},
	{PTRACE_INTERRUPT, .traced = interrupt_traced},
	{PTRACE_LISTEN, .stopped = listen},
	{PTRACE_PEEKSIGINFO, .plain = peek_siginfo},
	{PTRACE_GETSIGMASK, .plain = get_sigmask},
	{PTRACE_SETSIGMASK, .plain = set_sigmask},
	{PTRACE_GET_SYSCALL_INFO, .plain = get_syscall_info},
};

static long succeed_if_stopped(struct task *t, const struct ptrace_request *r)
{
	(void)t;
	(void)r;
	return 0;
}

/* As in Linux, this error comes first: the task is not traced by this process, or runs. */
static long refuse_request(const struct ptrace_request *r)
{
	const long err = ptrace_with_stopped(r, succeed_if_stopped);

	return err ? err : -EIO;
}

static long make_request(const struct row *row, const struct ptrace_request *r)
{
	if (row->has_signal && !is_signal_or_none(r->data))
		return refuse_request(r);
	if (row->plain)
		return row->plain(r);
	return row->stopped ? ptrace_with_stopped(r, row->stopped) : with_traced(r, row->traced);
}

static long sys_ptrace(struct trap_frame *f)
{
	const struct ptrace_request r = {
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

const struct syscall_row syscall_ptrace_rows[] = {
	{__NR_ptrace, sys_ptrace},
	{0, NULL},
};
