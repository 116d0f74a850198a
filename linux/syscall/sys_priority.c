// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_priority.c - priorities and policies. The scheduler has one kind of task, which take
 * turns: requests are stored, checked and reported as on Linux, and have no effect.
 */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/time.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/sched/types.h>

/* The current task needs no lock for itself: it cannot end here. */
static int with_wishes(uint64_t tid, int (*fn)(struct task *t, void *arg), void *arg)
{
	struct task *self = sched_current();

	if ((int)tid < 0)
		return -EINVAL;
	if (!(int)tid || (uint32_t)tid == self->tid)
		return fn(self, arg);
	return task_with((int)tid, fn, arg);
}

static int get_wishes(struct task *t, void *wishes)
{
	*(struct task_wishes *)wishes = t->wishes;
	return 0;
}

static int set_wishes(struct task *t, void *wishes)
{
	t->wishes = *(const struct task_wishes *)wishes;
	return 0;
}

/* --- nice --- */

#define NICE_LEAST (-20)
#define NICE_MOST  19

/* The tasks that a call names, and the change to make. */
struct named_tasks {
	unsigned which;
	uint32_t who;
	unsigned found;
	int nice; /* getpriority(2): the least value; setpriority(2): the new one */
	bool set;
};

static bool is_named(const struct named_tasks *n, const struct task *t)
{
	switch (n->which) {
	case PRIO_PROCESS:
		return t->tid == n->who;
	case PRIO_PGRP:
		return t->process && t->process->group == n->who;
	default: /* PRIO_USER: all tasks belong to root */
		return !n->who;
	}
}

static void visit_named(struct task *t, void *arg)
{
	struct named_tasks *n = arg;

	if (!is_named(n, t))
		return;
	n->found++;
	if (n->set)
		t->wishes.nice = (int8_t)n->nice;
	else if (t->wishes.nice < n->nice)
		n->nice = t->wishes.nice;
}

static int each_named(struct named_tasks *n)
{
	const struct task *self = sched_current();

	if (n->which > PRIO_USER)
		return -EINVAL;
	if (!n->who && n->which == PRIO_PROCESS)
		n->who = self->tid;
	if (!n->who && n->which == PRIO_PGRP)
		n->who = self->process->group;
	task_each(visit_named, n);
	return n->found ? 0 : -ESRCH;
}

static long sys_getpriority(struct trap_frame *f)
{
	struct named_tasks n = {
		.which = (unsigned)f->rdi, .who = (uint32_t)f->rsi, .nice = NICE_MOST};
	const int err = each_named(&n);

	return err ? err : NICE_MOST + 1 - n.nice;
}

static long sys_setpriority(struct trap_frame *f)
{
	const int wanted = (int)f->rdx;
	struct named_tasks n = {
		.which = (unsigned)f->rdi,
		.who = (uint32_t)f->rsi,
		.nice = wanted < NICE_LEAST  ? NICE_LEAST
			: wanted > NICE_MOST ? NICE_MOST
					     : wanted,
		.set = true,
	};

	return each_named(&n);
}

/* --- Policies --- */

#define PRIORITY_MOST 99
/* Accepted and ignored: a clone inherits its parent's attributes. */
#define RESET_ON_FORK 0x40000000u

static bool is_realtime(unsigned policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR;
}

static bool is_policy(unsigned policy)
{
	return is_realtime(policy) || policy == SCHED_NORMAL || policy == SCHED_BATCH ||
	       policy == SCHED_IDLE;
}

static bool are_wishes(unsigned policy, uint32_t priority)
{
	return is_policy(policy) &&
	       (is_realtime(policy) ? priority && priority <= PRIORITY_MOST : !priority);
}

static long sys_sched_get_priority_max(struct trap_frame *f)
{
	if (f->rdi == SCHED_DEADLINE)
		return 0;
	if (!is_policy((unsigned)f->rdi))
		return -EINVAL;
	return is_realtime((unsigned)f->rdi) ? PRIORITY_MOST : 0;
}

static long sys_sched_get_priority_min(struct trap_frame *f)
{
	const long most = sys_sched_get_priority_max(f);

	return most > 0 ? 1 : most;
}

/* `policy` -1 keeps the present one. */
static long change_policy(uint64_t tid, int policy, uint64_t from)
{
	struct task_wishes wishes;
	uint32_t priority;
	int err;

	if (!from || (int)tid < 0)
		return -EINVAL;
	if (copy_from_user(&priority, from, sizeof(priority)))
		return -EFAULT;
	err = with_wishes(tid, get_wishes, &wishes);
	if (err)
		return err;
	if (policy != -1)
		wishes.policy = (uint8_t)policy;
	if (!are_wishes(policy == -1 ? wishes.policy : (unsigned)policy, priority))
		return -EINVAL;
	wishes.priority = (uint8_t)priority;
	return with_wishes(tid, set_wishes, &wishes);
}

