/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall.h - what ring 3 may ask for: include/perf0/workload.h has the contract. Task context. */
#ifndef RT_SYSCALL_H
#define RT_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

void syscall_init(void);

/* syscall_reset() - a new workload starts. */
void syscall_reset(void);

/*
 * syscall_times() - since syscall_reset() until `now` (clock_ns()), the system call included that
 * ended the workload, or that it was ended in.
 */
struct syscall_times {
	uint64_t inside; /* ns */
	uint64_t asleep; /* of these */
};
struct syscall_times syscall_times(uint64_t now);

/* syscall_exit_status() - what the workload gave to EXIT, 0..255. */
int syscall_exit_status(void);

#endif
