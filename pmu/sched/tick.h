/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tick.h - one scheduling decision: which groups count now, each event on which counter, and why
 * the others wait. The image, the planner and the tests all run this function.
 *
 * It accesses no hardware and allocates nothing. Members marked "state" below are the only state;
 * the caller keeps them. Any context; not reentrant on the same struct pmu_tick.
 *
 * Order: groups of the CPU before those of the task, pinned before flexible, and within each kind
 * by their list. A group counts as a whole or not at all. A group of software events alone always
 * counts, and takes no turns. A group with hardware events is a hardware group, whatever its leader
 * is.
 *
 *   perf (policy_perf.c): the greedy assignment. After a group that does not fit, its list ends:
 *     later groups with hardware events of the same context and kind wait (flexible) or fail
 *     (pinned). After each slice, if a group of a context waited, the context's last flexible
 *     group moves to the head. It is the last one with hardware events that is neither disabled,
 *     asleep nor in error. This rotation alone decides which events count. Their counters depend
 *     on the past (first_counter.c): an event keeps the counter that it had first while all
 *     counting events can have theirs, and new events get the rest. So from slice to slice only
 *     events that come and go are moved. Otherwise the greedy assignment decides. Equal groups that
 *     take turns replace each other without a new decision (turn.c).
 *   fair (policy_fair.c): exact assignment. A group that does not fit is skipped. Flexible groups
 *     take turns so that the one that runs least runs as much as it can (see fair.h). No counter
 *     that a waiting group could use stays free.
 *
 * Cost, for g groups with e events on c counters: perf O(g + a * c^2) for `a` accepted groups and
 * one refused group in each list; fair O(g^2 + e * c^2), with the bounds of fair.h. Stack: 12 KB.
 */
#ifndef PMU_SCHED_TICK_H
#define PMU_SCHED_TICK_H

#include "pmu/sched/extra.h"
#include "pmu/sched/fair.h"
#include "pmu/sched/match.h"

#include <stddef.h>

#define PMU_TICK_EVENTS 256 /* hardware events of flexible groups that fair compares */
#define PMU_TICK_EXTRAS 128 /* registers that these need */

/* The reasons why a group does not count. */
enum pmu_wait {
	PMU_RUNS,
	PMU_WAIT_OFF,       /* disabled */
	PMU_WAIT_ERROR,     /* pinned, and did not fit; until it is enabled again */
	PMU_WAIT_ASLEEP,    /* its task does not run, or no task of its set */
	PMU_WAIT_ROOM,      /* no suitable counters are free: pmu_tick_explain() has the cause */
	PMU_WAIT_BLOCKED,   /* a group in front of it in the same list did not fit */
	PMU_WAIT_EXCLUSIVE, /* it, or `blocker`, is exclusive */
};

struct pmu_tick_event {
	struct pmu_tick_event *next; /* next event of its group */
	const char *name;
	struct pmu_constraint constraint; /* hardware events: the model's constraint */
	bool hardware;
	bool enabled;              /* for siblings; a leader is enabled as its group is */
	bool corrupting;           /* affected by the HT erratum */
	bool northbridge;          /* only one core of the node may use a counter for it */
	bool pair;                 /* also takes the counter above its own */
	struct pmu_extra extra;    /* state: extra.reg, updated like `counter` */
	struct pmu_extra branches; /* the single register that filters its branch records */
	uint8_t counter;           /* state: counter of the last decision; PMU_NO_COUNTER: none */
	uint8_t first_counter;     /* state: the first counter it had, plus 1; 0: none yet */
};

struct pmu_tick_context;

struct pmu_tick_group {
	struct pmu_tick_context *context;   /* it is in a list of this one; NULL: in none */
	struct pmu_tick_group *prev, *next; /* neighbours in their list, which is circular */
	struct pmu_tick_event *events;      /* leader first */
	uint8_t n;
	bool cpu; /* counts on the CPU, else for the task */
	bool pinned;
	bool exclusive;
	bool enabled;
	bool error;  /* state: the caller clears it when the group is enabled again */
	bool asleep; /* must not count now, even if its context does */

