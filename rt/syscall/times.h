/* SPDX-License-Identifier: BSD-2-Clause */
/* times.h - times as system calls have them. */
#ifndef RT_SYSCALL_TIMES_H
#define RT_SYSCALL_TIMES_H

#include "rt/task/usage.h"

#include <stdint.h>

/* times_read() - a struct timespec of ring 3 as ns; what is more than 64 bits hold is their most.
 * -EFAULT, -EINVAL. times_write() - the other way round; -EFAULT. Likewise with a struct timeval,
 * whose microseconds may be more than a second. times_real_offset() - what
 * CLOCK_REALTIME is ahead of CLOCK_MONOTONIC: the machine's own, the same in each run. */
int times_read(uint64_t from, uint64_t *ns);
int times_write(uint64_t to, uint64_t ns);
int times_read_timeval(uint64_t from, uint64_t *ns);
int times_write_timeval(uint64_t to, uint64_t ns);
uint64_t times_real_offset(void);

/* times_write_usage() - a struct rusage to ring 3: `pages_most` is ru_maxrss in pages. -EFAULT. */
int times_write_usage(uint64_t to, const struct task_usage *usage, uint64_t pages_most);

/* times_begin() - a run begins: CLOCK_REALTIME is the date with which each one does. */
void times_begin(void);

#endif
