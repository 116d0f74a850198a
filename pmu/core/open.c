// SPDX-License-Identifier: BSD-2-Clause
/* open.c - opens and closes events: checks first, then one change of the lists. */
#include "pmu/state/state.h"

#include "lib/string.h"
#include "pmu/core/rate.h"
#include "lib/reason.h"
#include "pmu/attr/attr.h"
#include "pmu/core/control.h"
#include "pmu/core/counter.h"
#include "pmu/core/topdown.h"
#include "pmu/attr/fields.h"
#include "pmu/core/open.h"
#include "pmu/core/event_pages.h"
#include "pmu/core/precise.h"
#include "pmu/core/redirect.h"
#include "pmu/core/schedule.h"
#include "pmu/core/event_tasks.h"
#include "pmu/names/kinds.h"
#include "pmu/record/record_sample.h"
#include "pmu/state/control_page.h"
#include "pmu/state/remote.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

#define KNOWN_FLAGS \
	(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

struct target {
	struct pmu_context *context;
	int cpu;
	uint32_t set;
};

static int check_cpu(int cpu, struct reason *why)
{
	if (cpu < -1 || cpu >= (int)pmu_ncpus())
		return refuse(why, EINVAL, "there is no CPU %d", cpu);
	return 0;
}

/* Refuses targets that are invalid whatever tasks exist. */
static int check_target(int task, int cpu, unsigned long flags, struct reason *why)
{
	if (flags & ~(unsigned long)KNOWN_FLAGS)
		return refuse(why, EINVAL, "flags 0x%lx are not supported", flags);
	if (flags & PERF_FLAG_PID_CGROUP && (task <= 0 || cpu < 0))
		return refuse(why, EINVAL,
			      "an event for a set of tasks needs the set's number and a CPU");
	if (task == -1 && cpu == -1)
		return refuse(why, EINVAL, "an event needs a task, a CPU, or both");
	return task == -1 ? check_cpu(cpu, why) : 0;
}

/* Checks the arguments, and copies the attr. */
static int check_opening(struct perf_event_attr *copy, const struct perf_event_attr *attr, int task,
			 int cpu, unsigned long flags, struct reason *why)
{
	int err = check_target(task, cpu, flags, why);

	if (!err)
		err = pmu_copy_attr(copy, attr, why);
	if (!err)
		err = pmu_check_attr(copy, why);
	if (!err && copy->sigtrap && (task == -1 || flags & PERF_FLAG_PID_CGROUP))
		err = refuse(why, EINVAL, "sigtrap is for events of tasks, not of CPUs");
	return err;
}

int pmu_event_check(const struct perf_event_attr *attr, int task, int cpu, unsigned long flags,
		    struct reason *why)
{
	struct perf_event_attr copy;

	return check_opening(&copy, attr, task, cpu, flags, why);
}

static int find_cpu(int cpu, struct target *t, struct reason *why)
{
	int err = check_cpu(cpu, why);

	if (!err)
		t->context = &pmu_contexts[cpu];
	return err;
}

static int find_set(int set, int cpu, struct target *t, struct reason *why)
{
	t->set = (uint32_t)set;
	return find_cpu(cpu, t, why);
}

static int find_task(int task, int cpu, struct target *t, struct reason *why)
{
	struct pmu_task *found = pmu_task_find(task);

	if (!found && !task)
		return refuse(why, ESRCH, "no task runs that task 0 could mean");
	if (!found)
		return refuse(why, ESRCH, "there is no task %d", task);
	t->context = &found->context;
	return check_cpu(cpu, why);
}

/* Finds the target by the matrix of perf_event_open(2). */
static int find_target(int task, int cpu, unsigned long flags, struct target *t, struct reason *why)
{
	*t = (struct target){.cpu = cpu};
	if (flags & PERF_FLAG_PID_CGROUP)
		return find_set(task, cpu, t, why);
	return task == -1 ? find_cpu(cpu, t, why) : find_task(task, cpu, t, why);
}

/* True where events for CPUs `a` and `b` can count on the same CPU. -1: any CPU. */
static bool may_meet(int a, int b)
{
	return a == -1 || b == -1 || a == b;
}

static unsigned open_in(const struct pmu_context *context, const struct pmu_class *class, int cpu)
{
	unsigned n = 0;

	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			n += e->class == class && may_meet(e->cpu, cpu);
	return n;
}

/* The largest number of such events that a task has. */
static unsigned most_in_tasks(const struct pmu_class *class, int cpu)
{
	unsigned most = 0;

	for (const struct pmu_task *t = pmu_shared.tasks; t; t = t->next) {
		unsigned n = open_in(&t->context, class, cpu);

		most = n > most ? n : most;
	}
	return most;
}

/* The largest number of such events that a CPU has. */
static unsigned most_on_cpus(const struct pmu_class *class, int cpu)
{
	unsigned most = 0;

	for (unsigned i = 0; i < pmu_ncpus(); i++) {
		unsigned n = open_in(&pmu_contexts[i], class, cpu);

		most = n > most ? n : most;
	}
	return most;
}

unsigned pmu_open_beside(const struct pmu_event *e, const struct pmu_class *class)
{
	return open_in(e->context, class, e->cpu) +
	       (e->context->task ? most_on_cpus(class, e->cpu) : most_in_tasks(class, e->cpu));
}

static int classify_event(struct pmu_event *e, struct reason *why)
{
	const struct pmu_kind *kind = pmu_kind_of(e->attr.type);

	if (!kind)
		return refuse(why, ENOENT, "there is no event type %u", e->attr.type);
	if (kind->exact)
		e->attr.precise_ip = 0;
	return kind->init(e, why);
}

bool pmu_context_has_room(const struct pmu_context *context)
{
	return context->nevents < PMU_MAX_EVENTS;
}

/* Checks the room of the target, and a leader without siblings. */
static int check_group_room(const struct pmu_event *e, const struct pmu_event *leader,
			    struct reason *why)
{
	if (!pmu_context_has_room(e->context))
		return refuse(why, EMFILE,
			      "%d events are open for this target, more there cannot be",
			      PMU_MAX_EVENTS);
	return leader ? 0 : pmu_group_check(e, NULL, why);
}

static int check_group_leader(const struct pmu_event *e, const struct pmu_event *leader,
			      struct reason *why)
{
	int err = pmu_precise_check_group(e, leader, why);

	if (!err)
		err = pmu_metric_check_group(e, leader, why);
	if (err || !leader)
		return err;
	if (!leader->context || leader->leader != leader)
		return refuse(why, EINVAL, "the group leader is not the leader of a group");
	if (leader->family.ancestor)
		return refuse(why, EINVAL, "the group leader was inherited");
	if (leader->context != e->context || leader->cpu != e->cpu || leader->set != e->set)
		return refuse(why, EINVAL, "the events of a group must all have the same target");
	if (e->attr.remove_on_exec != leader->attr.remove_on_exec)
		return refuse(why, EINVAL, "remove_on_exec must be that of the group's leader");
	pmu_for_each (m, (struct pmu_event *)leader)
		if (m->uarch && e->uarch && m->uarch != e->uarch)
			return refuse(why, EINVAL,
				      "the events of a group must be of one kind of cores");
	if (e->attr.pinned)
		return refuse(why, EINVAL, "only the leader of a group can be pinned");
	if (e->attr.exclusive)
		return refuse(why, EINVAL, "only the leader of a group can be exclusive");
	return pmu_group_check(leader, e, why);
}

/* Appends the event: groups and siblings keep the order of opening. */
static void insert_event(struct pmu_event *e, struct pmu_event *leader)
{
	struct pmu_event **at = leader ? &leader->next_sibling : &e->context->leaders;

	while (*at)
		at = leader ? &(*at)->next_sibling : &(*at)->next_leader;
	*at = e;
}

/* True where it counts for some tasks only, or on some CPUs only. */
static bool is_bound(const struct pmu_event *e)
{
	return e->set || (e->context->task && e->cpu >= 0) || (e->uarch && pmu_shared.hybrid);
}

/* Adjusts the context's numbers of events; `one` is 1 for a new event, -1 for a removed one. */
static void account_event(struct pmu_context *context, const struct pmu_event *e, unsigned one)
{
	context->nevents += one;
	context->nsoftware += e->class->hardware ? 0 : one;
	context->nbound += is_bound(e) ? one : 0;
	context->nswitch += e->attr.context_switch ? one : 0;
	context->frequencies += e->rate.interval ? one : 0;
}

/* Appends the event, in the order of opening. */
void pmu_event_link(struct pmu_event *e, struct pmu_event *leader)
{
	e->leader = leader ? leader : e;
	account_event(e->context, e, 1);
	insert_event(e, leader);
	pmu_schedule_link(e);
	if (e->class->opened)
		e->class->opened(e);
}

/* An event that is being opened. */
struct opening {
	struct pmu_event *e; /* in no list yet */
	struct pmu_event *leader;
	struct pmu_event *output;
	struct reason *why;
	int err;
};

/* Finds the kind and the sample rate of the event, by the PMU of this CPU. */
static void classify_opened(void *arg)
{
	struct opening *o = arg;
	struct pmu_event *e = o->e;

	o->err = pmu_rate_check(&e->attr, o->why);
	if (!o->err)
		o->err = classify_event(e, o->why);
	if (!o->err)
		o->err = pmu_check_fields(e, o->why);
	if (!o->err)
		pmu_rate_open(e);
}

static void link_opened(const struct opening *o)
{
	struct pmu_event *e = o->e;
	uint64_t irq = pmu_begin_change();

	e->times.stamp = pmu.now;
	pmu_event_link(e, o->leader);
	if (e->context->active && e->state == PMU_STATE_INACTIVE)
		pmu_schedule();
	pmu_end_change(irq);
}

/* Runs where the context is active. */
static void join_context(void *arg)
{
	struct opening *o = arg;

	o->err = check_group_room(o->e, o->leader, o->why);
	if (!o->err)
		o->err = check_group_leader(o->e, o->leader, o->why);
	if (!o->err)
		link_opened(o);
}

/*
 * The CPU whose PMU defines a task's event: this one or, if its core type is wrong, the first one
 * of the right type. On a hybrid, an event without a core type is for the large cores.
 */
static int cpu_that_knows(const struct perf_event_attr *attr, struct reason *why)
{
	uint8_t core = kinds_of(attr);

	if (!pmu_shared.hybrid || !kinds_is_core(attr))
		return (int)pmu.number;
	if (!core)
		core = UARCH_CORE;
	if (pmu_contexts[pmu.number].core == core)
		return (int)pmu.number;
	for (unsigned cpu = 0; cpu < pmu_ncpus(); cpu++)
		if (pmu_contexts[cpu].core == core)
			return (int)cpu;
	return refuse(why, ENOENT, "no CPU of this machine is a %s",
		      core == UARCH_ATOM ? "cpu_atom" : "cpu_core");
}

/* The event has its attr. */
static int prepare_event(struct opening *o, const struct target *t)
{
	struct pmu_event *e = o->e;
	int err = pmu_check_support(&e->attr, o->why), cpu;

	e->context = t->context;
	e->cpu = t->cpu;
	e->set = t->set;
	if (err)
		return err;
	cpu = t->cpu < 0 ? cpu_that_knows(&e->attr, o->why) : t->cpu;
	if (cpu < 0)
		return cpu;
	if (t->cpu < 0 && cpu == (int)pmu.number)
		classify_opened(o);
	else
		pmu_call((unsigned)cpu, classify_opened, o);
	return o->err;
}

/* Sets the event's id, first state and output. */
static int complete_event(struct opening *o)
{
	struct pmu_event *e = o->e;

	e->id = e->stream_id = ++pmu_shared.next_id;
	e->state = e->attr.disabled ? PMU_STATE_OFF : PMU_STATE_INACTIVE;
	e->reads_plainly = e->class == &pmu_hardware_class && !e->attr.read_format && !e->pebs;
	pmu_output_init(e);
	e->out.rb = o->output ? o->output->out.rb : NULL;
	pmu_output_plan(e);
	return o->output ? pmu_check_redirect(e, o->output, o->why) : 0;
}

/* Makes the event step by step in the caller's storage, and links it at last. */
static int open_step_by_step(struct opening *o, const struct perf_event_attr *attr, int task,
			     int cpu, unsigned long flags)
{
	struct target target;
	int err = check_opening(&o->e->attr, attr, task, cpu, flags, o->why);

	if (!err && o->output)
		err = pmu_check_output(o->output, o->why);
	if (!err)
		err = find_target(task, cpu, flags, &target, o->why);
	if (!err)
		err = prepare_event(o, &target);
	if (!err)
		err = complete_event(o);
	if (err)
		return err;
	pmu_in_context(target.context, join_context, o);
	return o->err;
}

int pmu_open_within(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		    struct pmu_event *group_leader, unsigned long flags, struct reason *why)
{
	struct opening o = {.e = e, .why = why};
	int err;

	if (flags & PERF_FLAG_FD_OUTPUT)
		o.output = group_leader;
	if (!(flags & PERF_FLAG_FD_NO_GROUP))
		o.leader = group_leader;
	*e = (struct pmu_event){.context = NULL};
	err = open_step_by_step(&o, attr, task, cpu, flags);
	if (err)
		e->context = NULL;
	return err;
}

int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct reason *why)
{
	int err;

	pmu_operation_begin();
	err = pmu_open_within(e, attr, task, cpu, group_leader, flags, why);
	pmu_operation_end();
	return err;
}