	/* Set by pmu_tick_group_update(). */
	uint8_t nhardware; /* counters that its enabled hardware events need */
	bool hardware;     /* it has hardware events, enabled or not */
	bool corrupting;   /* one of its enabled events is corrupting */
	bool extras;       /* one of its enabled events needs a register beside its counter */
	bool turns;        /* it is up and has hardware events */
	bool plain;        /* it is up and has one event that needs only one of its counters */

	/* State of policy fair. */
	uint64_t served;   /* slices in which it counted */
	uint32_t decision; /* the last decision in which it took part */

	/* Results. */
	uint8_t wait;                         /* enum pmu_wait */
	const struct pmu_tick_group *blocker; /* of PMU_WAIT_EXCLUSIVE */
};

/* The groups of one target, in circular lists from the head on; NULL: none. */
struct pmu_tick_context {
	struct pmu_tick_group *pinned, *flexible;
	/*
	 * Result: a flexible group waits, so time slices are needed. False without flexible groups.
	 */
	bool multiplex;
	bool same; /* none of its groups has come, gone or changed since the last decision */
};

enum { PMU_TICK_CPU, PMU_TICK_TASK, PMU_TICK_CONTEXTS };

/*
 * The last decision of policy fair: the groups by their number there. While nothing has
 * changed, the next decision needs no comparison of them.
 */
struct pmu_tick_known {
	bool valid;
	const struct pmu_tick_context *contexts[PMU_TICK_CONTEXTS];
	uint64_t open, sibling_busy, node_busy; /* counters at that time */
	uint64_t set;                           /* groups that count */
	struct pmu_tick_group *groups[PMU_FAIR_GROUPS];
};

struct pmu_tick {
	/* The present state of the PMU. */
	uint64_t counters;           /* the existing counters */
	uint64_t taken;              /* those used by transactions or by the firmware */
	uint64_t borrowed;           /* those of `taken` that the firmware uses */
	uint64_t sibling_corrupting; /* counters with a corrupting event of the other hyper-thread:
					closed to all events */
	uint64_t sibling_busy;       /* counters with any event of the other hyper-thread: closed to
					corrupting events */
	uint64_t node_busy; /* counters with a northbridge event of another core of the node: closed
			       to such events */
	struct pmu_extras
		others; /* registers shared with the other hyper-thread that have its values */
	struct pmu_limits limits;
	uint8_t assign; /* enum pmu_assign_flag, of policy perf */

	struct pmu_tick_context *contexts[PMU_TICK_CONTEXTS]; /* NULL: this context does not run */
	struct pmu_fair *fair;       /* state of policy fair; NULL: policy perf */
	uint32_t decision;           /* state of policy fair: number of the decision */
	struct pmu_tick_known known; /* state of policy fair */

	/* Results. */
	uint64_t used;                                /* counters in use */
	uint64_t upper;                               /* upper counters of pairs */
	uint64_t corrupted;                           /* counters with corrupting events */
	uint64_t northbridge;                         /* counters with northbridge events */
	struct pmu_extras extras;                     /* registers that the counting events use */
	bool failed;                                  /* a pinned group went into the error state */
	unsigned n;                                   /* number of hardware events that count */
	struct pmu_tick_event *running[PMU_COUNTERS]; /* these events */

	/*
	 * State of turn.c: the context whose groups are alike and take turns, NULL: not so; its
	 * first group, and the counters that were open then.
	 */
	struct pmu_tick_context *turning;
	const struct pmu_tick_group *head;
	struct pmu_tick_group *last; /* the last one that counts */
	unsigned slot;               /* its place in running[] */
	uint64_t open;
	/*
	 * Result: the events that came and went, and the one that moved to the counter of the
	 * latter, or NULL. Nothing else has changed. `came` NULL: a whole decision was made.
	 */
	struct pmu_tick_event *came, *went, *moved;
};

