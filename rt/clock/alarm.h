/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alarm.h - alarms at a given time, which any CPU may cancel: for timerfd_create(2), setitimer(2),
 * timer_create(2). Their number is not limited: all alarms of a CPU share one timer of hrtimer.h.
 * One interrupt runs due alarms for at most some 0.5 ms; the rest run in a later one, and other
 * interrupts come in between. The caller owns the storage, which is zero at first except `fn`. Any
 * CPU; the functions turn interrupts off.
 */
#ifndef RT_CLOCK_ALARM_H
#define RT_CLOCK_ALARM_H

#include <stdint.h>

struct alarm {
	void (*fn)(
		struct alarm *a);   /* IRQ context, no lock; may set the alarm again, not free it */
	uint64_t deadline;          /* of clock_ns() */
	struct alarm *next, **link; /* list of one CPU, soonest first; link NULL: not set */
	unsigned cpu;
	unsigned running; /* 1 + number of the CPU that runs `fn`; 0: none */
};

/* alarm_set() - runs `fn` once at `deadline` of clock_ns(); a set alarm is moved. Any context but
 * NMI; locks may be held. alarm_cancel() - after it `fn` neither runs nor will run, unless `fn`
 * itself calls it. No lock is held. */
void alarm_set(struct alarm *a, uint64_t deadline);
void alarm_cancel(struct alarm *a);

#endif
