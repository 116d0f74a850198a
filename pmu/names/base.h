/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base.h - what an event is called, before its settings and modifiers: a generic name, rNNN,
 * TYPE:CONFIG, SYSTEM:TRACEPOINT, or a name that the namer knows. For the event parser only.
 */
#ifndef PMU_NAMES_BASE_H
#define PMU_NAMES_BASE_H

#include "pmu/names/scan.h"

/*
 * base_parse() - the event that `word` names, which was just taken; it grows where more of the text
 * belongs to the name. False: complained.
 */
bool base_parse(struct scan *s, struct word *word, struct perf_event_attr *attr);

/*
 * base_find_foreign() - whether the namer knows `word`: 1, and it grows by what is the namer's; 0:
 * no; -1: complained.
 */
int base_find_foreign(struct scan *s, struct word *word, struct perf_event_attr *attr);

/*
 * base_beside() - for the `word` that base_parse() found among Intel's names for the large cores of
 * a hybrid: puts the event of that name of the cores beside them into `attr`. False: they have
 * none, or it was found for none other.
 */
bool base_beside(struct scan *s, const struct word *word, struct perf_event_attr *attr);

/*
 * base_match() - for a `word` that names tracepoints by a pattern: puts the id of the one with
 * number `index` into `attr`, and returns its name; NULL: there are no more, or it is no pattern.
 */
const char *base_match(const struct scan *s, const struct word *word, size_t index,
		       struct perf_event_attr *attr);

#endif
