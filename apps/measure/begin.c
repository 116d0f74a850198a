// SPDX-License-Identifier: BSD-2-Clause
/* begin.c - see begin.h. */
#include "apps/measure/begin.h"

#include "arch/x86/dev/tsc.h"
#include "rt/console/keyboard.h"
#include "rt/clock/hrtimer.h"

#include <stddef.h>

static struct {
	struct evset *set;
	uint64_t delay;               /* ns; 0: the events begin by themselves */
	void (*then)(uint64_t since); /* NULL: nothing */
	/* When the workload started, and when the events began, by clock_ns(); 0: not yet. Without
	 * a delay, events of CPUs begin first, before the workload gets its memory. */
	uint64_t started, since;
	struct hrtimer timer;
} begin;

static void begin_now(void)
{
	if (!begin.since)
		begin.since = clock_ns();
	if (begin.set->waits)
		evset_enable(begin.set);
	if (begin.then)
		begin.then(begin.since);
}

static void on_delay(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	begin_now();
}

static void on_start(void)
{
	begin.started = clock_ns();
	if (begin.delay)
		hrtimer_start_irqs_off(&begin.timer, begin.delay);
	else
		begin_now();
}

void begin_with(struct evset *set, uint64_t delay_ns, void (*then)(uint64_t since))
{
	begin.set = set;
	begin.delay = delay_ns;
	begin.then = then;
	begin.started = begin.since = 0;
	begin.timer.fn = on_delay;
	set->waits = delay_ns;
	task_on_start(on_start);
}

int begin_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome)
{
	int status;

	if (evset_is_for_cpu(begin.set) && !begin.delay)
		begin.since = clock_ns();
	evset_start(begin.set);
	status = task_run(call, timeout_ns ? timeout_ns : keyboard_limit_ns(), outcome);
	hrtimer_cancel(&begin.timer);
	return status;
}

bool begin_has_come(void)
{
	return begin.since;
}

uint64_t begin_end(void)
{
	task_on_start(NULL);
	begin.set->waits = false;
	if (!begin.since)
		return UINT64_MAX;
	return begin.since > begin.started ? begin.since - begin.started : 0;
}
