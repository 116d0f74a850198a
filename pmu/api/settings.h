/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * settings.h - settings for all events: time slices, policy, sample rates, transactions. pmu.h has
 * the rules of use.
 */
#ifndef PMU_API_SETTINGS_H
#define PMU_API_SETTINGS_H

#include "include/perf0/fair_solution.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * pmu_set_mux_interval_us() - sets the length of slices, from the next one on. -EINVAL: out of
 * range.
 * pmu_mux_interval_us() - the present length.
 * pmu_set_policy() - selects the policy for more events than counters (see tick.h); schedules. Task
 * context.
 */
#define PMU_MUX_INTERVAL_US 4000 /* perf's old default, and its present one with HZ=250 */
#define PMU_MUX_LEAST_US    100
#define PMU_MUX_MOST_US     1000000
int pmu_set_mux_interval_us(uint64_t us);
uint64_t pmu_mux_interval_us(void);

/*
 * pmu_set_max_sample_rate() - sets how many samples a second one event may take. It limits
 * frequencies; an event with more overflows is throttled for the rest of a tick of 1/PMU_HZ s.
 * -EINVAL: out of range. Task context, as pmu_max_sample_rate().
 */
#define PMU_HZ                   250
#define PMU_MAX_SAMPLE_RATE      100000 /* as in Linux */
#define PMU_MAX_SAMPLE_RATE_MOST 1000000000
int pmu_set_max_sample_rate(uint64_t per_second);
uint64_t pmu_max_sample_rate(void);

/*
 * Policy fair searches for the best shares of groups in the interrupts that end slices, unless it
 * knows them before.
 * pmu_shares_problem() - describes the groups of this CPU and of the task, with the events that
 * pmu_task_exec() will enable. False: the policy is not fair, the shares are known, or they are
 * found in one slice.
 * pmu_shares_know() - checks a solution of the problem, whose sender is not trusted, and gives it
 * to all CPUs. False: it is no solution of it. Task context, both, one call at a time.
 */
struct pmu_task;
bool pmu_shares_problem(struct pmu_task *task, struct fair_problem *problem);
bool pmu_shares_know(const struct fair_problem *problem, const struct fair_solution *solution);

enum pmu_policy { PMU_POLICY_PERF, PMU_POLICY_FAIR };
void pmu_set_policy(enum pmu_policy policy);

/*
 * pmu_cpus_share() - true where events of attr.type `type` count the same on CPU `a` and CPU `b`,
 * because the PMU belongs to their common package or L3. Task context, after all CPUs have called
 * pmu_init().
 */
bool pmu_cpus_share(uint32_t type, unsigned a, unsigned b);

/*
 * On some CPUs, TSX transactions use counters unless they are made to abort; pmu_init() makes them
 * abort.
 * pmu_tfa_counters() - mask of these counters; 0: none on this CPU.
 * pmu_tfa_aborts() - true where transactions abort, and the counters can be used.
 * pmu_set_tfa() - sets this; schedules. ENOENT: this CPU has no such counters; EIO: the MSR ignores
 * the write. Task context.
 */
uint64_t pmu_tfa_counters(void);
bool pmu_tfa_aborts(void);
int pmu_set_tfa(bool abort, struct reason *why);

#endif
