/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_check.h - what the checks of a PMU share: the table's row, the verdict, the machine that
 * runs kernels, and counting by one counter.
 *
 * Rules of use: task context on the boot CPU, interrupts off, no other events open. With `each_cpu`
 * in IRQ context on other CPUs, too, one CPU at a time. A check opens
 * its events by the event core, so the work-around of a quirk is part of what it checks. It closes
 * them before it returns. No check waits for the machine: each loop has a bound.
 *
 * Counts of instructions are compared without a tolerance. A kernel runs `n` and 2n turns; the
 * difference of both counts has nothing of the code around it.
 */
#ifndef APPS_DOCTOR_DOCTOR_CHECK_H
#define APPS_DOCTOR_DOCTOR_CHECK_H

#include "apps/doctor/doctor.h"
#include "lib/reason.h"
#include "pmu/api/pmu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doctor {
	const struct doctor_host *host;
	const struct pmu_caps *caps;
	uint64_t smis; /* SMIs when the checks began */
};

/*
 * A check. It sets its verdict by the functions below, once. `feature` is refused for the rest of
 * the boot where the verdict is wrong, and the counters of verdict->counters.
 */
struct doctor_check {
	const char *name; /* one word, for --only and JSON */
	enum doctor_group group;
	enum doctor_need need;
	enum pmu_feature feature;
	const char *title; /* what is compared, for JSON and documents */
	void (*run)(const struct doctor *d, struct doctor_verdict *v);
	bool each_cpu; /* it runs on each CPU, until one is wrong */
};

extern const struct doctor_check doctor_counter_checks[], doctor_overflow_checks[],
	doctor_sample_checks[], doctor_rule_checks[], doctor_kernel_checks[], doctor_clock_checks[];
extern const size_t doctor_ncounter_checks, doctor_noverflow_checks, doctor_nsample_checks,
	doctor_nrule_checks, doctor_nkernel_checks, doctor_nclock_checks;

/*
 * doctor_right(), doctor_wrong(), doctor_absent() - the verdict and its sentence. doctor_compare()
 * - right where both are equal, else wrong with the quotient; `what` names what was counted.
 */
void doctor_right(struct doctor_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_wrong(struct doctor_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_absent(struct doctor_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void doctor_compare(struct doctor_verdict *v, const char *what, uint64_t measured,
		    uint64_t expected);

/* doctor_kernel() - the known counts of one turn of a kernel. */
struct doctor_counts {
	uint64_t instructions, branches, loads, stores;
};
struct doctor_counts doctor_counts_of(enum doctor_kernel kernel);

/*
 * doctor_open() - opens `attr` for ring 0 of this CPU on `counter` (a bit of counter masks) alone;
 * DOCTOR_ANY: where the event core puts it. `forced`: though the tables do not allow that counter.
 * It counts from here on. -E with the reason. `e` is closed by pmu_event_close().
 */
#define DOCTOR_ANY 64u
int doctor_open(struct pmu_event *e, const struct perf_event_attr *attr, unsigned counter,
		bool forced, struct reason *why);

/* doctor_attr() - counts in ring 0 only. */
struct perf_event_attr doctor_attr(uint32_t type, uint64_t config);

/*
 * doctor_slope() - the counts of `n` turns of `kernel` by `nevents` open events, at most
 * DOCTOR_EVENTS. Counts that are exact repeat; `value` has those of two equal runs, or of the last
 * of four.
 */
#define DOCTOR_EVENTS 40
void doctor_slope(const struct doctor *d, struct pmu_event *const *events, unsigned nevents,
		  enum doctor_kernel kernel, uint64_t n, uint64_t *value);

/* doctor_name_counters() - writes "PMC0, FIXED1" to `text`, and returns it. */
#define DOCTOR_NAMES 128
const char *doctor_name_counters(uint64_t counters, char text[DOCTOR_NAMES]);

/* doctor_taken() - the counters that the firmware took from a check that has no event on them. */
uint64_t doctor_taken(void);

/* doctor_events - storage for open events. */
extern struct pmu_event doctor_events[DOCTOR_EVENTS];

#endif