/*
 * pmu_tick_append(), pmu_tick_unlink() - adds an event as the last one of a group; removes it.
 * pmu_tick_insert(), pmu_tick_remove() - adds a complete group at the end of its list of `context`;
 * removes it.
 * pmu_tick_group_update() - must be called after changes of its events, or of what is enabled or
 * asleep.
 * pmu_tick_forget() - removes an event that is about to go from the events that count.
 */
void pmu_tick_append(struct pmu_tick_group *g, struct pmu_tick_event *e);
void pmu_tick_unlink(struct pmu_tick_group *g, struct pmu_tick_event *e);
void pmu_tick_insert(struct pmu_tick_context *context, struct pmu_tick_group *g);
void pmu_tick_remove(struct pmu_tick_context *context, struct pmu_tick_group *g);
void pmu_tick_group_update(struct pmu_tick_group *g);
void pmu_tick_forget(struct pmu_tick *t, struct pmu_tick_event *e);

/*
 * pmu_tick_rotate() - moves the last flexible group that takes turns to the head, if pmu_tick()
 * left a group waiting.
 */
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

/*
 * pmu_tick() - decides by one of the policies. May be repeated within a slice, as events come and
 * go.
 */
void pmu_decide_perf(struct pmu_tick *t);
void pmu_decide_fair(struct pmu_tick *t);
bool pmu_tick_turn(struct pmu_tick *t);
static inline void pmu_tick(struct pmu_tick *t)
{
	t->came = NULL;
	if (t->turning && pmu_tick_turn(t))
		return;
	if (t->fair)
		pmu_decide_fair(t);
	else
		pmu_decide_perf(t);
}

/*
 * pmu_tick_next() - ends a slice: accounts for it, and rotates if pmu_tick() left a group waiting.
 */
void pmu_tick_next(struct pmu_tick *t);

/* pmu_tick_reconsider() - a context has come or gone, or has run elsewhere: nothing is known. */
static inline void pmu_tick_reconsider(struct pmu_tick *t)
{
	t->turning = NULL;
	t->known.valid = false;
}

/* pmu_tick_multiplexes() - true where a flexible group of a running context waits for counters. */
bool pmu_tick_multiplexes(const struct pmu_tick *t);

/* pmu_tick_counters() - the counters that the event can use at present. */
uint64_t pmu_tick_counters(const struct pmu_tick *t, const struct pmu_tick_event *e);

/*
 * pmu_tick_demand() - describes the group for match.h. The arrays have room for its hardware
 * events, at most PMU_COUNTERS, and `extras` for PMU_NEEDS of each.
 */
#define PMU_NEEDS 2
struct pmu_demand pmu_tick_demand(const struct pmu_tick *t, const struct pmu_tick_group *g,
				  uint64_t *masks, uint8_t *previous, struct pmu_extra *extras);

/*
 * pmu_tick_fits() - the check at opening: whether the leader and its enabled siblings fit on an
 * idle PMU with an idle sibling thread, without the limits for hyper-threads.
 */
bool pmu_tick_fits(const struct pmu_tick *t, const struct pmu_tick_group *g);

/* pmu_tick_fits_alone() - the usual case of that check: the group has one event, which needs
 * nothing but one of its counters. False: pmu_tick_fits() decides. */
static inline bool pmu_tick_fits_alone(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return !e->pair && !e->extra.registers && !e->branches.registers &&
	       e->constraint.counters & t->counters & ~t->taken;
}

/* pmu_tick_participates() - true for hardware events that count when the group does. */
static inline bool pmu_tick_participates(const struct pmu_tick_group *g,
					 const struct pmu_tick_event *e)
{
	return e->hardware && (e == g->events || e->enabled);
}

/* pmu_tick_each(g, head) - iterates `g` over a list, which must not change meanwhile. */
#define pmu_tick_each(g, head) \
	for (struct pmu_tick_group *g = (head); g; g = g->next == (head) ? NULL : g->next)

#define pmu_tick_each_event(e, g) for (struct pmu_tick_event *e = (g)->events; e; e = e->next)

#endif
