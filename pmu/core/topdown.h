/* SPDX-License-Identifier: BSD-2-Clause */
/* topdown.h - top-down metrics: fractions of the slots, from PERF_METRICS. See topdown.c. */
#ifndef PMU_CORE_TOPDOWN_H
#define PMU_CORE_TOPDOWN_H

#include "pmu/state/state.h"

/*
 * pmu_metric_init() - makes `e` the metric with event select `select`. -EINVAL with the reason: a
 * metric cannot sample or have that setting. Task context.
 * pmu_metric_check_group() - checks that `e`, if it is a metric, can count in the group of `leader`
 * (NULL: alone). -EINVAL with the reason: the leader is not slots, samples, or counts in other
 * rings. Task context.
 */
int pmu_metric_init(struct pmu_event *e, uint64_t select, struct reason *why);
int pmu_metric_check_group(const struct pmu_event *e, const struct pmu_event *leader,
			   struct reason *why);

/*
 * pmu_metrics_take() - updates the counts of `slots` and of its metrics, at one moment. `slots`
 * leads metrics, and is active on this CPU. Interrupts off, or NMI.
 */
void pmu_metrics_take(struct pmu_event *slots);

/*
 * pmu_metrics_serve() - serves the bits of `status` for slots and metrics, while metrics count;
 * returns the other bits. `served` is pmu.metrics.served from before the status was read: an NMI
 * between the read and the acknowledgement also serves them. Paused and NMI context; the counters
 * stand still.
 */
uint64_t pmu_metrics_serve(uint64_t status, uint64_t served);

extern const struct pmu_class pmu_metric_class;

#endif
