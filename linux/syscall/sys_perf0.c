// SPDX-License-Identifier: BSD-2-Clause
/* sys_perf0.c - perf0's own system calls: include/perf0/perf0_syscalls.h. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "include/perf0/perf0_syscalls.h"
#include "lib/reason.h"
#include "lib/string.h"
#include "linux/perf/bench_calls.h"
#include "linux/perf/perf.h"
#include "linux/perf/region.h"
#include "rt/base/tracepoints.h"
#include "linux/task/sched.h"

#include <linux/errno.h>

/* --- Regions --- */

static int refuse_region_name(int error, const char *why)
{
	perf_lock();
	refuse(perf_refusal(), error, "a region's name %s", why);
	perf_unlock();
	return -error;
}

static int read_name(char name[PERF0_REGION_NAME_MAX + 1], const struct trap_frame *f)
{
	const uint64_t bytes = f->rsi;

	if (bytes < 1 || bytes > PERF0_REGION_NAME_MAX)
		return refuse_region_name(EINVAL, "has 1 to 31 characters");
	if (copy_from_user(name, f->rdi, bytes))
		return refuse_region_name(EFAULT, "lies where the program has no memory");
	name[bytes] = '\0';
	for (uint64_t i = 0; i < bytes; i++)
		if (name[i] < ' ' || name[i] > '~')
			return refuse_region_name(EINVAL, "has characters that can be printed");
	return 0;
}

static int refuse_region(const char *name, int err)
{
	static const struct {
		int error;
		const char *sentence;
	} reasons[] = {
		{EBUSY, "has begun already"},
		{ENOENT, "has not begun"},
		{ENOSPC, "is one too many"},
		{ENOMEM, "finds no memory"},
	};

	perf_lock();
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (err == -reasons[i].error)
			refuse(perf_refusal(), -err, "region '%s' %s", name, reasons[i].sentence);
	perf_unlock();
	return err;
}

static long mark_region(const struct trap_frame *f,
			int (*mark)(struct region_stack **stack, const char *name))
{
	char name[PERF0_REGION_NAME_MAX + 1];
	int err = read_name(name, f);

	return err ? err : refuse_region(name, mark(&sched_current()->regions, name));
}

static long sys_region_begin(struct trap_frame *f)
{
	return mark_region(f, region_begin);
}

static long sys_region_end(struct trap_frame *f)
{
	return mark_region(f, region_end);
}

/* --- */

/* Another thread may get a refusal meanwhile, and change the sentence. */
static long sys_last_reason(struct trap_frame *f)
{
	struct reason why;
	size_t n;

	perf_lock();
	why = *perf_refusal();
	perf_unlock();
	n = strlen(why.text);
	n = f->rsi < n ? f->rsi : n;
	return copy_to_user(f->rdi, why.text, n) ? -EFAULT : (long)n;
}

/* Ring 3 hits one of its tracepoints (USER_TRACE_EVENT of apps/workloads/crt.h). */
static long sys_trace(struct trap_frame *f)
{
	const struct trace_event *event = trace_by_id(f->rdi);

	if (!event || !event->user)
		return -ENOENT;
	return trace_hit_user(event, f->rsi, f->rdx, user_ip(), copy_from_user);
}

static long sys_bench_settings(struct trap_frame *f)
{
	return bench_settings(f->rdi, f->rsi);
}

static long sys_bench_call(struct trap_frame *f)
{
	return bench_call(f->rdi, f->rsi);
}

static long sys_bench_result(struct trap_frame *f)
{
	return bench_result(f->rdi, f->rsi);
}

static long sys_bench_stop(struct trap_frame *f)
{
	return bench_stop(f->rdi, f->rsi);
}

static long sys_bench_stopped(struct trap_frame *f)
{
	return bench_stopped(f->rdi, f->rsi);
}

static long sys_bench_trace(struct trap_frame *f)
{
	return bench_trace(f->rdi, f->rsi);
}

const struct syscall_row syscall_perf0_rows[] = {
	{PERF0_SYS_REGION_BEGIN, sys_region_begin},
	{PERF0_SYS_REGION_END, sys_region_end},
	{PERF0_SYS_LAST_REASON, sys_last_reason},
	{PERF0_SYS_TRACE, sys_trace},
	{PERF0_SYS_BENCH_SETTINGS, sys_bench_settings},
	{PERF0_SYS_BENCH_CALL, sys_bench_call},
	{PERF0_SYS_BENCH_RESULT, sys_bench_result},
	{PERF0_SYS_BENCH_STOP, sys_bench_stop},
	{PERF0_SYS_BENCH_STOPPED, sys_bench_stopped},
	{PERF0_SYS_BENCH_TRACE, sys_bench_trace},
	{0, NULL},
};
