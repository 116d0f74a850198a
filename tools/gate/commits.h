/* SPDX-License-Identifier: BSD-2-Clause */
/* commits.h - asks git about the repository around the current folder. */
#ifndef TOOLS_GATE_COMMITS_H
#define TOOLS_GATE_COMMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

#define COMMIT_MAX   65 /* a hash of SHA-1 or SHA-256 in hexadecimal digits, and its end */
#define COMMIT_SHORT 12 /* digits of a hash in messages */

/* A list of commits, each as its hash. A zeroed struct is empty. */
struct commits {
	char (*hash)[COMMIT_MAX];
	size_t n;
};

/*
 * commit_find() - finds the commit that `ref` names, in any form of gitrevisions(7). -E with the
 * reason: there is no git, no repository, or no such commit.
 */
int commit_find(const char *ref, char hash[COMMIT_MAX], struct reason *why);

/* commits_list() - lists the commit `from` and those before it, the newest first; NULL: the commits
 * of all branches. At most 10000. */
int commits_list(struct commits *commits, const char *from, struct reason *why);
void commits_free(struct commits *commits);

/* commits_url() - appends what links to commits begin with: `given` (NULL: not given), or else what
 * the variables of GitHub and GitLab tell, or else nothing. */
void commits_url(struct buf *out, const char *given);

/* commits_are_cut() - returns whether the clone is shallow, and so lacks older commits. */
bool commits_are_cut(void);

/* commits_differ() - returns whether tracked files differ from HEAD. */
bool commits_differ(void);

#endif
