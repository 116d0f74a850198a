/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h - events that ring 3 opened: handles, rings in its memory, and what a program may measure:
 * its own process, with attr.exclude_kernel, and its children by attr.inherit. Other tasks, CPUs as
 * such, ring 0, what the system traces and physical addresses are refused with EACCES, unless it was
 * started with `--allow-system`. All arguments are values that were checked for nothing yet; what they
 * point to in ring 3's memory is rt/perf/syscall_perf.c's business.
 *
 * A process has one table of handles. System call context, interrupts off, by the tasks of that
 * process, unless a function says otherwise. Errors are negative errno values; where there is a
 * sentence, it is kept for LAST_REASON.
 */
#ifndef RT_PERF_PERF_H
#define RT_PERF_PERF_H

#include "include/perf0/layout.h"
#include "pmu/api/pmu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As perf_event_open(2) has them, but that `group` is a handle. */
struct perf_open {
	const struct perf_event_attr *attr;
	int32_t task, cpu, group;
	uint32_t flags;
};

#define PERF_RINGS_MAX_PAGES 2048 /* of one process */

struct mm;
struct perf_handle;
struct task;

/* One for each process. All zero: nothing is open. */
struct perf_table {
	struct perf_handle *handle[PERF_HANDLES_MAX];
	size_t ring_pages;
	struct reason why; /* the last refusal */
	uint32_t busy;     /* a thread of the process has it */
};

/* perf_lock(), perf_unlock() - one thread at a time: around all that follows. Serves calls of other
 * CPUs while it waits. */
void perf_lock(struct perf_table *table);
void perf_unlock(struct perf_table *table);

/* perf_table() - that of the process that runs on this CPU. */
struct perf_table *perf_table(void);

/* perf_allow_system() - whether programs that start from now on may measure what is not theirs.
 * Task context, while nothing runs. */
void perf_allow_system(bool allow);

/* perf_close_all() - a process has ended, or got another program: `memory`, where rings were mapped, is no
 * longer its own. */
void perf_close_all(struct perf_table *table, struct mm *memory);

/* perf_event() - NULL: there is no such handle. */
static inline struct pmu_event *perf_event(const struct perf_table *table, uint64_t handle)
{
	return handle < PERF_HANDLES_MAX ? (struct pmu_event *)table->handle[handle] : NULL;
}

int perf_open(struct perf_table *table, const struct perf_event_attr *attr,
	      const struct perf_open *args);
int perf_close(struct perf_table *table, uint64_t handle);
long perf_mmap(struct perf_table *table, uint64_t handle, uint64_t data_pages, uint64_t prot);
int perf_munmap(struct perf_table *table, uint64_t handle);

/*
 * perf_poll() - POLLIN and POLLHUP of an event, after `ns` at most. Where it has to wait it gives the
 * table back, and does not return. perf_wake() - wakes the tasks whose rings have something: IRQ
 * context, VECTOR_WORK. perf_task_gone() - a task ended in its wait.
 */
#define PERF_POLL_FOREVER UINT64_MAX
long perf_poll(struct perf_table *table, uint64_t handle, uint64_t ns);
void perf_wake(void);
void perf_task_gone(struct task *t);

/* PERF_EVENT_IOC_SET_OUTPUT, PAUSE_OUTPUT, SET_FILTER. */
int perf_set_output(struct perf_table *table, uint64_t handle, int64_t to);
int perf_pause_output(struct perf_table *table, uint64_t handle, bool paused);
int perf_set_filter(struct perf_table *table, uint64_t handle, const char *text);

#endif
