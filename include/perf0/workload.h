/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * workload.h - the contract between the runtime and what it runs in ring 3.
 *
 * A built-in workload starts at its entry with its numeric arguments in the registers of a System V
 * call (RDI, RSI, RDX, RCX, R8, R9), RSP 16-byte aligned minus 8 at the top of its own stack,
 * RFLAGS = IF, everything else zero. An ELF file starts as the System V ABI says for processes:
 * argc, argv, envp and the auxiliary vector on its stack. A task ends by system call EXIT.
 *
 * System calls: SYSCALL with the number in RAX, arguments in RDI, RSI, RDX, R10, R8, R9; the
 * result, or -errno, comes back in RAX; RCX and R11 are lost, every other register is kept.
 * Pointers are checked: EFAULT where memory is not the task's own.
 *
 * The same code is visible to the runtime at another address: a built-in workload may hold no
 * static table of pointers, since those would be the runtime's.
 */
#ifndef PERF0_WORKLOAD_H
#define PERF0_WORKLOAD_H

/* Where memory is: code, heap, stacks, control pages, mappings. */
#include "include/perf0/layout.h"

#define WORKLOAD_SYS_EXIT  231 /* (status) */
#define WORKLOAD_SYS_PRINT 1 /* (text, bytes) -> bytes */
#define WORKLOAD_SYS_TIME  2 /* () -> ns since start */
#define WORKLOAD_SYS_SLEEP 3 /* (ns) -> 0 */
#define WORKLOAD_SYS_TRACE 4 /* (id of a tracepoint, its entry, bytes) -> 0 */

/* From 5 on: include/perf0/task.h. From 32 on: include/perf0/perf.h. */
#define WORKLOAD_SYS_PERF      32
#define WORKLOAD_SYS_PERF_LAST 63

#endif
