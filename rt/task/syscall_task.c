// SPDX-License-Identifier: BSD-2-Clause
/*
 * syscall_task.c - tasks and memory for ring 3: reads the arguments, each once, and hands them on.
 * On the CPU's stack, interrupts off.
 */
#include "rt/task/syscall_task.h"

#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "rt/task/sched.h"

#include <linux/errno.h>
#include <stddef.h>

static long sys_yield(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	sched_yield();
	return 0;
}

/* --- Programs and their arguments --- */

struct arguments {
	char text[WORKLOAD_ARGV_BYTES];
	char *argv[WORKLOAD_ARGV_MAX + 1];
};

/* A string with its end; returns its bytes, 0: there is no room for it, or -EFAULT. */
static long copy_user_string(char *to, size_t room, uint64_t from)
{
	for (size_t n = 0; n < room; n++) {
		if (copy_from_user(&to[n], from + n, 1))
			return -EFAULT;
		if (!to[n])
			return (long)n + 1;
	}
	return 0;
}

static int copy_arguments(struct arguments *a, uint64_t argv, uint64_t argc)
{
	size_t used = 0;

	if (argc > WORKLOAD_ARGV_MAX)
		return -E2BIG;
	for (uint64_t i = 0; i < argc; i++) {
		uint64_t from;
		long n;

		if (copy_from_user(&from, argv + i * sizeof(from), sizeof(from)))
			return -EFAULT;
		n = copy_user_string(a->text + used, sizeof(a->text) - used, from);
		if (n <= 0)
			return n ? (int)n : -E2BIG;
		a->argv[i] = a->text + used;
		used += (size_t)n;
	}
	a->argv[argc] = NULL;
	return 0;
}

/* What is wrong with them was told in a line, as for those that people type. */
static int read_call(struct workload_call *call, uint64_t argv, uint64_t argc)
{
	struct arguments a;
	int err = copy_arguments(&a, argv, argc);

	return err ? err : workload_parse(sched_current()->comm, (int)argc, a.argv, call);
}

static long sys_spawn(long from, long bytes, long unused)
{
	struct task *t = sched_current();
	struct workload_spawn args;
	struct task_spawn how = {0};
	struct workload_call call;
	int err;

	(void)unused;
	if (bytes != sizeof(args))
		return -EINVAL;
	if (copy_from_user(&args, (uint64_t)from, sizeof(args)))
		return -EFAULT;
	if (args.flags & ~(uint64_t)WORKLOAD_SPAWN_THREAD || (args.flags && args.argc) ||
	    (!args.argc && !user_range(args.entry, 1)))
		return -EINVAL;
	if (args.argc) {
		err = read_call(&call, args.argv, args.argc);
		if (err)
			return err;
		how.call = &call;
	} else {
		how.call = args.flags ? NULL : &t->process->call;
		how.entry = args.entry;
		memcpy(how.args, args.args, sizeof(how.args));
	}
	return task_spawn(t, &how);
}

static long sys_exec(long argv, long argc, long unused)
{
	struct workload_call call;
	int err;

	(void)unused;
	if (!argc)
		return -EINVAL;
	err = read_call(&call, (uint64_t)argv, (uint64_t)argc);
	return err ? err : task_exec(sched_current(), &call);
}

static long sys_wait(long tid, long status, long flags)
{
	if (flags & ~(long)WORKLOAD_WAIT_NO_HANG || tid < -1 || tid != (int)tid)
		return -EINVAL;
	return task_wait(sched_current(), (int)tid, (uint64_t)status, !flags);
}

/* --- Ids and places --- */

static long sys_getpid(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	return sched_current()->pid;
}

static long sys_gettid(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	return sched_current()->tid;
}

static long sys_getcpu(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	return smp_cpu();
}

static long sys_ncpus(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	return smp_ncpus();
}

/* A task needs no lock for itself: it does not end meanwhile. */
static int with_task(long tid, int (*fn)(struct task *t, void *arg), void *arg)
{
	struct task *self = sched_current();

	if (!tid || tid == self->tid)
		return fn(self, arg);
	return tid > 0 && tid == (int)tid ? task_with((int)tid, fn, arg) : -ESRCH;
}

static bool is_relative(const struct task *t)
{
	const struct task *self = sched_current();

	return t->pid == self->pid || t->parent == self;
}

static int set_affinity(struct task *t, void *mask)
{
	return is_relative(t) ? sched_set_affinity(t, mask) : -EPERM;
}

static int get_affinity(struct task *t, void *mask)
{
	memcpy(mask, &t->affinity, sizeof(t->affinity));
	return 0;
}

/* Whole words; those that are left out are zero. */
static bool is_mask_size(long bytes)
{
	return bytes > 0 && bytes <= (long)sizeof(struct cpumask) && !(bytes % 8);
}

