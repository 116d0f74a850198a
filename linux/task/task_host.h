/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_host.h - what tasks ask of the rooms above them: events, IPC, system calls. syscall_init()
 * sets all of it, before a task exists. Interrupts off, in the context of the task, unless a member
 * says otherwise.
 */
#ifndef LINUX_TASK_TASK_HOST_H
#define LINUX_TASK_TASK_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct region_stack;
struct task;
struct trap_frame;

struct task_host {
	/* --- While a task runs --- */

	/* The system call in which `t` slept is made again; its result. */
	long (*call_again)(struct task *t);
	/* Some task has a tracer from now on, or none has. With the lock of the tree. */
	void (*watch_calls)(bool on);
	/* An exception of ring 3 belongs to a measurement: ring 3 goes on. */
	bool (*takes_fault)(struct trap_frame *frame);
	/* The current task stops for its tracer, which gets its SIGTRAP. */
	void (*forget_trap)(uint32_t tid);

	/* --- Ends --- */

	/* A thread ends: it gives up locks and waits of futex(2). */
	void (*leave_futexes)(struct task *t);
	/* A task begins a program, or has ended: its debug registers are free. */
	void (*end_watch)(struct task *t);
	/* A task has ended, and its events; then the regions that it has open. */
	void (*events_gone)(void);
	void (*leave_regions)(struct region_stack **stack);
	/* The last thread of `p` has ended: SEM_UNDO. */
	void (*end_process)(struct process *p);

	/* --- Of a command. Task context --- */

	/* Prints the calls of programs that are not there. */
	void (*tell_refused)(void);
	/* A run is over: objects that outlive processes go. */
	void (*forget_run)(void);
	/* The command is over, with a status of wait4(2). */
	void (*end_command)(int status);
};

extern struct task_host task_host;

#endif
