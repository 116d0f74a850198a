/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crt.h - makes a C function the entry of a workload; system calls are those of sys.h. Everything
 * in a file of this folder, except for the registration, runs in ring 3 and may use nothing of the
 * runtime.
 */
#ifndef APPS_WORKLOADS_CRT_H
#define APPS_WORKLOADS_CRT_H

#include "apps/workloads/sys.h"
#include "include/perf0/layout.h"
#include "lib/trace.h"
#include "linux/program/workload.h"

#include <stdint.h>

/*
 * USER_TRACE_EVENT() - a tracepoint that ring 3 hits, as TRACE_EVENT() of lib/trace.h, in the file
 * that hits it by trace(): a compare and a branch while no event is open on it, else a system call
 * with the entry. Its fields are numbers and arrays, and it has no roles: each hit counts 1.
 */
#define USER_TRACE_EVENT(system, name, proto, fields, assign, print)                         \
	TRACE_RAW(name, TRACE_STRUCT(fields))                                                \
	static struct trace_key trace_key_##name;                                            \
	TRACE_DESCRIBE(system, name, TRACE_STRUCT(fields), TRACE_PRINT(print), #print, true, \
		       static, __attribute__((section(".ktext"))),                           \
		       __attribute__((section(".kdata"))))                                   \
	static inline void trace_hit_##name(proto)                                           \
	{                                                                                    \
		struct trace_raw_##name raw, *entry = &raw;                                  \
                                                                                             \
		assign perf0_trace(trace_key_##name.id, entry, sizeof(raw));                 \
	}

/* A workload's entry by its own type; the runtime only ever takes its address. */
#define WORKLOAD_CODE(fn) ((void (*)(void))(fn))

#endif
