/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gate_events.h - the gate's events, with the same names for all microarchitectures: `loads`,
 * `stores` and `syscalls`, beside the names that `stat` takes.
 */
#ifndef TOOLS_GATE_GATE_EVENTS_H
#define TOOLS_GATE_GATE_EVENTS_H

#include "tools/events/guest_uarch.h"
#include "tools/util/buf.h"

#define GATE_EVENTS "instructions:u,branches:u,loads:u,stores:u,syscalls,page-faults"

/* gate_events_expand() - appends `list` in the syntax of `stat` for the PMU `uarch`. */
void gate_events_expand(struct buf *out, const char *list, const char *uarch);

/* gate_events_item() - the length of the list's first event or group, up to its comma. */
size_t gate_events_item(const char *list);

/* gate_events_need_counters() - returns whether an event of an expanded list needs a counter. */
bool gate_events_need_counters(const char *list, const struct guest_uarch *uarch);

/*
 * gate_events_split() - splits a list of gate_events_expand() into lists, each of which can count
 * all the time on that PMU. The order is kept, and groups stay whole. `out` receives the lists,
 * which gate_events_free() frees.
 */
struct gate_lists {
	char **list;
	size_t n;
};
void gate_events_split(struct gate_lists *out, const char *list, const struct guest_uarch *uarch);
void gate_events_free(struct gate_lists *lists);

/*
 * gate_events_has() - returns whether `list`, made by gate_events_expand(), has the event that
 * results call by the `n` characters at `name`. Returns true also if the list is wrong.
 */
bool gate_events_has(const char *list, const struct guest_uarch *uarch, const char *name, size_t n);

/*
 * gate_events_name() - returns the gate's name for the event that `stat` calls `name`, or `name`
 * itself if the gate has no other name.
 */
const char *gate_events_name(const char *name, const char *uarch, struct buf *scratch);

#endif
