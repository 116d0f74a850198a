/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall.h - what ring 3 may ask for: include/perf0/ has the contracts. */
#ifndef RT_TASK_SYSCALL_H
#define RT_TASK_SYSCALL_H

/* syscall_init() - from now on, on every CPU. Once, at start-up. */
void syscall_init(void);

#endif
