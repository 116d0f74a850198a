/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chosen.h - the events and filters of one command line, in the order of its options, as far as the
 * host tool can tell what they are: what the image would say of them beside their names.
 */
#ifndef TOOLS_EVENTS_CHOSEN_H
#define TOOLS_EVENTS_CHOSEN_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/events/events.h"

/* chosen_begin() - none so far; `machine` stays until the next. */
void chosen_begin(const struct events_machine *machine);

/* chosen_list() - the events of one -e. A list that is wrong, which events_encode_words() tells,
 * leaves nothing known about the command line. */
void chosen_list(const char *list);

/* chosen_filter() - checks the --filter of the last event. -EINVAL with the reason. */
int chosen_filter(const char *text, struct reason *why);

/* chosen_cgroups() - the -G of what came before, chosen_for_each_cgroup() - --for-each-cgroup.
 * -EINVAL with the reason. chosen_fit() - behind all options: whether there are not too many events
 * by then. */
int chosen_cgroups(const char *list, struct reason *why);
int chosen_for_each_cgroup(const char *list, struct reason *why);
int chosen_fit(struct reason *why);

/* chosen_known() - whether all events are known. chosen_traces() - whether one of them traces. */
bool chosen_known(void);
bool chosen_traces(void);

/*
 * chosen_tracepoints() - whether all events are tracepoints. -EINVAL with the reason: one is not.
 */
int chosen_tracepoints(struct reason *why);

#endif