static long sys_set_affinity(long tid, long from, long bytes)
{
	struct cpumask mask = {0};
	int err;

	if (!is_mask_size(bytes))
		return -EINVAL;
	if (copy_from_user(&mask, (uint64_t)from, (size_t)bytes))
		return -EFAULT;
	err = with_task(tid, set_affinity, &mask);
	if (!err)
		sched_check_place();
	return err;
}

static long sys_get_affinity(long tid, long to, long bytes)
{
	struct cpumask mask = {0}, online = {0};
	int err;

	if (!is_mask_size(bytes))
		return -EINVAL;
	err = with_task(tid, get_affinity, &mask);
	if (err)
		return err;
	cpumask_add_range(&online, 0, smp_ncpus() - 1);
	for (unsigned i = 0; i < CPUMASK_WORDS; i++)
		mask.word[i] &= online.word[i];
	return copy_to_user((uint64_t)to, &mask, (size_t)bytes) ? -EFAULT : bytes;
}

static long sys_set_name(long text, long bytes, long unused)
{
	char name[TASK_COMM] = {0};

	(void)unused;
	if (bytes < 0)
		return -EINVAL;
	if (copy_from_user(name, (uint64_t)text,
			   (size_t)bytes < sizeof(name) - 1 ? (size_t)bytes : sizeof(name) - 1))
		return -EFAULT;
	task_set_comm(sched_current(), name);
	return 0;
}

static long sys_kill(long tid, long unused1, long unused2)
{
	(void)unused1;
	(void)unused2;
	return tid > 0 && tid == (int)tid ? task_kill(sched_current(), (int)tid) : -ESRCH;
}

/* --- Memory --- */

static long sys_map(long bytes, long flags, long offset)
{
	return process_map_memory(sched_current()->process, (uint64_t)bytes, (uint64_t)flags,
				  (uint64_t)offset);
}

static long sys_unmap(long address, long bytes, long unused)
{
	(void)unused;
	return process_unmap_memory(sched_current()->process, (uint64_t)address, (uint64_t)bytes);
}

/* --- WAIT_ON and WAKE --- */

/* The value is read once the task can be woken: a task that changes the value and then wakes is not
 * missed. */
static long sys_wait_on(long address, long value, long ns)
{
	struct task *t = sched_current();
	uint32_t now;

	if (address & 3 || ns < -1)
		return -EINVAL;
	if (copy_from_user(&now, (uint64_t)address, sizeof(now)))
		return -EFAULT;
	__atomic_store_n(&t->wait_on, (uint64_t)address, __ATOMIC_SEQ_CST);
	sched_prepare_sleep(ns < 0 ? 0 : -ETIMEDOUT, NULL);
	if (copy_from_user(&now, (uint64_t)address, sizeof(now)) || now != (uint32_t)value) {
		sched_stay_awake();
		t->wait_on = 0;
		return -EAGAIN;
	}
	if (ns >= 0)
		hrtimer_start(&t->timer, (uint64_t)ns);
	sched_sleep();
}

struct wake {
	const struct task *by;
	uint64_t address;
	long n, woken;
};

static void wake_one(struct task *t, void *arg)
{
	struct wake *wake = arg;

	if (wake->woken < wake->n && t->process == wake->by->process &&
	    __atomic_load_n(&t->wait_on, __ATOMIC_SEQ_CST) == wake->address)
		wake->woken += sched_wake_with(t, 0);
}

static long sys_wake(long address, long n, long unused)
{
	struct wake wake = {.by = sched_current(), .address = (uint64_t)address, .n = n};

	(void)unused;
	if (address & 3 || n < 0)
		return -EINVAL;
	task_each(wake_one, &wake);
	return wake.woken;
}

#define ROW(name) [WORKLOAD_SYS_##name - SYSCALL_TASK_FIRST]

long (*const syscall_task_rows[SYSCALL_TASK_ROWS])(long, long, long) = {
	ROW(YIELD) = sys_yield,
	ROW(SPAWN) = sys_spawn,
	ROW(EXEC) = sys_exec,
	ROW(WAIT) = sys_wait,
	ROW(GETPID) = sys_getpid,
	ROW(GETTID) = sys_gettid,
	ROW(GETCPU) = sys_getcpu,
	ROW(NCPUS) = sys_ncpus,
	ROW(SET_AFFINITY) = sys_set_affinity,
	ROW(GET_AFFINITY) = sys_get_affinity,
	ROW(SET_NAME) = sys_set_name,
	ROW(MAP) = sys_map,
	ROW(UNMAP) = sys_unmap,
	ROW(KILL) = sys_kill,
	ROW(WAIT_ON) = sys_wait_on,
	ROW(WAKE) = sys_wake,
};
