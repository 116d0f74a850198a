/* SPDX-License-Identifier: BSD-2-Clause */
/* layouts.h - by how much other addresses change the counts of benchmarks. */
#ifndef TOOLS_GATE_LAYOUTS_H
#define TOOLS_GATE_LAYOUTS_H

#include "tools/gate/measure.h"

/*
 * layouts_measure() - counts `n` benchmarks of sorted `m->results` at other addresses, and notes in
 * `m->layouts` by how much their counts differ. Returns as measure_events().
 */
int layouts_measure(struct measuring *m, struct measured_benchmark *of, size_t n);

void layouts_free(struct layouts *layouts);

#endif
