/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chosen.h - checks the events, filters and cgroups of one command line, in the order of its
 * options. It finds the mistakes that the image would report beyond unknown names.
 */
#ifndef TOOLS_EVENTS_CHOSEN_H
#define TOOLS_EVENTS_CHOSEN_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/events/events.h"

/*
 * chosen_begin() - starts a command line without events. `machine` must stay until the next call.
 */
void chosen_begin(const struct events_machine *machine);

/* chosen_list() - adds the events of one -e. If the list is wrong, which events_encode_words()
 * reports, nothing is known about the command line. */
void chosen_list(const char *list);

/* chosen_filter() - checks the --filter of the last event. -EINVAL with the reason. */
int chosen_filter(const char *text, struct reason *why);

/* chosen_cgroups() - checks -G, which applies to earlier events. chosen_for_each_cgroup() -
 * checks --for-each-cgroup. chosen_fit() - checks behind all options that there are not too many
 * events. All return -EINVAL with the reason. */
int chosen_cgroups(const char *list, struct reason *why);
int chosen_for_each_cgroup(const char *list, struct reason *why);
int chosen_fit(struct reason *why);

/*
 * chosen_known() - returns whether all events are known. chosen_traces() - returns whether one of
 * them writes a trace.
 */
bool chosen_known(void);
bool chosen_traces(void);

/*
 * chosen_tracepoints() - checks that all events are tracepoints. -EINVAL with the reason: one is
 * not.
 */
int chosen_tracepoints(struct reason *why);

#endif
