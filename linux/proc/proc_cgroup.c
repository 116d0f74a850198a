// SPDX-License-Identifier: BSD-2-Clause
/* proc_cgroup.c - lists the tasks of cgroups, and moves tasks. */
#include "linux/proc/proc_parts.h"

#include "rt/base/heap.h"
#include "linux/task/sched.h"
#include "linux/tree/cgroup.h"

/* --- Members --- */

struct listing {
	uint32_t group;
	bool threads;
	unsigned n;
	uint32_t ids[TASK_MAX];
};

static void list_task(struct task *t, void *arg)
{
	struct listing *l = arg;

	if (t->events.set == l->group && (l->threads || t->tid == t->pid) && l->n < TASK_MAX)
		l->ids[l->n++] = t->tid;
}

/* The list of tasks has the newest first. */
static void list_group(uint32_t group, bool threads, struct text *text)
{
	struct listing *l = heap_alloc(sizeof(*l));

	if (!l) {
		text->failed = true;
		return;
	}
	l->group = group;
	l->threads = threads;
	task_each(list_task, l);
	while (l->n)
		text_print(text, "%u\n", l->ids[--l->n]);
	heap_free(l);
}

struct search {
	uint32_t group;
	bool found;
};

static void find_member(struct task *t, void *arg)
{
	struct search *s = arg;

	s->found |= t->events.set == s->group;
}

static bool has_any(uint32_t group)
{
	struct search s = {group, false};

	task_each(find_member, &s);
	return s.found;
}

/* --- Moving --- */

/* Finds a thread of the process that is not in the group yet. */
struct mover {
	uint32_t group, pid, tid;
	bool known;
};

static void find_mover(struct task *t, void *arg)
{
	struct mover *m = arg;

	if (t->pid != m->pid)
		return;
	m->known = true;
	if (t->events.set != m->group)
		m->tid = t->tid;
}

/* A thread that begins in the meantime is in the group of its creator. */
static int move_process(uint32_t group, uint32_t pid)
{
	struct mover m;

	do {
		m = (struct mover){group, pid, 0, false};
		task_each(find_mover, &m);
		if (m.tid)
			pmu_task_move_id((int)m.tid, group);
	} while (m.tid);
	return m.known ? 0 : -ESRCH;
}

static int accept_task(struct task *t, void *arg)
{
	(void)t, (void)arg;
	return 0;
}

static int move_tasks(uint32_t group, uint32_t pid, bool thread)
{
	const struct task *self = sched_current();
	const uint32_t id = pid ? pid : thread ? self->tid : self->pid;

	if (!thread)
		return move_process(group, id);
	if (task_with((int)id, accept_task, NULL))
		return -ESRCH;
	return pmu_task_move_id((int)id, group);
}

/* --- /proc --- */

struct member {
	uint32_t pid, group;
	bool found;
};

static void find_group(struct task *t, void *arg)
{
	struct member *m = arg;

	if (t->pid == m->pid && (!m->found || t->tid == t->pid)) {
		m->group = t->events.set;
		m->found = true;
	}
}

static int write_group(const uint64_t *id, struct text *text)
{
	struct member m = {.pid = (uint32_t)id[0]};

	task_each(find_group, &m);
	text_print(text, "0::");
	cgroup_path(m.group, text);
	text_print(text, "\n");
	return m.found ? 0 : -ENOENT;
}

static int write_groups(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "#subsys_name\thierarchy\tnum_cgroups\tenabled\nperf_event\t0\t%u\t1\n",
		   cgroup_count());
	return 0;
}

void proc_cgroup_init(void)
{
	cgroup_tasks = (struct cgroup_tasks){
		.list = list_group,
		.move = move_tasks,
		.any = has_any,
	};
	synth_writers.pid_cgroup.write = write_group;
	synth_writers.proc_cgroups.write = write_groups;
}
