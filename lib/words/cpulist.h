/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpulist.h - lists of CPUs as perf takes them, and of nodes as numactl takes them: 0-2,4. Any
 * context.
 */
#ifndef LIB_WORDS_CPULIST_H
#define LIB_WORDS_CPULIST_H

#include "lib/cpumask.h"
#include "lib/reason.h"

/*
 * cpulist_read() - reads the CPUs of `list`, each below `ncpus` (up to CPUMASK_CPUS). -EINVAL with
 * the reason: it is not a list, or a CPU does not exist.
 */
int cpulist_read(const char *list, unsigned ncpus, struct cpumask *cpus, struct reason *why);

/* nodelist_read() - the same for memory nodes, each below `nnodes` (up to 64), one bit each. */
int nodelist_read(const char *list, unsigned nnodes, uint64_t *nodes, struct reason *why);

#endif
