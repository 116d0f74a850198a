/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base.h - parses the name of an event, without its settings and modifiers: a generic name, rNNN,
 * TYPE:CONFIG, SYSTEM:TRACEPOINT, or a name of the namer. Private to the event parser.
 */
#ifndef PMU_NAMES_BASE_H
#define PMU_NAMES_BASE_H

#include "pmu/names/scan.h"

/*
 * base_parse() - finds the event that `word` names, which was just scanned, and extends `word` to
 * the whole name. False: error reported.
 */
bool base_parse(struct scan *s, struct word *word, struct perf_event_attr *attr);

/*
 * base_find_foreign() - asks the namer for `word`. 1: known, and `word` is extended to the whole
 * name; 0: unknown; -1: error reported.
 */
int base_find_foreign(struct scan *s, struct word *word, struct perf_event_attr *attr);

/*
 * base_beside() - for a `word` that base_parse() found among Intel's names for the large cores of a
 * hybrid: puts the event of that name for the other cores into `attr`. False: they have none, or
 * the name was not found for the large cores.
 */
bool base_beside(struct scan *s, const struct word *word, struct perf_event_attr *attr);

/*
 * base_match() - for a `word` that is a pattern of tracepoints: puts the id of match `index` into
 * `attr`, and returns its name. NULL: no further match, or not a pattern.
 */
const char *base_match(const struct scan *s, const struct word *word, size_t index,
		       struct perf_event_attr *attr);

#endif
