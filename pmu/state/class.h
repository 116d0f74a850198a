/* SPDX-License-Identifier: BSD-2-Clause */
/* class.h - the kinds of events: how each is counted, and which PMUs there are. */
#ifndef PMU_STATE_CLASS_H
#define PMU_STATE_CLASS_H

#include "pmu/api/pmu.h"

/* How a kind of event is counted. */
struct pmu_class {
	bool hardware;
	uint64_t
		fields; /* PERF_SAMPLE_ bits that its samples can have beside those of all events */
	void (*start)(struct pmu_event *e); /* paused; hardware: `place` is set */
	void (*stop)(struct pmu_event *e);  /* paused; `count` is up to date afterwards */
	void (*update)(
		struct pmu_event *e); /* brings `count` up to date; hardware: NMI and paused */
	/* What `count` would be now; changes nothing, for other than it may be about to. Any
	 * context. NULL: `count` is always up to date. */
	uint64_t (*count)(const struct pmu_event *e);
	/* Brings the counts of the whole group that the event leads up to date, as of one moment,
	 * before any of them is read. Active; interrupts off, or NMI. (may be NULL) */
	void (*take)(struct pmu_event *leader);
	bool follows; /* counts in the group of another event only, with it */
	bool clock;   /* counts ns */
	/* It comes into the lists, and leaves them. Paused. (may be NULL) */
	void (*opened)(struct pmu_event *e);
	void (*closed)(struct pmu_event *e);
};

/*
 * A PMU: which events, by attr.type from `first` to `last`, are made by init(). It sets the event's
 * class, or refuses with the reason. Task context, on the event's CPU. PMUs register themselves;
 * the order in which they stand does not matter.
 */
struct pmu_kind {
	uint32_t first, last;
	int (*init)(struct pmu_event *e, struct reason *why);
	/* Finds out what this CPU has of it: once on each CPU, in pmu_init(), where the core PMU
	 * has a driver. (may be NULL) */
	void (*start_up)(void);
	/* Whether an open event may become `attr`: PERF_EVENT_IOC_MODIFY_ATTRIBUTES. (may be NULL:
	 * it may not) */
	int (*check_modified)(const struct perf_event_attr *attr, struct reason *why);
	bool exact; /* sampled where it happens: attr.precise_ip asks for nothing more */
};

/*
 * A unit beside the counters that samples, and interrupts by NMIs as they do: Instruction-Based
 * Sampling. nmi() - serves samples that are there; false: there are none. NMI context. pause() -
 * stops, after what is there was served; true: an NMI for it may still come. resume() - goes on.
 * Paused context. These three are called while pmu.ibs_active is not 0. take_over() - makes `e`, a
 * precise event of the core PMU with event select `select`, one of its own, or refuses it. Task
 * context.
 */
struct pmu_unit {
	bool (*nmi)(const struct pmu_regs *regs);
	bool (*pause)(const struct pmu_regs *regs);
	void (*resume)(void);
	int (*take_over)(struct pmu_event *e, uint64_t select, struct reason *why);
};

#define PMU_KIND(row)                                        \
	static const struct pmu_kind *const row##_registered \
		__attribute__((used, section("pmu_kinds"))) = &row

extern const struct pmu_kind *const __start_pmu_kinds[], *const __stop_pmu_kinds[];

/* pmu_kind_of() - the PMU whose events have that attr.type; NULL: none. Any context. */
static inline const struct pmu_kind *pmu_kind_of(uint32_t type)
{
	for (const struct pmu_kind *const *k = __start_pmu_kinds; k < __stop_pmu_kinds; k++)
		if (type >= (*k)->first && type <= (*k)->last)
			return *k;
	return NULL;
}

#endif
