/* SPDX-License-Identifier: BSD-2-Clause */
/* call_costs.h - what apps/costs.c runs in ring 3 for its rows: see call_costs.c. Each has the
 * arguments of workload_watch(). */
#ifndef APPS_WORKLOADS_CALL_COSTS_H
#define APPS_WORKLOADS_CALL_COSTS_H

#include <stdint.h>

void workload_getpid_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_write_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_fault_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_futex_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_fork_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_clone_cost(uint64_t counter, uint64_t moves, uint64_t turns);

#endif
