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

/* gate_events_expand() - appends `list` in the form that `stat` takes for the PMU `uarch`. */
void gate_events_expand(struct buf *out, const char *list, const char *uarch);

/*
 * gate_events_split() - splits a list of gate_events_expand() into lists that each count all the
 * time on that PMU, in order; groups stay whole. Returns how many are in `out`, which
 * gate_events_free() frees.
 */
struct gate_lists {
	char **list;
	size_t n;
};
void gate_events_split(struct gate_lists *out, const char *list, const struct guest_uarch *uarch);
void gate_events_free(struct gate_lists *lists);

/*
 * gate_events_has() - whether `list`, which gate_events_expand() made, has the event that results
 * call by the `n` characters at `name`. True as well if the list is wrong.
 */
bool gate_events_has(const char *list, const struct guest_uarch *uarch, const char *name, size_t n);

/*
 * gate_events_name() - the gate's name for the event that `stat` calls `name`; `name` itself if the
 * gate has no other.
 */
const char *gate_events_name(const char *name, const char *uarch, struct buf *scratch);

#endif
