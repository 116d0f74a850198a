// SPDX-License-Identifier: BSD-2-Clause
/* sys_sched.c - CPUs, priorities, and prctl(2): what a thread says of itself. */
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/syscall/times.h"
#include "rt/task/sched.h"
#include "lib/time.h"

#include <asm/prctl.h>
#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/membarrier.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>

static long sys_sched_yield(struct trap_frame *f)
{
	(void)f;
	sched_yield();
	return 0;
}

/* A task needs no lock for itself: it does not end meanwhile. */
static int with_task(uint64_t tid, int (*fn)(struct task *t, void *arg), void *arg)
{
	struct task *self = sched_current();

	if (!(int)tid || (uint32_t)tid == self->tid)
		return fn(self, arg);
	return (int)tid > 0 ? task_with((int)tid, fn, arg) : -ESRCH;
}

static int set_affinity(struct task *t, void *mask)
{
	return sched_set_affinity(t, mask);
}

static int get_affinity(struct task *t, void *mask)
{
	memcpy(mask, &t->affinity, sizeof(t->affinity));
	return 0;
}

/* What is left out is zero, what is too much is not looked at. */
static long sys_sched_setaffinity(struct trap_frame *f)
{
	struct cpumask mask = {0};
	const size_t bytes = f->rsi < sizeof(mask) ? f->rsi : sizeof(mask);
	int err;

	if (copy_from_user(&mask, f->rdx, bytes))
		return -EFAULT;
	err = with_task(f->rdi, set_affinity, &mask);
	if (!err)
		sched_check_place();
	return err;
}

/* As many bytes as the CPUs that there are take, in whole words. */
static long sys_sched_getaffinity(struct trap_frame *f)
{
	const size_t bytes = (smp_ncpus() + 63) / 64 * sizeof(uint64_t);
	struct cpumask mask = {0}, online = {0};
	int err;

	if (f->rsi < bytes || f->rsi % sizeof(uint64_t))
		return -EINVAL;
	err = with_task(f->rdi, get_affinity, &mask);
	if (err)
		return err;
	cpumask_add_range(&online, 0, smp_ncpus() - 1);
	for (unsigned i = 0; i < CPUMASK_WORDS; i++)
		mask.word[i] &= online.word[i];
	return copy_to_user(f->rdx, &mask, bytes) ? -EFAULT : (long)bytes;
}

static long sys_getcpu(struct trap_frame *f)
{
	const uint32_t cpu = smp_cpu(), node = 0;

	if (f->rdi && copy_to_user(f->rdi, &cpu, sizeof(cpu)))
		return -EFAULT;
	return f->rsi && copy_to_user(f->rsi, &node, sizeof(node)) ? -EFAULT : 0;
}

/* --- Priorities: all tasks have the same --- */

static long sys_getpriority(struct trap_frame *f)
{
	(void)f;
	return 20; /* nice 0, as the call tells it */
}

static long sys_sched_getparam(struct trap_frame *f)
{
	const uint32_t priority = 0;

	return copy_to_user(f->rsi, &priority, sizeof(priority));
}

static bool is_realtime(uint64_t policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR;
}

static long priority_of(uint64_t policy, long of_realtime)
{
	if (is_realtime(policy))
		return of_realtime;
	return policy == SCHED_NORMAL || policy == SCHED_BATCH || policy == SCHED_IDLE ||
			       policy == SCHED_DEADLINE
		       ? 0
		       : -EINVAL;
}

static long sys_sched_get_priority_max(struct trap_frame *f)
{
	return priority_of(f->rdi, 99);
}

static long sys_sched_get_priority_min(struct trap_frame *f)
{
	return priority_of(f->rdi, 1);
}

/* All tasks are of SCHED_NORMAL, whatever they wish. */
static long sys_sched_getattr(struct trap_frame *f)
{
	const struct sched_attr attr = {.size = SCHED_ATTR_SIZE_VER0, .sched_policy = SCHED_NORMAL};

	if (f->rdx < SCHED_ATTR_SIZE_VER0 || f->rdx > PAGE_SIZE || f->r10)
		return -EINVAL;
	return copy_to_user(f->rsi, &attr, SCHED_ATTR_SIZE_VER0) ? -EFAULT : 0;
}

/* --- membarrier(2) --- */

