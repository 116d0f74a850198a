/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_host.h - functions by which tasks call the rooms above them: events, IPC, system calls.
 * syscall_init() sets all of them before a task exists. Interrupts off, in the context of the task,
 * unless a member says otherwise.
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

	/* Repeats the system call in which `t` slept; returns its result. */
	long (*call_again)(struct task *t);
	/* Some task has a tracer from now on (`on`), or none has. With the lock of the tree. */
	void (*watch_calls)(bool on);
	/* True: the exception of ring 3 belongs to a measurement, and ring 3 continues. */
	bool (*takes_fault)(struct trap_frame *frame);
	/* The current task stops for its tracer, which gets a noted SIGTRAP: forgets it. */
	void (*forget_trap)(uint32_t tid);

	/* --- Ends --- */

	/* A thread ends: releases its locks and waits of futex(2). */
	void (*leave_futexes)(struct task *t);
	/* A task begins a program, or has ended: frees its debug registers. */
	void (*end_watch)(struct task *t);
	/* events_gone() - the events of a task have ended. leave_regions() - frees the regions that
	 * the task has open. */
	void (*events_gone)(void);
	void (*leave_regions)(struct region_stack **stack);
	/* The last thread of `p` has ended: applies its SEM_UNDO adjustments. */
	void (*end_process)(struct process *p);

	/* --- For a command. Task context --- */

	/* Prints the unknown system calls that programs made. */
	void (*tell_refused)(void);
	/* A run is over: frees objects that outlive processes. */
	void (*forget_run)(void);
	/* The command is over, with a status of wait4(2). */
	void (*end_command)(int status);
};

extern struct task_host task_host;

#endif
