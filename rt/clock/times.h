/* SPDX-License-Identifier: BSD-2-Clause */
/* times.h - times in the forms of system calls, and the clocks of ring 3. */
#ifndef RT_CLOCK_TIMES_H
#define RT_CLOCK_TIMES_H

#include <linux/time.h>
#include <stdint.h>

/* times_read() - reads a struct timespec of ring 3 as ns. A time that exceeds 64 bits becomes
 * UINT64_MAX. -EFAULT, -EINVAL. times_write() - writes ns as a struct timespec; -EFAULT.
 * times_read_timeval(), times_write_timeval() - likewise with a struct timeval, whose microseconds
 * may exceed a second. Task context. */
int times_read(uint64_t from, uint64_t *ns);
int times_write(uint64_t to, uint64_t ns);
int times_read_timeval(uint64_t from, uint64_t *ns);
int times_write_timeval(uint64_t to, uint64_t ns);

/*
 * The clocks of ring 3, in ns. When the first program of a run begins, they always show the same
 * uptime and date, whatever ran before. times_monotonic() - CLOCK_MONOTONIC now. times_to_clock() -
 * the value of clock_ns() when CLOCK_MONOTONIC is `monotonic`: at least 1; UINT64_MAX: never.
 * times_of_clock() - the value of CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
 * CLOCK_REALTIME or CLOCK_TAI when clock_ns() was `ns`; before the first program begins, the value
 * at its begin. times_real_offset() - CLOCK_REALTIME minus CLOCK_MONOTONIC. Any context.
 */
uint64_t times_monotonic(void);
uint64_t times_to_clock(uint64_t monotonic);
uint64_t times_of_clock(int clockid, uint64_t ns);
uint64_t times_real_offset(void);

/* times_ahead() - the ns that are added to the start of all these clocks, from the next run on.
 * times_set_ahead() - sets them: up to 100 years, else -EINVAL. Task context. */
#define TIMES_AHEAD_MOST (100ull * 365 * 24 * 3600 * 1000000000)
uint64_t times_ahead(void);
int times_set_ahead(uint64_t ns);

/* times_timeval() - converts ns to a struct timeval of ring 3. Any context. */
struct __kernel_old_timeval times_timeval(uint64_t ns);

/* times_hold() - while a run is prepared, these clocks stand still at their value at its begin.
 * times_begin() - the run begins. Interrupts off. */
void times_hold(void);
void times_begin(void);

#endif
