// SPDX-License-Identifier: BSD-2-Clause
/* sys_info.c - what the system says of itself, and of the user, which is root. */
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"
#include "rt/syscall/random.h"
#include "rt/syscall/release.h"
#include "rt/syscall/times.h"
#include "rt/task/limits.h"
#include "rt/task/sched.h"
#include "rt/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/capability.h>
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

static long sys_getres(struct trap_frame *f)
{
	const uint32_t id = 0;

	return copy_to_user(f->rdi, &id, sizeof(id)) || copy_to_user(f->rsi, &id, sizeof(id)) ||
			       copy_to_user(f->rdx, &id, sizeof(id))
		       ? -EFAULT
		       : 0;
}

/* The user's id, and its group's. */
static USER_BRIEF long brief_root(uint64_t a0, uint64_t a1, uint64_t a2)
{
	(void)a0;
	(void)a1;
	(void)a2;
	return 0;
}

static long sys_personality(struct trap_frame *f)
{
	(void)f;
	return ADDR_NO_RANDOMIZE; /* addresses are the same in each run */
}

/* --- Limits --- */

#define STACK_MOST (1ull << 40)

/* As root, which may raise the hard limit, but not above what there is at most. */
static long set_pending_limit(struct process *p, const struct rlimit64 *limit)
{
	if (limit->rlim_cur < SIGNALS_PENDING_MOST)
		p->signals_most = limit->rlim_cur;
	else
		p->signals_most = SIGNALS_PENDING_MOST;
	if (limit->rlim_max < SIGNALS_PENDING_MOST)
		p->signals_hard = limit->rlim_max;
	else
		p->signals_hard = SIGNALS_PENDING_MOST;
	return 0;
}

/* The stack of programs that are started later can be another, and what may be pending. */
static long set_limit(struct process *p, unsigned resource, uint64_t from)
{
	struct rlimit64 limit;

	if (copy_from_user(&limit, from, sizeof(limit)))
		return -EFAULT;
	if (limit.rlim_cur > limit.rlim_max)
		return -EINVAL;
	if (resource == RLIMIT_SIGPENDING)
		return set_pending_limit(p, &limit);
	if (resource == RLIMIT_STACK) {
		uint64_t bytes = limit.rlim_cur < STACK_MOST ? limit.rlim_cur : STACK_MOST;

		bytes = page_round(bytes);
		p->stack_bytes = bytes > 32 * PAGE_SIZE ? bytes : 32 * PAGE_SIZE;
	}
	return 0;
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
	const struct rlimit64 limit = limit_of(sched_current()->process, (unsigned)f->rdi);

	return f->rdi >= RLIM_NLIMITS ? -EINVAL : copy_to_user(f->rsi, &limit, sizeof(limit));
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

/* --- Capabilities: all of them, and none is ever dropped --- */

static long check_header(uint64_t from, struct __user_cap_header_struct *head)
{
	const uint32_t known = _LINUX_CAPABILITY_VERSION_3;

	if (copy_from_user(head, from, sizeof(*head)))
		return -EFAULT;
	if (head->version == known)
		return head->pid && head->pid != (int)sched_current()->pid ? -ESRCH : 0;
	return copy_to_user(from, &known, sizeof(known)) ? -EFAULT : -EINVAL;
}

static long sys_capget(struct trap_frame *f)
{
	const uint32_t low = UINT32_MAX, high = (uint32_t)((1ull << (CAP_LAST_CAP - 31)) - 1);
	const struct __user_cap_data_struct data[] = {{low, low, 0}, {high, high, 0}};
	struct __user_cap_header_struct head;
	const long err = check_header(f->rdi, &head);

	if (err)
		return err == -EINVAL && !f->rsi ? 0 : err;
	return f->rsi && copy_to_user(f->rsi, data, sizeof(data)) ? -EFAULT : 0;
}

static long sys_capset(struct trap_frame *f)
{
	struct __user_cap_header_struct head;

	return check_header(f->rdi, &head);
}

const struct syscall_row syscall_info_rows[] = {
	{__NR_uname, sys_uname},
	{__NR_sysinfo, sys_sysinfo},
	{__NR_getuid, syscall_nothing},
	{__NR_geteuid, syscall_nothing},
	{__NR_getgid, syscall_nothing},
	{__NR_getegid, syscall_nothing},
	{__NR_setuid, syscall_nothing},
	{__NR_setgid, syscall_nothing},
	{__NR_setreuid, syscall_nothing},
	{__NR_setregid, syscall_nothing},
	{__NR_setresuid, syscall_nothing},
	{__NR_setresgid, syscall_nothing},
	{__NR_setgroups, syscall_nothing},
	{__NR_getgroups, syscall_nothing},
	{__NR_getresuid, sys_getres},
	{__NR_getresgid, sys_getres},
	{__NR_personality, sys_personality},
	{__NR_prlimit64, sys_prlimit64},
	{__NR_getrlimit, sys_getrlimit},
	{__NR_setrlimit, sys_setrlimit},
	{__NR_getrandom, sys_getrandom},
	{__NR_capget, sys_capget},
	{__NR_capset, sys_capset},
	{__NR_setfsuid, syscall_nothing},
	{__NR_setfsgid, syscall_nothing},
	{0, NULL},
};

const struct syscall_brief_row syscall_info_brief[] = {
	{__NR_getuid, brief_root},
	{__NR_geteuid, brief_root},
	{__NR_getgid, brief_root},
	{__NR_getegid, brief_root},
	{0, NULL},
};
