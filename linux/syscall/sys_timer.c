// SPDX-License-Identifier: BSD-2-Clause
/* sys_timer.c - timers that send signals: alarm(2), setitimer(2), timer_create(2). */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/time.h"
#include "rt/clock/times.h"
#include "linux/task/ptimer.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/time.h>

/* --- One of each kind: setitimer(2) --- */

static const struct ptimer_wanted interval_timers[] = {
	[ITIMER_REAL] = {.clock = PTIMER_MACHINE,
			 .info = {.si_signo = SIGALRM, .si_code = SI_KERNEL}},
	[ITIMER_VIRTUAL] = {.clock = PTIMER_PROCESS_USER,
			    .info = {.si_signo = SIGVTALRM, .si_code = SI_KERNEL}},
	[ITIMER_PROF] = {.clock = PTIMER_PROCESS,
			 .info = {.si_signo = SIGPROF, .si_code = SI_KERNEL}},
};

static int interval_id(uint64_t which)
{
	return PTIMER_INTERVAL - (int)which;
}

static uint64_t timeval_ns(const struct __kernel_old_timeval *tv)
{
	return (uint64_t)tv->tv_sec > UINT64_MAX / NSEC_PER_SEC - 1
		       ? UINT64_MAX
		       : (uint64_t)tv->tv_sec * NSEC_PER_SEC + (uint64_t)tv->tv_usec * 1000;
}

/* Rounds up, so that a timer that has time left does not report 0. */
static struct __kernel_old_timeval timeval_of(uint64_t ns)
{
	const uint64_t us = ns / 1000 + !!(ns % 1000);

	return (struct __kernel_old_timeval){(long)(us / 1000000), (long)(us % 1000000)};
}

struct old_itimerval {
	struct __kernel_old_timeval interval, value;
};

static bool is_timeval(const struct __kernel_old_timeval *tv)
{
	return tv->tv_sec >= 0 && tv->tv_usec >= 0 && tv->tv_usec < 1000000;
}

static int read_itimerval(uint64_t from, struct ptimer_times *times)
{
	struct old_itimerval value = {0};

	if (from && copy_from_user(&value, from, sizeof(value)))
		return -EFAULT;
	if (!is_timeval(&value.interval) || !is_timeval(&value.value))
		return -EINVAL;
	*times = (struct ptimer_times){timeval_ns(&value.value), timeval_ns(&value.interval)};
	return 0;
}

static int write_itimerval(uint64_t to, const struct ptimer_times *times)
{
	const struct old_itimerval value = {timeval_of(times->interval), timeval_of(times->first)};

	return copy_to_user(to, &value, sizeof(value)) ? -EFAULT : 0;
}

static int set_interval_timer(uint64_t which, const struct ptimer_times *times,
			      struct ptimer_times *old)
{
	const long id = ptimer_create(interval_id(which), &interval_timers[which]);

	return id == -EAGAIN ? -ENOMEM : ptimer_set(interval_id(which), false, times, old);
}

static long sys_setitimer(struct trap_frame *f)
{
	struct ptimer_times times, old;
	int err = f->rdi > ITIMER_PROF ? -EINVAL : read_itimerval(f->rsi, &times);

	if (!err)
		err = set_interval_timer(f->rdi, &times, &old);
	return err ? err : f->rdx ? write_itimerval(f->rdx, &old) : 0;
}

static long sys_getitimer(struct trap_frame *f)
{
	struct ptimer_times times;

	if (f->rdi > ITIMER_PROF)
		return -EINVAL;
	if (ptimer_get(interval_id(f->rdi), &times))
		times = (struct ptimer_times){0};
	return write_itimerval(f->rsi, &times);
}

static long sys_alarm(struct trap_frame *f)
{
	const struct ptimer_times times = {(uint32_t)f->rdi * NSEC_PER_SEC, 0};
	struct ptimer_times old;
	uint64_t seconds;

	if (set_interval_timer(ITIMER_REAL, &times, &old))
		return 0;
	seconds = (old.first + NSEC_PER_SEC / 2) / NSEC_PER_SEC;
	return old.first && !seconds ? 1 : (long)seconds;
}

/* --- Any number: timer_create(2) --- */

