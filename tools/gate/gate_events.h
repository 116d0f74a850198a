/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gate_events.h - what the gate counts, by names that are the same for all microarchitectures:
 * `loads`, `stores` and `syscalls`, beside those that `stat` takes.
 */
#ifndef TOOLS_GATE_GATE_EVENTS_H
#define TOOLS_GATE_GATE_EVENTS_H

#include "tools/events/guest_uarch.h"
#include "tools/util/buf.h"

#define GATE_EVENTS "instructions:u,branches:u,loads:u,stores:u,syscalls,page-faults"

/* gate_events_expand() - appends `list` as `stat` takes it with a PMU of that name (`uarch`). */
void gate_events_expand(struct buf *out, const char *list, const char *uarch);

/*
 * gate_events_split() - the lists, in order, that count all the time each, of what
 * gate_events_expand() made for that PMU: groups stay whole. Returns how many are in `out`, which
 * gate_events_free() frees.
 */
struct gate_lists {
	char **list;
	size_t n;
};
void gate_events_split(struct gate_lists *out, const char *list, const struct guest_uarch *uarch);
void gate_events_free(struct gate_lists *lists);

/*
 * gate_events_has() - whether the event that results call by the `n` characters at `name` is in
 * `list`, which gate_events_expand() made. True as well where the list is wrong.
 */
bool gate_events_has(const char *list, const struct guest_uarch *uarch, const char *name, size_t n);

/*
 * gate_events_name() - how the list names the event that `stat` calls `name`; `name` itself where
 * the list has it by that name.
 */
const char *gate_events_name(const char *name, const char *uarch, struct buf *scratch);

#endif
