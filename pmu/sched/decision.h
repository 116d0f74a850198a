/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decision.h - the state of one decision of tick.h while it is made. Private to pmu/sched/tick.c,
 * the two policies (policy_perf.c, policy_fair.c) and first_counter.c.
 *
 * The small steps that each slice takes for each group are inline here, because they make up most
 * of the cost of a slice.
 */
#ifndef PMU_SCHED_DECISION_H
#define PMU_SCHED_DECISION_H

#include "pmu/sched/placing.h"
#include "pmu/sched/tick.h"

#include <stddef.h>

/* Additional state of policy perf, for policy_perf.c. */
struct pmu_greedy {
	unsigned plain_room; /* limit on the number of groups that are accepted as plain ones */
	bool first_counters; /* so far each event has its own first counter, or can get it */
	uint64_t unclaimed;  /* counters that are the first counter of none of these events */
	unsigned alike; /* number of plain, equal events at the start that `placing` does not have
			   yet */
	bool placed;    /* `placing` is initialized */
	struct pmu_placing placing;
	struct pmu_constraint narrowed[PMU_COUNTERS]; /* constraints of events that cannot use all
							 of their counters */
};

/* The hardware events that will count, in the order of acceptance. */
struct pmu_decision {
	uint64_t counters; /* counters that are open to all events at present */
	unsigned n;
	bool special; /* an event belongs to a group that is not plain */
	bool corrupting;
	bool pairs;
	struct pmu_tick_event
		*events[PMU_COUNTERS];          /* NULL: the upper counter of the event before */
	uint8_t reg[PMU_COUNTERS];              /* the register of each event beside its counter */
	struct pmu_extras extras;               /* registers of these and of other events */
	const struct pmu_tick_group *exclusive; /* a group that uses the PMU alone; NULL: none */
	struct pmu_greedy greedy;               /* policy perf */
	struct pmu_match match;                 /* policy fair */
};

/* Iterates over the contexts that run, that of the CPU first. */
#define pmu_each_context(t, context)                        \
	for (unsigned i_ = 0; i_ < PMU_TICK_CONTEXTS; i_++) \
		for (struct pmu_tick_context *context = (t)->contexts[i_]; context; context = NULL)

/* pmu_common_counters() - the counters that are not closed to all events. */
static inline uint64_t pmu_common_counters(const struct pmu_tick *t)
{
	return t->counters & ~t->taken & ~t->sibling_corrupting;
}

/* pmu_closed_to() - the counters that are open to others at present, but not to this event. */
static inline uint64_t pmu_closed_to(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return (e->corrupting ? t->sibling_busy : 0) | (e->northbridge ? t->node_busy : 0) |
	       (e->pair ? ~(pmu_common_counters(t) >> 1) : 0);
}

/* pmu_open_counters() - the counters that the event can use at present. */
static inline uint64_t pmu_open_counters(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return e->constraint.counters & pmu_common_counters(t) & ~pmu_closed_to(t, e);
}

/* pmu_general_max() - the limit on general counters in use, with or without a corrupting event. */
static inline uint8_t pmu_general_max(const struct pmu_limits *l, bool corrupting)
{
	return corrupting && l->general_corrupting < l->general ? l->general_corrupting
								: l->general;
}

static inline void pmu_decision_begin(const struct pmu_tick *t, struct pmu_decision *d)
{
	d->counters = pmu_common_counters(t);
	d->n = 0;
	d->corrupting = d->pairs = false;
	d->exclusive = NULL;
}

/*
 * pmu_group_is_up() - true where the group takes part in the present decision; else `wait` has the
 * reason.
 */
static inline bool pmu_group_is_up(struct pmu_tick_group *g)
{
	if (!g->enabled)
		g->wait = PMU_WAIT_OFF;
	else if (g->error)
		g->wait = PMU_WAIT_ERROR;
	else if (g->asleep)
		g->wait = PMU_WAIT_ASLEEP;
	else
		return true;
	return false;
}

/*
 * pmu_group_is_excluded() - true where it, or a group that counts already, is exclusive; sets
 * `wait`.
 */
static inline bool pmu_group_is_excluded(const struct pmu_decision *d, struct pmu_tick_group *g)
{
	if (!d->exclusive && !(g->exclusive && d->n))
		return false;
	g->wait = PMU_WAIT_EXCLUSIVE;
	g->blocker = d->exclusive;
	return true;
}

/*
 * pmu_fail_pinned() - a pinned group has to wait: all pinned groups that wait go into the error
 * state.
 */
static inline void pmu_fail_pinned(struct pmu_tick *t, struct pmu_tick_group *head)
{
	t->failed = true;
	pmu_tick_each (g, head) {
		g->error |= g->wait >= PMU_WAIT_ROOM;
		g->turns &= !g->error;
		g->plain &= !g->error;
	}
}

/* pmu_publish_begin() - starts publishing: `used` counters are in use, and no event has one yet. */
static inline void pmu_publish_begin(struct pmu_tick *t, uint64_t used)
{
	for (unsigned i = 0; i < t->n; i++)
		t->running[i]->counter = PMU_NO_COUNTER;
	t->n = 0;
	t->used = used;
	t->upper = t->corrupted = t->northbridge = 0;
	t->extras.held = 0;
}

/* pmu_publish() - event i counts on index[i]; together the events use `used`. */
void pmu_publish(struct pmu_tick *t, const struct pmu_decision *d, const uint8_t *index,
		 uint64_t used);

/*
 * pmu_publish_first_counters() - the same where all events are plain, and each gets its own first
 * counter. Policy perf.
 */
static inline void pmu_publish_first_counters(struct pmu_tick *t, const struct pmu_decision *d)
{
	const unsigned n = d->n;

	pmu_publish_begin(t, ~d->greedy.unclaimed);
	for (unsigned i = 0; i < n; i++) {
		struct pmu_tick_event *e = d->events[i];

		t->running[i] = e;
		e->counter = (uint8_t)(e->first_counter - 1);
	}
	t->n = n;
}

/* pmu_turn_begin() - a decision of policy perf was made: equal groups may take turns from here on.
 */
void pmu_turn_begin(struct pmu_tick *t);

/*
 * pmu_take_first_counters() - tries to give each event that had a counter its first one again, and
 * each new event one of the others. On success returns true and sets `index` and `used`. False also
 * where all events are new. Policy perf, after placing; first_counter.c.
 */
bool pmu_take_first_counters(const struct pmu_decision *d, uint8_t *index, uint64_t *used);

/* pmu_fits_perf(), pmu_fits_fair() - pmu_tick_fits() of each policy; `t` is idle. */
bool pmu_fits_perf(const struct pmu_tick *t, const struct pmu_tick_group *g);
bool pmu_fits_fair(const struct pmu_tick *t, const struct pmu_tick_group *g);

#endif
