/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracepoints.h - tracepoints of tasks, timers and system calls, with Linux's names and fields.
 * Work of ring 0 for no task is shown as the idle task: pid 0, "swapper/0".
 */
#ifndef RT_BASE_TRACEPOINTS_H
#define RT_BASE_TRACEPOINTS_H

#include "lib/trace.h"

#define TRACE_COMM 16  /* TASK_COMM_LEN */
#define TRACE_PRIO 120 /* of every task: nice 0 on Linux */

/* prev_state, with Linux's bits. */
enum trace_task_state { TRACE_RUNNING, TRACE_SLEEPS = 1, TRACE_DEAD = 16 };

/* trace_start() - tracepoints can be hit from now on. Once, before any is opened. */
void trace_start(void);

/* trace_refused_everywhere() - trace_refused() of all CPUs. Task context. */
uint64_t trace_refused_everywhere(void);

/*
 * A task gives up the CPU to another one. Its own events see the hit when it leaves, not when the
 * other task arrives.
 */
TRACE_EVENT(sched, sched_switch,
	    TRACE_PROTO(const char *prev_comm, uint32_t prev_pid, enum trace_task_state prev_state,
			const char *next_comm, uint32_t next_pid),
	    TRACE_STRUCT(array(char, prev_comm, TRACE_COMM), field(int32_t, prev_pid),
			 field(int32_t, prev_prio), field(long, prev_state),
			 array(char, next_comm, TRACE_COMM), field(int32_t, next_pid),
			 field(int32_t, next_prio)),
	    TRACE_ASSIGN(trace_copy(entry->prev_comm, prev_comm, TRACE_COMM);
			 entry->prev_pid = (int32_t)prev_pid; entry->prev_prio = TRACE_PRIO;
			 entry->prev_state = prev_state;
			 trace_copy(entry->next_comm, next_comm, TRACE_COMM);
			 entry->next_pid = (int32_t)next_pid; entry->next_prio = TRACE_PRIO;),
	    TRACE_PRINT("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s "
			"next_pid=%d next_prio=%d",
			REC->prev_comm, REC->prev_pid, REC->prev_prio,
			REC->prev_state == 0 ? "R" : (REC->prev_state == 1 ? "S" : "X"),
			REC->next_comm, REC->next_pid, REC->next_prio))

#define TRACE_WAKEUP(name)                                                                       \
	TRACE_EVENT(sched, name,                                                                 \
		    TRACE_PROTO(const void *task, const char *comm, uint32_t pid, uint32_t cpu), \
		    TRACE_STRUCT(array(char, comm, TRACE_COMM), field(int32_t, pid),             \
				 field(int32_t, prio), field(int32_t, target_cpu)),              \
		    TRACE_ASSIGN(trace_copy(entry->comm, comm, TRACE_COMM);                      \
				 entry->pid = (int32_t)pid; entry->prio = TRACE_PRIO;            \
				 entry->target_cpu = (int32_t)cpu; hit.task = task;),            \
		    TRACE_PRINT("comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid,   \
				REC->prio, REC->target_cpu))

TRACE_WAKEUP(sched_wakeup)     /* the task may run again */
TRACE_WAKEUP(sched_wakeup_new) /* a new task may run */

/* Begin and end of tasks, in the context of the task itself. */
TRACE_EVENT(sched, sched_process_fork,
	    TRACE_PROTO(const char *parent_comm, uint32_t parent_pid, const char *child_comm,
			uint32_t child_pid),
	    TRACE_STRUCT(array(char, parent_comm, TRACE_COMM), field(int32_t, parent_pid),
			 array(char, child_comm, TRACE_COMM), field(int32_t, child_pid)),
	    TRACE_ASSIGN(trace_copy(entry->parent_comm, parent_comm, TRACE_COMM);
			 entry->parent_pid = (int32_t)parent_pid;
			 trace_copy(entry->child_comm, child_comm, TRACE_COMM);
			 entry->child_pid = (int32_t)child_pid;),
	    TRACE_PRINT("comm=%s pid=%d child_comm=%s child_pid=%d", REC->parent_comm,
			REC->parent_pid, REC->child_comm, REC->child_pid))

TRACE_EVENT(sched, sched_process_exec,
	    TRACE_PROTO(const char *filename, uint32_t pid, uint32_t old_pid),
	    TRACE_STRUCT(string(filename), field(int32_t, pid), field(int32_t, old_pid)),
	    TRACE_ASSIGN(trace_string(&hit, &entry->filename, filename); entry->pid = (int32_t)pid;
			 entry->old_pid = (int32_t)old_pid;),
	    TRACE_PRINT("filename=%s pid=%d old_pid=%d", __get_str(filename), REC->pid,
			REC->old_pid))

TRACE_EVENT(sched, sched_process_exit, TRACE_PROTO(const char *comm, uint32_t pid),
	    TRACE_STRUCT(array(char, comm, TRACE_COMM), field(int32_t, pid), field(int32_t, prio)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, TRACE_COMM); entry->pid = (int32_t)pid;
			 entry->prio = TRACE_PRIO;),
	    TRACE_PRINT("comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio))

/* The task slept for `delay` ns. The hit counts as that many. */
TRACE_EVENT(sched, sched_stat_sleep,
	    TRACE_PROTO(const void *task, const char *comm, uint32_t pid, uint64_t delay),
	    TRACE_STRUCT(array(char, comm, TRACE_COMM), field(int32_t, pid),
			 field(uint64_t, delay)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, TRACE_COMM); entry->pid = (int32_t)pid;
			 entry->delay = delay; hit.count = delay; hit.task = task;),
	    TRACE_PRINT("comm=%s pid=%d delay=%lu [ns]", REC->comm, REC->pid, REC->delay))

/* The task ran for `runtime` ns. The hit counts as that many. */
TRACE_EVENT(sched, sched_stat_runtime,
	    TRACE_PROTO(const char *comm, uint32_t pid, uint64_t runtime, uint64_t vruntime),
	    TRACE_STRUCT(array(char, comm, TRACE_COMM), field(int32_t, pid),
			 field(uint64_t, runtime), field(uint64_t, vruntime)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, TRACE_COMM); entry->pid = (int32_t)pid;
			 entry->runtime = runtime; entry->vruntime = vruntime;
			 hit.count = runtime;),
	    TRACE_PRINT("comm=%s pid=%d runtime=%lu [ns] vruntime=%lu [ns]", REC->comm, REC->pid,
			REC->runtime, REC->vruntime))

/* The task goes to another CPU. */
TRACE_EVENT(sched, sched_migrate_task,
	    TRACE_PROTO(const char *comm, uint32_t pid, uint32_t from, uint32_t to),
	    TRACE_STRUCT(array(char, comm, TRACE_COMM), field(int32_t, pid), field(int32_t, prio),
			 field(int32_t, orig_cpu), field(int32_t, dest_cpu)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, TRACE_COMM); entry->pid = (int32_t)pid;
			 entry->prio = TRACE_PRIO; entry->orig_cpu = (int32_t)from;
			 entry->dest_cpu = (int32_t)to;),
	    TRACE_PRINT("comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", REC->comm, REC->pid,
			REC->prio, REC->orig_cpu, REC->dest_cpu))

