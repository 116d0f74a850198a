/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * onfault.h - programs that go on behind their own faults (system call ON_FAULT of
 * include/perf0/perf.h). System call and exception context of the task that runs on this CPU.
 */
#ifndef RT_TASK_ONFAULT_H
#define RT_TASK_ONFAULT_H

#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

/* Of each task; all zero: a fault ends it. */
struct onfault {
	uint64_t handler, stack;
};

/* onfault_set() - 0, or -EFAULT: no addresses of ring 3. `handler` 0: none any more. */
int onfault_set(struct onfault *o, uint64_t handler, uint64_t stack);

/* onfault_take() - ring 3 goes on in its handler, once. False: it has none. */
bool onfault_take(struct onfault *o, struct trap_frame *frame);

#endif
