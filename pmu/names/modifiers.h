/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modifiers.h - the letters behind an event: read, checked against each other, and turned into
 * attributes. For the event parser only. What perf makes of each is in its manual, perf-list(1).
 */
#ifndef PMU_NAMES_MODIFIERS_H
#define PMU_NAMES_MODIFIERS_H

#include "pmu/names/scan.h"

/* Letters in the order in which they were given, those of the group last. */
#define MODIFIERS_MAX 16
struct modifiers {
	char letters[MODIFIERS_MAX + 1];
	size_t n;
};

/* modifiers_end() - none can follow here. */
bool modifiers_end(const struct scan *s);

/* modifiers_parse() - at least one letter, maybe behind blanks; false: complained. */
bool modifiers_parse(struct scan *s, struct modifiers *m);

/*
 * modifiers_add() - those of the group, which were read at `where`, behind the event's own: a
 * letter that is there already means nothing new, but for p. False: complained.
 */
bool modifiers_add(struct scan *s, struct modifiers *m, const struct modifiers *group,
		   const char *where);

/* modifiers_given() - how often. */
unsigned modifiers_given(const struct modifiers *m, char letter);

/*
 * modifiers_apply() - `m` to the attributes. Of the group's modifiers, pinned and exclusive are set
 * for the leader only. A sibling that has them among its `own` modifiers gets them as well: that is
 * an error, which opening the event reports.
 */
void modifiers_apply(const struct modifiers *m, const struct modifiers *own, bool leader,
		     struct pmu_event_spec *spec);

#endif
