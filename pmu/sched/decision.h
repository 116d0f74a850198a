/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decision.h - one decision of tick.h while it is made: what all of pmu/sched/tick.c, the two
 * policies (policy_perf.c, policy_fair.c) and first_counter.c know of it. For these alone.
 *
 * Here are the small steps that each slice takes for each group; they are inline, as the cost of a
 * slice is mostly theirs.
 */
#ifndef PMU_SCHED_DECISION_H
#define PMU_SCHED_DECISION_H

#include "pmu/sched/placing.h"
#include "pmu/sched/tick.h"

#include <stddef.h>

/* What policy perf keeps beside: policy_perf.c's. */
struct pmu_greedy {
	unsigned plain_room; /* how many there may be for plain groups to be taken as such */
	bool first_counters; /* so far each event has its own first counter, or can have it */
	uint64_t unclaimed;  /* counters that are the first one of none of them */
	unsigned alike; /* the first events, plain and alike, that `placing` does not have yet */
	bool placed;    /* `placing` has begun */
	struct pmu_placing placing;
	struct pmu_constraint narrowed[PMU_COUNTERS]; /* of events that cannot use all of theirs */
};

/* The hardware events that are to count, in the order of acceptance. */
struct pmu_decision {
	uint64_t counters; /* that are open to any event at present */
	unsigned n;
	bool special; /* one of them is of a group that is not plain */
	bool corrupting;
	bool pairs;
	struct pmu_tick_event *events[PMU_COUNTERS]; /* NULL: the upper counter of the one before */
	uint8_t reg[PMU_COUNTERS];                   /* the register beside its counter, if any */
	struct pmu_extras extras;                    /* these, and others' */
	const struct pmu_tick_group *exclusive;      /* that wants the PMU for itself, if any */
	struct pmu_greedy greedy;                    /* policy perf */
	struct pmu_match match;                      /* policy fair */
};

/* Those that run, the one of the CPU first. */
#define pmu_each_context(t, context)                        \
	for (unsigned i_ = 0; i_ < PMU_TICK_CONTEXTS; i_++) \
		for (struct pmu_tick_context *context = (t)->contexts[i_]; context; context = NULL)

/* pmu_common_counters() - those that are not closed to all events. */
static inline uint64_t pmu_common_counters(const struct pmu_tick *t)
{
	return t->counters & ~t->taken & ~t->sibling_corrupting;
}

/* pmu_closed_to() - counters that other events could have at present, but not this one. */
static inline uint64_t pmu_closed_to(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return (e->corrupting ? t->sibling_busy : 0) | (e->northbridge ? t->node_busy : 0) |
	       (e->pair ? ~(pmu_common_counters(t) >> 1) : 0);
}

/* pmu_open_counters() - where the event can go at present. */
static inline uint64_t pmu_open_counters(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return e->constraint.counters & pmu_common_counters(t) & ~pmu_closed_to(t, e);
}

/* pmu_general_max() - how many general counters may be in use, with a corrupting event or without.
 */
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

/* pmu_group_is_up() - it has a say in the present decision; else `wait` says why not. */
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

/* pmu_group_is_excluded() - it, or one that counts already, wants to be alone; `wait` says so. */
static inline bool pmu_group_is_excluded(const struct pmu_decision *d, struct pmu_tick_group *g)
{
	if (!d->exclusive && !(g->exclusive && d->n))
		return false;
	g->wait = PMU_WAIT_EXCLUSIVE;
	g->blocker = d->exclusive;
	return true;
}

/* pmu_fail_pinned() - one of the pinned groups has to wait: those that do are out from now on. */
static inline void pmu_fail_pinned(struct pmu_tick *t, struct pmu_tick_group *head)
{
	t->failed = true;
	pmu_tick_each (g, head) {
		g->error |= g->wait >= PMU_WAIT_ROOM;
		g->turns &= !g->error;
		g->plain &= !g->error;
	}
}

/* pmu_publish_begin() - the counters in use are `used`; no event has one of them yet. */
static inline void pmu_publish_begin(struct pmu_tick *t, uint64_t used)
{
	for (unsigned i = 0; i < t->n; i++)
		t->running[i]->counter = PMU_NO_COUNTER;
	t->n = 0;
	t->used = used;
	t->upper = t->corrupted = t->northbridge = 0;
	t->extras.held = 0;
}

/* pmu_publish() - event i counts on index[i]; together they use `used`. */
void pmu_publish(struct pmu_tick *t, const struct pmu_decision *d, const uint8_t *index,
		 uint64_t used);

/* pmu_publish_first_counters() - the same when all events are plain, and each has its own first
 * counter. Policy perf. */
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

/*
 * pmu_take_first_counters() - whether each event that had a counter before can have its first one
 * again, and the others, new ones, one of those that are left; then `index` and `used` are what
 * they come to. False also where all are new. Policy perf, after placing; first_counter.c.
 */
bool pmu_take_first_counters(const struct pmu_decision *d, uint8_t *index, uint64_t *used);

/* pmu_fits_perf(), pmu_fits_fair() - pmu_tick_fits() of each policy; `t` is idle. */
bool pmu_fits_perf(const struct pmu_tick *t, const struct pmu_tick_group *g);
bool pmu_fits_fair(const struct pmu_tick *t, const struct pmu_tick_group *g);

#endif
