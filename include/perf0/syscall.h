/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.h - the system calls of perf0 that Linux does not have: numbers that Linux answers with
 * ENOSYS, so one program runs on both. All others are Linux's, by the numbers of <asm/unistd_64.h>.
 *
 * A system call is made as for Linux: number in RAX, arguments in RDI, RSI, RDX; the result, or
 * -errno, comes back in RAX; RCX and R11 are lost.
 */
#ifndef PERF0_SYSCALL_H
#define PERF0_SYSCALL_H

#define PERF0_SYS_FIRST 5000

/*
 * (name, bytes) -> 0: a region of this thread begins and ends. What the events that `stat` was
 * asked for counted in it is added up by name, over all its calls and all tasks, and printed behind
 * the counts; without `stat` both do nothing. Regions nest and overlap as they like. EINVAL: a name
 * has 1 to PERF0_REGION_NAME_MAX characters that can be printed; EBUSY: it has begun already;
 * ENOSPC: there are 32 regions, or the thread is in PERF0_REGIONS_OPEN; ENOENT: END without BEGIN;
 * ENOMEM.
 */
#define PERF0_SYS_REGION_BEGIN 5000
#define PERF0_SYS_REGION_END   5001
#define PERF0_REGION_NAME_MAX  31
#define PERF0_REGIONS_OPEN     8

/* (buffer, bytes) -> bytes of the sentence that told why an event of the process was refused last,
 * without a zero at the end; 0: nothing was. It is cut where the buffer ends. */
#define PERF0_SYS_LAST_REASON 5002

/* (id of a tracepoint, its entry, bytes) -> 0: of the image's own programs. */
#define PERF0_SYS_TRACE 5003

/*
 * For programs that the command `bench` runs (include/perf0/bench.h); of any other ENOSYS.
 * (struct bench_settings, bytes) -> 0: what is to be measured. (address, struct bench_fault) -> 0:
 * the function there was called in ring 0, with interrupts off; EPERM: ring 0 was not asked for,
 * EFAULT: it raised an exception, which is told. (struct bench_result, bytes) -> 0: what was
 * measured; EINVAL, EFAULT, ENOMEM. Of traces: (struct bench_stop) -> 0: the next run stops there;
 * (struct bench_stopped) -> 0: what that run had counted, EAGAIN: something came between, ENODATA:
 * there was none; (struct bench_trace) -> 0: the results that follow are of these cycles; EBUSY:
 * there is another one.
 */
#define PERF0_SYS_BENCH_SETTINGS 5004
#define PERF0_SYS_BENCH_CALL     5005
#define PERF0_SYS_BENCH_RESULT   5006

#define PERF0_SYS_BENCH_STOP    5007
#define PERF0_SYS_BENCH_STOPPED 5008
#define PERF0_SYS_BENCH_TRACE   5009

#define PERF0_SYS_LAST PERF0_SYS_BENCH_TRACE

#endif
