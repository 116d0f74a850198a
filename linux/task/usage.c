// SPDX-License-Identifier: BSD-2-Clause
/* usage.c - see usage.h. */
#include "linux/task/usage.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <linux/resource.h>

void usage_add(struct task_usage *sum, const struct task_usage *more)
{
	sum->user_ns += more->user_ns;
	sum->sys_ns += more->sys_ns;
	sum->minor_faults += more->minor_faults;
	sum->major_faults += more->major_faults;
	sum->sleeps += more->sleeps;
	sum->preemptions += more->preemptions;
}

static uint64_t at_least_0(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

struct task_usage usage_of_task(const struct task *t)
{
	struct task_usage usage = t->usage;
	uint64_t in_ring3 = t->in_ring3, inside = t->inside, ran = t->ran;

	if (t == sched_current()) {
		const uint64_t now = clock_ns();

		ran += now - t->since;
		if (t->ring3_since)
			in_ring3 += now - t->ring3_since;
		if (t->ring3_since)
			inside += user_syscall_ticks_so_far(t->syscall >= 0);
	}
	usage.user_ns = at_least_0(in_ring3, tsc_to_ns(inside));
	usage.sys_ns = at_least_0(ran, usage.user_ns);
	return usage;
}

struct task_usage usage_of_process(const struct process *p)
{
	struct task_usage sum = p->used;

	for (const struct task *t = p->first_thread; t; t = t->next_thread) {
		const struct task_usage usage = usage_of_task(t);

		usage_add(&sum, &usage);
	}
	return sum;
}

int usage_write(uint64_t to, const struct task_usage *u, uint64_t pages_most)
{
	const struct __kernel_old_timeval user = times_timeval(u->user_ns),
					  sys = times_timeval(u->sys_ns);
	const struct rusage usage = {
		.ru_utime = {user.tv_sec, user.tv_usec},
		.ru_stime = {sys.tv_sec, sys.tv_usec},
		.ru_maxrss = (long)(pages_most * (PAGE_SIZE / 1024)),
		.ru_minflt = (long)u->minor_faults,
		.ru_majflt = (long)u->major_faults,
		.ru_nvcsw = (long)u->sleeps,
		.ru_nivcsw = (long)u->preemptions,
	};

	return copy_to_user(to, &usage, sizeof(usage));
}
