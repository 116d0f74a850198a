/* SPDX-License-Identifier: BSD-2-Clause */
/* class.h - the classes of events, by which they are counted, and the PMUs. */
#ifndef PMU_STATE_CLASS_H
#define PMU_STATE_CLASS_H

#include "pmu/api/pmu.h"

/* The way in which a class of events is counted. */
struct pmu_class {
	bool hardware;
	uint64_t fields; /* PERF_SAMPLE_ bits that its samples can have beside the common ones */
	void (*start)(struct pmu_event *e);  /* paused; hardware: `place` is set */
	void (*stop)(struct pmu_event *e);   /* paused; afterwards `count` is up to date */
	void (*update)(struct pmu_event *e); /* updates `count`; hardware: NMI and paused */
	/*
	 * The up-to-date count, without changing anything, because the event may belong to another
	 * CPU. Any context. NULL: `count` is always up to date.
	 */
	uint64_t (*count)(const struct pmu_event *e);
	/*
	 * Brings the counts of the whole group that the event leads up to date, at one moment,
	 * before any of them is read. Active; interrupts off, or NMI. (may be NULL)
	 */
	void (*take)(struct pmu_event *leader);
	bool follows; /* counts only in the group of another event, together with it */
	bool clock;   /* counts ns */
	/* It is added to the lists, or removed. Paused. (may be NULL) */
	void (*opened)(struct pmu_event *e);
	void (*closed)(struct pmu_event *e);
};

/*
 * A PMU: init() creates the events with attr.type `first` to `last`. It sets the event's class, or
 * refuses with the reason. Task context, on the event's CPU. PMUs register themselves, in any
 * order.
 */
struct pmu_kind {
	uint32_t first, last;
	int (*init)(struct pmu_event *e, struct reason *why);
	/*
	 * Detects the PMU of this CPU: called once on each CPU, in pmu_init(), if the core PMU has
	 * a driver. (may be NULL)
	 */
	void (*start_up)(void);
	/*
	 * Checks that an open event may change to `attr`: PERF_EVENT_IOC_MODIFY_ATTRIBUTES. (may be
	 * NULL: it may not)
	 */
	int (*check_modified)(const struct perf_event_attr *attr, struct reason *why);
	bool exact; /* sampled where it occurs: attr.precise_ip adds nothing */
};

/*
 * A unit beside the counters that samples and raises NMIs like them: Instruction-Based Sampling.
 * The first three functions are called while pmu.ibs_active is not 0.
 * nmi() - serves pending samples; false: there are none. NMI context.
 * pause() - serves pending samples and stops; true: an NMI for them may still come. resume() -
 * continues. Paused context.
 * take_over() - makes `e`, a precise event of the core PMU with event select `select`, one of its
 * own, or refuses it. distrust() - refuses all events from now on, for the reason `lack`, which is
 * kept. Task context, both.
 */
struct pmu_unit {
	bool (*nmi)(const struct pmu_regs *regs);
	bool (*pause)(const struct pmu_regs *regs);
	void (*resume)(void);
	int (*take_over)(struct pmu_event *e, uint64_t select, struct reason *why);
	void (*distrust)(const char *lack);
};

#define PMU_KIND(row)                                        \
	static const struct pmu_kind *const row##_registered \
		__attribute__((used, section("pmu_kinds"))) = &row

extern const struct pmu_kind *const __start_pmu_kinds[], *const __stop_pmu_kinds[];

/* pmu_kind_of() - the PMU of events with that attr.type; NULL: none. Any context. */
static inline const struct pmu_kind *pmu_kind_of(uint32_t type)
{
	for (const struct pmu_kind *const *k = __start_pmu_kinds; k < __stop_pmu_kinds; k++)
		if (type >= (*k)->first && type <= (*k)->last)
			return *k;
	return NULL;
}

#endif
