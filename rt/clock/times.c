// SPDX-License-Identifier: BSD-2-Clause
/* times.c - see times.h. */
#include "rt/clock/times.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/tsc.h"
#include "lib/time.h"

#include <linux/errno.h>

#define EPOCH_S 1735689600ull /* 2025-01-01 00:00:00 UTC */
/* Not 0, which a program might take for a stopped clock. */
#define UPTIME_NS (10ull * NSEC_PER_SEC)

static struct {
	bool goes;
	uint64_t began; /* clock_ns() at the begin */
	uint64_t ahead; /* added to the start of all clocks, in ns */
} run;

uint64_t times_ahead(void)
{
	return run.ahead;
}

int times_set_ahead(uint64_t ns)
{
	if (ns > TIMES_AHEAD_MOST)
		return -EINVAL;
	run.ahead = ns;
	return 0;
}

/* CLOCK_MONOTONIC at the begin of a run. */
static uint64_t uptime_ns(void)
{
	return UPTIME_NS + run.ahead;
}

void times_hold(void)
{
	run.goes = false;
}

void times_begin(void)
{
	run.began = clock_ns();
	run.goes = true;
}

static uint64_t monotonic_at(uint64_t ns)
{
	return uptime_ns() + (run.goes && ns > run.began ? ns - run.began : 0);
}

uint64_t times_monotonic(void)
{
	return monotonic_at(clock_ns());
}

uint64_t times_to_clock(uint64_t monotonic)
{
	const uint64_t since = monotonic > uptime_ns() ? monotonic - uptime_ns() : 0,
		       ns = run.began + since;

	return monotonic == UINT64_MAX || ns < since ? UINT64_MAX : ns + !ns;
}

uint64_t times_of_clock(int clockid, uint64_t ns)
{
	const bool is_date = clockid == CLOCK_REALTIME || clockid == CLOCK_TAI;

	return monotonic_at(ns) + (is_date ? times_real_offset() : 0);
}

uint64_t times_real_offset(void)
{
	return EPOCH_S * NSEC_PER_SEC - UPTIME_NS;
}

static uint64_t ns_of(uint64_t seconds, uint64_t ns)
{
	return seconds >= UINT64_MAX / NSEC_PER_SEC ? UINT64_MAX : seconds * NSEC_PER_SEC + ns;
}

int times_read(uint64_t from, uint64_t *ns)
{
	struct __kernel_timespec ts;

	if (copy_from_user(&ts, from, sizeof(ts)))
		return -EFAULT;
	if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= (long long)NSEC_PER_SEC)
		return -EINVAL;
	*ns = ns_of((uint64_t)ts.tv_sec, (uint64_t)ts.tv_nsec);
	return 0;
}

int times_read_timeval(uint64_t from, uint64_t *ns)
{
	struct __kernel_old_timeval tv;

	if (copy_from_user(&tv, from, sizeof(tv)))
		return -EFAULT;
	if (tv.tv_sec < 0 || tv.tv_usec < 0)
		return -EINVAL;
	*ns = ns_of((uint64_t)tv.tv_sec + (uint64_t)tv.tv_usec / USEC_PER_SEC,
		    (uint64_t)tv.tv_usec % USEC_PER_SEC * 1000);
	return 0;
}

int times_write(uint64_t to, uint64_t ns)
{
	const struct __kernel_timespec ts = {(long long)(ns / NSEC_PER_SEC),
					     (long long)(ns % NSEC_PER_SEC)};

	return copy_to_user(to, &ts, sizeof(ts));
}

struct __kernel_old_timeval times_timeval(uint64_t ns)
{
	return (struct __kernel_old_timeval){(long)(ns / NSEC_PER_SEC),
					     (long)(ns % NSEC_PER_SEC / 1000)};
}

int times_write_timeval(uint64_t to, uint64_t ns)
{
	const struct __kernel_old_timeval tv = times_timeval(ns);

	return copy_to_user(to, &tv, sizeof(tv));
}
