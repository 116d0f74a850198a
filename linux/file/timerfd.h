/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timerfd.h - timers as files. A timer of the machine is armed only while something waits for
 * it: a program that only reads it causes no interrupts. Task context.
 */
#ifndef LINUX_FILE_TIMERFD_H
#define LINUX_FILE_TIMERFD_H

#include "linux/file/file.h"
#include "linux/file/file_host.h"

/* Nanoseconds to the next expiry (0: disarmed), and the interval in nanoseconds. */
struct timerfd_times {
	uint64_t first, interval;
};

/* timerfd_open() - `flags`: O_NONBLOCK. */
int timerfd_open(enum host_clock clock, unsigned flags, struct file **out);

/* timerfd_set() - `absolute`: `first` is a time of its clock, not a delay. `old` may be NULL.
 * timerfd_get() - the time that is left. Both: -EINVAL: `f` is no timer. */
int timerfd_set(struct file *f, bool absolute, const struct timerfd_times *times,
		struct timerfd_times *old);
int timerfd_get(struct file *f, struct timerfd_times *times);

#endif
