/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evset_kinds.h - on a hybrid, events that name no kind of cores become one for each kind, as perf
 * has them: `cycles` becomes cpu_core/cycles/ and cpu_atom/cycles/, and a group two groups. Task
 * context.
 */
#ifndef APPS_MEASURE_EVSET_KINDS_H
#define APPS_MEASURE_EVSET_KINDS_H

#include "pmu/names/parse.h"

/*
 * evset_kinds_split() - does that to the `n` events that one list has, with room for `most`, where
 * CPUs of both kinds are online. Groups are numbered anew. Returns how many they are then; -E2BIG.
 */
int evset_kinds_split(struct pmu_event_spec *specs, unsigned n, unsigned most);

#endif
