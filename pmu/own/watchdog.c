// SPDX-License-Identifier: BSD-2-Clause
/* watchdog.c - see watchdog.h. */
#include "pmu/own/watchdog.h"

#include "arch/x86/insn.h"
#include "lib/time.h"
#include "pmu/state/state.h"
#include "lib/reason.h"
#include "pmu/core/control.h"
#include "pmu/core/open.h"
#include "pmu/core/schedule.h"
#include "pmu/state/remote.h"

#include <linux/errno.h>

/* Five beats in two thresholds: even with turbo, which shortens thresholds, each has a beat. */
#define BEATS_IN_TWO_THRESHOLDS 5

/* Indexed by CPU. It is not PERCPU, because opening an event may look at events of other CPUs. */
BY_CPU_STATIC(struct pmu_event, events);

/* State of this CPU's watchdog. */
static PERCPU struct {
	const struct pmu_watchdog_host *host;
	struct pmu_event *cycles; /* points into `events` */
	bool on;
	unsigned seconds;
	uint64_t beats, lockups;
	uint64_t seen; /* `beats` at the last overflow */
	bool reported; /* this lockup has been reported */
} dog;

static uint64_t beat_ns(void)
{
	return dog.seconds * NSEC_PER_SEC * 2 / BEATS_IN_TWO_THRESHOLDS;
}

void pmu_watchdog_beat(void)
{
	if (!dog.on)
		return;
	local_add(&dog.beats, 1);
	dog.host->beat_arm(beat_ns());
}

static void on_overflow(struct pmu_event *e, const struct pmu_regs *regs)
{
	uint64_t beats = local_load(&dog.beats);
	bool stuck = beats == dog.seen;

	(void)e;
	dog.seen = beats;
	if (stuck && !dog.reported) {
		dog.lockups++;
		dog.host->report(regs, dog.seconds);
	}
	dog.reported = stuck;
}

static int open_cycles(struct reason *why)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = dog.seconds * dog.host->cycles_per_second(),
		.pinned = 1,
		.disabled = 1,
	};
	int err;

	dog.cycles = &events[pmu.number];
	err = pmu_open_within(dog.cycles, &attr, -1, (int)pmu.number, NULL, 0, why);

	if (err)
		return err;
	dog.cycles->out.on_overflow = on_overflow;
	dog.cycles->name = "the NMI watchdog";
	pmu_enable_within(dog.cycles);
	if (dog.cycles->state == PMU_STATE_ACTIVE)
		return 0;
	pmu_close_within(dog.cycles);
	return refuse(why, EBUSY,
		      "the NMI watchdog needs one of the counters 0x%llx for cycles, and pinned "
		      "events hold them",
		      (unsigned long long)dog.cycles->tick.constraint.counters);
}

/*
 * Closing alone does not schedule: without pmu_schedule() the counter would stay idle until some
 * other change.
 */
static void switch_off(void *nothing)
{
	uint64_t irq;

	(void)nothing;
	if (!dog.on)
		return;
	dog.on = false;
	dog.host->beat_arm(0);
	pmu_close_within(dog.cycles);
	irq = pmu_begin_change();
	pmu_schedule();
	pmu_end_change(irq);
}

struct order {
	const struct pmu_watchdog_host *host;
	unsigned seconds;
	struct reason *why;
	int err;
};

static void switch_cpu_watchdog_on(void *arg)
{
	struct order *o = arg;

	switch_off(NULL);
	if (o->err)
		return;
	dog.host = o->host;
	dog.seconds = o->seconds;
	dog.beats = 0;
	/* In the first threshold the first beat may still be pending: its end is not a lockup. */
	dog.seen = UINT64_MAX;
	dog.reported = false;
	o->err = open_cycles(o->why);
	if (o->err)
		return;
	dog.on = true;
	dog.host->beat_arm(beat_ns());
}

int pmu_watchdog_on(const struct pmu_watchdog_host *host, unsigned seconds, struct reason *why)
{
	struct order o = {.host = host, .seconds = seconds, .why = why};

	if (!seconds || seconds > PMU_WATCHDOG_SECONDS_MOST)
		return refuse(why, EINVAL, "the NMI watchdog's threshold is 1 to %d s",
			      PMU_WATCHDOG_SECONDS_MOST);
	pmu_operation_begin();
	pmu_on_each_cpu(switch_cpu_watchdog_on, &o);
	if (o.err)
		pmu_on_each_cpu(switch_off, NULL);
	pmu_operation_end();
	return o.err;
}

void pmu_watchdog_off(void)
{
	pmu_operation_begin();
	pmu_on_each_cpu(switch_off, NULL);
	pmu_operation_end();
}

/* Reports the counter of the last CPU: all have the same as long as events do not differ. */
static void add_state(void *arg)
{
	struct pmu_watchdog *w = arg;

	w->on |= dog.on;
	w->counts &= dog.on && dog.cycles->state == PMU_STATE_ACTIVE;
	w->counter = dog.on ? dog.cycles->tick.counter : PMU_NO_COUNTER;
	w->seconds = dog.seconds;
	w->beats += dog.beats;
	w->lockups += dog.lockups;
}

struct pmu_watchdog pmu_watchdog_state(void)
{
	struct pmu_watchdog w = {.counts = true};

	pmu_on_each_cpu(add_state, &w);
	return w;
}
