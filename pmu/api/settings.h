/* SPDX-License-Identifier: BSD-2-Clause */
/* settings.h - what can be set for all events: time slices, policy, sample rates, transactions. The
 * rules of use are pmu.h's. */
#ifndef PMU_API_SETTINGS_H
#define PMU_API_SETTINGS_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * pmu_set_mux_interval_us() - how long a slice is, from the next one on. -EINVAL: not in the range.
 * pmu_mux_interval_us() - as it is now.
 * pmu_set_policy() - which events count when not all can (see tick.h); schedules. Task context.
 */
#define PMU_MUX_INTERVAL_US 4000 /* as perf's default was for long, and is with HZ=250 */
#define PMU_MUX_LEAST_US    100
#define PMU_MUX_MOST_US     1000000
int pmu_set_mux_interval_us(uint64_t us);
uint64_t pmu_mux_interval_us(void);

/*
 * pmu_set_max_sample_rate() - how many samples a second one event may take: as frequency, and by
 * overflows, when it is held for the rest of a tick of 1/PMU_HZ s. -EINVAL: not in the range. Task
 * context, as pmu_max_sample_rate().
 */
#define PMU_HZ                   250
#define PMU_MAX_SAMPLE_RATE      100000 /* as Linux has it */
#define PMU_MAX_SAMPLE_RATE_MOST 1000000000
int pmu_set_max_sample_rate(uint64_t per_second);
uint64_t pmu_max_sample_rate(void);

/*
 * pmu_sample_cost() - the ns that a sample of a counter takes, as measured when the first frequency
 * was asked for; 0: unknown. Of the time between two samples of a frequency it is at most half.
 */
uint64_t pmu_sample_cost(void);

enum pmu_policy { PMU_POLICY_PERF, PMU_POLICY_FAIR };
void pmu_set_policy(enum pmu_policy policy);

/*
 * pmu_cpus_share() - events of attr.type `type` count the same on CPU `a` and on CPU `b`: both are
 * of one package, or of one L3, and that is what the PMU is for. Task context, once all CPUs went
 * through pmu_init().
 */
bool pmu_cpus_share(uint32_t type, unsigned a, unsigned b);

/*
 * Transactions of TSX take counters away on some CPUs, unless they are made to abort; which they
 * are from pmu_init() on. pmu_tfa_counters(): which ones, as a mask; 0: none on this CPU.
 * pmu_tfa_aborts(): transactions abort, and the counters can be used. pmu_set_tfa(): makes it so,
 * or not; schedules. ENOENT: none on this CPU; EIO: the MSR does not take it. Task context.
 */
uint64_t pmu_tfa_counters(void);
bool pmu_tfa_aborts(void);
int pmu_set_tfa(bool abort, struct reason *why);

#endif
