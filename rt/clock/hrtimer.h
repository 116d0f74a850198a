/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hrtimer.h - one-shot timers in nanoseconds, on the APIC timer. No timer armed: no interrupt,
 * ever.
 *
 * A timer is its CPU's on which it was started: there it goes off, and only there it is started
 * again or cancelled until it has.
 *
 * Interrupts of timers take at most half of a CPU's time: after one there is none for as long as it
 * took, however soon a timer is due. So no period is too short; its callback finds that several are
 * over.
 *
 * The caller owns the storage. Functions: task and IRQ context (interrupts off inside). Callbacks
 * run in the timer's interrupt, interrupts off, and may start and cancel timers. One may also leave
 * for good by user_leave(); the next call of either function, for whichever timer, then sets the
 * hardware to those that are left.
 */
#ifndef RT_CLOCK_HRTIMER_H
#define RT_CLOCK_HRTIMER_H

#include "rt/portable/timerheap.h"

#include <stdbool.h>
#include <stdint.h>

/* hrtimer_init() - takes the APIC timer's vector. Once on each CPU, at its start. */
void hrtimer_init(void);

/*
 * hrtimer_start() - `timer->fn` runs in `ns` nanoseconds from now, once; restarts an armed one. At
 * most TIMER_HEAP_MAX are armed at the same time. hrtimer_start_irqs_off() is the same, for callers
 * that know that interrupts are off already, as callbacks do.
 */
void hrtimer_start(struct hrtimer *timer, uint64_t ns);
void hrtimer_start_irqs_off(struct hrtimer *timer, uint64_t ns);

/* hrtimer_cancel() - false when it had fired, or was never started. */
bool hrtimer_cancel(struct hrtimer *timer);

/* hrtimer_shift() - this CPU's TSC was set `ticks` forward: moves its timers with it. Interrupts
 * off. */
void hrtimer_shift(int64_t ticks);

/* hrtimer_trace() - switches the tracepoints of timers. Interrupts off. */
void hrtimer_trace(bool on);

/* hrtimer_armed() - is the timer still to fire? */
static inline bool hrtimer_armed(const struct hrtimer *timer)
{
	return *(const volatile unsigned *)&timer->at;
}

#endif
