// SPDX-License-Identifier: BSD-2-Clause
/* sys_task.c - the begin and end of threads and processes. */
#include "linux/syscall/missing_files.h"
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "rt/clock/hrtimer.h"
#include "rt/base/heap.h"
#include "linux/program/file_map.h"
#include "linux/task/limits.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/resource.h>
#include <linux/sched.h>

/* --- clone(2) and its kin --- */

#define CLONE_IGNORED \
	(CLONE_FS | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_DETACHED | CLONE_UNTRACED | CLONE_IO)
#define CLONE_OBEYED                                                                      \
	(CLONE_VM | CLONE_FILES | CLONE_VFORK | CLONE_THREAD | CLONE_SETTLS |             \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_PARENT | \
	 CLONE_CLEAR_SIGHAND)

/* Threads share all resources or none. */
static int check_clone(const struct task_clone *how)
{
	const uint64_t flags = how->flags, of_thread = CLONE_VM | CLONE_SIGHAND;

	if (flags & ~(uint64_t)(CLONE_IGNORED | CLONE_OBEYED))
		return -EINVAL;
	if (flags & CLONE_THREAD && (flags & of_thread) != of_thread)
		return -EINVAL;
	if (flags & CLONE_SIGHAND && (!(flags & CLONE_VM) || flags & CLONE_CLEAR_SIGHAND))
		return -EINVAL;
	if (flags & CLONE_PARENT && sched_current()->pid == TASK_PID)
		return -EINVAL;
	if (how->flags & CLONE_SETTLS && !user_range(how->tls, 1))
		return -EPERM;
	return 0;
}

/* Does a child of vfork(2) still use its parent's memory? It does until it has memory of its own,
 * or has ended. */
static bool borrows_memory(uint32_t pid)
{
	const uint64_t flags = task_lock_tree();
	const struct process *p = task_find_process(pid);
	const bool borrows = p && p->vfork;

	task_unlock_tree(flags);
	return borrows;
}

static long await_vfork(struct task *t, uint32_t pid)
{
	t->waits_for_child = true;
	sched_prepare_sleep(0, true);
	if (t->trace.event) /* the tracer gets the event before the wait */
		sched_wake(t);
	if (!signal_kills(t) && (t->trace.event || borrows_memory(pid)))
		return syscall_sleep();
	sched_stay_awake();
	t->waits_for_child = false;
	t->vfork_child = 0;
	if (t->trace.by)
		ptrace_vfork_done(t, pid);
	return pid;
}

static long do_clone(const struct task_clone *how)
{
	struct task *t = sched_current();
	int err = check_clone(how);
	long tid;

	if (t->again && t->vfork_child)
		return await_vfork(t, t->vfork_child);
	if (err)
		return err;
	tid = task_clone(t, how);
	if (tid > 0 && how->flags & CLONE_VFORK) {
		t->vfork_child = (uint32_t)tid;
		return await_vfork(t, (uint32_t)tid);
	}
	return tid;
}

static long sys_clone(struct trap_frame *f)
{
	struct task_clone how = {
		.flags = f->rdi & ~(uint64_t)CSIGNAL,
		.stack = f->rsi,
		.parent_tid = f->rdx,
		.child_tid = f->r10,
		.tls = f->r8,
		.exit_signal = (int)(f->rdi & CSIGNAL),
	};

	return do_clone(&how);
}

/* Extra members of a later version of a structure have to be zero. */
static bool is_user_zero(uint64_t from, uint64_t bytes)
{
	uint8_t byte = 0;

	for (uint64_t i = 0; i < bytes && !byte; i++)
		if (copy_from_user(&byte, from + i, 1))
			return false;
	return !byte;
}

