/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hrtimer.h - one-shot timers in nanoseconds, on the APIC timer. While no timer is armed there is
 * no interrupt.
 *
 * A timer belongs to the CPU that starts it. It expires on that CPU. Until it has expired, only
 * that CPU may restart or cancel it.
 *
 * Interrupts of timers take at most half of a CPU's time: after one interrupt there is none for as
 * long as it took, even if a timer is due. So no period is too short: the callback finds that
 * several periods have passed.
 *
 * The caller owns the storage. The functions may be called in task and IRQ context; they turn
 * interrupts off. Callbacks run in the timer's interrupt with interrupts off, and may start and
 * cancel timers. A callback may also leave by user_leave() and not return. The next hrtimer_start()
 * or hrtimer_cancel() of any timer then programs the hardware for the remaining timers.
 */
#ifndef RT_CLOCK_HRTIMER_H
#define RT_CLOCK_HRTIMER_H

#include "rt/portable/timerheap.h"

#include <stdbool.h>
#include <stdint.h>

/* hrtimer_init() - takes the APIC timer's vector. Once on each CPU, at its start. */
void hrtimer_init(void);

/*
 * hrtimer_start() - runs `timer->fn` once in `ns` nanoseconds; an armed timer is restarted. At most
 * TIMER_HEAP_MAX are armed at the same time. hrtimer_start_irqs_off() - likewise, for callers with
 * interrupts off, such as callbacks.
 */
void hrtimer_start(struct hrtimer *timer, uint64_t ns);
void hrtimer_start_irqs_off(struct hrtimer *timer, uint64_t ns);

/* hrtimer_cancel() - false: the timer had expired, or was never started. */
bool hrtimer_cancel(struct hrtimer *timer);

/* hrtimer_shift() - this CPU's TSC was set `ticks` forward: moves its timers with it, and
 * forgets how long interrupts took. So a run does not depend on the one before. Interrupts off. */
void hrtimer_shift(int64_t ticks);

/* hrtimer_trace() - turns the tracepoints of timers on or off. Interrupts off. */
void hrtimer_trace(bool on);

/* hrtimer_armed() - is the timer armed, and has not expired? */
static inline bool hrtimer_armed(const struct hrtimer *timer)
{
	return *(const volatile unsigned *)&timer->at;
}

#endif
