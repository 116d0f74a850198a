/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair_solution.h - the best shares of groups of events by policy fair, as the image asks the host
 * tool for them. The question and its answer lie in the area SHARED_IN (shared.h), after a frame
 * SOLVE (wire_frames.h). pmu/sched/fair_solve.h has the code of both ends.
 *
 * Neither end trusts the other: the tool checks the problem before it solves it, and the image
 * checks the solution against its own problem.
 */
#ifndef PERF0_FAIR_SOLUTION_H
#define PERF0_FAIR_SOLUTION_H

#include <stdint.h>

#define FAIR_GROUPS   64
#define FAIR_EVENTS   256 /* hardware events of all groups */
#define FAIR_EXTRAS   128 /* registers that these need beside their counters */
#define FAIR_COUNTERS 48
#define FAIR_SETS     64
#define FAIR_SHARED   8            /* registers that may be in use already */
#define FAIR_WHOLE    (1ull << 62) /* all of the time, in units of a share */

struct fair_group {
	uint8_t events, extras; /* numbers of entries in `mask` and `extra` */
	uint8_t corrupting, exclusive;
};

struct fair_extra {
	uint64_t value;
	uint32_t registers; /* mask of the registers that serve */
	uint32_t first;     /* the one to try first */
};

/* Groups in their order, and the events that count in any case (`start`). */
struct fair_problem {
	uint64_t key; /* a hash of all of it, which names the groups in the image, too */
	uint32_t groups;
	uint8_t general, general_corrupting, total; /* limits, as in struct pmu_limits */
	uint8_t start_corrupting;
	uint64_t start_used, start_wanted;
	uint64_t start_mask[FAIR_COUNTERS]; /* by counter: the counters that its event could use */
	uint64_t start_value[FAIR_SHARED];
	uint8_t start_registers[FAIR_SHARED];
	uint8_t start_held;
	uint8_t reserved[7];
	struct fair_group group[FAIR_GROUPS];
	uint64_t mask[FAIR_EVENTS]; /* the counters of each event */
	struct fair_extra extra[FAIR_EXTRAS];
};

/* Sets of groups that count together, each with its share of the time. */
struct fair_solution {
	uint64_t key;    /* the problem's */
	uint32_t groups; /* the problem's */
	uint32_t sets;
	uint32_t share,
		bound; /* of the worst group, in millionths: reached, and possible at most */
	uint32_t optimal, ordered;  /* 0 or 1: proven, for the worst group and for all others */
	uint64_t set[FAIR_SETS];    /* a bit for each group */
	uint64_t weight[FAIR_SETS]; /* share of the set, of FAIR_WHOLE, rounded down */
	uint64_t due[FAIR_GROUPS];  /* share of the group likewise; 0: it never fits */
};

/* At the start of SHARED_IN. The image writes the problem; the tool writes the rest. */
struct fair_exchange {
	int32_t answered; /* 1: `solution` is the answer; 0: there is none */
	uint32_t reserved;
	struct fair_problem problem;
	struct fair_solution solution;
};
_Static_assert(sizeof(struct fair_exchange) == 8 + 4848 + 1568, "no padding");

#endif
