/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tick.h - one scheduling decision: which groups count now, each event on which counter, and what
 * the others wait for. The one function that the image, the planner and the tests run.
 *
 * It touches no hardware, allocates nothing and keeps no state but what is marked "state" below,
 * which is the caller's. Any context; not reentrant on the same struct pmu_tick.
 *
 * Order: groups of the CPU before those of the task, pinned before flexible; within each, as they
 * stand in their list. A group counts whole or not at all. A group of software events alone is in
 * no other's way: it always counts, and has no turn. Where hardware events are among them,
 * whichever kind leads, the group is one of the hardware's.
 *   perf (policy_perf.c): the greedy assignment. After a group that does not fit, its list gets no
 *     further: the later groups with hardware events of the same context and kind wait (flexible)
 *     or fail (pinned). Each slice the last flexible group of a context in which a group waited
 *     goes to the head: of those with hardware events, and neither disabled, asleep nor in error.
 *     That alone decides which events count. On which counters, the past decides
 *     (first_counter.c): an event keeps the counter that it had first while all events that are to
 *     count can have theirs, and new ones get what is left; so from slice to slice only those move
 *     that come and go. Else all are where the greedy assignment has them.
 *   fair (policy_fair.c): exact assignment. A group that does not fit is skipped; flexible groups
 *     take turns so that the one that runs least runs as much as it can (see fair.h); no counter
 *     stays free that a waiting group could use.
 *
 * Cost, g groups with e events on c counters: perf O(g + a * c^2) for a groups accepted and one
 * refused in each list; fair O(g^2 + e * c^2), with the bounds of fair.h. Stack: 12 KB.
 */
#ifndef PMU_SCHED_TICK_H
#define PMU_SCHED_TICK_H

#include "pmu/sched/extra.h"
#include "pmu/sched/fair.h"
#include "pmu/sched/match.h"

#define PMU_TICK_EVENTS \
	256 /* hardware events of flexible groups that fair weighs against each other */
#define PMU_TICK_EXTRAS \
	128 /* registers that these need, of a group at most PMU_NEEDS * PMU_COUNTERS */

/* Why a group does not count. */
enum pmu_wait {
	PMU_RUNS,
	PMU_WAIT_OFF,     /* disabled */
	PMU_WAIT_ERROR,   /* pinned, and did not fit earlier: until it is enabled again */
	PMU_WAIT_ASLEEP,  /* its task does not run, or none of its set */
	PMU_WAIT_ROOM,    /* no counters that would do are free: pmu_tick_explain() has the cause */
	PMU_WAIT_BLOCKED, /* `blocker` of the same list did not fit */
	PMU_WAIT_EXCLUSIVE, /* it, or `blocker`, wants the PMU for itself */
};

struct pmu_tick_event {
	struct pmu_tick_event *next; /* of its group */
	const char *name;
	struct pmu_constraint constraint; /* hardware: as the model has it */
	bool hardware;
	bool enabled;              /* siblings; a leader counts as its group */
	bool corrupting;           /* by the HT erratum */
	bool northbridge;          /* one core of the node at a time on each counter */
	bool pair;                 /* takes the counter above its own as well */
	struct pmu_extra extra;    /* state: extra.reg, as `counter` */
	struct pmu_extra branches; /* the register that filters its branch records: one will do */
	uint8_t counter; /* state: of the last decision, then of this; PMU_NO_COUNTER when off */
	uint8_t first_counter; /* state: the one that it had first, plus 1; 0: it never had one */
};

struct pmu_tick_group {
	struct pmu_tick_group *prev, *next; /* in their list, a circle */
	struct pmu_tick_event *events;      /* leader first */
	uint8_t n;
	bool cpu; /* counts on the CPU, else in the task */
	bool pinned;
	bool exclusive;
	bool enabled;
	bool error;  /* state: the caller clears it when the group is enabled again */
	bool asleep; /* must not count now, whatever its context does */

	/* pmu_tick_group_update()'s. */
	uint8_t nhardware; /* counters for its hardware events that are to count when it does */
	bool hardware;     /* it has hardware events, enabled or not */
	bool corrupting;   /* one of those counters is for an event that is */
	bool extras;       /* one of them needs a register beside its counter */
	bool turns;        /* up, and has hardware events */
	bool plain;        /* up, and one event that needs nothing but one of its counters */

	/* State of policy fair. */
	uint64_t served;   /* slices it counted */
	uint32_t decision; /* the last one that it took part in */

	/* What came out. */
	uint8_t wait; /* enum pmu_wait */
	const struct pmu_tick_group *blocker;
};

/* The groups with one target; NULL: none. Circles, from the head on. */
struct pmu_tick_context {
	struct pmu_tick_group *pinned, *flexible;
	/* Came out: a flexible group waits, so that time slices are needed. Never of none. */
	bool multiplex;
};

enum { PMU_TICK_CPU, PMU_TICK_TASK, PMU_TICK_CONTEXTS };

