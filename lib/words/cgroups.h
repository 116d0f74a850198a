/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroups.h - lists of cgroups as `perf stat` takes them: a,b/c,,/ where a name is the path of a
 * group from the root of groups, with or without a `/` in front, and `/` is that root. Any context.
 */
#ifndef LIB_WORDS_CGROUPS_H
#define LIB_WORDS_CGROUPS_H

#include "lib/reason.h"

#include <stdbool.h>

#define CGROUP_NAMES_MOST 64  /* as many as a command takes events */
#define CGROUP_NAME_MAX   128 /* bytes of one, with the 0 at its end */

struct cgroup_names {
	unsigned n;
	char name[CGROUP_NAMES_MOST][CGROUP_NAME_MAX];
};

/*
 * cgroup_names_for_events() - the groups of one -G behind those of `names`, for the `nevents`
 * events in front of it: name by name and event by event, "": of no group. -EINVAL with the reason:
 * there are more names than events, or one can be no group's.
 */
int cgroup_names_for_events(struct cgroup_names *names, const char *list, unsigned nevents,
			    struct reason *why);

/* cgroup_name_of() - that of event `i` of those in front of the -G that was read last: the one of
 * its place, or a single one, which is of all; NULL: there is none for it. */
const char *cgroup_name_of(const struct cgroup_names *names, unsigned i);

/*
 * cgroup_names_for_each() - the groups of --for-each-cgroup, where empty names are none. -EINVAL:
 * there is none, one can be no group's, or is a pattern.
 */
int cgroup_names_for_each(struct cgroup_names *names, const char *list, struct reason *why);

/* cgroup_names_times() - whether `nevents` events of each of the groups are `most` at most; -EINVAL
 * with the reason. */
int cgroup_names_times(const struct cgroup_names *names, unsigned nevents, unsigned most,
		       struct reason *why);

/* cgroup_path_next() - the next part of a name, of `*length` bytes; `*at` goes on behind it, and is
 * its begin first. NULL: there is none. */
const char *cgroup_path_next(const char **at, unsigned *length);

#endif
