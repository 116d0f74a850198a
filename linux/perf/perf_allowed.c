// SPDX-License-Identifier: BSD-2-Clause
/* perf_allowed.c - checks whether a program may measure something: one row for each refusal. */
#include "linux/perf/perf_parts.h"

#include "lib/trace.h"
#include "linux/task/sched.h"

static bool allow_system;

void perf_allow_system(bool allow)
{
	allow_system = allow;
}

bool perf_allows_system(void)
{
	return allow_system;
}

struct limit {
	bool (*beyond)(const struct perf_event_attr *attr, int pid);
	const char *sentence;
};

static bool of_cpus(const struct perf_event_attr *attr, int pid)
{
	(void)attr;
	return pid == -1;
}

/* True for a descendant, or a task that it traces. */
static int belongs_to(struct task *t, void *ancestor)
{
	const struct process *p = t->process;

	if (t->trace.by == ancestor)
		return true;
	while (p && p != ancestor)
		p = p->parent;
	return p != NULL;
}

static bool of_others(const struct perf_event_attr *attr, int pid)
{
	(void)attr;
	return pid > 0 && !task_with(pid, belongs_to, sched_current()->process);
}

static bool in_ring_0(const struct perf_event_attr *attr, int pid)
{
	(void)pid;
	return !attr->exclude_kernel && attr->type != PERF_TYPE_TRACEPOINT;
}

static bool of_tracepoints(const struct perf_event_attr *attr, int pid)
{
	const struct trace_event *event = NULL;

	(void)pid;
	if (attr->type == PERF_TYPE_TRACEPOINT)
		event = trace_by_id(attr->config);
	return event && !event->user;
}

static bool with_ring_0(const struct perf_event_attr *attr, int pid)
{
	(void)pid;
	return attr->sample_type & (PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_REGS_INTR);
}

/* Branch samples without named rings use the rings of the event, which is ring 3's. */
static bool with_branches_of_ring_0(const struct perf_event_attr *attr, int pid)
{
	(void)pid;
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       attr->branch_sample_type & PERF_SAMPLE_BRANCH_KERNEL;
}

static bool of_namespaces(const struct perf_event_attr *attr, int pid)
{
	(void)pid;
	return attr->namespaces;
}

static const struct limit limits[] = {
	{of_cpus, "a program may measure its own tasks and its children, not CPUs"},
	{of_others, "that task is neither of the program, nor of a child of it, nor traced by it"},
	{in_ring_0, "a program may not measure ring 0: exclude_kernel (modifier u) is missing"},
	{of_tracepoints, "that tracepoint is the system's"},
	{of_namespaces, "namespaces are the system's"},
	{with_branches_of_ring_0, "a program may not have branches of ring 0 recorded"},
	{with_ring_0, "samples may not have physical addresses, nor registers of ring 0"},
};

int perf_check_allowed(const struct perf_event_attr *attr, int pid, struct reason *why)
{
	for (size_t i = 0; !allow_system && i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].beyond(attr, pid))
			return refuse(why, EACCES, "%s; --allow-system lifts that",
				      limits[i].sentence);
	return 0;
}
