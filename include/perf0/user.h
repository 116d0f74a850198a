/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.h - the system calls of perf.h as functions, for programs in ring 3. Nothing to link with.
 * Reading events without a system call: selfread.h.
 */
#ifndef PERF0_USER_H
#define PERF0_USER_H

#include "include/perf0/perf.h"
#include "include/perf0/workload.h"

#include <stddef.h>
#include <stdint.h>

static inline long perf_syscall(long nr, uint64_t a0, uint64_t a1, uint64_t a2)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a0), "S"(a1), "d"(a2)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long perf_event_open(const struct perf_event_attr *attr, int task, int cpu, int group,
				   uint32_t flags)
{
	const struct perf_open open = {attr, task, cpu, group, flags};

	return perf_syscall(PERF_SYS_OPEN, (uint64_t)&open, 0, 0);
}

static inline long perf_event_read(long handle, void *buffer, size_t bytes)
{
	return perf_syscall(PERF_SYS_READ, (uint64_t)handle, (uint64_t)buffer, bytes);
}

static inline long perf_event_ioctl(long handle, unsigned long request, uint64_t argument)
{
	return perf_syscall(PERF_SYS_IOCTL, (uint64_t)handle, request, argument);
}

static inline long perf_event_close(long handle)
{
	return perf_syscall(PERF_SYS_CLOSE, (uint64_t)handle, 0, 0);
}

/* The address, or -errno: see perf_is_error(). */
static inline long perf_event_mmap(long handle, size_t data_pages, unsigned prot)
{
	return perf_syscall(PERF_SYS_MMAP, (uint64_t)handle, data_pages, prot);
}

static inline long perf_event_munmap(long handle)
{
	return perf_syscall(PERF_SYS_MUNMAP, (uint64_t)handle, 0, 0);
}

static inline long perf_event_poll(long handle, uint64_t ns)
{
	return perf_syscall(PERF_SYS_POLL, (uint64_t)handle, ns, 0);
}

static inline long perf_task_enable(void)
{
	return perf_syscall(PERF_SYS_TASK_ENABLE, 0, 0, 0);
}

static inline long perf_task_disable(void)
{
	return perf_syscall(PERF_SYS_TASK_DISABLE, 0, 0, 0);
}

static inline long perf_last_reason(char *buffer, size_t bytes)
{
	return perf_syscall(PERF_SYS_LAST_REASON, (uint64_t)buffer, bytes, 0);
}

static inline long perf_on_fault(void (*handler)(void), void *stack)
{
	return perf_syscall(PERF_SYS_ON_FAULT, (uint64_t)handler, (uint64_t)stack, 0);
}

static inline size_t perf_name_length(const char *name)
{
	size_t n = 0;

	while (name[n])
		n++;
	return n;
}

static inline long perf_region_begin(const char *name)
{
	return perf_syscall(PERF_SYS_REGION_BEGIN, (uint64_t)name, perf_name_length(name), 0);
}

static inline long perf_region_end(const char *name)
{
	return perf_syscall(PERF_SYS_REGION_END, (uint64_t)name, perf_name_length(name), 0);
}

#endif
