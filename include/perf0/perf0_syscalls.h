/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf0_syscalls.h - the system calls of perf0 that Linux does not have. Linux answers their
 * numbers with ENOSYS, so one program runs on both. All others are Linux's, by the numbers of
 * <asm/unistd_64.h>.
 *
 * A system call is made as for Linux: number in RAX, arguments in RDI, RSI, RDX; the result or
 * -errno in RAX; RCX and R11 are clobbered.
 */
#ifndef PERF0_SYSCALL_H
#define PERF0_SYSCALL_H

#define PERF0_SYS_FIRST 5000

/*
 * (name, bytes) -> 0: a region of this thread begins or ends. The counts of `stat`'s events in the
 * region are summed by name, over all passes and all tasks, and printed after the counts. Without
 * `stat` both calls do nothing. Regions may nest and overlap.
 * EINVAL: a name has 1 to PERF0_REGION_NAME_MAX printable characters; EBUSY: the region has begun
 * already; ENOSPC: there are 32 regions, or the thread is in PERF0_REGIONS_OPEN; ENOENT: END
 * without BEGIN; ENOMEM.
 */
#define PERF0_SYS_REGION_BEGIN 5000
#define PERF0_SYS_REGION_END   5001
#define PERF0_REGION_NAME_MAX  31
#define PERF0_REGIONS_OPEN     8

/*
 * (buffer, bytes) -> length of the reason why an event of this process was refused last, without a
 * terminator; 0: none was refused. The reason is cut to the buffer.
 */
#define PERF0_SYS_LAST_REASON 5002

/*
 * (id of a tracepoint, its entry, bytes) -> 0: hits the tracepoint; for the image's own programs.
 */
#define PERF0_SYS_TRACE 5003

/*
 * For programs that the command `bench` runs (include/perf0/bench.h); ENOSYS for all others.
 * SETTINGS (struct bench_settings, bytes) -> 0: returns the settings.
 * CALL (address, struct bench_fault) -> 0: calls the function in ring 0, with interrupts off.
 * EPERM: the command is not for ring 0; EFAULT: it raised an exception, which is returned.
 * RESULT (struct bench_result, bytes) -> 0: takes a result; EINVAL, EFAULT, ENOMEM.
 * STOP (struct bench_stop) -> 0: the next run of a trace stops there.
 * STOPPED (struct bench_stopped) -> 0: returns the counts of that run. EAGAIN: it was disturbed;
 * ENODATA: there was none.
 * TRACE (struct bench_trace) -> 0: the results that follow are for these cycles. EBUSY: there is
 * another trace.
 */
#define PERF0_SYS_BENCH_SETTINGS 5004
#define PERF0_SYS_BENCH_CALL     5005
#define PERF0_SYS_BENCH_RESULT   5006

#define PERF0_SYS_BENCH_STOP    5007
#define PERF0_SYS_BENCH_STOPPED 5008
#define PERF0_SYS_BENCH_TRACE   5009

#define PERF0_SYS_LAST PERF0_SYS_BENCH_TRACE

#endif
