/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h - performance events of ring 3, as perf_event_open(2) has them. An event is an open file,
 * and lives as long as that file. A mapping of its ring holds the file. Attributes, operations,
 * formats of read(2), records and control pages are those of <linux/perf_event.h>.
 *
 * A program may measure its own process and the descendants of that process, with
 * attr.exclude_kernel. Other tasks, whole CPUs, ring 0, tracepoints of the system and physical
 * addresses are refused with EACCES, unless the program was started with `--allow-system`.
 *
 * System call context, interrupts off, without a lock, unless a function says otherwise. Errors are
 * negative errno values. The sentence for an error is kept by the process.
 */
#ifndef LINUX_PERF_PERF_H
#define LINUX_PERF_PERF_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

struct file;
struct perf_event_attr;

/* perf_can_open() - can an event with this attr be opened for `task` and `cpu`, which are those of
 * pmu_event_open()? A metric is tried in a group that slots leads. With the turn, or while nothing
 * runs. */
bool perf_can_open(const struct perf_event_attr *attr, int task, int cpu);

/* perf_allow_system() - sets whether programs that start later may measure the whole system.
 * Task context, while nothing runs. */
void perf_allow_system(bool allow);

/* perf_allows_system() - may the running programs measure the whole system? Any context. */
bool perf_allows_system(void);

/* perf_refusal() - the sentence that says why the last refused call of this process was refused. To
 * read or write it, the caller needs the turn: perf_lock(), perf_unlock(). perf_lock() serves calls
 * of other CPUs while it waits. */
struct reason *perf_refusal(void);
void perf_lock(void);
void perf_unlock(void);

/*
 * perf_open() - perf_event_open(2) without its file descriptor: `*out` is an open file with one
 * reference. `attr` is an address of ring 3. `group` is the open file of group_fd; NULL: -1.
 */
int perf_open(uint64_t attr, int pid, int cpu, struct file *group, unsigned long flags,
	      struct file **out);

/* perf_set_mux_interval_ms() - sets the time slice of multiplexing until the command ends. -EINVAL:
 * out of range. perf_mux_interval_ms() - the present one, rounded up. perf_end_settings() -
 * restores the setting when the command has ended; while nothing runs. */
int perf_set_mux_interval_ms(uint64_t ms);
uint64_t perf_mux_interval_ms(void);
void perf_end_settings(void);

/* perf_wake() - reports to waiters what NMIs have noted. IRQ context, VECTOR_WORK. perf_task_gone()
 * - a task has ended: wakes waiters for its events. */
void perf_wake(void);
void perf_task_gone(void);

#endif
