/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.h - the system calls: those of Linux for x86-64, by the numbers of <asm/unistd_64.h>, and
 * the few of include/perf0/perf0_syscalls.h. syscalls(2) and its pages describe them.
 *
 * A row is called on the CPU's stack with interrupts off. Its arguments are in the frame: RDI, RSI,
 * RDX, R10, R8, R9. It returns the result, or -errno. A row that has to wait calls
 * sched_prepare_sleep() and returns the value of syscall_sleep(). When the task wakes, the same row
 * is called again with the same frame; only t->again tells it that this is not the first time.
 */
#ifndef LINUX_SYSCALL_SYSCALL_H
#define LINUX_SYSCALL_SYSCALL_H

#include "arch/x86/cpu/trap_frame.h"
#include "linux/task/syscall_wait.h"
#include "linux/task/task.h"

#include <stdbool.h>
#include <stdint.h>

typedef long syscall_fn(struct trap_frame *f);

/* One table for each topic; it ends with a row without a function. */
struct syscall_row {
	unsigned number;
	syscall_fn *fn;
};
extern const struct syscall_row syscall_mem_rows[], syscall_task_rows[], syscall_futex_rows[],
	syscall_sched_rows[], syscall_signal_rows[], syscall_time_rows[], syscall_timer_rows[],
	syscall_info_rows[], syscall_file_rows[], syscall_path_rows[], syscall_poll_rows[],
	syscall_perf_event_rows[], syscall_perf0_rows[], syscall_absent_rows[],
	syscall_priority_rows[], syscall_prctl_rows[], syscall_wait_rows[], syscall_ptrace_rows[],
	syscall_process_vm_rows[], syscall_ipc_rows[], syscall_user_rows[], syscall_socket_rows[],
	syscall_message_rows[];

/* Brief calls (arch/x86/cpu/user.h); each is also in a table above. */
struct syscall_brief_row {
	unsigned number;
	user_brief *fn;
};
extern const struct syscall_brief_row syscall_task_brief[], syscall_user_brief[],
	syscall_time_brief[], syscall_file_brief[];

/* syscall_nothing() - the row of calls without any effect here: returns 0. */
syscall_fn syscall_nothing;

/* syscall_init() - enables system calls on every CPU. Once, at start-up. */
void syscall_init(void);

/* syscall_serve_tasks() - sets struct task_host. syscall_init() calls it. */
void syscall_serve_tasks(void);

/* syscall_trace() - sets whether a tracepoint is open. Any context. */
void syscall_trace(bool on);

/* syscall_watch() - sets whether a task has a tracer. Any context but NMI. */
void syscall_watch(bool on);

/* syscall_again() - repeats the call in which `t` slept; it waits for no file any more. Its memory
 * is entered. */
long syscall_again(struct task *t);

/* syscall_tell_missing() - prints one line for each unknown call that programs of the last run
 * made: name, count, program. */
void syscall_tell_missing(void);

#endif
