// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_time.c - clocks and sleep. All clocks are the machine's own. They have the same value at the
 * start of each run, so that programs that depend on it behave the same in each run.
 */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/tsc.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/resource.h>
#include <linux/time.h>
#include <linux/times.h>

static struct task_usage own_usage(void)
{
	const uint64_t flags = task_lock_tree();
	const struct task_usage usage = usage_of_process(sched_current()->process);

	task_unlock_tree(flags);
	return usage;
}

static uint64_t thread_ns(void)
{
	const struct task *t = sched_current();

	return t->ran + (clock_ns() - t->since);
}

static uint64_t process_ns(void)
{
	const struct task_usage usage = own_usage();

	return usage.user_ns + usage.sys_ns;
}

/* Reads a clock of the machine, which is independent of tasks. */
static bool read_machine_clock(int clock, uint64_t *ns)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		*ns = times_monotonic() + times_real_offset();
		return true;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		*ns = times_monotonic();
		return true;
	default:
		return false;
	}
}

static int read_clock(int clock, uint64_t *ns)
{
	if (read_machine_clock(clock, ns))
		return 0;
	switch (clock) {
	case CLOCK_PROCESS_CPUTIME_ID:
		*ns = process_ns();
		return 0;
	case CLOCK_THREAD_CPUTIME_ID:
		*ns = thread_ns();
		return 0;
	}
	/* pthread_getcpuclockid(3), clock_getcpuclockid(3): ~id << 3, with 4 for a thread. */
	if (clock >= 0)
		return -EINVAL;
	*ns = clock & 4 ? thread_ns() : process_ns();
	return 0;
}

static long sys_clock_gettime(struct trap_frame *f)
{
	uint64_t ns;
	const int err = read_clock((int)f->rdi, &ns);

	return err ? err : times_write(f->rsi, ns);
}

static USER_BRIEF long brief_clock_gettime(uint64_t clock, uint64_t to, uint64_t unused)
{
	uint64_t ns;

	(void)unused;
	return read_machine_clock((int)clock, &ns) ? times_write(to, ns) : USER_NOT_BRIEF;
}

static long sys_clock_getres(struct trap_frame *f)
{
	uint64_t ns;
	const int err = read_clock((int)f->rdi, &ns);

	return err ? err : f->rsi ? times_write(f->rsi, 1) : 0;
}

/* No program sets a clock: clocks are the same in each run. Wrong arguments give Linux's errors. */
static long sys_clock_settime(struct trap_frame *f)
{
	uint64_t ns;
	const int err = f->rdi == CLOCK_REALTIME ? times_read(f->rsi, &ns) : -EINVAL;

	return err ? err : -EPERM;
}

static long sys_settimeofday(struct trap_frame *f)
{
	struct __kernel_old_timeval tv = {0};

	if (f->rdi && copy_from_user(&tv, f->rdi, sizeof(tv)))
		return -EFAULT;
	return tv.tv_usec < 0 || tv.tv_usec >= (long)USEC_PER_SEC ? -EINVAL : -EPERM;
}

static long sys_gettimeofday(struct trap_frame *f)
{
	const uint64_t ns = times_monotonic() + times_real_offset(),
		       tv[2] = {ns / NSEC_PER_SEC, ns % NSEC_PER_SEC / 1000};
	const uint32_t zone[2] = {0, 0};

	if (f->rdi && copy_to_user(f->rdi, tv, sizeof(tv)))
		return -EFAULT;
	return f->rsi && copy_to_user(f->rsi, zone, sizeof(zone)) ? -EFAULT : 0;
}

static long sys_time(struct trap_frame *f)
{
	const uint64_t now = (times_monotonic() + times_real_offset()) / NSEC_PER_SEC;

	return f->rdi && copy_to_user(f->rdi, &now, sizeof(now)) ? -EFAULT : (long)now;
}

/* --- Sleep --- */

static long sleep_until(uint64_t deadline, uint64_t rest_to)
{
	const uint64_t now = clock_ns();

	if (now >= deadline)
		return 0;
	if (!syscall_may_sleep()) {
		if (rest_to && times_write(rest_to, deadline - now))
			return -EFAULT;
		return rest_to ? -EINTR : -SIGNAL_RESTART_NO_HANDLER;
	}
	return syscall_sleep_until(deadline);
}

static long sys_nanosleep(struct trap_frame *f)
{
	uint64_t ns;
	const int err = times_read(f->rdi, &ns);

	if (err)
		return err;
	return ns ? sleep_until(syscall_deadline(ns), f->rsi) : 0;
}

static bool is_slept_by(int clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_TAI || clock == CLOCK_MONOTONIC ||
	       clock == CLOCK_BOOTTIME || clock == CLOCK_PROCESS_CPUTIME_ID || clock < 0;
}

static long sys_clock_nanosleep(struct trap_frame *f)
{
	uint64_t ns, now;
	int err = read_clock((int)f->rdi, &now);

	if (!err && !is_slept_by((int)f->rdi))
		err = -EOPNOTSUPP;
	if (!err)
		err = times_read(f->rdx, &ns);
	if (err)
		return err;
	if (!(f->rsi & TIMER_ABSTIME))
		return ns ? sleep_until(syscall_deadline(ns), f->r10) : 0;
	return ns > now ? sleep_until(clock_ns() + (ns - now), 0) : 0;
}

/* --- Times of tasks --- */

static long sys_getrusage(struct trap_frame *f)
{
	const struct process *p = sched_current()->process;
	const uint64_t pages = p->mm->resident_most;
	struct task_usage usage;

	switch ((int)f->rdi) {
	case RUSAGE_SELF:
		usage = own_usage();
		return usage_write(f->rsi, &usage, pages);
	case RUSAGE_THREAD:
		usage = usage_of_task(sched_current());
		return usage_write(f->rsi, &usage, pages);
	case RUSAGE_CHILDREN:
		return usage_write(f->rsi, &p->children, 0);
	default:
		return -EINVAL;
	}
}

#define NS_PER_TICK (NSEC_PER_SEC / 100) /* AT_CLKTCK */

static long sys_times(struct trap_frame *f)
{
	const struct process *p = sched_current()->process;
	const struct task_usage u = own_usage();
	const struct tms tms = {
		.tms_utime = (long)(u.user_ns / NS_PER_TICK),
		.tms_stime = (long)(u.sys_ns / NS_PER_TICK),
		.tms_cutime = (long)(p->children.user_ns / NS_PER_TICK),
		.tms_cstime = (long)(p->children.sys_ns / NS_PER_TICK),
	};

	if (f->rdi && copy_to_user(f->rdi, &tms, sizeof(tms)))
		return -EFAULT;
	return (long)(times_monotonic() / NS_PER_TICK);
}

const struct syscall_row syscall_time_rows[] = {
	{__NR_clock_gettime, sys_clock_gettime},
	{__NR_clock_getres, sys_clock_getres},
	{__NR_clock_settime, sys_clock_settime},
	{__NR_gettimeofday, sys_gettimeofday},
	{__NR_settimeofday, sys_settimeofday},
	{__NR_time, sys_time},
	{__NR_nanosleep, sys_nanosleep},
	{__NR_clock_nanosleep, sys_clock_nanosleep},
	{__NR_getrusage, sys_getrusage},
	{__NR_times, sys_times},
	{0, NULL},
};

const struct syscall_brief_row syscall_time_brief[] = {
	{__NR_clock_gettime, brief_clock_gettime},
	{0, NULL},
};
