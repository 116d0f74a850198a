// SPDX-License-Identifier: BSD-2-Clause
/* task_hooks.c - sets struct task_host: functions by which tasks call events, IPC and system
 * calls. */
#include "linux/syscall/syscall.h"

#include "linux/ipc/ipc.h"
#include "linux/ipc/sem.h"
#include "linux/perf/bench_calls.h"
#include "linux/perf/perf.h"
#include "linux/perf/perf_trap.h"
#include "linux/perf/ptrace_watch.h"
#include "linux/perf/region.h"
#include "linux/syscall/futex.h"
#include "linux/syscall/missing_files.h"
#include "linux/task/task_host.h"

static void end_command(int status)
{
	sought_send(status);
	perf_end_settings();
}

static void forget_run(void)
{
	ipc_forget();
	sought_end_run();
}

void syscall_serve_tasks(void)
{
	task_host = (struct task_host){
		.call_again = syscall_again,
		.watch_calls = syscall_watch,
		.takes_fault = bench_takes_fault,
		.forget_trap = perf_trap_forget,
		.leave_futexes = futex_leave,
		.end_watch = ptrace_end_watch,
		.events_gone = perf_task_gone,
		.leave_regions = region_leave,
		.end_process = sem_end_process,
		.tell_refused = syscall_tell_missing,
		.forget_run = forget_run,
		.end_command = end_command,
	};
}
