// SPDX-License-Identifier: BSD-2-Clause
/* sys_signal.c - signals: actions, masks, sending, waiting. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

#define SET_BYTES sizeof(uint64_t)

static bool is_signal(uint64_t number)
{
	return number >= 1 && number <= SIGNALS;
}

static long sys_rt_sigaction(struct trap_frame *f)
{
	struct signal_action *action, new;

	if (!is_signal(f->rdi) || f->r10 != SET_BYTES ||
	    (f->rsi && SIGNALS_UNMASKABLE & signal_bit((int)f->rdi)))
		return -EINVAL;
	if (f->rsi && copy_from_user(&new, f->rsi, sizeof(new)))
		return -EFAULT;
	action = &sched_current()->process->signals.action[f->rdi - 1];
	if (f->rdx && copy_to_user(f->rdx, action, sizeof(*action)))
		return -EFAULT;
	if (f->rsi) {
		new.mask &= ~SIGNALS_UNMASKABLE;
		*action = new;
	}
	return 0;
}

static long sys_rt_sigprocmask(struct trap_frame *f)
{
	struct task_signals *s = &sched_current()->signals;
	const uint64_t old = s->blocked;
	uint64_t set;

	if (f->r10 != SET_BYTES)
		return -EINVAL;
	if (f->rsi && copy_from_user(&set, f->rsi, sizeof(set)))
		return -EFAULT;
	if (f->rsi && f->rdi > SIG_SETMASK)
		return -EINVAL;
	if (f->rdx && copy_to_user(f->rdx, &old, sizeof(old)))
		return -EFAULT;
	if (!f->rsi)
		return 0;
	set &= ~SIGNALS_UNMASKABLE;
	s->blocked = f->rdi == SIG_BLOCK ? old | set : f->rdi == SIG_UNBLOCK ? old & ~set : set;
	return 0;
}

static long sys_rt_sigpending(struct trap_frame *f)
{
	const struct task *t = sched_current();
	const uint64_t pending =
		(t->signals.queue.pending | t->process->signals.queue.pending) & t->signals.blocked;

	return f->rsi > SET_BYTES ? -EINVAL : copy_to_user(f->rdi, &pending, f->rsi);
}

static long sys_rt_sigreturn(struct trap_frame *f)
{
	(void)f;
	sched_leave_handler();
}

#define STACK_LEAST 2048 /* the traditional value of MINSIGSTKSZ */

static long sys_sigaltstack(struct trap_frame *f)
{
	stack_t *stack = &sched_current()->signals.stack, new, old = *stack;
	const bool inside = old.ss_size && f->rsp - (uint64_t)old.ss_sp <= old.ss_size;

	if (f->rdi && copy_from_user(&new, f->rdi, sizeof(new)))
		return -EFAULT;
	old.ss_flags = !old.ss_size ? SS_DISABLE : inside ? SS_ONSTACK : 0;
	if (f->rdi) {
		if (inside)
			return -EPERM;
		if (new.ss_flags & ~(SS_ONSTACK | SS_DISABLE | (int)SS_AUTODISARM))
			return -EINVAL;
		if (new.ss_flags & SS_DISABLE)
			memset(&new, 0, sizeof(new));
		else if (new.ss_size < STACK_LEAST)
			return -ENOMEM;
		*stack = new;
	}
	return f->rsi ? copy_to_user(f->rsi, &old, sizeof(old)) : 0;
}

/* --- Sending --- */

static siginfo_t info_from_self(int number, int code)
{
	siginfo_t info = signal_info(number, code);

	info.si_pid = (int)sched_current()->pid;
	return info;
}

static bool is_target(const struct process *p, int pid)
{
	const struct process *self = sched_current()->process;

	if (pid > 0)
		return p->pid == (uint32_t)pid;
	if (pid == -1)
		return p != self;
	return p->group == (pid ? (uint32_t)-pid : self->group);
}

static long sys_kill(struct trap_frame *f)
{
	const int pid = (int)f->rdi, number = (int)f->rsi;
	const siginfo_t info = info_from_self(number, SI_USER);
	/* The runtime ignores signals, as init of Linux ignores those without a handler. */
	long result = pid == RUNTIME_PID ? 0 : -ESRCH;
	uint64_t flags;

	if (number && !is_signal(f->rsi))
		return -EINVAL;
	flags = task_lock_tree();
	for (struct process *p = task_tree.processes; p; p = p->next) {
		if (!is_target(p, pid))
			continue;
		result = 0;
		if (number && p->threads)
			signal_send_process(p, &info);
	}
	task_unlock_tree(flags);
	return result;
}

struct to_task {
	int pid; /* -1: any process */
	siginfo_t info;
};

static int send_to_task(struct task *t, void *arg)
{
	const struct to_task *to = arg;

	if (to->pid != -1 && t->pid != (uint32_t)to->pid)
		return -ESRCH;
	return to->info.si_signo ? signal_send_task(t, &to->info) : 0;
}

