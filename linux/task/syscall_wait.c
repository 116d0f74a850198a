// SPDX-License-Identifier: BSD-2-Clause
/* syscall_wait.c - see syscall_wait.h. */
#include "linux/task/syscall_wait.h"

#include "arch/x86/dev/tsc.h"
#include "rt/clock/hrtimer.h"
#include "linux/task/sched.h"

bool syscall_may_sleep(void)
{
	sched_prepare_sleep(0, true);
	if (!signal_waits(sched_current()))
		return true;
	sched_stay_awake();
	return false;
}

long syscall_sleep(void)
{
	return 0;
}

uint64_t syscall_deadline(uint64_t ns)
{
	struct task *t = sched_current();

	if (!t->again) {
		const uint64_t now = clock_ns();

		t->deadline = !ns ? 0 : ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
	}
	return t->deadline;
}

bool syscall_is_late(void)
{
	const struct task *t = sched_current();

	return t->deadline && clock_ns() >= t->deadline;
}

long syscall_sleep_until(uint64_t deadline)
{
	struct task *t = sched_current();

	if (deadline && deadline != UINT64_MAX) {
		const uint64_t now = clock_ns();

		hrtimer_start(&t->timer, deadline > now ? deadline - now : 0);
	}
	return syscall_sleep();
}

long syscall_wait_end(long result)
{
	sched_stay_awake();
	wait_set_end(&sched_current()->waits);
	return result;
}
