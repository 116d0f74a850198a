/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shipped.h - the built-in metrics for known microarchitectures, as text: pmu/metrics/shipped/.
 * Events have their encodings there, because an image knows no vendor names; tests/unit/metrics/
 * checks them against libpfm4.
 */
#ifndef PMU_METRICS_SHIPPED_H
#define PMU_METRICS_SHIPPED_H

#include "pmu/metrics/metrics.h"

/*
 * metrics_shipped() - the text, of `*n` bytes.
 * metrics_begin_shipped() - metrics_begin() with that text as text 0. An error in it is a bug:
 * -EINVAL with the reason.
 */
const char *metrics_shipped(size_t *n);
int metrics_begin_shipped(struct metrics *m, const struct uarch *uarch, struct reason *why);

#endif
