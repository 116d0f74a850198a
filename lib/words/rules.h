/* SPDX-License-Identifier: BSD-2-Clause */
/* rules.h - whether options go together, by the rows of include/perf0/option_rules.h. Any context.
 */
#ifndef LIB_WORDS_RULES_H
#define LIB_WORDS_RULES_H

#include "include/perf0/options.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>

/* Which options a command line gave, and which facts are so; zero: none. */
struct option_set {
	uint64_t bits[(OPTION_FACTS_END + 63) / 64];
};

/* option_given() - notes that `id` was given, with `value` ("" for a flag), and what that tells. */
void option_given(struct option_set *set, enum option_id id, const char *value);
void option_fact(struct option_set *set, enum option_fact fact);

/* option_was_given() - `id` was noted. */
static inline bool option_was_given(const struct option_set *set, enum option_id id)
{
	return set->bits[id / 64] >> id % 64 & 1;
}

/*
 * options_agree() - whether the rules that one of `takers` has allow what is in `set`; those about
 * events only where it is known what these are. -EINVAL with the reason, which names the options.
 */
int options_agree(uint64_t takers, const struct option_set *set, bool events_known,
		  struct reason *why);

#define OPTION_LABELS_MAX 128

/* A rule, for people to read. */
struct option_rule {
	bool applies; /* to one of the takers that were asked for */
	bool needs;   /* one of the others; else it excludes all of them */
	char option[OPTION_LABELS_MAX], others[OPTION_LABELS_MAX];
	const char *why; /* NULL: the names say it */
};

/* option_rule() - rule `i`, with the names that options have among those of `takers`. False: there
 * are fewer. */
bool option_rule(size_t i, uint64_t takers, struct option_rule *rule);

#endif
