/* SPDX-License-Identifier: BSD-2-Clause */
/* cpulist.h - lists of CPUs as perf takes them, and of nodes as numactl does: 0-2,4. Any context.
 */
#ifndef LIB_WORDS_CPULIST_H
#define LIB_WORDS_CPULIST_H

#include "lib/cpumask.h"
#include "lib/reason.h"

/*
 * cpulist_read() - the CPUs of `list`, each below `ncpus` (up to CPUMASK_CPUS). -EINVAL with the
 * reason: it is no list, or has a CPU that is not there.
 */
int cpulist_read(const char *list, unsigned ncpus, struct cpumask *cpus, struct reason *why);

/* nodelist_read() - likewise nodes of memory, each below `nnodes` (up to 64), a bit each. */
int nodelist_read(const char *list, unsigned nnodes, uint64_t *nodes, struct reason *why);

#endif
