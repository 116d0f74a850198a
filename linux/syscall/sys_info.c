// SPDX-License-Identifier: BSD-2-Clause
/* sys_info.c - information on the system, and on the user, which is root. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"
#include "linux/program/random.h"
#include "linux/portable/release.h"
#include "rt/clock/times.h"
#include "linux/task/limits.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/personality.h>
#include <linux/random.h>
#include <linux/resource.h>
#include <linux/sysinfo.h>
#include <linux/utsname.h>

static long sys_uname(struct trap_frame *f)
{
	struct new_utsname name = {
		.sysname = SYSTEM_NAME,
		.nodename = SYSTEM_NODE,
		.release = SYSTEM_RELEASE,
		.version = SYSTEM_VERSION,
		.machine = "x86_64",
		.domainname = "(none)",
	};

	return copy_to_user(f->rdi, &name, sizeof(name));
}

static long sys_sysinfo(struct trap_frame *f)
{
	const struct sysinfo info = {
		.uptime = (long)(times_monotonic() / NSEC_PER_SEC),
		.totalram = page_total_count() * PAGE_SIZE,
		.freeram = page_free_count() * PAGE_SIZE,
		.procs = (uint16_t)task_tree.live,
		.mem_unit = 1,
	};

	return copy_to_user(f->rdi, &info, sizeof(info));
}

#define PERSONALITY_GET 0xffffffffu

static long sys_personality(struct trap_frame *f)
{
	struct process_ways *ways = &sched_current()->process->ways;
	const uint32_t was = ways->personality;

	if ((uint32_t)f->rdi != PERSONALITY_GET)
		ways->personality = (uint32_t)f->rdi;
	return was;
}

/* --- Limits --- */

static long set_limit(struct process *p, unsigned resource, uint64_t from)
{
	struct rlimit64 limit;

	if (copy_from_user(&limit, from, sizeof(limit)))
		return -EFAULT;
	return limit_set(p, resource, limit);
}

static long sys_prlimit64(struct trap_frame *f)
{
	struct process *p = sched_current()->process;
	struct rlimit64 old;
	long err = 0;

	if (f->rdi && (uint32_t)f->rdi != p->pid)
		return -ESRCH;
	if (f->rsi >= RLIM_NLIMITS)
		return -EINVAL;
	old = limit_of(p, (unsigned)f->rsi);
	if (f->rdx)
		err = set_limit(p, (unsigned)f->rsi, f->rdx);
	return err ? err : f->r10 ? copy_to_user(f->r10, &old, sizeof(old)) : 0;
}

static long sys_getrlimit(struct trap_frame *f)
{
	struct rlimit64 limit;

	if (f->rdi >= RLIM_NLIMITS)
		return -EINVAL;
	limit = limit_of(sched_current()->process, (unsigned)f->rdi);
	return copy_to_user(f->rsi, &limit, sizeof(limit));
}

static long sys_setrlimit(struct trap_frame *f)
{
	return f->rdi >= RLIM_NLIMITS
		       ? -EINVAL
		       : set_limit(sched_current()->process, (unsigned)f->rdi, f->rsi);
}

/* --- Random bytes: the same ones in each run --- */

static long sys_getrandom(struct trap_frame *f)
{
	uint8_t bytes[64];
	uint64_t done = 0;

	if (f->rdx & ~(uint64_t)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE))
		return -EINVAL;
	while (done < f->rsi) {
		const size_t n = f->rsi - done < sizeof(bytes) ? f->rsi - done : sizeof(bytes);

		random_bytes(bytes, n);
		if (copy_to_user(f->rdi + done, bytes, n))
			return -EFAULT;
		done += n;
	}
	return (long)done;
}

const struct syscall_row syscall_info_rows[] = {
	{__NR_uname, sys_uname},
	{__NR_sysinfo, sys_sysinfo},
	{__NR_personality, sys_personality},
	{__NR_prlimit64, sys_prlimit64},
	{__NR_getrlimit, sys_getrlimit},
	{__NR_setrlimit, sys_setrlimit},
	{__NR_getrandom, sys_getrandom},
	{0, NULL},
};
