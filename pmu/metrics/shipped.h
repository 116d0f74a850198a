/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shipped.h - the metrics that perf0 has by itself, for the microarchitectures that it knows, as
 * text: pmu/metrics/shipped/. Events have their encodings there, because an image knows no names of
 * vendors; tests/unit/metrics/ holds them against libpfm4.
 */
#ifndef PMU_METRICS_SHIPPED_H
#define PMU_METRICS_SHIPPED_H

#include "pmu/metrics/metrics.h"

/* metrics_shipped() - all of it, `*n` bytes. metrics_begin_shipped() - metrics_begin(), and text 0
 * is that. A mistake in it is a bug: -EINVAL with the reason. */
const char *metrics_shipped(size_t *n);
int metrics_begin_shipped(struct metrics *m, const struct uarch *uarch, struct reason *why);

#endif