static long sys_clone3(struct trap_frame *f)
{
	struct clone_args args;
	struct task_clone how;

	memset(&args, 0, sizeof(args));
	if (f->rsi > PAGE_SIZE)
		return -E2BIG;
	if (f->rsi < CLONE_ARGS_SIZE_VER0)
		return -EINVAL;
	if (copy_from_user(&args, f->rdi, f->rsi < sizeof(args) ? f->rsi : sizeof(args)))
		return -EFAULT;
	if (f->rsi > sizeof(args) && !is_user_zero(f->rdi + sizeof(args), f->rsi - sizeof(args)))
		return -E2BIG;
	if (args.flags & CLONE_DETACHED ||
	    (args.flags & (CLONE_THREAD | CLONE_PARENT) && args.exit_signal) ||
	    (args.stack && !user_range(args.stack, args.stack_size)) || args.set_tid ||
	    args.set_tid_size || args.cgroup || args.exit_signal > SIGNALS ||
	    !args.stack != !args.stack_size)
		return -EINVAL;
	how = (struct task_clone){
		.flags = args.flags,
		.stack = args.stack + args.stack_size,
		.parent_tid = args.parent_tid,
		.child_tid = args.child_tid,
		.tls = args.tls,
		.exit_signal = (int)args.exit_signal,
	};
	return do_clone(&how);
}

static long sys_fork(struct trap_frame *f)
{
	const struct task_clone how = {.exit_signal = SIGCHLD};

	(void)f;
	return do_clone(&how);
}

static long sys_vfork(struct trap_frame *f)
{
	const struct task_clone how = {.flags = CLONE_VM | CLONE_VFORK, .exit_signal = SIGCHLD};

	(void)f;
	return do_clone(&how);
}

/* --- Ends --- */

static long sys_exit(struct trap_frame *f)
{
	struct task *t = sched_current();
	struct process *p = t->process;

	t->trace.status = (int)(f->rdi & 0xff) << 8;
	if (t->tid == p->pid && !p->ending)
		p->status = t->trace.status;
	sched_exit();
}

static long sys_exit_group(struct trap_frame *f)
{
	struct task *t = sched_current();

	task_end_process(t->process, (int)(f->rdi & 0xff) << 8);
	sched_exit();
}

/* --- execve(2) --- */

#define STRINGS_MOST (2ul << 20) /* bytes of all words and of the environment */

struct strings {
	char *text;
	size_t used, room;
};

static int grow_strings(struct strings *s, size_t wanted)
{
	size_t room = s->room ? s->room : PAGE_SIZE;
	char *larger;

	if (wanted > STRINGS_MOST)
		return -E2BIG;
	while (room < wanted)
		room *= 2;
	if (room == s->room)
		return 0;
	larger = heap_alloc(room);
	if (!larger)
		return -ENOMEM;
	if (s->used)
		memcpy(larger, s->text, s->used);
	heap_free(s->text);
	s->text = larger;
	s->room = room;
	return 0;
}

#define STRING_PIECE 64 /* bytes: most strings are shorter */

/* Adds a terminated string from `from`. No piece of it spans two pages: the second one may be
 * missing. */
static int copy_user_string(struct strings *s, uint64_t from)
{
	for (;;) {
		size_t n = STRING_PIECE - from % STRING_PIECE, length;
		int err = grow_strings(s, s->used + n);

		if (err)
			return err;
		if (copy_from_user(s->text + s->used, from, n))
			return -EFAULT;
		length = strnlen(s->text + s->used, n);
		if (length < n) {
			s->used += length + 1;
			return 0;
		}
		s->used += n;
		from += n;
	}
}

/* Adds all strings of a vector. Returns their number, or -errno. */
static long add_vector(struct strings *s, uint64_t vector)
{
	for (long n = 0;; n++) {
		uint64_t from;
		int err;

		if (!vector)
			return 0;
		if (copy_from_user(&from, vector + (uint64_t)n * sizeof(from), sizeof(from)))
			return -EFAULT;
		if (!from)
			return n;
		err = copy_user_string(s, from);
		if (err)
			return err;
	}
}

