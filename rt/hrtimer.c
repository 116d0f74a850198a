// SPDX-License-Identifier: BSD-2-Clause
/*
 * hrtimer.c - a list sorted by expiry: a handful of timers at most. The APIC timer always stands
 * for the first of it.
 */
#include "rt/hrtimer.h"

#include "arch/x86/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/trap.h"
#include "arch/x86/tsc.h"
#include "rt/vectors.h"

#include <stddef.h>

static struct hrtimer *first;

static void program(void)
{
	uint64_t now = clock_ns();

	if (first)
		apic_timer_arm(first->expires > now ? first->expires - now : 1, VECTOR_TIMER);
	else
		apic_timer_stop();
}

static void unlink(struct hrtimer *timer)
{
	struct hrtimer **link = &first;

	while (*link != timer)
		link = &(*link)->next;
	*link = timer->next;
	timer->armed = false;
}

static void on_interrupt(struct trap_frame *frame)
{
	apic_eoi();
	while (first && first->expires <= clock_ns()) {
		struct hrtimer *timer = first;

		unlink(timer);
		program();
		timer->fn(timer, frame);
	}
	program();
}

void hrtimer_init(void)
{
	trap_set_irq(VECTOR_TIMER, on_interrupt);
}

void hrtimer_start(struct hrtimer *timer, uint64_t ns)
{
	uint64_t flags = irq_save();
	struct hrtimer **link = &first;

	if (timer->armed)
		unlink(timer);
	if (__builtin_add_overflow(clock_ns(), ns, &timer->expires))
		timer->expires = UINT64_MAX;
	while (*link && (*link)->expires <= timer->expires)
		link = &(*link)->next;
	timer->next = *link;
	timer->armed = true;
	*link = timer;
	program();
	irq_restore(flags);
}

bool hrtimer_cancel(struct hrtimer *timer)
{
	uint64_t flags = irq_save();
	bool armed = timer->armed;

	if (armed) {
		unlink(timer);
		program();
	}
	irq_restore(flags);
	return armed;
}
