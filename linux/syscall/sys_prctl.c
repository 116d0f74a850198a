// SPDX-License-Identifier: BSD-2-Clause
/* sys_prctl.c - prctl(2), attributes of a thread or a process: a row for each option. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "pmu/api/pmu.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/prctl.h>

/* `f` has the arguments in rsi, rdx, r10, r8. */
typedef long prctl_fn(struct task *t, const struct trap_frame *f);

static struct process_ways *ways_of(struct task *t)
{
	return &t->process->ways;
}

static long put_int(uint64_t to, int value)
{
	return copy_to_user(to, &value, sizeof(value));
}

static long set_name(struct task *t, const struct trap_frame *f)
{
	char name[TASK_COMM] = {0};

	for (size_t i = 0; i < sizeof(name) - 1; i++) {
		if (copy_from_user(&name[i], f->rsi + i, 1))
			return -EFAULT;
		if (!name[i])
			break;
	}
	task_set_comm(t, name);
	return 0;
}

static long get_name(struct task *t, const struct trap_frame *f)
{
	return copy_to_user(f->rsi, t->comm, sizeof(t->comm));
}

static long enable_events(struct task *t, const struct trap_frame *f)
{
	(void)t, (void)f;
	pmu_task_enable_all(pmu_task_find(0));
	return 0;
}

static long disable_events(struct task *t, const struct trap_frame *f)
{
	(void)t, (void)f;
	pmu_task_disable_all(pmu_task_find(0));
	return 0;
}

static long set_death_signal(struct task *t, const struct trap_frame *f)
{
	if (f->rsi > SIGNALS)
		return -EINVAL;
	ways_of(t)->death_signal = (int)f->rsi;
	return 0;
}

static long get_death_signal(struct task *t, const struct trap_frame *f)
{
	return put_int(f->rsi, ways_of(t)->death_signal);
}

static long set_reaps(struct task *t, const struct trap_frame *f)
{
	ways_of(t)->reaps = f->rsi;
	return 0;
}

static long get_reaps(struct task *t, const struct trap_frame *f)
{
	return put_int(f->rsi, ways_of(t)->reaps);
}

static long get_dumpable(struct task *t, const struct trap_frame *f)
{
	(void)f;
	return !ways_of(t)->undumpable;
}

static long set_dumpable(struct task *t, const struct trap_frame *f)
{
	if (f->rsi > 1)
		return -EINVAL;
	ways_of(t)->undumpable = !f->rsi;
	return 0;
}

static long get_keeps(struct task *t, const struct trap_frame *f)
{
	(void)f;
	return ways_of(t)->keeps_capabilities;
}

static long set_keeps(struct task *t, const struct trap_frame *f)
{
	if (f->rsi > 1)
		return -EINVAL;
	ways_of(t)->keeps_capabilities = f->rsi;
	return 0;
}

static long get_no_new(struct task *t, const struct trap_frame *f)
{
	return f->rsi | f->rdx | f->r10 | f->r8 ? -EINVAL : ways_of(t)->no_new_privileges;
}

static long set_no_new(struct task *t, const struct trap_frame *f)
{
	if (f->rsi != 1 || f->rdx | f->r10 | f->r8)
		return -EINVAL;
	ways_of(t)->no_new_privileges = true;
	return 0;
}

static long get_slack(struct task *t, const struct trap_frame *f)
{
	(void)f;
	return (long)(t->wishes.slack + TASK_SLACK);
}

static long set_slack(struct task *t, const struct trap_frame *f)
{
	t->wishes.slack = (f->rsi ? f->rsi : TASK_SLACK) - TASK_SLACK;
	return 0;
}

/* Processes are always timed by clock ticks. */
static long get_timing(struct task *t, const struct trap_frame *f)
{
	(void)t, (void)f;
	return PR_TIMING_STATISTICAL;
}

static long set_timing(struct task *t, const struct trap_frame *f)
{
	(void)t;
	return f->rsi == PR_TIMING_STATISTICAL ? 0 : -EINVAL;
}

/* RDTSC is always allowed. */
static long get_tsc(struct task *t, const struct trap_frame *f)
{
	(void)t;
	return put_int(f->rsi, PR_TSC_ENABLE);
}

static long set_tsc(struct task *t, const struct trap_frame *f)
{
	(void)t;
	return f->rsi == PR_TSC_ENABLE ? 0 : -EINVAL;
}

/* Applies from now on; present pages stay as they are. */
static long set_no_large(struct task *t, const struct trap_frame *f)
{
	if (f->rdx | f->r10 | f->r8)
		return -EINVAL;
	t->process->mm->no_large = f->rsi;
	return 0;
}

static long get_no_large(struct task *t, const struct trap_frame *f)
{
	return f->rsi | f->rdx | f->r10 | f->r8 ? -EINVAL : t->process->mm->no_large;
}

/* All capabilities are present and cannot be dropped. */
static long read_bound(struct task *t, const struct trap_frame *f)
{
	(void)t;
	return f->rsi <= CAP_LAST_CAP ? 1 : -EINVAL;
}

static long drop_bound(struct task *t, const struct trap_frame *f)
{
	(void)t;
	return f->rsi <= CAP_LAST_CAP ? -EPERM : -EINVAL;
}

static long say_zero(struct task *t, const struct trap_frame *f)
{
	(void)t, (void)f;
	return 0;
}

static const struct prctl_row {
	int option;
	prctl_fn *fn;
} rows[] = {
	{PR_SET_NAME, set_name},
	{PR_GET_NAME, get_name},
	{PR_TASK_PERF_EVENTS_ENABLE, enable_events},
	{PR_TASK_PERF_EVENTS_DISABLE, disable_events},
	{PR_SET_PDEATHSIG, set_death_signal},
	{PR_GET_PDEATHSIG, get_death_signal},
	{PR_SET_CHILD_SUBREAPER, set_reaps},
	{PR_GET_CHILD_SUBREAPER, get_reaps},
	{PR_SET_DUMPABLE, set_dumpable},
	{PR_GET_DUMPABLE, get_dumpable},
	{PR_SET_KEEPCAPS, set_keeps},
	{PR_GET_KEEPCAPS, get_keeps},
	{PR_SET_NO_NEW_PRIVS, set_no_new},
	{PR_GET_NO_NEW_PRIVS, get_no_new},
	{PR_SET_TIMERSLACK, set_slack},
	{PR_GET_TIMERSLACK, get_slack},
	{PR_SET_TIMING, set_timing},
	{PR_GET_TIMING, get_timing},
	{PR_SET_TSC, set_tsc},
	{PR_GET_TSC, get_tsc},
	{PR_SET_THP_DISABLE, set_no_large},
	{PR_GET_THP_DISABLE, get_no_large},
	{PR_CAPBSET_READ, read_bound},
	{PR_CAPBSET_DROP, drop_bound},
	{PR_GET_SECCOMP, say_zero},
	{PR_GET_SECUREBITS, say_zero},
	{PR_SET_VMA, say_zero}, /* names of memory are not shown */
};

static long sys_prctl(struct trap_frame *f)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].option == (int)f->rdi)
			return rows[i].fn(sched_current(), f);
	return -EINVAL;
}

const struct syscall_row syscall_prctl_rows[] = {
	{__NR_prctl, sys_prctl},
	{0, NULL},
};
