/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h - how the kernel's scheduler behaved, by version. For planning only: the image always
 * goes by PMU_RULES_NOW. What the kernel believed about single events stands in the rows of
 * pmu/uarch/; here is what it did with them. Dates as "The Linux perf Event Scheduling Algorithm"
 * gives them (sections "The Scheduling Algorithm" and "Event Constraints Calculation"). It has not
 * those of LEAK, which is that of the limit which it breaks, and the first of PINNED_LAST and
 * TIME_STANDS, which are those of the changes that brought these mistakes. What it says of dynamic
 * constraints before 4.1-rc1 has no rule: in what is planned here they begin with that version.
 * Pure, any context.
 */
#ifndef PMU_PLAN_RULES_H
#define PMU_PLAN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pmu_rule {
	PMU_RULE_WEIGHT,      /* least choice first, else in the order of opening */
	PMU_RULE_FIXED_FIRST, /* fixed counters before general ones */
	PMU_RULE_OVERLAP,     /* goes back to overlapping constraints */
	PMU_RULE_LEAK,        /* going back does not give general counters back */
	PMU_RULE_SIBLING,     /* corrupting events keep the sibling's counter to themselves */
	PMU_RULE_LIMIT_TOTAL, /* HT: half the general counters is all that is used, fixed or not */
	PMU_RULE_LIMIT_GENERAL, /* a corrupting event: half the general counters at most */
	PMU_RULE_TFA,           /* keeps off general counter 3 where transactions use it */
	PMU_RULE_SOFT_SIBLING,  /* refuses software siblings of a software leader with hardware */
	PMU_RULE_PINNED_LAST, /* takes a group for pinned when its last event is, not its leader */
	PMU_RULE_TIME_STANDS, /* rotation forgets the time: events that count at the end get all
				 of it */
	PMU_RULES,
};
#define PMU_RULE(name) (1u << PMU_RULE_##name)

/* Without a version: the document's algorithm, nothing of what it calls a bug. */
#define PMU_RULES_NOW                                                                       \
	(PMU_RULE(WEIGHT) | PMU_RULE(FIXED_FIRST) | PMU_RULE(OVERLAP) | PMU_RULE(SIBLING) | \
	 PMU_RULE(LIMIT_GENERAL) | PMU_RULE(TFA))

/* Versions compare as numbers; a release comes after all of its candidates. 2.6.N counts as 2.N. */
#define PMU_RELEASE                         0xff
#define PMU_KERNEL(major, minor, candidate) ((uint32_t)((major) << 16 | (minor) << 8 | (candidate)))

/* pmu_kernel_parse() - "4.1", "4.1.15", "4.1-rc7", "2.6.34-rc1"; patch levels do not
 * count. False: something else. */
bool pmu_kernel_parse(const char *text, uint32_t *version);

#define PMU_KERNEL_LAST PMU_KERNEL(5, 3, PMU_RELEASE) /* that is described */

/* pmu_kernel_rules() - the enum pmu_rule bits of that version. */
uint32_t pmu_kernel_rules(uint32_t version);

#endif
