/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchdog.h - the NMI watchdog: finds a CPU on which only NMIs are still served.
 *
 * A pinned event of the CPU counts cycles, in both rings, and overflows once in each threshold of
 * unhalted time. A timer interrupt, five times in two thresholds, is the heartbeat. An overflow
 * without a heartbeat since the last one means that interrupts were off for one to two thresholds:
 * a hard lockup. It is reported once; the next heartbeat ends it.
 *
 * When off it costs nothing: no counter, no timer. Each CPU has one, with its own heartbeat; all
 * are switched together.
 */
#ifndef PMU_OWN_WATCHDOG_H
#define PMU_OWN_WATCHDOG_H

#include "pmu/api/pmu.h"

#define PMU_WATCHDOG_SECONDS      10 /* the default threshold, as in Linux */
#define PMU_WATCHDOG_SECONDS_MOST 60

/* Functions of the machine for the watchdog. */
struct pmu_watchdog_host {
	uint64_t (*cycles_per_second)(void); /* approximate: the clock rate without turbo */
	/*
	 * Calls pmu_watchdog_beat() once, in `ns` ns, by an interrupt of this CPU that is not an
	 * NMI; 0: cancels. Task and IRQ context.
	 */
	void (*beat_arm)(uint64_t ns);
	/* Reports the code that blocks the CPU. NMI context; it may return there. */
	void (*report)(const struct pmu_regs *regs, unsigned seconds);
};

/*
 * pmu_watchdog_on() - starts it with a threshold of 1 to PMU_WATCHDOG_SECONDS_MOST seconds, or
 * changes the threshold of a running one. Schedules: an event on the counter yields, unless it is
 * pinned. Task context.
 * Errors, with `why` filled in: EINVAL (threshold), ENOENT (no hardware events), EBUSY (pinned
 * events hold all counters for cycles of a CPU; the watchdog is off then).
 */
int pmu_watchdog_on(const struct pmu_watchdog_host *host, unsigned seconds, struct reason *why);

/*
 * pmu_watchdog_off() - stops it and frees the counter: an event that waits for it gets it now. Task
 * context.
 */
void pmu_watchdog_off(void);

/* pmu_watchdog_beat() - the timer of beat_arm() expired. IRQ context. */
void pmu_watchdog_beat(void);

struct pmu_watchdog {
	bool on;
	bool counts;      /* on all CPUs; false: a pinned event that came later has the counter */
	unsigned counter; /* its bit in counter masks, while it counts */
	unsigned seconds; /* threshold */
	uint64_t beats;   /* sum over all CPUs since it was switched on */
	uint64_t lockups; /* sum over all CPUs since start-up */
};

/* pmu_watchdog_state() - the present state. Task context. */
struct pmu_watchdog pmu_watchdog_state(void);

#endif
