/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroups.h - lists of cgroups as `perf stat` takes them: a,b/c,,/. A name is the path of a group
 * from the root of groups, with or without a leading `/`; `/` is the root itself. Any context.
 */
#ifndef LIB_WORDS_CGROUPS_H
#define LIB_WORDS_CGROUPS_H

#include "lib/reason.h"

#include <stdbool.h>

#define CGROUP_NAMES_MOST 64  /* as many as a command takes events */
#define CGROUP_NAME_MAX   128 /* bytes of a name, with the terminator */

struct cgroup_names {
	unsigned n;
	char name[CGROUP_NAMES_MOST][CGROUP_NAME_MAX];
};

/*
 * cgroup_names_for_events() - adds the groups of one -G to `names`, for the `nevents` events in
 * front of it. Names and events correspond in order; "" is no group. -EINVAL with the reason: more
 * names than events, or an impossible name.
 */
int cgroup_names_for_events(struct cgroup_names *names, const char *list, unsigned nevents,
			    struct reason *why);

/*
 * cgroup_name_of() - the group of event `i` of those in front of the last -G. A single name applies
 * to all events. NULL: the event has no group.
 */
const char *cgroup_name_of(const struct cgroup_names *names, unsigned i);

/*
 * cgroup_names_for_each() - reads the groups of --for-each-cgroup and skips empty names. -EINVAL
 * with the reason: no name, an impossible name, or a pattern.
 */
int cgroup_names_for_each(struct cgroup_names *names, const char *list, struct reason *why);

/*
 * cgroup_names_times() - checks that `nevents` events for each of the groups are at most `most`;
 * -EINVAL with the reason.
 */
int cgroup_names_times(const struct cgroup_names *names, unsigned nevents, unsigned most,
		       struct reason *why);

/*
 * cgroup_path_next() - returns the next component of a path, of `*length` bytes, and moves `*at`
 * after it. `*at` starts at the beginning of the path. NULL: there is no further component.
 */
const char *cgroup_path_next(const char **at, unsigned *length);

#endif
