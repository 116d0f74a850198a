/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alarm.h - alarms at a given time, which any CPU may cancel: for timerfd_create(2),
 * setitimer(2), timer_create(2). Their number is not limited; of the timers of hrtimer.h they
 * take one on each CPU. One interrupt runs due alarms for at most some 0.5 ms, even if more are
 * due, and other interrupts come in between. The caller owns the storage, which is zero at first
 * but for `fn`. Any CPU; interrupts off inside.
 */
#ifndef RT_CLOCK_ALARM_H
#define RT_CLOCK_ALARM_H

#include <stdint.h>

struct alarm {
	void (*fn)(
		struct alarm *a); /* IRQ context, no lock; may set the alarm again, not free it */
	uint64_t deadline;        /* of clock_ns() */
	struct alarm *next,
		**link; /* of those on one CPU, soonest first; link NULL: it is not set */
	unsigned cpu;
	unsigned running; /* the number of the CPU that runs `fn`, and 1 */
};

/* alarm_set() - runs `fn` at `deadline` of clock_ns(), once; an armed alarm is moved. Any
 * context but NMI, locks may be held. alarm_cancel() - afterwards `fn` neither runs nor will
 * run, unless it is the caller. No lock is held. */
void alarm_set(struct alarm *a, uint64_t deadline);
void alarm_cancel(struct alarm *a);

#endif
