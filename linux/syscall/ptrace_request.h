/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ptrace_request.h - shared by the system calls of tracers: stops and resumption in
 * sys_ptrace.c, memory and registers in sys_ptrace_data.c. Only these include it.
 */
#ifndef LINUX_SYSCALL_PTRACE_REQUEST_H
#define LINUX_SYSCALL_PTRACE_REQUEST_H

#include "linux/task/ptrace_parts.h"

struct ptrace_request {
	int tid;
	uint64_t addr, data;
	struct process *by;
};

/* Reads or changes a task, with the lock of the tree of tasks. */
typedef long ptrace_locked(struct task *t, const struct ptrace_request *r);

/* ptrace_with_stopped() - calls `fn` for the task of `r`, and returns its result. -ESRCH: the
 * caller does not trace the task, or it is not stopped. Between two calls only requests of its
 * tracer change such a task, but it may end. */
long ptrace_with_stopped(const struct ptrace_request *r, ptrace_locked *fn);

/* Requests, as ptrace(2) has them. */
typedef long ptrace_fn(const struct ptrace_request *r);
ptrace_fn ptrace_peek, ptrace_poke, ptrace_peek_user, ptrace_poke_user, ptrace_get_regs,
	ptrace_set_regs, ptrace_get_fpregs, ptrace_set_fpregs, ptrace_get_regset, ptrace_set_regset;

#endif
