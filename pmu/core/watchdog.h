/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchdog.h - the NMI watchdog: finds a CPU on which nothing but NMIs gets through any more.
 *
 * A pinned event of the CPU counts cycles, in both rings, and overflows once in each threshold of
 * unhalted time. A timer's interrupt, five times in two thresholds, is the heartbeat. An overflow
 * without a heartbeat since the last one finds interrupts held off for a threshold at least, and
 * for two at most: a hard lockup. It is reported once, until the next heartbeat ends it.
 *
 * Off, it costs nothing: no counter, no timer. Each CPU has one, with its own heartbeat; they are
 * switched together.
 */
#ifndef PMU_CORE_WATCHDOG_H
#define PMU_CORE_WATCHDOG_H

#include "pmu/api/pmu.h"

#define PMU_WATCHDOG_SECONDS      10 /* the threshold, as Linux has it */
#define PMU_WATCHDOG_SECONDS_MOST 60

/* What the machine does for it. */
struct pmu_watchdog_host {
	uint64_t (*cycles_per_second)(void); /* about: the clock rate without turbo */
	/* Has pmu_watchdog_beat() called once, in `ns` ns from now, by an interrupt of this CPU
	 * that is not an NMI; 0: not any more. Task and IRQ context. */
	void (*beat_arm)(uint64_t ns);
	/* The code that holds the CPU. NMI context; it may return to it. */
	void (*report)(const struct pmu_regs *regs, unsigned seconds);
};

/*
 * pmu_watchdog_on() - with a threshold of 1 to PMU_WATCHDOG_SECONDS_MOST seconds. Schedules: an
 * event on the counter gives way, unless it is pinned. Changes the threshold of a watchdog that is
 * on already.
 * Task context. Errors, with `why` filled in: EINVAL (threshold), ENOENT (no hardware events),
 * EBUSY (pinned events hold all counters for cycles of a CPU; it is off then).
 */
int pmu_watchdog_on(const struct pmu_watchdog_host *host, unsigned seconds, struct reason *why);

/* pmu_watchdog_off() - and gives the counter back: an event that waits for it gets it now. Task
 * context. */
void pmu_watchdog_off(void);

/* pmu_watchdog_beat() - the timer of beat_arm() went off. IRQ context. */
void pmu_watchdog_beat(void);

struct pmu_watchdog {
	bool on;
	bool counts;      /* on all CPUs; false: a pinned event that came later took the counter */
	unsigned counter; /* index in counter masks, while it counts */
	unsigned seconds; /* threshold */
	uint64_t beats;   /* since it was switched on, of all CPUs */
	uint64_t lockups; /* since start-up, likewise */
};

/* pmu_watchdog_state() - as it is now. Task context. */
struct pmu_watchdog pmu_watchdog_state(void);

#endif