static long sys_sched_setparam(struct trap_frame *f)
{
	return change_policy(f->rdi, -1, f->rsi);
}

static long sys_sched_setscheduler(struct trap_frame *f)
{
	if ((int)f->rsi < 0)
		return -EINVAL;
	return change_policy(f->rdi, (int)((unsigned)f->rsi & ~RESET_ON_FORK), f->rdx);
}

static long sys_sched_getparam(struct trap_frame *f)
{
	struct task_wishes wishes;
	uint32_t priority;
	int err = f->rsi ? with_wishes(f->rdi, get_wishes, &wishes) : -EINVAL;

	if (err)
		return err;
	priority = wishes.priority;
	return copy_to_user(f->rsi, &priority, sizeof(priority));
}

static long sys_sched_getscheduler(struct trap_frame *f)
{
	struct task_wishes wishes;
	const int err = with_wishes(f->rdi, get_wishes, &wishes);

	return err ? err : wishes.policy;
}

static long sys_sched_rr_get_interval(struct trap_frame *f)
{
	struct task_wishes wishes;
	const int err = with_wishes(f->rdi, get_wishes, &wishes);

	return err ? err : times_write(f->rsi, sched_slice_ms() * NSEC_PER_MS);
}

/* --- Both at once --- */

/* Size 0 stands for that of the first version. Bytes behind the known members are ignored. */
static int read_attr(uint64_t from, struct sched_attr *attr)
{
	uint32_t size;

	*attr = (struct sched_attr){0};
	if (copy_from_user(&size, from, sizeof(size)))
		return -EFAULT;
	size = size ? size : SCHED_ATTR_SIZE_VER0;
	if (size < SCHED_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		return -E2BIG;
	return copy_from_user(attr, from, size < sizeof(*attr) ? size : sizeof(*attr));
}

static long sys_sched_setattr(struct trap_frame *f)
{
	struct task_wishes wishes;
	struct sched_attr attr;
	int err;

	if (!f->rsi || (int)f->rdi < 0 || f->rdx)
		return -EINVAL;
	err = read_attr(f->rsi, &attr);
	if (err)
		return err;
	if ((int)attr.sched_policy < 0)
		return -EINVAL;
	err = with_wishes(f->rdi, get_wishes, &wishes);
	if (err)
		return err;
	if (!are_wishes(attr.sched_policy, attr.sched_priority) || attr.sched_nice < NICE_LEAST ||
	    attr.sched_nice > NICE_MOST)
		return -EINVAL;
	wishes.policy = (uint8_t)attr.sched_policy;
	wishes.priority = (uint8_t)attr.sched_priority;
	if (!is_realtime(attr.sched_policy))
		wishes.nice = (int8_t)attr.sched_nice;
	return with_wishes(f->rdi, set_wishes, &wishes);
}

static long sys_sched_getattr(struct trap_frame *f)
{
	struct sched_attr attr = {.size = SCHED_ATTR_SIZE_VER0};
	struct task_wishes wishes;
	int err;

	if (!f->rsi || f->rdx < SCHED_ATTR_SIZE_VER0 || f->rdx > PAGE_SIZE || f->r10)
		return -EINVAL;
	err = with_wishes(f->rdi, get_wishes, &wishes);
	if (err)
		return err;
	attr.sched_policy = wishes.policy;
	attr.sched_priority = wishes.priority;
	attr.sched_nice = is_realtime(wishes.policy) ? 0 : wishes.nice;
	return copy_to_user(f->rsi, &attr, SCHED_ATTR_SIZE_VER0);
}

const struct syscall_row syscall_priority_rows[] = {
	{__NR_getpriority, sys_getpriority},
	{__NR_setpriority, sys_setpriority},
	{__NR_sched_setparam, sys_sched_setparam},
	{__NR_sched_getparam, sys_sched_getparam},
	{__NR_sched_setscheduler, sys_sched_setscheduler},
	{__NR_sched_getscheduler, sys_sched_getscheduler},
	{__NR_sched_get_priority_max, sys_sched_get_priority_max},
	{__NR_sched_get_priority_min, sys_sched_get_priority_min},
	{__NR_sched_setattr, sys_sched_setattr},
	{__NR_sched_getattr, sys_sched_getattr},
	{__NR_sched_rr_get_interval, sys_sched_rr_get_interval},
	{0, NULL},
};
