/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept_results.h - results of commits, in a folder that is not committed:
 *
 *   COMMIT.baseline   results of the gate (gate_results.h)
 *   COMMIT.stacks     its stacks of functions (stacks.h)
 */
#ifndef TOOLS_GATE_KEPT_RESULTS_H
#define TOOLS_GATE_KEPT_RESULTS_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/gate/commits.h"
#include "tools/util/buf.h"

#define KEPT_FOLDER   ".perf0/results"
#define KEPT_BASELINE ".baseline"
#define KEPT_STACKS   ".stacks"

/* Results that are compared with. A zeroed struct has none. */
struct kept {
	char *path;              /* of the results */
	char commit[COMMIT_MAX]; /* of the results; "": unknown */
	size_t behind; /* number of commits between the named one and that; 0: it is the same */
};

/*
 * kept_find() - finds the results that `against` names: a file; a folder of results, of which the
 * nearest to HEAD^ count; or a commit, whose results are in `folder`. If that commit has none,
 * the results of the nearest commit before it count. -ENODATA with the reason: none has;
 * another -E: there is no such commit.
 */
int kept_find(struct kept *kept, const char *against, const char *folder, struct reason *why);

/* kept_is_folder() - returns whether `against` names a folder of results. */
bool kept_is_folder(const char *against);
void kept_free(struct kept *kept);

/* kept_path() - appends the path of a commit's file with that ending. */
void kept_path(struct buf *out, const char *folder, const char *commit, const char *ending);

/* kept_stacks_path() - appends the path of the stacks beside the results at `path`. */
void kept_stacks_path(struct buf *out, const char *path);

#endif
