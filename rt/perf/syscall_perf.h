/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_perf.h - the system calls of include/perf0/perf.h, as rows for rt/task/syscall.c. */
#ifndef RT_PERF_SYSCALL_PERF_H
#define RT_PERF_SYSCALL_PERF_H

#define SYSCALL_PERF_FIRST 32
#define SYSCALL_PERF_ROWS  32

/* NULL: there is no such call. */
extern long (*const syscall_perf_rows[SYSCALL_PERF_ROWS])(long, long, long);

#endif
