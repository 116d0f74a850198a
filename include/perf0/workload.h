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

/* Where ring 3 sees the image's own user sections: their address in the image plus this. */
#define WORKLOAD_BASE 0x400000000000

/*
 * Memory that is all zero when a process starts, readable and writable, nothing mapped around it. A
 * page of it comes into being with the first access, a minor page fault.
 */
#define WORKLOAD_HEAP       0x401000000000
#define WORKLOAD_HEAP_BYTES (4u << 20)

/*
 * The stack grows down from here; the page below its end faults. Threads have stacks of the same
 * size, each below the next, with a page between them that faults.
 */
#define WORKLOAD_STACK_TOP   0x402000000000
#define WORKLOAD_STACK_BYTES (64u << 10)

/*
 * Control pages (struct perf_event_mmap_page, see selfread.h) of events that the runtime shares
 * with the workload, read only. A page that is not in use has neither `index` nor capabilities.
 */
#define WORKLOAD_EVENTS     0x403000000000
#define WORKLOAD_EVENTS_MAX 8

/* Where system call MAP maps, upwards, and where ELF files lie that can lie anywhere. */
#define WORKLOAD_MAP       0x404000000000
#define WORKLOAD_ELF       0x406000000000
#define WORKLOAD_ELF_BYTES 0x800000000

#define WORKLOAD_SYS_EXIT  0 /* (status) */
#define WORKLOAD_SYS_PRINT 1 /* (text, bytes) -> bytes */
#define WORKLOAD_SYS_TIME  2 /* () -> ns since start */
#define WORKLOAD_SYS_SLEEP 3 /* (ns) -> 0 */
#define WORKLOAD_SYS_TRACE 4 /* (id of a tracepoint, its entry, bytes) -> 0 */

/* From 5 on: include/perf0/task.h. From 32 on: include/perf0/perf.h. */
#define WORKLOAD_SYS_PERF      32
#define WORKLOAD_SYS_PERF_LAST 63

#endif
