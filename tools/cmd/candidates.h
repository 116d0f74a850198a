/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * candidates.h - completes a partly typed line of perf0 shell. Candidates are commands, options,
 * values of options, workloads, events and files. They come from the tables that parse the lines.
 */
#ifndef TOOLS_CMD_CANDIDATES_H
#define TOOLS_CMD_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/events/guest_uarch.h"

struct candidates {
	char **text; /* sorted, without duplicates */
	size_t n;
	bool goes_on; /* a chosen candidate may be followed by more than a blank */
	size_t begin; /* offset in the line of the text to replace, which ends with the line */
};

/*
 * candidates_find() - finds candidates for `line`, which ends at the cursor. Events are those of
 * `guest`; NULL: the generic events. The caller frees `out`.
 */
void candidates_find(struct candidates *out, const char *line, const struct guest_uarch *guest);
void candidates_free(struct candidates *candidates);

/* candidates_common() - returns the length of the common prefix in bytes; 0: there is none. */
size_t candidates_common(const struct candidates *candidates);

#endif
