/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc_parts.h - shared by the parts of proc_init.h: processes in proc_pid.c, their snapshots in
 * proc_seen.c, their memory in proc_memory.c; the machine in proc_machine.c; its CPUs in
 * sys_cpu.c, and PMUs in sys_pmu.c; cgroups in proc_cgroup.c. Only these include it.
 */
#ifndef LINUX_PROC_PROC_PARTS_H
#define LINUX_PROC_PROC_PARTS_H

#include "linux/tree/synth.h"
#include "linux/tree/cpu_text.h"
#include "linux/task/task.h"

#include <linux/errno.h>
#include <linux/resource.h>

void proc_pid_init(void);
void proc_cgroup_init(void);
void proc_memory_init(void);
void proc_machine_init(void);
void sys_cpu_init(void);
void sys_node_init(void);
void sys_pmu_init(void);

/* A process, or one of its threads, as it was at one moment. */
struct proc_seen {
	uint32_t pid, tid, parent, group, session, tracer;
	unsigned threads;
	char comm[TASK_COMM];
	char state;
	int exit_signal, status;
	unsigned cpu;
	struct cpumask affinity;
	struct task_usage usage, children;
	struct process_io io;
	struct credentials credentials;
	uint64_t began;
	uint64_t pending, shared_pending, blocked, ignored, caught;
	uint64_t soft[RLIM_NLIMITS], hard[RLIM_NLIMITS];
	const struct workload_call
		*call; /* words of a built-in program; NULL: they are in its memory */

	/* With references; NULL: it has ended. */
	struct mm *mm;
	struct fd_table *files;
	struct tree_view view;
};

/* proc_see() - takes a snapshot of process id[0], or with `thread` of its thread id[1]. -ENOENT:
 * there is none. On success the caller calls proc_unsee() later. */
int proc_see(const uint64_t *id, bool thread, struct proc_seen *seen);
void proc_unsee(struct proc_seen *seen);

/* proc_next_process(), proc_next_thread() - as struct synth_domain has it. */
bool proc_next_process(const uint64_t *id, uint64_t *at);
bool proc_next_thread(const uint64_t *id, uint64_t *at);

/* The memory of a process by kind, in bytes. */
struct proc_memory {
	uint64_t all, most, data, stack, code, libraries, locked;
	uint64_t resident, resident_most, resident_of_files, resident_shared;
	uint64_t code_start, code_end;
};
struct proc_memory proc_measure(struct mm *mm);

/* sys_cpu_all() - the CPUs that are online. */
struct cpumask sys_cpu_all(void);

#endif
