// SPDX-License-Identifier: BSD-2-Clause
/* sys_sched.c - sched_yield(2), affinity, getcpu(2), membarrier(2), arch_prctl(2). */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
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

/* The current task needs no lock for itself: it cannot end here. */
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

/* A short mask is extended with zeros; bytes beyond struct cpumask are ignored. */
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

/* Writes as many whole words as the present CPUs take. */
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
	{__NR_membarrier, sys_membarrier},
	{__NR_arch_prctl, sys_arch_prctl},
	{0, NULL},
};