static void unlink_leader(struct pmu_event *e)
{
	struct pmu_event **at = &e->context->leaders;

	while (*at != e)
		at = &(*at)->next_leader;
	*at = e->next_leader;
	e->next_leader = NULL;
}

static void unlink_sibling(struct pmu_event *e)
{
	struct pmu_event *before = e->leader;

	while (before->next_sibling != e)
		before = before->next_sibling;
	before->next_sibling = e->next_sibling;
}

/*
 * A reader without the turn finds the event in the old or the new context: see pmu_reads_alone().
 */
static void set_context(struct pmu_event *e, struct pmu_context *context)
{
	__atomic_store_n(&e->context, context, __ATOMIC_RELEASE);
}

/* An event that counts only with its leader goes into the error state for good. */
static void fail_follower(struct pmu_event *e)
{
	pmu_stop(e);
	pmu_times_update(e, pmu.now);
	e->state = PMU_STATE_ERROR;
	e->context->shape = 0;
}

/* Former siblings become leaders. */
static void break_up(struct pmu_event *leader)
{
	struct pmu_event *e = leader->next_sibling, *next;

	for (; e; e = next) {
		next = e->next_sibling;
		if (e->class->follows)
			fail_follower(e);
		e->next_sibling = NULL;
		e->leader = e;
		insert_event(e, NULL);
		pmu_schedule_regroup(e);
	}
}

