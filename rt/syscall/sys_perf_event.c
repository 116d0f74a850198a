// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_perf_event.c - perf_event_open(2). For the time being events are no files: that of handle n
 * has number EVENT_FD + n, which no file has, and the calls on files come here first.
 */
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/time.h"
#include "rt/file/fd_table.h"
#include "rt/perf/perf.h"
#include "rt/perf/syscall_perf.h"
#include "rt/task/sched.h"

#include <asm/poll.h>
#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/perf_event.h>

#define EVENT_FD 5000

_Static_assert(EVENT_FD > FD_MOST, "no file has such a number");

static bool is_event(uint64_t fd)
{
	return (int)fd >= EVENT_FD;
}

static long handle_of(uint64_t fd)
{
	return is_event(fd) ? (int)fd - EVENT_FD : (int)fd == -1 ? -1 : PERF_HANDLES_MAX;
}

static bool is_ring(uint64_t address)
{
	return address - PERF_RINGS < PERF_HANDLES_MAX * PERF_RINGS_STRIDE;
}

/* The same call, where it is about no event. */
static long call_other(const struct syscall_row *rows, struct trap_frame *f)
{
	while (rows->fn && rows->number != (unsigned)sched_current()->syscall)
		rows++;
	return rows->fn ? rows->fn(f) : -ENOSYS;
}

static long sys_perf_event_open(struct trap_frame *f)
{
	const struct perf_open args = {
		.task = (int)f->rsi,
		.cpu = (int)f->rdx,
		.group = (int)handle_of(f->r10),
		.flags = (uint32_t)f->r8,
	};
	const long handle = syscall_perf_open(f->rdi, &args);

	return handle < 0 ? handle : handle + EVENT_FD;
}

static long sys_read(struct trap_frame *f)
{
	return is_event(f->rdi) ? syscall_perf_read(handle_of(f->rdi), f->rsi, f->rdx)
				: call_other(syscall_file_rows, f);
}

static long sys_close(struct trap_frame *f)
{
	return is_event(f->rdi) ? syscall_perf_close(handle_of(f->rdi))
				: call_other(syscall_file_rows, f);
}

static long sys_ioctl(struct trap_frame *f)
{
	const uint64_t arg =
		f->rsi == PERF_EVENT_IOC_SET_OUTPUT ? (uint64_t)handle_of(f->rdx) : f->rdx;

	return is_event(f->rdi) ? syscall_perf_ioctl(handle_of(f->rdi), f->rsi, arg)
				: call_other(syscall_file_rows, f);
}

static long sys_poll(struct trap_frame *f)
{
	const uint64_t ns = (int)f->rdx < 0 ? UINT64_MAX : (uint64_t)(int)f->rdx * NSEC_PER_MS;
	struct pollfd p;
	long events;

	if (f->rsi != 1 || copy_from_user(&p, f->rdi, sizeof(p)) || !is_event((uint64_t)p.fd))
		return call_other(syscall_poll_rows, f);
	events = syscall_perf_poll(handle_of((uint64_t)p.fd), ns);
	if (events <= 0 || sched_current()->state != TASK_RUNNING)
		return events;
	p.revents = (short)events;
	return copy_to_user(f->rdi, &p, sizeof(p)) ? -EFAULT : 1;
}

static long sys_mmap(struct trap_frame *f)
{
	if (f->r10 & MAP_ANONYMOUS || !is_event(f->r8))
		return call_other(syscall_mem_rows, f);
	return syscall_perf_mmap(handle_of(f->r8), f->rsi / PAGE_SIZE - 1, f->rdx);
}

static long sys_munmap(struct trap_frame *f)
{
	if (!is_ring(f->rdi))
		return call_other(syscall_mem_rows, f);
	syscall_perf_munmap((long)((f->rdi - PERF_RINGS) / PERF_RINGS_STRIDE));
	return 0;
}

const struct syscall_row syscall_perf_event_rows[] = {
	{__NR_perf_event_open, sys_perf_event_open},
	{__NR_read, sys_read},
	{__NR_close, sys_close},
	{__NR_ioctl, sys_ioctl},
	{__NR_poll, sys_poll},
	{__NR_mmap, sys_mmap},
	{__NR_munmap, sys_munmap},
	{0, NULL},
};
