/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_text.h - tables of a profile for `stat`. */
#ifndef TOOLS_PROFILE_PROFILE_TEXT_H
#define TOOLS_PROFILE_PROFILE_TEXT_H

#include "lib/reason.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/profile_lines.h"
#include "tools/util/buf.h"

/*
 * profile_text_functions() - adds a table for each event: the `most` functions with the greatest
 * self costs, the others together, and the total. A function without costs has no row. Sentences
 * below name the files that lack symbols for the first event.
 */
void profile_text_functions(struct buf *out, const struct profile *profile, size_t most);

/*
 * profile_text_matching() - adds a table of the functions that match one of the comma-separated
 * `patterns` (lib/glob.h), which are compared with the name, with the name without parameters
 * (plain_name.h), and with that without the parameters of a template. Inlined functions that match
 * have a row for each function around them. Then it adds what was counted inside of the functions
 * altogether, if the profile has contexts. Returns 0, or -ENOENT with the reason, which names near
 * functions: a pattern matches nothing.
 */
int profile_text_matching(struct buf *out, const struct profile *profile,
			  const struct profile_lines *lines, const char *patterns,
			  struct reason *why);

/*
 * profile_text_line() - adds a table of the costs of a source line, by function. `place` is
 * "FILE:LINE", where FILE is the end of a path. Returns 0, or -E with the reason: no such line was
 * executed, or `place` is of another form.
 */
int profile_text_line(struct buf *out, const struct profile *profile,
		      const struct profile_lines *lines, const char *place, struct reason *why);

/* profile_text_calls() - adds a table of the `most` calls with the greatest inclusive costs. */
void profile_text_calls(struct buf *out, const struct profile *profile,
			const struct profile_lines *lines, size_t most);

#endif