void pmu_event_unlink(struct pmu_event *e)
{
	pmu_group_times_update(e->leader);
	pmu_stop(e);
	if (e->class->closed)
		e->class->closed(e);
	pmu_rate_forget(e);
	account_event(e->context, e, -1u);
	pmu_schedule_unlink(e);
	if (e->leader == e) {
		unlink_leader(e);
		break_up(e);
	} else {
		unlink_sibling(e);
	}
	set_context(e, NULL);
	e->leader = e;
	e->next_sibling = NULL;
}

static void move_event(struct pmu_event *e, struct pmu_context *to)
{
	struct pmu_context *from = e->context;
	struct perf_event_mmap_page *page = e->page;

	pmu_page_unlist(e);
	account_event(from, e, -1u);
	from->throttled -= e->rate.throttled;
	set_context(e, to);
	to->throttled += e->rate.throttled;
	account_event(to, e, 1);
	if (page)
		pmu_page_list(e);
}

void pmu_group_move(struct pmu_event *leader, struct pmu_context *to)
{
	struct pmu_context *from = leader->context;

	unlink_leader(leader);
	pmu_tick_remove(&from->tick, &leader->group);
	pmu_for_each (e, leader)
		move_event(e, to);
	insert_event(leader, NULL);
	pmu_tick_insert(&to->tick, &leader->group);
}

/*
 * The siblings become leaders before the children are closed: pmu_reads_alone() looks at the
 * children of an event's leader, which must stay while it leads siblings.
 */
void pmu_close_within(struct pmu_event *e)
{
	if (!e->context)
		return;
	pmu_unpage_within(e);
	pmu_change(e, pmu_event_unlink, false);
	while (e->family.children)
		pmu_event_disown(e->family.children);
}

void pmu_event_close(struct pmu_event *e)
{
	pmu_operation_begin();
	pmu_close_within(e);
	pmu_operation_end();
}
