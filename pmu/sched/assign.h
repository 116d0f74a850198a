/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assign.h - assigns events to counters: pure functions over masks. They access no hardware, hold
 * no state, and run in any context.
 *
 * The greedy algorithm takes events by weight, fewest counters first, and gives each the first free
 * counter. It may fail where another choice would succeed, unless the constraints that make it fail
 * are marked as overlapping. The exact algorithm fails only when there is no assignment.
 */
#ifndef PMU_SCHED_ASSIGN_H
#define PMU_SCHED_ASSIGN_H

#include <stdbool.h>
#include <stdint.h>

/* Counters of one PMU: general ones from bit 0, fixed ones from bit 32. */
#define PMU_COUNTERS     48
#define PMU_FIRST_FIXED  32
#define PMU_GENERAL_MASK 0xffffffffull
#define PMU_FIXED_MASK   (~PMU_GENERAL_MASK)
#define PMU_NO_COUNTER   0xff
#define PMU_NO_LIMIT     0xff
#define PMU_SAVED_STATES 2

/*
 * The counters that can count an event. `weight` is the number of bits in `counters`, stored for
 * speed.
 */
struct pmu_constraint {
	uint64_t counters;
	uint8_t weight;
	bool overlap; /* overlaps others of at least its weight without being a subset: backtracking
			 helps */
};

/* Variants of the greedy algorithm; each names a difference between versions of Linux. */
enum pmu_assign_flag {
	PMU_ASSIGN_BY_WEIGHT = 1 << 0,   /* else in the given order */
	PMU_ASSIGN_FIXED_FIRST = 1 << 1, /* else the lowest counter first, which is a general one */
	PMU_ASSIGN_OVERLAP = 1 << 2,     /* backtrack to overlapping constraints */
	PMU_ASSIGN_LEAK = 1 << 3,        /* backtracking does not free general counters */
};
#define PMU_ASSIGN_DEFAULT (PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST | PMU_ASSIGN_OVERLAP)

struct pmu_assign_job {
	const struct pmu_constraint *events;
	unsigned n;          /* at most PMU_COUNTERS; more never fit */
	uint8_t general_max; /* most general counters in use; PMU_NO_LIMIT */
	uint8_t flags;       /* enum pmu_assign_flag */
	const uint8_t
		*previous; /* counter of each event, or PMU_NO_COUNTER; NULL: no event had one */
};

/* pmu_constraint() - the constraint of a mask, with its weight. */
struct pmu_constraint pmu_constraint(uint64_t counters, bool overlap);

/*
 * pmu_assign_greedy() - gives each event a counter of its own: `index[i]` is event i's. False: the
 * algorithm found no assignment, and `index` is undefined.
 *
 * If every event can keep its previous counter, and the limit holds, all do. Otherwise the order
 * is: least weight first, equal weights in the given order; a fixed counter before a general one,
 * the lowest first. The state at an overlapping constraint is saved, up to two of them. When an
 * event finds no counter, the last saved state is restored, and the event with the overlapping
 * constraint takes its next counter. Ordering is O(n^2), assigning O(n); overlapping constraints
 * multiply this by at most the square of the number of counters.
 */
bool pmu_assign_greedy(const struct pmu_assign_job *job, uint8_t *index);

/* pmu_assign() - the same for plain masks, without a limit, overlaps or previous counters. */
bool pmu_assign(const uint64_t *masks, unsigned n, uint8_t *index);

/*
 * pmu_assign_exact() - a maximum matching: false only when no assignment exists that uses at most
 * `general_max` general counters. Uses as few general counters as possible. O(n * counters).
 */
bool pmu_assign_exact(const uint64_t *masks, unsigned n, uint8_t general_max, uint8_t *index);

#endif