static void end_other(struct task *t, void *self)
{
	const struct task *by = self;

	if (t->process != by->process || t == by)
		return;
	t->killed = true;
	sched_wake(t);
	smp_kick(t->cpu);
}

/* Does this thread stay? The first that calls execve(2) does. */
static bool is_to_stay(const struct task *t)
{
	const uint64_t flags = task_lock_tree();
	struct process *p = t->process;
	bool stays;

	if (!p->stays && !t->killed)
		p->stays = t;
	stays = p->stays == t;
	task_unlock_tree(flags);
	return stays;
}

/* False: there are still other threads; the task sleeps until one of them has ended, or until it
 * ends itself. */
static bool be_alone(struct task *t)
{
	if (__atomic_load_n(&t->process->threads, __ATOMIC_ACQUIRE) == 1)
		return true;
	t->waits_for_child = true;
	sched_prepare_sleep(0, true);
	if (is_to_stay(t))
		task_each(end_other, t);
	if (__atomic_load_n(&t->process->threads, __ATOMIC_ACQUIRE) > 1)
		return false;
	sched_stay_awake();
	return true;
}

/* Finds a file, or a program that is linked into the image. Without a volume no file has such a
 * program's name, and none is searched. */
static int find_program(const struct task *t, struct exec *exec)
{
	const struct workload *builtin = workload_at(exec->path);
	int err;

	exec->view = &t->process->view;
	exec->builtin = NULL;
	err = builtin && !pack_has_volume() ? -ENOENT : exec_open(exec);
	if (err == -ENOENT && builtin) {
		exec->builtin = builtin;
		return 0;
	}
	if (err == -ENOENT)
		sought_note(NULL, exec->path);
	return err;
}

/* Loads the program into a new memory for the process; NULL: `*err` says why not. */
static struct mm *load_program(struct task *t, struct exec *exec, int *err)
{
	struct mm *mm = mm_create();
	struct exec_start start;

	*err = -ENOMEM;
	exec->stack_bytes = limit_stack(t->process);
	if (mm)
		mm->no_large = t->process->mm->no_large;
	if (mm && !exec_load(mm, exec, &start, err)) {
		task_exec(t, &start, exec->path);
		return mm;
	}
	if (mm)
		mm_put(mm);
	return NULL;
}

/* With other threads the task sleeps first, and its new memory does not exist yet. */
static long exec_strings(struct task *t, struct trap_frame *f, struct strings *s, struct mm **mm)
{
	struct exec exec = {.credentials = &t->process->credentials};
	size_t words;
	long n = copy_user_string(s, f->rdi);
	int err;

	if (n < 0)
		return n;
	words = s->used;
	n = add_vector(s, f->rsi);
	if (n < 0)
		return n;
	exec.argc = (unsigned)n;
	n = add_vector(s, f->rdx);
	if (n < 0)
		return n;
	exec.envc = (unsigned)n;
	exec.path = s->text;
	exec.strings = s->text + words;
	exec.bytes = s->used - words;
	err = find_program(t, &exec);
	if (!err && be_alone(t))
		*mm = load_program(t, &exec, &err);
	exec_close(&exec);
	return err;
}

static long sys_execve(struct trap_frame *f)
{
	struct task *t = sched_current();
	struct strings s = {0};
	long result;

	t->waits_for_child = false;
	task_heed(t);
	result = exec_strings(t, f, &s, &t->enters);
	heap_free(s.text);
	return result;
}

/* --- Addresses for the end of a thread --- */

static long sys_set_tid_address(struct trap_frame *f)
{
	struct task *t = sched_current();

	t->clear_tid = f->rdi;
	return t->tid;
}

static long sys_set_robust_list(struct trap_frame *f)
{
	if (f->rsi != 24)
		return -EINVAL;
	sched_current()->robust_list = f->rdi;
	return 0;
}

