/* SPDX-License-Identifier: BSD-2-Clause */
/* slicelog.h - the slices in which each event of a set counted, for `stat -v -j`, in the last run
 * and pass in which it was open. Task context. */
#ifndef APPS_MEASURE_SLICELOG_H
#define APPS_MEASURE_SLICELOG_H

#include "apps/measure/evset.h"
#include "apps/measure/statgroup.h"

/*
 * slicelog_begin() - keeps logs for all events of the set. -ENOMEM, after one line of complaint
 * that starts with `command`. slicelog_follow() - the set was opened: logs of open events begin
 * anew. slicelog_finish() - the events have stopped, and are still open: ends their last slices.
 * slicelog_print() - prints the slices of entry `i` for the targets of group `g` as a member of a
 * JSON object: [begin, ns, count] each, in the event's enabled time, followed by the CPU where the
 * events are of CPUs. slicelog_end() - frees the logs.
 */
int slicelog_begin(const struct evset *set, const char *command);
void slicelog_follow(const struct evset *set);
void slicelog_finish(const struct evset *set);
void slicelog_print(const struct evset *set, const struct stat_groups *groups, unsigned i,
		    unsigned g);
void slicelog_end(void);

#endif
