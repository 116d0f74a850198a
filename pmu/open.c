// SPDX-License-Identifier: BSD-2-Clause
/* open.c - opening and closing events: checks first, then one change of the lists. */
#include "pmu/core.h"

#include "lib/string.h"
#include "pmu/dynamic.h"
#include "pmu/meter.h"
#include "pmu/rate.h"
#include "pmu/reason.h"
#include "pmu/soft/soft.h"
#include "pmu/x86/ibs.h"

#include <linux/errno.h>

#define KNOWN_FLAGS \
	(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

struct target {
	struct pmu_context *context;
	int cpu;
	uint32_t set;
};

static int find_cpu(int cpu, struct pmu_reason *why)
{
	if (cpu < -1 || (cpu >= 0 && (uint32_t)cpu != pmu.host->current->cpu))
		return pmu_refuse(why, ENODEV, "there is no CPU %d", cpu);
	return 0;
}

static int find_set(int set, int cpu, struct target *t, struct pmu_reason *why)
{
	if (set <= 0 || cpu < 0)
		return pmu_refuse(why, EINVAL,
				  "an event for a set of tasks needs the set's number and a CPU");
	*t = (struct target){.context = pmu.cpu, .cpu = cpu, .set = (uint32_t)set};
	return find_cpu(cpu, why);
}

/* The target matrix of perf_event_open(2). */
static int find_target(int task, int cpu, unsigned long flags, struct target *t,
		       struct pmu_reason *why)
{
	struct pmu_task *found;

	if (flags & PERF_FLAG_PID_CGROUP)
		return find_set(task, cpu, t, why);
	if (task == -1 && cpu == -1)
		return pmu_refuse(why, EINVAL, "an event needs a task, a CPU, or both");
	*t = (struct target){.context = pmu.cpu, .cpu = cpu};
	if (task == -1)
		return find_cpu(cpu, why);
	found = pmu_task_find(task);
	if (!found && !task)
		return pmu_refuse(why, ESRCH, "no task runs that task 0 could mean");
	if (!found)
		return pmu_refuse(why, ESRCH, "there is no task %d", task);
	t->context = &found->context;
	return find_cpu(cpu, why);
}

static unsigned open_in(const struct pmu_context *context, const struct pmu_class *class)
{
	unsigned n = 0;

	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			n += e->class == class;
	return n;
}

unsigned pmu_open_beside(const struct pmu_context *context, const struct pmu_class *class)
{
	unsigned most = 0;

	if (context != pmu.cpu)
		return open_in(pmu.cpu, class) + open_in(context, class);
	for (const struct pmu_task *t = pmu_shared.tasks; t; t = t->next) {
		unsigned n = open_in(&t->context, class);

		most = n > most ? n : most;
	}
	return open_in(pmu.cpu, class) + most;
}

static int classify(struct pmu_event *e, struct pmu_reason *why)
{
	if (e->attr.precise_ip &&
	    (e->attr.type == PERF_TYPE_SOFTWARE || e->attr.type == PERF_TYPE_BREAKPOINT))
		return pmu_refuse(
			why, EOPNOTSUPP,
			"only an event that a counter counts can be precise (modifier p)");
	switch (e->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		e->class = &pmu_hardware_class;
		return pmu_hardware_init(e, why);
	case PERF_TYPE_SOFTWARE:
		return pmu_soft_init(e, why);
	case PERF_TYPE_BREAKPOINT:
		return pmu_breakpoint_init(e, why);
	case PMU_TYPE_STEP_TRACE:
		return pmu_step_trace_init(e, why);
	case PERF_TYPE_TRACEPOINT:
		return pmu_tracepoint_init(e, why);
	case PMU_TYPE_IBS_FETCH:
	case PMU_TYPE_IBS_OP:
		return pmu_ibs_init(e, why);
	case PMU_TYPE_MSR:
		return pmu_msr_init(e, why);
	case PMU_TYPE_POWER:
		return pmu_rapl_init(e, why);
	case PMU_TYPE_AMD_DF:
	case PMU_TYPE_AMD_L3:
	case PMU_TYPE_UNCORE_UBOX:
	case PMU_TYPE_UNCORE_CHA_0 ... PMU_TYPE_UNCORE_CHA_0 + PMU_UNCORE_CHAS - 1:
		return pmu_uncore_init(e, why);
	default:
		return pmu_refuse(why, ENOENT, "there is no event type %u", e->attr.type);
	}
}

/* Alone, and where it is to be. */
static int check_room(const struct pmu_event *e, const struct pmu_event *leader,
		      struct pmu_reason *why)
{
	if (!pmu_schedule_room())
		return pmu_refuse(why, EMFILE, "%d events are open, more there cannot be",
				  PMU_MAX_EVENTS);
	return leader ? 0 : pmu_group_check(e, NULL, why);
}

static int check_group(const struct pmu_event *e, const struct pmu_event *leader,
		       struct pmu_reason *why)
{
	if (!leader)
		return 0;
	if (!leader->context || leader->leader != leader)
		return pmu_refuse(why, EINVAL, "the group leader is not the leader of a group");
	if (leader->ancestor)
		return pmu_refuse(why, EINVAL, "the group leader was inherited");
	if (leader->context != e->context || leader->cpu != e->cpu || leader->set != e->set)
		return pmu_refuse(why, EINVAL,
				  "the events of a group must all have the same target");
	if (e->attr.pinned)
		return pmu_refuse(why, EINVAL, "only the leader of a group can be pinned");
	if (e->attr.exclusive)
		return pmu_refuse(why, EINVAL, "only the leader of a group can be exclusive");
	return pmu_group_check(leader, e, why);
}

/* At the end: groups and siblings keep the order in which they were opened. */
static void insert(struct pmu_event *e, struct pmu_event *leader)
{
	struct pmu_event **at = leader ? &leader->next_sibling : &e->context->leaders;

	while (*at)
		at = leader ? &(*at)->next_sibling : &(*at)->next_leader;
	*at = e;
}

static int prepare(struct pmu_event *e, const struct perf_event_attr *attr,
		   const struct target *target, struct pmu_event *leader, struct pmu_reason *why)
{
	int err = pmu_copy_attr(&e->attr, attr, why);

	e->context = target->context;
	e->cpu = target->cpu;
	e->set = target->set;
	if (!err)
		err = pmu_check_attr(&e->attr, why);
	if (!err)
		err = pmu_rate_check(&e->attr, why);
	if (!err)
		err = classify(e, why);
	if (!err)
		err = pmu_check_fields(e, why);
	if (!err)
		err = check_room(e, leader, why);
	if (!err)
		err = check_group(e, leader, why);
	return err;
}

/* In the order of opening: behind what is there. */
void pmu_event_link(struct pmu_event *e, struct pmu_event *leader)
{
	e->leader = leader ? leader : e;
	pmu.rate.frequencies += e->interval != 0;
	insert(e, leader);
	pmu_schedule_link(e);
	if (e->class->opened)
		e->class->opened(e);
}

static void finish(struct pmu_event *e, const struct pmu_event *made, struct pmu_event *leader)
{
	uint64_t irq = pmu_begin_change();

	*e = *made;
	e->stamp = pmu.now;
	pmu_event_link(e, leader);
	if (e->context->active && e->state == PMU_STATE_INACTIVE)
		pmu_schedule();
	pmu_end_change(irq);
}

int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct pmu_reason *why)
{
	struct pmu_event made = {.id = 0}, *output = NULL;
	struct target target = {.cpu = cpu};
	int err;

	if (flags & ~(unsigned long)KNOWN_FLAGS)
		return pmu_refuse(why, EINVAL, "flags 0x%lx are not supported", flags);
	if (flags & PERF_FLAG_FD_OUTPUT)
		output = group_leader;
	if (flags & PERF_FLAG_FD_NO_GROUP)
		group_leader = NULL;
	err = output ? pmu_check_output(output, why) : 0;
	if (!err)
		err = find_target(task, cpu, flags, &target, why);
	if (!err)
		err = prepare(&made, attr, &target, group_leader, why);
	if (err)
		return err;
	made.id = made.stream_id = ++pmu_shared.next_id;
	made.state = made.attr.disabled ? PMU_STATE_OFF : PMU_STATE_INACTIVE;
	pmu_rate_open(&made);
	pmu_output_init(&made);
	made.rb = output ? output->rb : NULL;
	pmu_output_plan(&made);
	if (output)
		err = pmu_check_redirect(&made, output, why);
	if (err)
		return err;
	finish(e, &made, group_leader);
	return 0;
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

/* Former siblings go on by themselves. */
static void break_up(struct pmu_event *leader)
{
	struct pmu_event *e = leader->next_sibling, *next;

	for (; e; e = next) {
		next = e->next_sibling;
		e->next_sibling = NULL;
		e->leader = e;
		insert(e, NULL);
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
	pmu_schedule_unlink(e);
	if (e->leader == e) {
		unlink_leader(e);
		break_up(e);
	} else {
		unlink_sibling(e);
	}
	e->context = NULL;
	e->leader = e;
	e->next_sibling = NULL;
}

void pmu_group_move(struct pmu_event *leader, struct pmu_context *to)
{
	struct pmu_context *from = leader->context;

	unlink_leader(leader);
	pmu_tick_remove(&from->tick, &leader->group);
	pmu_for_each (e, leader) {
		from->nsoftware -= !e->class->hardware;
		to->nsoftware += !e->class->hardware;
		e->context = to;
	}
	insert(leader, NULL);
	pmu_tick_insert(&to->tick, &leader->group);
}

void pmu_event_close(struct pmu_event *e)
{
	uint64_t irq;

	if (!e->context)
		return;
	pmu_event_set_page(e, NULL);
	irq = pmu_begin_change();
	while (e->children)
		pmu_event_disown(e->children);
	pmu_event_unlink(e);
	pmu_end_change(irq);
}
