/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assign.h - which event goes on which counter: pure functions over masks. They know no hardware,
 * hold no state, and run in any context.
 *
 * The greedy one takes events by weight, least choice first, and gives each the first counter that
 * is free: it may fail where another choice would succeed, unless the constraints that make it fail
 * are marked as overlapping. The exact one fails only when there is no assignment at all.
 */
#ifndef PMU_SCHED_ASSIGN_H
#define PMU_SCHED_ASSIGN_H

#include <stdbool.h>
#include <stdint.h>

/* Counters of one PMU: general from bit 0, fixed from bit 32. */
#define PMU_COUNTERS     48
#define PMU_FIRST_FIXED  32
#define PMU_GENERAL_MASK 0xffffffffull
#define PMU_FIXED_MASK   (~PMU_GENERAL_MASK)
#define PMU_NO_COUNTER   0xff
#define PMU_NO_LIMIT     0xff
#define PMU_SAVED_STATES 2

/* Where an event can count. `weight` is the number of bits in `counters`: kept, not counted. */
struct pmu_constraint {
	uint64_t counters;
	uint8_t weight;
	bool overlap; /* not a subset of constraints with the same or more weight: worth a retry */
};

/* How the greedy assignment goes about it; what was otherwise before certain kernels. */
enum pmu_assign_flag {
	PMU_ASSIGN_BY_WEIGHT = 1 << 0,   /* else in the order given */
	PMU_ASSIGN_FIXED_FIRST = 1 << 1, /* else the lowest counter first, which is a general one */
	PMU_ASSIGN_OVERLAP = 1 << 2,     /* go back to overlapping constraints */
	PMU_ASSIGN_LEAK = 1 << 3,        /* going back does not give general counters back */
};
#define PMU_ASSIGN_DEFAULT (PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST | PMU_ASSIGN_OVERLAP)

struct pmu_assign_job {
	const struct pmu_constraint *events;
	unsigned n;              /* up to PMU_COUNTERS; more never fit */
	uint8_t general_max;     /* general counters that may be used; PMU_NO_LIMIT */
	uint8_t flags;           /* enum pmu_assign_flag */
	const uint8_t *previous; /* counter of each event, or PMU_NO_COUNTER; NULL: none had any */
};

/* pmu_constraint() - the constraint of a mask, its weight counted. */
struct pmu_constraint pmu_constraint(uint64_t counters, bool overlap);

/*
 * pmu_assign_greedy() - gives each event one of its counters, no counter twice: `index[i]` is event
 * i's. False when that does not work out; `index` means nothing then.
 *
 * When every event still fits where it was, and the limit holds, it stays there. Else: least weight
 * first, in the order given among equals; a fixed counter before a general one, the lowest first.
 * The state at an overlapping constraint is saved, two of them at most. When an event finds no
 * counter, the last state saved is restored, and the event with the overlapping constraint takes
 * its next counter. O(n^2) for ordering, O(n) for assigning, times the square of the number of
 * counters at most where there are overlapping constraints.
 */
bool pmu_assign_greedy(const struct pmu_assign_job *job, uint8_t *index);

/* pmu_assign() - the same for plain masks: no limit, no overlaps, and no event had a counter. */
bool pmu_assign(const uint64_t *masks, unsigned n, uint8_t *index);

/*
 * pmu_assign_exact() - a maximum matching: false only when no assignment exists that uses at most
 * `general_max` general counters. Uses as few general counters as possible. O(n * counters).
 */
bool pmu_assign_exact(const uint64_t *masks, unsigned n, uint8_t general_max, uint8_t *index);

#endif
