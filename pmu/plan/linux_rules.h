/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linux_rules.h - the behaviour of Linux's scheduler, by version. For planning only: the image
 * always uses PMU_RULES_NOW. The rows of pmu/uarch/ have the kernel's beliefs about single events;
 * these rules have its algorithm.
 *
 * The versions are those of "The Linux perf Event Scheduling Algorithm" (sections "The Scheduling
 * Algorithm" and "Event Constraints Calculation"), with three exceptions. LEAK has the version of
 * the limit that it breaks. PINNED_LAST and TIME_STANDS begin with the changes that introduced
 * these bugs. The document describes dynamic constraints before 4.1-rc1; they have no rule, and
 * begin with that version here. Pure functions, any context.
 */
#ifndef PMU_PLAN_LINUX_RULES_H
#define PMU_PLAN_LINUX_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pmu_rule {
	PMU_RULE_WEIGHT,        /* fewest counters first, else in the order of opening */
	PMU_RULE_FIXED_FIRST,   /* fixed counters before general ones */
	PMU_RULE_OVERLAP,       /* backtracks to overlapping constraints */
	PMU_RULE_LEAK,          /* backtracking does not free general counters */
	PMU_RULE_SIBLING,       /* a corrupting event closes the sibling thread's counter */
	PMU_RULE_LIMIT_TOTAL,   /* HT: counters in use, fixed or not, are at most half the general
				   ones */
	PMU_RULE_LIMIT_GENERAL, /* with a corrupting event: at most half the general counters */
	PMU_RULE_TFA,           /* avoids general counter 3 where transactions use it */
	PMU_RULE_SOFT_SIBLING,  /* refuses software siblings of a software leader with hardware
				   siblings */
	PMU_RULE_PINNED_LAST,   /* a group is pinned if its last event is, instead of its leader */
	PMU_RULE_TIME_STANDS,   /* rotation loses times: events that count at the end get all of the
				   time */
	PMU_RULES,
};
#define PMU_RULE(name) (1u << PMU_RULE_##name)

/* The rules without a version: the document's algorithm without its bugs. */
#define PMU_RULES_NOW                                                                       \
	(PMU_RULE(WEIGHT) | PMU_RULE(FIXED_FIRST) | PMU_RULE(OVERLAP) | PMU_RULE(SIBLING) | \
	 PMU_RULE(LIMIT_GENERAL) | PMU_RULE(TFA))

/* Versions compare as numbers; a release comes after all of its candidates. 2.6.N counts as 2.N. */
#define PMU_RELEASE                         0xff
#define PMU_KERNEL(major, minor, candidate) ((uint32_t)((major) << 16 | (minor) << 8 | (candidate)))

/*
 * pmu_kernel_parse() - parses "4.1", "4.1.15", "4.1-rc7" or "2.6.34-rc1"; patch levels are ignored.
 * False: something else.
 */
bool pmu_kernel_parse(const char *text, uint32_t *version);

#define PMU_KERNEL_LAST PMU_KERNEL(5, 3, PMU_RELEASE) /* the last version described */

/* pmu_kernel_rules() - the enum pmu_rule bits of that version. */
uint32_t pmu_kernel_rules(uint32_t version);

#endif
