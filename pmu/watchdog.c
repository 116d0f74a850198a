// SPDX-License-Identifier: BSD-2-Clause
/* watchdog.c - see watchdog.h. */
#include "pmu/watchdog.h"

#include "arch/x86/insn.h"
#include "lib/time.h"
#include "pmu/core.h"
#include "pmu/reason.h"

#include <linux/errno.h>

/* Enough beats in a threshold that turbo, which makes thresholds shorter, leaves one in each. */
#define BEATS_IN_TWO_THRESHOLDS 5

static struct {
	const struct pmu_watchdog_host *host;
	struct pmu_event cycles;
	bool on;
	unsigned seconds;
	uint64_t beats, lockups;
	uint64_t seen; /* beats, at the last overflow */
	bool reported; /* this lockup */
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

static int open_cycles(struct pmu_reason *why)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = dog.seconds * dog.host->cycles_per_second(),
		.pinned = 1,
		.disabled = 1,
	};
	int err = pmu_event_open(&dog.cycles, &attr, -1, (int)pmu.host->current->cpu, NULL, 0, why);

	if (err)
		return err;
	dog.cycles.on_overflow = on_overflow;
	pmu_event_set_name(&dog.cycles, "the NMI watchdog");
	pmu_event_enable(&dog.cycles);
	if (dog.cycles.state == PMU_STATE_ACTIVE)
		return 0;
	pmu_event_close(&dog.cycles);
	return pmu_refuse(
		why, EBUSY,
		"the NMI watchdog needs one of the counters 0x%llx for cycles, and pinned "
		"events hold them",
		(unsigned long long)dog.cycles.tick.constraint.counters);
}

int pmu_watchdog_on(const struct pmu_watchdog_host *host, unsigned seconds, struct pmu_reason *why)
{
	int err;

	if (!seconds || seconds > PMU_WATCHDOG_SECONDS_MOST)
		return pmu_refuse(why, EINVAL, "the NMI watchdog's threshold is 1 to %d s",
				  PMU_WATCHDOG_SECONDS_MOST);
	pmu_watchdog_off();
	dog.host = host;
	dog.seconds = seconds;
	dog.beats = 0;
	/* The first threshold, in which the first beat is yet to come, is nobody's lockup. */
	dog.seen = UINT64_MAX;
	dog.reported = false;
	err = open_cycles(why);
	if (err)
		return err;
	dog.on = true;
	host->beat_arm(beat_ns());
	return 0;
}

/* Closing alone schedules nothing: the counter would stay idle until somebody else does. */
void pmu_watchdog_off(void)
{
	uint64_t irq;

	if (!dog.on)
		return;
	dog.on = false;
	dog.host->beat_arm(0);
	pmu_event_close(&dog.cycles);
	irq = pmu_begin_change();
	pmu_schedule();
	pmu_end_change(irq);
}

struct pmu_watchdog pmu_watchdog_state(void)
{
	return (struct pmu_watchdog){
		.on = dog.on,
		.counts = dog.on && dog.cycles.state == PMU_STATE_ACTIVE,
		.counter = dog.cycles.tick.counter,
		.seconds = dog.seconds,
		.beats = dog.beats,
		.lockups = dog.lockups,
	};
}
