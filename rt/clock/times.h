/* SPDX-License-Identifier: BSD-2-Clause */
/* times.h - times as system calls have them. */
#ifndef RT_CLOCK_TIMES_H
#define RT_CLOCK_TIMES_H

#include <linux/time.h>
#include <stdint.h>

/* times_read() - a struct timespec of ring 3 as ns; what is more than 64 bits hold is their most.
 * -EFAULT, -EINVAL. times_write() - the other way round; -EFAULT. Likewise with a struct timeval,
 * whose microseconds may be more than a second. Task context. */
int times_read(uint64_t from, uint64_t *ns);
int times_write(uint64_t to, uint64_t ns);
int times_read_timeval(uint64_t from, uint64_t *ns);
int times_write_timeval(uint64_t to, uint64_t ns);

/*
 * The clocks of ring 3, in ns: those of a machine that is up for as long, and at such a date, when
 * its first program begins, whatever ran before. times_monotonic() - CLOCK_MONOTONIC now.
 * times_to_clock() - where clock_ns() stands when that is `monotonic`; at least 1, and UINT64_MAX
 * for never. times_of_clock() - what CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
 * CLOCK_REALTIME or CLOCK_TAI was when clock_ns() was `ns`: before the first program begins, what
 * it is then. times_real_offset() - what CLOCK_REALTIME is ahead of CLOCK_MONOTONIC. Any context.
 */
uint64_t times_monotonic(void);
uint64_t times_to_clock(uint64_t monotonic);
uint64_t times_of_clock(int clockid, uint64_t ns);
uint64_t times_real_offset(void);

/* times_ahead() - by how many ns all these clocks begin later than they do by default, from the
 * next run on; times_set_ahead() - sets it: up to 100 years, else -EINVAL. Task context. */
#define TIMES_AHEAD_MOST (100ull * 365 * 24 * 3600 * 1000000000)
uint64_t times_ahead(void);
int times_set_ahead(uint64_t ns);

/* times_timeval() - ns as a struct timeval of ring 3. Any context. */
struct __kernel_old_timeval times_timeval(uint64_t ns);

/* times_hold() - a run is made ready: these clocks show what they do when one begins, and stand
 * still. times_begin() - it begins. Interrupts off. */
void times_hold(void);
void times_begin(void);

#endif
