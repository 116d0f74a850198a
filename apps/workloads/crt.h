/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crt.h - for workloads in C: system calls, and how a function becomes an entry. Everything in a
 * file of this folder, but for the registration, runs in ring 3 and may use nothing of the runtime.
 */
#ifndef APPS_WORKLOADS_CRT_H
#define APPS_WORKLOADS_CRT_H

#include "include/perf0/workload.h"
#include "rt/workload.h"

#include <stdint.h>

static inline long user_syscall3(long nr, long a0, long a1, long a2)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a0), "S"(a1), "d"(a2)
			 : "rcx", "r11", "memory");
	return result;
}

static inline _Noreturn void user_exit(int status)
{
	user_syscall3(WORKLOAD_SYS_EXIT, status, 0, 0);
	__builtin_trap(); /* a sample on SYSCALL points here: still this function */
}

/* A workload's entry by its own type; the runtime only ever takes its address. */
#define WORKLOAD_CODE(fn) ((void (*)(void))(fn))

#endif
