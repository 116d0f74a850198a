/* SPDX-License-Identifier: BSD-2-Clause */
/* begin.h - when events begin to count: with the workload, or some time after its start (-D). Task
 * context. */
#ifndef APPS_MEASURE_BEGIN_H
#define APPS_MEASURE_BEGIN_H

#include "apps/measure/evset.h"
#include "linux/task/task.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * begin_with() - before the events of a run are opened: those of the next run begin to count
 * `delay_ns` after the workload's start. `then`, which may be NULL, is called once they count and
 * the workload has begun, with the clock_ns() since which they do. It runs with interrupts off,
 * before any task runs, or in an IRQ of CPU 0 that came from ring 3 or while that CPU was idle.
 */
void begin_with(struct evset *set, uint64_t delay_ns, void (*then)(uint64_t since));

/*
 * begin_run() - evset_start(), then task_run(), whose arguments and result it has. Events that did
 * not begin by the end of the workload never do: operations of the event core follow, and a timer's
 * interrupt in one of them could wait for its turn for good.
 */
int begin_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome);

/* begin_has_come() - whether the events of the run began. */
bool begin_has_come(void);

/* begin_end() - after the run: how many ns of it had passed when the events began; UINT64_MAX: the
 * run ended before. */
uint64_t begin_end(void);

#endif
