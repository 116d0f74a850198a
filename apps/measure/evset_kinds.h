/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evset_kinds.h - on a hybrid, events that name no kind of cores become one event for each kind, as
 * with perf: `cycles` becomes cpu_core/cycles/ and cpu_atom/cycles/, and a group two groups. Task
 * context.
 */
#ifndef APPS_MEASURE_EVSET_KINDS_H
#define APPS_MEASURE_EVSET_KINDS_H

#include "pmu/names/parse.h"

/* evset_kinds_split() - splits the `n` events of one list, with room for `most`, where CPUs of both
 * kinds are online. Groups are numbered anew. Returns the new number of events; -E2BIG. */
int evset_kinds_split(struct pmu_event_spec *specs, unsigned n, unsigned most);

#endif
