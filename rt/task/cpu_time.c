// SPDX-License-Identifier: BSD-2-Clause
/* cpu_time.c - see cpu_time.h. */
#include "rt/task/cpu_time.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "rt/task/task_parts.h"

struct cpu_time cpu_time_of_task(const struct task *t)
{
	const uint64_t now = clock_ns(), resumed = t->resumed, entered = t->entered;
	uint64_t ran = t->ran, user = t->in_ring3, inside = t->inside;

	if (t->state == TASK_RUNNING && t->on_cpu)
		ran += now - t->since;
	if (resumed)
		user += now - resumed;
	if (entered)
		inside += rdtsc() - entered;
	inside = tsc_to_ns(inside);
	user = user > inside ? user - inside : 0;
	user = user < ran ? user : ran;
	return (struct cpu_time){user, ran - user};
}

struct cpu_time cpu_time_of_process(const struct process *p)
{
	struct cpu_time sum = {p->user_ns, p->sys_ns};

	for (const struct task *t = task_tree.first; t; t = t->next_task) {
		struct cpu_time time;

		if (t->process != p || t->gone)
			continue;
		time = cpu_time_of_task(t);
		sum.user += time.user;
		sum.sys += time.sys;
	}
	return sum;
}