static void order_memory(void *arg)
{
	(void)arg;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define MEMBARRIER_THERE                                                               \
	(MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |                     \
	 MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED | \
	 MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)

static long sys_membarrier(struct trap_frame *f)
{
	const int command = (int)f->rdi;

	if (f->rsi || command & ~MEMBARRIER_THERE || command & (command - 1))
		return -EINVAL;
	if (command == MEMBARRIER_CMD_QUERY)
		return MEMBARRIER_THERE;
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, order_memory, NULL);
	return 0;
}

static long sys_sched_rr_get_interval(struct trap_frame *f)
{
	return times_write(f->rsi, sched_slice_ms() * NSEC_PER_MS);
}

/* --- prctl(2) --- */

static long set_name(uint64_t from)
{
	char name[TASK_COMM] = {0};

	for (size_t i = 0; i < sizeof(name) - 1; i++) {
		if (copy_from_user(&name[i], from + i, 1))
			return -EFAULT;
		if (!name[i])
			break;
	}
	task_set_comm(sched_current(), name);
	return 0;
}

/* From now on; what is there stays. */
static long disable_large_pages(const struct trap_frame *f)
{
	if (f->rdx | f->r10 | f->r8)
		return -EINVAL;
	sched_current()->process->mm->no_large = f->rsi;
	return 0;
}

static long sys_prctl(struct trap_frame *f)
{
	const struct task *t = sched_current();

	switch ((int)f->rdi) {
	case PR_SET_NAME:
		return set_name(f->rsi);
	case PR_GET_NAME:
		return copy_to_user(f->rsi, t->comm, sizeof(t->comm));
	case PR_TASK_PERF_EVENTS_ENABLE:
		pmu_task_enable_all(pmu_task_find(0));
		return 0;
	case PR_TASK_PERF_EVENTS_DISABLE:
		pmu_task_disable_all(pmu_task_find(0));
		return 0;
	case PR_GET_DUMPABLE:
		return 1;
	case PR_SET_DUMPABLE:
	case PR_SET_PDEATHSIG:
	case PR_SET_VMA:
	case PR_SET_NO_NEW_PRIVS:
	case PR_SET_TIMERSLACK:
		return 0;
	case PR_GET_TIMERSLACK:
		return 1;
	case PR_GET_NO_NEW_PRIVS:
	case PR_GET_SECCOMP:
		return 0;
	case PR_SET_THP_DISABLE:
		return disable_large_pages(f);
	case PR_GET_THP_DISABLE:
		return f->rsi | f->rdx | f->r10 | f->r8 ? -EINVAL : t->process->mm->no_large;
	case PR_CAPBSET_READ:
		return f->rsi < 64 ? 1 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static long sys_arch_prctl(struct trap_frame *f)
{
	switch (f->rdi) {
	case ARCH_SET_FS:
		return user_set_fs_base(f->rsi);
	case ARCH_SET_GS:
		return user_set_gs_base(f->rsi);
	case ARCH_GET_FS:
		return put_user(f->rsi, user_fs_base());
	case ARCH_GET_GS:
		return put_user(f->rsi, user_gs_base());
	default:
		return -EINVAL;
	}
}

const struct syscall_row syscall_sched_rows[] = {
	{__NR_sched_yield, sys_sched_yield},
	{__NR_sched_setaffinity, sys_sched_setaffinity},
	{__NR_sched_getaffinity, sys_sched_getaffinity},
	{__NR_getcpu, sys_getcpu},
	{__NR_setpriority, syscall_nothing},
	{__NR_getpriority, sys_getpriority},
	{__NR_sched_setparam, syscall_nothing},
	{__NR_sched_getparam, sys_sched_getparam},
	{__NR_sched_setscheduler, syscall_nothing},
	{__NR_sched_getscheduler, syscall_nothing}, /* SCHED_OTHER */
	{__NR_sched_get_priority_max, sys_sched_get_priority_max},
	{__NR_sched_get_priority_min, sys_sched_get_priority_min},
	{__NR_sched_setattr, syscall_nothing},
	{__NR_sched_getattr, sys_sched_getattr},
	{__NR_membarrier, sys_membarrier},
	{__NR_sched_rr_get_interval, sys_sched_rr_get_interval},
	{__NR_prctl, sys_prctl},
	{__NR_arch_prctl, sys_arch_prctl},
	{0, NULL},
};