/* Restartable sequences are absent, and libc does not need them. */
static long sys_rseq(struct trap_frame *f)
{
	(void)f;
	return -ENOSYS;
}

/* --- Ids --- */

static long sys_getpid(struct trap_frame *f)
{
	(void)f;
	return sched_current()->pid;
}

static long sys_gettid(struct trap_frame *f)
{
	(void)f;
	return sched_current()->tid;
}

static USER_BRIEF long brief_getpid(uint64_t a0, uint64_t a1, uint64_t a2)
{
	(void)a0;
	(void)a1;
	(void)a2;
	return sched_current()->pid;
}

static USER_BRIEF long brief_gettid(uint64_t a0, uint64_t a1, uint64_t a2)
{
	(void)a0;
	(void)a1;
	(void)a2;
	return sched_current()->tid;
}

static long sys_getppid(struct trap_frame *f)
{
	const uint64_t flags = task_lock_tree();
	const struct process *parent = sched_current()->process->parent;
	const long pid = parent ? (long)parent->pid : RUNTIME_PID;

	(void)f;
	task_unlock_tree(flags);
	return pid;
}

static struct process *process_of(uint64_t pid)
{
	return (uint32_t)pid ? task_find_process((uint32_t)pid) : sched_current()->process;
}

/* Group and session of the runtime's process. */
static long of_runtime(uint64_t pid)
{
	return pid == RUNTIME_PID ? RUNTIME_PID : -ESRCH;
}

static long sys_getpgid(struct trap_frame *f)
{
	const uint64_t flags = task_lock_tree();
	const struct process *p = process_of(f->rdi);
	const long group = p ? (long)p->group : of_runtime(f->rdi);

	task_unlock_tree(flags);
	return group;
}

static long sys_getpgrp(struct trap_frame *f)
{
	(void)f;
	return sched_current()->process->group;
}

static long sys_getsid(struct trap_frame *f)
{
	const uint64_t flags = task_lock_tree();
	const struct process *p = process_of(f->rdi);
	const long session = p ? (long)p->session : of_runtime(f->rdi);

	task_unlock_tree(flags);
	return session;
}

static long sys_setpgid(struct trap_frame *f)
{
	uint64_t flags;
	struct process *p;

	if ((int)f->rsi < 0)
		return -EINVAL;
	flags = task_lock_tree();
	p = process_of(f->rdi);
	if (p)
		p->group = (uint32_t)f->rsi ? (uint32_t)f->rsi : p->pid;
	task_unlock_tree(flags);
	return p ? 0 : -ESRCH;
}

static long sys_setsid(struct trap_frame *f)
{
	struct process *p = sched_current()->process;

	(void)f;
	if (p->group == p->pid && p->pid != TASK_PID)
		return -EPERM;
	return p->group = p->session = p->pid;
}

const struct syscall_row syscall_task_rows[] = {
	{__NR_clone, sys_clone},
	{__NR_clone3, sys_clone3},
	{__NR_fork, sys_fork},
	{__NR_vfork, sys_vfork},
	{__NR_execve, sys_execve},
	{__NR_exit, sys_exit},
	{__NR_exit_group, sys_exit_group},
	{__NR_set_tid_address, sys_set_tid_address},
	{__NR_set_robust_list, sys_set_robust_list},
	{__NR_rseq, sys_rseq},
	{__NR_getpid, sys_getpid},
	{__NR_gettid, sys_gettid},
	{__NR_getppid, sys_getppid},
	{__NR_getpgid, sys_getpgid},
	{__NR_getpgrp, sys_getpgrp},
	{__NR_getsid, sys_getsid},
	{__NR_setpgid, sys_setpgid},
	{__NR_setsid, sys_setsid},
	{0, NULL},
};

const struct syscall_brief_row syscall_task_brief[] = {
	{__NR_getpid, brief_getpid},
	{__NR_gettid, brief_gettid},
	{0, NULL},
};
