/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_task.h - the system calls of include/perf0/task.h, as rows for rt/task/syscall.c. */
#ifndef RT_TASK_SYSCALL_TASK_H
#define RT_TASK_SYSCALL_TASK_H

#include "include/perf0/task.h"

#define SYSCALL_TASK_FIRST WORKLOAD_SYS_YIELD
#define SYSCALL_TASK_ROWS  (WORKLOAD_SYS_WAKE + 1 - SYSCALL_TASK_FIRST)

extern long (*const syscall_task_rows[SYSCALL_TASK_ROWS])(long, long, long);

#endif
