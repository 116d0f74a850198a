// SPDX-License-Identifier: BSD-2-Clause
/* alarm.c - see alarm.h. */
#include "rt/clock/alarm.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "lib/by_cpu.h"
#include "lib/lock.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"

#include <stdbool.h>
#include <stddef.h>

struct cpu_alarms {
	struct alarm *first;
	struct hrtimer timer; /* expires for the first alarm, or before it */
};
BY_CPU_STATIC(struct cpu_alarms, alarms);
static struct lock lock; /* guards the lists of all CPUs */

static void on_alarms(struct hrtimer *timer, struct trap_frame *frame);

static void follow_first(void)
{
	const struct alarm *first = alarms[smp_cpu()].first;
	struct hrtimer *timer = &alarms[smp_cpu()].timer;
	const uint64_t now = clock_ns();

	timer->fn = on_alarms;
	if (first)
		hrtimer_start_irqs_off(timer, first->deadline > now ? first->deadline - now : 0);
	else if (hrtimer_armed(timer))
		hrtimer_cancel(timer);
}

static void unlink_alarm(struct alarm *a)
{
	*a->link = a->next;
	if (a->next)
		a->next->link = a->link;
	a->link = NULL;
}

static void link_alarm(struct alarm *a)
{
	struct alarm **at = &alarms[smp_cpu()].first;

	while (*at && (*at)->deadline <= a->deadline)
		at = &(*at)->next;
	a->next = *at;
	a->link = at;
	*at = a;
	if (a->next)
		a->next->link = &a->next;
	a->cpu = smp_cpu();
}

static bool is_own_first(const struct alarm *a)
{
	return alarms[smp_cpu()].first == a;
}

/* Another CPU's timer is left armed, and expires once without effect. */
static void take_out(struct alarm *a)
{
	const bool was_first = is_own_first(a);

	if (!a->link)
		return;
	unlink_alarm(a);
	if (was_first)
		follow_first();
}

void alarm_set(struct alarm *a, uint64_t deadline)
{
	const uint64_t flags = irq_save();

	lock_take(&lock);
	take_out(a);
	a->deadline = deadline;
	link_alarm(a);
	if (is_own_first(a))
		follow_first();
	lock_release(&lock);
	irq_restore(flags);
}

static bool is_gone(struct alarm *a)
{
	bool gone;

	lock_take(&lock);
	take_out(a);
	gone = !a->running || a->running == smp_cpu() + 1;
	lock_release(&lock);
	return gone;
}

void alarm_cancel(struct alarm *a)
{
	const uint64_t flags = irq_save();

	while (!is_gone(a))
		smp_serve();
	irq_restore(flags);
}

/* The time for alarms in one interrupt; the rest run in the next one. */
#define PASS_NS (NSEC_PER_MS / 2)

/* Does the alarm belong to the pass that began at `began`? An alarm set again during it belongs
 * to the next pass. */
static bool is_of_pass(const struct alarm *a, uint64_t began)
{
	return a->deadline <= began && clock_ns() - began < PASS_NS;
}

/* Takes the first due alarm; NULL: none is left, and the timer is set for the next. */
static struct alarm *next_due(struct alarm *before, uint64_t began)
{
	struct alarm *a;

	lock_take(&lock);
	if (before)
		before->running = 0;
	a = alarms[smp_cpu()].first;
	if (a && is_of_pass(a, began)) {
		unlink_alarm(a);
		a->running = smp_cpu() + 1;
	} else {
		follow_first();
		a = NULL;
	}
	lock_release(&lock);
	return a;
}

static void on_alarms(struct hrtimer *timer, struct trap_frame *frame)
{
	const uint64_t began = clock_ns();
	struct alarm *a = NULL;

	(void)timer;
	(void)frame;
	while ((a = next_due(a, began)))
		a->fn(a);
}