static long send_thread(int pid, int tid, uint64_t number, int code)
{
	struct to_task to = {pid, info_from_self((int)number, code)};

	if (tid <= 0 || (number && !is_signal(number)))
		return -EINVAL;
	return task_with(tid, send_to_task, &to);
}

static long sys_tkill(struct trap_frame *f)
{
	return send_thread(-1, (int)f->rdi, f->rsi, SI_TKILL);
}

static long sys_tgkill(struct trap_frame *f)
{
	return (int)f->rdi <= 0 ? -EINVAL : send_thread((int)f->rdi, (int)f->rsi, f->rdx, SI_TKILL);
}

static long sys_rt_sigqueueinfo(struct trap_frame *f)
{
	siginfo_t info;
	struct process *p;
	uint64_t flags;
	int err;

	if (copy_from_user(&info, f->rdx, sizeof(info)))
		return -EFAULT;
	if (!is_signal(f->rsi))
		return -EINVAL;
	if (info.si_code >= 0 || info.si_code == SI_TKILL)
		return -EPERM;
	info.si_signo = (int)f->rsi;
	flags = task_lock_tree();
	p = task_find_process((uint32_t)f->rdi);
	err = !p ? -ESRCH : p->threads ? signal_send_process(p, &info) : 0;
	task_unlock_tree(flags);
	return err;
}

static long sys_rt_tgsigqueueinfo(struct trap_frame *f)
{
	struct to_task to = {.pid = (int)f->rdi};

	if (copy_from_user(&to.info, f->r10, sizeof(to.info)))
		return -EFAULT;
	if ((int)f->rdi <= 0 || (int)f->rsi <= 0 || !is_signal(f->rdx))
		return -EINVAL;
	if (to.info.si_code >= 0 || to.info.si_code == SI_TKILL)
		return -EPERM;
	to.info.si_signo = (int)f->rdx;
	return task_with((int)f->rsi, send_to_task, &to);
}

/* --- Waiting --- */

static long sys_rt_sigsuspend(struct trap_frame *f)
{
	struct task *t = sched_current();
	uint64_t set;

	if (f->rsi != SET_BYTES)
		return -EINVAL;
	if (copy_from_user(&set, f->rdi, sizeof(set)))
		return -EFAULT;
	if (!t->again) {
		t->signals.saved = t->signals.blocked;
		t->signals.restore = true;
		t->signals.blocked = set & ~SIGNALS_UNMASKABLE;
	}
	return syscall_may_sleep() ? syscall_sleep() : -SIGNAL_RESTART_NO_HANDLER;
}

static long sys_pause(struct trap_frame *f)
{
	(void)f;
	return syscall_may_sleep() ? syscall_sleep() : -SIGNAL_RESTART_NO_HANDLER;
}

/* The wanted signals are usually blocked, so `waited` makes them wake the task nevertheless. They
 * are looked for once the task is prepared to sleep. */
static long wait_for_signal(uint64_t wanted, uint64_t deadline, uint64_t to)
{
	struct task *t = sched_current();
	const bool late = syscall_is_late();
	siginfo_t info;
	bool sleeps;
	int number;

	t->signals.waited = wanted;
	sleeps = !late && syscall_may_sleep();
	number = signal_take(t, wanted, &info);
	if (sleeps && !number)
		return syscall_sleep_until(deadline);
	if (sleeps)
		sched_stay_awake();
	t->signals.waited = 0;
	if (number)
		return to && copy_to_user(to, &info, sizeof(info)) ? -EFAULT : number;
	return late ? -EAGAIN : -EINTR;
}

static long sys_rt_sigtimedwait(struct trap_frame *f)
{
	uint64_t wanted, ns = 0;
	int err = 0;

	if (f->r10 != SET_BYTES)
		return -EINVAL;
	if (copy_from_user(&wanted, f->rdi, sizeof(wanted)))
		return -EFAULT;
	if (f->rdx)
		err = times_read(f->rdx, &ns);
	if (err)
		return err;
	return wait_for_signal(wanted, syscall_deadline(f->rdx ? ns + !ns : 0), f->rsi);
}

const struct syscall_row syscall_signal_rows[] = {
	{__NR_rt_sigaction, sys_rt_sigaction},
	{__NR_rt_sigprocmask, sys_rt_sigprocmask},
	{__NR_rt_sigpending, sys_rt_sigpending},
	{__NR_rt_sigreturn, sys_rt_sigreturn},
	{__NR_sigaltstack, sys_sigaltstack},
	{__NR_kill, sys_kill},
	{__NR_tkill, sys_tkill},
	{__NR_tgkill, sys_tgkill},
	{__NR_rt_sigqueueinfo, sys_rt_sigqueueinfo},
	{__NR_rt_tgsigqueueinfo, sys_rt_tgsigqueueinfo},
	{__NR_rt_sigsuspend, sys_rt_sigsuspend},
	{__NR_pause, sys_pause},
	{__NR_rt_sigtimedwait, sys_rt_sigtimedwait},
	{0, NULL},
};
