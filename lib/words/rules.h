/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h - checks combinations of options by the rows of include/perf0/option_rules.h. Any
 * context.
 */
#ifndef LIB_WORDS_RULES_H
#define LIB_WORDS_RULES_H

#include "include/perf0/options.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>

/* The options of a command line and the facts that hold; zeros: none. */
struct option_set {
	uint64_t bits[(OPTION_FACTS_END + 63) / 64];
};

/* option_given() - adds `id` with `value` ("" for a flag), and the facts that follow from it. */
void option_given(struct option_set *set, enum option_id id, const char *value);
void option_fact(struct option_set *set, enum option_fact fact);

/* option_was_given() - true where `id` was added. */
static inline bool option_was_given(const struct option_set *set, enum option_id id)
{
	return set->bits[id / 64] >> id % 64 & 1;
}

/*
 * options_agree() - applies the rules of `takers` to `set`; rules about events only where
 * `events_known`. -EINVAL with the reason, which names the options.
 */
int options_agree(uint64_t takers, const struct option_set *set, bool events_known,
		  struct reason *why);

#define OPTION_LABELS_MAX 128

/* A rule, for documentation. */
struct option_rule {
	bool applies; /* to one of the requested takers */
	bool needs;   /* needs one of the others; else it excludes all of them */
	char option[OPTION_LABELS_MAX], others[OPTION_LABELS_MAX];
	const char *why; /* NULL: the option names explain it */
};

/*
 * option_rule() - describes rule `i` with the option names that `takers` have. False: there are
 * fewer rules.
 */
bool option_rule(size_t i, uint64_t takers, struct option_rule *rule);

#endif