/* Timers. `hrtimer` and `function` are addresses; times are in ns of the clock of samples. */
TRACE_EVENT(timer, hrtimer_start,
	    TRACE_PROTO(const void *hrtimer, const void *function, uint64_t expires),
	    TRACE_STRUCT(field(uint64_t, hrtimer), field(uint64_t, function),
			 field(int64_t, expires), field(int64_t, softexpires)),
	    TRACE_ASSIGN(entry->hrtimer = (uintptr_t)hrtimer; entry->function = (uintptr_t)function;
			 entry->expires = (int64_t)expires; entry->softexpires = (int64_t)expires;),
	    TRACE_PRINT("hrtimer=0x%lx function=0x%lx expires=%ld softexpires=%ld", REC->hrtimer,
			REC->function, REC->expires, REC->softexpires))

TRACE_EVENT(timer, hrtimer_expire_entry,
	    TRACE_PROTO(const void *hrtimer, uint64_t now, const void *function),
	    TRACE_STRUCT(field(uint64_t, hrtimer), field(int64_t, now), field(uint64_t, function)),
	    TRACE_ASSIGN(entry->hrtimer = (uintptr_t)hrtimer; entry->now = (int64_t)now;
			 entry->function = (uintptr_t)function;),
	    TRACE_PRINT("hrtimer=0x%lx function=0x%lx now=%ld", REC->hrtimer, REC->function,
			REC->now))

TRACE_EVENT(timer, hrtimer_expire_exit, TRACE_PROTO(const void *hrtimer),
	    TRACE_STRUCT(field(uint64_t, hrtimer)),
	    TRACE_ASSIGN(entry->hrtimer = (uintptr_t)hrtimer;),
	    TRACE_PRINT("hrtimer=0x%lx", REC->hrtimer))

TRACE_EVENT(timer, hrtimer_cancel, TRACE_PROTO(const void *hrtimer),
	    TRACE_STRUCT(field(uint64_t, hrtimer)),
	    TRACE_ASSIGN(entry->hrtimer = (uintptr_t)hrtimer;),
	    TRACE_PRINT("hrtimer=0x%lx", REC->hrtimer))

/* System calls of workloads, which have three arguments at most. */
TRACE_EVENT(raw_syscalls, sys_enter,
	    TRACE_PROTO(long id, unsigned long a0, unsigned long a1, unsigned long a2),
	    TRACE_STRUCT(field(long, id), array(unsigned long, args, 6)),
	    TRACE_ASSIGN(entry->id = id; entry->args[0] = a0; entry->args[1] = a1;
			 entry->args[2] = a2;),
	    TRACE_PRINT("NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)", REC->id, REC->args[0],
			REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]))

TRACE_EVENT(raw_syscalls, sys_exit, TRACE_PROTO(long id, long ret),
	    TRACE_STRUCT(field(long, id), field(long, ret)),
	    TRACE_ASSIGN(entry->id = id; entry->ret = ret;),
	    TRACE_PRINT("NR %ld = %ld", REC->id, REC->ret))

#endif
