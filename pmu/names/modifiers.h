/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modifiers.h - the letters behind an event: parsed, checked against each other, and converted to
 * attributes. Private to the event parser. perf-list(1) defines each.
 */
#ifndef PMU_NAMES_MODIFIERS_H
#define PMU_NAMES_MODIFIERS_H

#include "pmu/names/scan.h"

/* Letters in the order of the text, those of the group last. */
#define MODIFIERS_MAX 16
struct modifiers {
	char letters[MODIFIERS_MAX + 1];
	size_t n;
};

/* modifiers_end() - true where no modifier can follow. */
bool modifiers_end(const struct scan *s);

/* modifiers_parse() - parses at least one letter, maybe behind blanks; false: error reported. */
bool modifiers_parse(struct scan *s, struct modifiers *m);

/*
 * modifiers_add() - appends the group's modifiers, found at `where`, to the event's own. A repeated
 * letter has no effect, except p. False: error reported.
 */
bool modifiers_add(struct scan *s, struct modifiers *m, const struct modifiers *group,
		   const char *where);

/* modifiers_given() - how often the letter occurs. */
unsigned modifiers_given(const struct modifiers *m, char letter);

/*
 * modifiers_apply() - converts `m` to attributes. The group's modifiers pinned and exclusive are
 * set for the leader only. A sibling with these among its `own` modifiers gets them as well, and
 * opening the event reports the error.
 */
void modifiers_apply(const struct modifiers *m, const struct modifiers *own, bool leader,
		     struct pmu_event_spec *spec);

#endif
