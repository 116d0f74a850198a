/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.h - the best shares that groups of events can have of some counters, by GLPK. A linear
 * program has the sets of groups that fit together as columns. An integer program makes each column
 * when it is needed. It shares no code with pmu/sched/.
 */
#ifndef TESTS_STUDY_JUDGE_H
#define TESTS_STUDY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#define JUDGE_GROUPS 64
#define JUDGE_EVENTS 4

/* Each event of a group needs a counter of its own from its mask. */
struct judge_load {
	unsigned n;
	struct {
		unsigned n;
		uint64_t mask[JUDGE_EVENTS];
	} group[JUDGE_GROUPS];
};

/*
 * judge_shares() - computes the share of each group: the smallest share as large as possible, then
 * the next one, and so on. With `worst_only`, only the smallest, into share[0]. False: GLPK gave
 * up.
 */
bool judge_shares(const struct judge_load *load, double *share, bool worst_only);

#endif
