/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * candidates.h - what can stand at the end of a line of perf0 shell, of which a part is typed:
 * commands, options, their words, workloads, events, files. All of it comes from the tables that
 * lines are read by.
 */
#ifndef TOOLS_CMD_CANDIDATES_H
#define TOOLS_CMD_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/events/guest_uarch.h"

struct candidates {
	char **text; /* sorted, each once */
	size_t n;
	bool goes_on; /* one that is chosen may be followed by more than a blank */
	size_t begin; /* where in the line stands what they are to replace, up to its end */
};

/*
 * candidates_find() - for `line`, which ends where the cursor is. Events are those of `guest`;
 * NULL: the generic ones. To be freed.
 */
void candidates_find(struct candidates *out, const char *line, const struct guest_uarch *guest);
void candidates_free(struct candidates *candidates);

/* candidates_common() - how many bytes all of them begin with; 0: there are none. */
size_t candidates_common(const struct candidates *candidates);

#endif
