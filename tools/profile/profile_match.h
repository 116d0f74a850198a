/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_match.h - finds functions of a profile by patterns of their names. */
#ifndef TOOLS_PROFILE_PROFILE_MATCH_H
#define TOOLS_PROFILE_PROFILE_MATCH_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/util/buf.h"

/* A pattern of the shell: `n` characters. */
struct name_pattern {
	const char *at;
	size_t n;
};

/*
 * profile_is_named() - true where the pattern matches all of a name, of its plain form, which
 * `plain` holds afterwards, or of that without the parameters of a template.
 */
bool profile_is_named(const char *name, const struct name_pattern *pattern, struct buf *plain);

/*
 * profile_match() - sets `is_match` of each row that matches one of the `patterns`; see
 * profile_text_matching(). With `lines`, a pattern may also match inlined functions alone. Returns
 * 0, or -ENOENT with the reason: a pattern matches nothing.
 */
int profile_match(const struct profile *profile, const struct profile_lines *lines,
		  const char *patterns, bool *is_match, struct reason *why);

/* profile_name_matches() - returns whether a name matches one of the patterns. */
bool profile_name_matches(const char *patterns, const char *name);

/*
 * profile_inside() - returns what was counted in the matching functions and in all that they
 * called, each cost once. Zero: the profile has no contexts.
 */
struct profile_sum profile_inside(const struct profile *profile, const bool *is_match);

#endif
