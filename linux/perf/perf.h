/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h - performance events of ring 3, as perf_event_open(2) has them: an event is an open file,
 * and lives as long as that does. A mapping of its ring holds the file. Attributes, operations,
 * layouts of what is read, records and control pages are those of <linux/perf_event.h>.
 *
 * What a program may measure: its own process and the processes that descend from it, with
 * attr.exclude_kernel. Other tasks, CPUs as such, ring 0, what the system traces and physical
 * addresses are refused with EACCES, unless it was started with `--allow-system`.
 *
 * System call context, interrupts off, without a lock, unless a function says otherwise. Errors are
 * negative errno values; the sentence that goes with them stays with the process.
 */
#ifndef LINUX_PERF_PERF_H
#define LINUX_PERF_PERF_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

struct file;
struct perf_event_attr;

/* perf_can_open() - whether an event with this attr can be opened for `task` and `cpu`, which are
 * pmu_event_open()'s; a metric, in a group that slots leads. With the turn, or while nothing runs.
 */
bool perf_can_open(const struct perf_event_attr *attr, int task, int cpu);

/* perf_allow_system() - sets whether programs that start later may measure the whole system.
 * Task context, while nothing runs. */
void perf_allow_system(bool allow);

/* perf_allows_system() - may the running programs do so? Any context. */
bool perf_allows_system(void);

/* perf_refusal() - why something was refused to the process that runs here: the last sentence. What
 * writes or reads it has the turn: perf_lock(), perf_unlock(), which serve calls of other CPUs. */
struct reason *perf_refusal(void);
void perf_lock(void);
void perf_unlock(void);

/*
 * perf_open() - perf_event_open(2) without its file descriptor: `*out` is an open file with one
 * reference. `attr` is the address in ring 3's memory; `group` the open file of group_fd, NULL: -1.
 */
int perf_open(uint64_t attr, int pid, int cpu, struct file *group, unsigned long flags,
	      struct file **out);

/* perf_set_mux_interval_ms() - a program sets how long a time slice is, until the command ends.
 * -EINVAL: not in the range. perf_mux_interval_ms() - rounded up. perf_end_settings() - the command
 * has ended; while nothing runs. */
int perf_set_mux_interval_ms(uint64_t ms);
uint64_t perf_mux_interval_ms(void);
void perf_end_settings(void);

/* perf_wake() - reports to waiters what NMIs have noted. IRQ context, VECTOR_WORK.
 * perf_task_gone() - a task has ended: notifies those that wait for its events. */
void perf_wake(void);
void perf_task_gone(void);

#endif
