/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h - the progress of a recording, for a host that watches it: the host reads the
 * machine's memory, where the event core counts samples anyway.
 */
#ifndef RT_RUN_PROGRESS_H
#define RT_RUN_PROGRESS_H

#include <stdint.h>

/* progress_init() - publishes the address of this CPU's counts (include/perf0/shared.h). Once on
 * each CPU, after pmu_host_init() and shared_init(). */
void progress_init(void);

/* progress_steps() - a command has done `done` of `all` steps; 0 of 0: it has ended. Task
 * context. */
void progress_steps(uint64_t done, uint64_t all);

#endif
