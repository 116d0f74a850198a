/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall.h - what ring 3 may ask for: include/perf0/workload.h has the contract. Task context. */
#ifndef RT_SYSCALL_H
#define RT_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

void syscall_init(void);

/* syscall_reset() - a new workload starts. */
void syscall_reset(void);

/* syscall_ns() - time spent inside system calls since syscall_reset(). */
uint64_t syscall_ns(void);

/* syscall_exit_status() - what the workload gave to EXIT, 0..255. */
int syscall_exit_status(void);

#endif