/* Clocks of CPU time, which pthread_getcpuclockid(3) and the like return, have numbers below 0. */
static int find_clock(int clock, struct ptimer_wanted *wanted)
{
	wanted->tid = sched_current()->tid;
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_TAI:
		wanted->ahead = times_real_offset();
		return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
		return 0;
	case CLOCK_PROCESS_CPUTIME_ID:
		wanted->clock = PTIMER_PROCESS;
		return 0;
	case CLOCK_THREAD_CPUTIME_ID:
		wanted->clock = PTIMER_THREAD;
		return 0;
	}
	wanted->clock = clock & 4 ? PTIMER_THREAD : PTIMER_PROCESS;
	return clock < 0 ? 0 : -EINVAL;
}

static int is_own_thread(struct task *t, void *arg)
{
	(void)arg;
	return t->process == sched_current()->process ? 0 : -EINVAL;
}

/* Threads that glibc makes for SIGEV_THREAD are signalled by their tid. */
static int read_sigevent(uint64_t from, struct ptimer_wanted *wanted)
{
	sigevent_t event;

	if (copy_from_user(&event, from, sizeof(event)))
		return -EFAULT;
	wanted->info.si_signo = 0;
	if (event.sigev_notify == SIGEV_NONE)
		return 0;
	if (event.sigev_signo < 1 || event.sigev_signo > SIGNALS ||
	    (event.sigev_notify & ~SIGEV_THREAD_ID && event.sigev_notify != SIGEV_THREAD))
		return -EINVAL;
	wanted->info.si_signo = event.sigev_signo;
	wanted->info.si_value = event.sigev_value;
	if (!(event.sigev_notify & SIGEV_THREAD_ID))
		return 0;
	wanted->to = (uint32_t)event._sigev_un._tid;
	return task_with(event._sigev_un._tid, is_own_thread, NULL) ? -EINVAL : 0;
}

static long sys_timer_create(struct trap_frame *f)
{
	struct ptimer_wanted wanted = {.info = {.si_signo = SIGALRM, .si_code = SI_TIMER},
				       .tells_id = !f->rsi};
	const int none = 0;
	int err = find_clock((int)f->rdi, &wanted);
	long id;

	if (!err && f->rsi)
		err = read_sigevent(f->rsi, &wanted);
	if (!err && copy_to_user(f->rdx, &none, sizeof(none)))
		err = -EFAULT;
	id = err ? err : ptimer_create(0, &wanted);
	if (id < 0)
		return id;
	return copy_to_user(f->rdx, &(int){(int)id}, sizeof(int)) ? -EFAULT : 0;
}

static long sys_timer_delete(struct trap_frame *f)
{
	return (int)f->rdi < 0 ? -EINVAL : ptimer_delete((int)f->rdi);
}

static int write_itimerspec(uint64_t to, const struct ptimer_times *times)
{
	return times_write(to, times->interval) ||
			       times_write(to + sizeof(struct __kernel_timespec), times->first)
		       ? -EFAULT
		       : 0;
}

static long sys_timer_settime(struct trap_frame *f)
{
	struct ptimer_times times, old;
	int err = f->rdx ? times_read(f->rdx, &times.interval) : -EINVAL;

	if (!err)
		err = times_read(f->rdx + sizeof(struct __kernel_timespec), &times.first);
	if (!err)
		err = (int)f->rdi < 0
			      ? -EINVAL
			      : ptimer_set((int)f->rdi, f->rsi & TIMER_ABSTIME, &times, &old);
	return err ? err : f->r10 ? write_itimerspec(f->r10, &old) : 0;
}

static long sys_timer_gettime(struct trap_frame *f)
{
	struct ptimer_times times;
	const int err = (int)f->rdi < 0 ? -EINVAL : ptimer_get((int)f->rdi, &times);

	return err ? err : write_itimerspec(f->rsi, &times);
}

static long sys_timer_getoverrun(struct trap_frame *f)
{
	return (int)f->rdi < 0 ? -EINVAL : ptimer_overrun((int)f->rdi);
}

const struct syscall_row syscall_timer_rows[] = {
	{__NR_setitimer, sys_setitimer},
	{__NR_getitimer, sys_getitimer},
	{__NR_alarm, sys_alarm},
	{__NR_timer_create, sys_timer_create},
	{__NR_timer_delete, sys_timer_delete},
	{__NR_timer_settime, sys_timer_settime},
	{__NR_timer_gettime, sys_timer_gettime},
	{__NR_timer_getoverrun, sys_timer_getoverrun},
	{0, NULL},
};
