/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hrtimer.h - one-shot timers in nanoseconds of clock_ns(), on the APIC timer. No timer armed: no
 * interrupt, ever.
 *
 * The caller owns the storage. Functions: task and IRQ context (interrupts off inside). Callbacks
 * run in the timer's interrupt, interrupts off, and may start timers.
 */
#ifndef RT_HRTIMER_H
#define RT_HRTIMER_H

#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

struct hrtimer {
	uint64_t expires; /* clock_ns() */
	void (*fn)(struct hrtimer *timer, struct trap_frame *frame);
	struct hrtimer *next; /* the later ones; NULL-terminated */
	bool armed;
};

/* hrtimer_init() - takes the APIC timer's vector. Once, at start-up. */
void hrtimer_init(void);

/* hrtimer_start() - `timer->fn` runs in `ns` nanoseconds from now, once; restarts an armed one. */
void hrtimer_start(struct hrtimer *timer, uint64_t ns);

/* hrtimer_cancel() - false when it had fired, or was never started. */
bool hrtimer_cancel(struct hrtimer *timer);

#endif
