// SPDX-License-Identifier: BSD-2-Clause
/* open.c - opening and closing events: checks first, then one change of the lists. */
#include "pmu/core.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "pmu/reason.h"
#include "pmu/soft/soft.h"

#include <linux/errno.h>

#define KNOWN_FLAGS (PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_CLOEXEC)

static int copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		     struct pmu_reason *why)
{
	uint32_t size = from->size ? from->size : PERF_ATTR_SIZE_VER0;

	if (size < PERF_ATTR_SIZE_VER0 || size > sizeof(*to))
		return pmu_refuse(why, E2BIG, "attr.size %u is not between %u and %zu", size,
				  PERF_ATTR_SIZE_VER0, sizeof(*to));
	memset(to, 0, sizeof(*to));
	memcpy(to, from, size);
	to->size = sizeof(*to);
	return 0;
}

/* The target matrix: a task, a CPU, or the task on that CPU; there is one of each. */
static int find_context(int task, int cpu, struct pmu_context **context, struct pmu_reason *why)
{
	if (task == -1 && cpu == -1)
		return pmu_refuse(why, EINVAL, "an event needs a task, a CPU, or both");
	if (cpu < -1 || (cpu > 0 && (uint32_t)cpu != pmu.host->current_cpu()))
		return pmu_refuse(why, ENODEV, "there is no CPU %d", cpu);
	if (task < -1 || task > PMU_TASK)
		return pmu_refuse(why, ESRCH, "there is no task %d", task);
	*context = task == -1 ? &pmu.cpu : &pmu.task;
	return 0;
}

static int classify(struct pmu_event *e, struct pmu_reason *why)
{
	switch (e->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		e->class = &pmu_hardware_class;
		return pmu_hardware_init(e, why);
	case PERF_TYPE_SOFTWARE:
		return pmu_soft_init(e, why);
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
	if (!leader && !pmu_group_fits(e, NULL))
		return pmu_refuse(why, EINVAL,
				  "none of the counters that it could use, 0x%llx, is "
				  "available",
				  (unsigned long long)e->constraint.counters);
	return 0;
}

static int check_group(const struct pmu_event *e, const struct pmu_event *leader,
		       struct pmu_reason *why)
{
	if (!leader)
		return 0;
	if (!leader->context || leader->leader != leader)
		return pmu_refuse(why, EINVAL, "the group leader is not the leader of a group");
	if (leader->context != e->context)
		return pmu_refuse(why, EINVAL,
				  "the events of a group must all have the same target");
	if (e->attr.pinned)
		return pmu_refuse(why, EINVAL, "only the leader of a group can be pinned");
	if (e->attr.exclusive)
		return pmu_refuse(why, EINVAL, "only the leader of a group can be exclusive");
	if (!pmu_group_fits(leader, e))
		return pmu_refuse(why, EINVAL,
				  "the group has no counter left for it: it could use counters "
				  "0x%llx, and the events before it need those",
				  (unsigned long long)e->constraint.counters);
	return 0;
}

/* At the end: groups and siblings keep the order in which they were opened. */
static void insert(struct pmu_event *e, struct pmu_event *leader)
{
	struct pmu_event **at = leader ? &leader->next_sibling : &e->context->leaders;

	while (*at)
		at = leader ? &(*at)->next_sibling : &(*at)->next_leader;
	*at = e;
}

static int prepare(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *leader, struct pmu_reason *why)
{
	int err = copy_attr(&e->attr, attr, why);

	if (!err)
		err = pmu_check_attr(&e->attr, why);
	if (!err)
		err = find_context(task, cpu, &e->context, why);
	if (!err)
		err = classify(e, why);
	if (!err)
		err = check_room(e, leader, why);
	if (!err)
		err = check_group(e, leader, why);
	return err;
}

int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct pmu_reason *why)
{
	struct pmu_event made = {.id = 0};
	uint64_t irq;
	int err;

	if (flags & ~(unsigned long)KNOWN_FLAGS)
		return pmu_refuse(why, EINVAL, "flags 0x%lx are not supported", flags);
	if (flags & PERF_FLAG_FD_NO_GROUP)
		group_leader = NULL;
	err = prepare(&made, attr, task, cpu, group_leader, why);
	if (err)
		return err;
	made.id = ++pmu.next_id;
	made.state = made.attr.disabled ? PMU_STATE_OFF : PMU_STATE_INACTIVE;
	made.period = made.attr.sample_period;
	made.left = (int64_t)(made.period ? made.period : pmu.hw.max_period);
	made.stamp = pmu_time();
	pmu_output_init(&made);

	irq = irq_save();
	*e = made;
	e->leader = group_leader ? group_leader : e;
	insert(e, group_leader);
	pmu_schedule_link(e);
	if (e->context->active && e->state == PMU_STATE_INACTIVE) {
		pmu_pause();
		pmu_schedule();
		pmu_resume();
	}
	irq_restore(irq);
	return 0;
}

static void unlink_leader(struct pmu_event *e)
{
	struct pmu_event **at = &e->context->leaders;

	while (*at != e)
		at = &(*at)->next_leader;
	*at = e->next_leader;
}

static void unlink_sibling(struct pmu_event *e)
{
	struct pmu_event *before = e->leader;

	while (before->next_sibling != e)
		before = before->next_sibling;
	before->next_sibling = e->next_sibling;
}

/* Former siblings keep their state, and their counters, and go on by themselves. */
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

void pmu_event_close(struct pmu_event *e)
{
	uint64_t irq;

	if (!e->context)
		return;
	irq = irq_save();
	pmu_pause();
	pmu_for_each (m, e->leader)
		pmu_times_update(m, pmu.now);
	pmu_stop(e);
	if (e->leader == e) {
		unlink_leader(e);
		break_up(e);
	} else {
		unlink_sibling(e);
	}
	e->context = NULL;
	pmu_schedule_unlink(e);
	pmu_resume();
	irq_restore(irq);
}
