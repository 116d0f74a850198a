/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_sys.h - the system calls of the harness: Linux's, and perf0's of
 * include/perf0/perf0_syscalls.h. */
#ifndef BENCH_BENCH_SYS_H
#define BENCH_BENCH_SYS_H

#include "include/perf0/bench.h"
#include "include/perf0/perf0_syscalls.h"

#include <asm/unistd_64.h>
#include <linux/mman.h>
#include <stddef.h>
#include <stdint.h>

static inline long sys_call(long nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
			    uint64_t f)
{
	register uint64_t r10 __asm__("r10") = d;
	register uint64_t r8 __asm__("r8") = e;
	register uint64_t r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline void sys_print(int file, const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	sys_call(__NR_write, (uint64_t)file, (uint64_t)text, n, 0, 0, 0);
}

_Noreturn static inline void sys_exit(int status)
{
	for (;;)
		sys_call(__NR_exit_group, (uint64_t)status, 0, 0, 0, 0, 0);
}

/* Maps zeros; returns the address, or -errno. */
static inline long sys_map(uint64_t bytes)
{
	return sys_call(__NR_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			(uint64_t)-1, 0);
}

static inline void sys_unmap(uint64_t at, uint64_t bytes)
{
	sys_call(__NR_munmap, at, bytes, 0, 0, 0, 0);
}

/* Best effort: small pages do as well. */
static inline void sys_large_pages(uint64_t at, uint64_t bytes)
{
	sys_call(__NR_madvise, at, bytes, MADV_HUGEPAGE, 0, 0, 0);
}

static inline long sys_protect_code(uint64_t at, uint64_t bytes)
{
	return sys_call(__NR_mprotect, at, bytes, PROT_READ | PROT_EXEC, 0, 0, 0);
}

/* This thread runs on `cpu` alone. */
static inline long sys_run_on(uint32_t cpu)
{
	uint64_t mask[64] = {0};

	if (cpu >= 64 * 64)
		return -1;
	mask[cpu / 64] = 1ull << cpu % 64;
	return sys_call(__NR_sched_setaffinity, 0, sizeof(mask), (uint64_t)mask, 0, 0, 0);
}

static inline long sys_bench_settings(struct bench_settings *settings)
{
	return sys_call(PERF0_SYS_BENCH_SETTINGS, (uint64_t)settings, sizeof(*settings), 0, 0, 0,
			0);
}

static inline long sys_bench_call(uint64_t function, struct bench_fault *fault)
{
	return sys_call(PERF0_SYS_BENCH_CALL, function, (uint64_t)fault, 0, 0, 0, 0);
}

static inline long sys_bench_result(const struct bench_result *result)
{
	return sys_call(PERF0_SYS_BENCH_RESULT, (uint64_t)result, sizeof(*result), 0, 0, 0, 0);
}

static inline long sys_bench_stop(const struct bench_stop *stop)
{
	return sys_call(PERF0_SYS_BENCH_STOP, (uint64_t)stop, sizeof(*stop), 0, 0, 0, 0);
}

static inline long sys_bench_stopped(struct bench_stopped *stopped)
{
	return sys_call(PERF0_SYS_BENCH_STOPPED, (uint64_t)stopped, sizeof(*stopped), 0, 0, 0, 0);
}

static inline long sys_bench_trace(const struct bench_trace *trace)
{
	return sys_call(PERF0_SYS_BENCH_TRACE, (uint64_t)trace, sizeof(*trace), 0, 0, 0, 0);
}

#endif