struct pmu_tick {
	/* The PMU, as it is now. */
	uint64_t counters;           /* it has */
	uint64_t taken;              /* of these, lost to transactions or to the firmware */
	uint64_t borrowed;           /* of those, to the firmware */
	uint64_t sibling_corrupting; /* where the other hyper-thread has a corrupting event: no
					event may go */
	uint64_t sibling_busy;       /* where it has any: no corrupting event may go */
	uint64_t node_busy; /* where another core of the node has a northbridge event: no other one
			       may go */
	struct pmu_extras others; /* registers beside the counters that the other hyper-thread
				     has values in, where both share them */
	struct pmu_limits limits;
	uint8_t assign; /* enum pmu_assign_flag, of policy perf */

	struct pmu_tick_context *contexts[PMU_TICK_CONTEXTS]; /* NULL: it does not run */
	struct pmu_fair *fair; /* its state: policy fair; NULL: policy perf */
	uint32_t decision;     /* state of policy fair: their number */

	/* What came out. */
	uint64_t used;            /* counters */
	uint64_t upper;           /* of these, upper halves of pairs */
	uint64_t corrupted;       /* of these, with corrupting events */
	uint64_t northbridge;     /* and with northbridge events */
	struct pmu_extras extras; /* registers that the events that count need */
	bool failed;              /* a pinned group went into the error state */
	unsigned n;               /* hardware events that count */
	struct pmu_tick_event *running[PMU_COUNTERS]; /* these, in the order of acceptance */
};

/*
 * pmu_tick_append(), pmu_tick_unlink() - an event, as the last one of a group; out of it.
 * pmu_tick_insert(), pmu_tick_remove() - a group, complete with its events, at the end of the list
 * of `context` that it belongs to; out of it.
 * pmu_tick_group_update() - after a change of what is enabled or asleep in it, or of its events.
 * pmu_tick_forget() - an event is about to go: it is not among those that count any more.
 */
void pmu_tick_append(struct pmu_tick_group *g, struct pmu_tick_event *e);
void pmu_tick_unlink(struct pmu_tick_group *g, struct pmu_tick_event *e);
void pmu_tick_insert(struct pmu_tick_context *context, struct pmu_tick_group *g);
void pmu_tick_remove(struct pmu_tick_context *context, struct pmu_tick_group *g);
void pmu_tick_group_update(struct pmu_tick_group *g);
void pmu_tick_forget(struct pmu_tick *t, struct pmu_tick_event *e);

/* pmu_tick_rotate() - the last flexible group that takes turns to the head, where pmu_tick() found
 * one that waits. */
static inline void pmu_tick_rotate(struct pmu_tick_context *context)
{
	struct pmu_tick_group *const head = context->flexible, *g;

	if (!context->multiplex)
		return;
	g = head->prev;
	while (!g->turns && g != head)
		g = g->prev;
	context->flexible = g;
}

/* pmu_tick() - decides, by one of the policies. May be repeated within a slice, as events come and
 * go. */
void pmu_decide_perf(struct pmu_tick *t);
void pmu_decide_fair(struct pmu_tick *t);
static inline void pmu_tick(struct pmu_tick *t)
{
	if (t->fair)
		pmu_decide_fair(t);
	else
		pmu_decide_perf(t);
}

/* pmu_tick_next() - a slice is over: accounts for it, and rotates where pmu_tick() said so. */
void pmu_tick_next(struct pmu_tick *t);

/* pmu_tick_multiplexes() - a flexible group waits for counters, in a context that runs. */
bool pmu_tick_multiplexes(const struct pmu_tick *t);

/* pmu_tick_counters() - where the event can go at present. */
uint64_t pmu_tick_counters(const struct pmu_tick *t, const struct pmu_tick_event *e);

/* pmu_tick_demand() - the group as match.h takes it; the arrays have room for its hardware events,
 * up to PMU_COUNTERS, that of registers for PMU_NEEDS of each. */
#define PMU_NEEDS 2
struct pmu_demand pmu_tick_demand(const struct pmu_tick *t, const struct pmu_tick_group *g,
				  uint64_t *masks, uint8_t *previous, struct pmu_extra *extras);

/*
 * pmu_tick_fits() - the check at opening: the leader and the siblings that are enabled, alone on an
 * idle PMU whose sibling is idle, without limits for hyper-threads.
 */
bool pmu_tick_fits(const struct pmu_tick *t, const struct pmu_tick_group *g);

/* pmu_tick_participates() - hardware events that are to count when the group does. */
static inline bool pmu_tick_participates(const struct pmu_tick_group *g,
					 const struct pmu_tick_event *e)
{
	return e->hardware && (e == g->events || e->enabled);
}

/* pmu_tick_each(g, head) - `g` walks over a list once; it must not change meanwhile. */
#define pmu_tick_each(g, head) \
	for (struct pmu_tick_group *g = (head); g; g = g->next == (head) ? NULL : g->next)

#define pmu_tick_each_event(e, g) for (struct pmu_tick_event *e = (g)->events; e; e = e->next)

#endif
