// SPDX-License-Identifier: BSD-2-Clause
/* tick.c - see tick.h. */
#include "pmu/tick.h"

#include "pmu/bits.h"

#include <stddef.h>

/* The hardware events that count, in the order of acceptance; `index` by policy perf. */
struct accepted {
	unsigned n;
	struct pmu_tick_event *events[PMU_COUNTERS];
	struct pmu_constraint constraints[PMU_COUNTERS];
	uint8_t previous[PMU_COUNTERS];
	uint8_t index[PMU_COUNTERS];
	bool corrupting;
	const struct pmu_tick_group *exclusive;
	struct pmu_match match; /* by policy fair */
};

/* A flexible group of policy fair, and its demand. */
struct contest {
	unsigned n;
	struct pmu_tick_group *groups[PMU_FAIR_GROUPS];
	struct pmu_demand demands[PMU_FAIR_GROUPS];
	uint64_t served[PMU_FAIR_GROUPS];
	unsigned nmasks;
	uint64_t masks[PMU_TICK_EVENTS];
	uint8_t previous[PMU_TICK_EVENTS];
};

uint64_t pmu_tick_counters(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	uint64_t counters =
		e->constraint.counters & t->counters & ~t->taken & ~t->sibling_corrupting;

	return e->corrupting ? counters & ~t->sibling_busy : counters;
}

static unsigned nhardware(const struct pmu_tick_group *g)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->n; i++)
		n += pmu_tick_participates(g, i);
	return n;
}

static bool is_corrupting(const struct pmu_tick_group *g)
{
	bool any = false;

	for (unsigned i = 0; i < g->n; i++)
		any |= pmu_tick_participates(g, i) && g->events[i].corrupting;
	return any;
}

static struct pmu_constraint narrowed(const struct pmu_constraint *c, uint64_t counters)
{
	return counters == c->counters ? *c : pmu_constraint(counters, c->overlap);
}

/* Policy perf: all of the group, or none of it. */
static bool accept_greedy(const struct pmu_tick *t, struct accepted *a,
			  const struct pmu_tick_group *g)
{
	bool corrupting = a->corrupting || is_corrupting(g);
	uint8_t general_max = t->limits.general, index[PMU_COUNTERS];
	unsigned n = a->n;
	struct pmu_assign_job job;

	if (corrupting && t->limits.general_corrupting < general_max)
		general_max = t->limits.general_corrupting;
	for (unsigned i = 0; i < g->n; i++) {
		struct pmu_tick_event *e = &g->events[i];

		if (!pmu_tick_participates(g, i))
			continue;
		if (n == PMU_COUNTERS || n == t->limits.total)
			return false;
		a->events[n] = e;
		a->constraints[n] = narrowed(&e->constraint, pmu_tick_counters(t, e));
		a->previous[n++] = e->counter;
	}
	job = (struct pmu_assign_job){.events = a->constraints,
				      .n = n,
				      .general_max = general_max,
				      .flags = t->assign,
				      .previous = a->previous};
	if (!pmu_assign_greedy(&job, index))
		return false;
	for (unsigned i = 0; i < n; i++)
		a->index[i] = index[i];
	a->n = n;
	a->corrupting = corrupting;
	return true;
}

/* The demand of a group; masks and previous have room for PMU_COUNTERS. */
static struct pmu_demand demand_of(const struct pmu_tick *t, const struct pmu_tick_group *g,
				   uint64_t *masks, uint8_t *previous)
{
	struct pmu_demand d = {.masks = masks,
			       .previous = previous,
			       .corrupting = is_corrupting(g),
			       .exclusive = g->exclusive};

	for (unsigned i = 0; i < g->n; i++) {
		if (!pmu_tick_participates(g, i))
			continue;
		masks[d.n] = pmu_tick_counters(t, &g->events[i]);
		previous[d.n++] = g->events[i].counter;
	}
	return d;
}

/* Policy fair: the same, exactly. */
static bool accept_demand(const struct pmu_tick *t, struct accepted *a,
			  const struct pmu_tick_group *g, struct pmu_demand *d)
{
	d->first = (uint8_t)a->n;
	if (!pmu_match_group(&a->match, d, &t->limits))
		return false;
	for (unsigned i = 0; i < g->n; i++)
		if (pmu_tick_participates(g, i))
			a->events[a->n++] = &g->events[i];
	return true;
}

static bool accept_exact(const struct pmu_tick *t, struct accepted *a,
			 const struct pmu_tick_group *g)
{
	uint64_t masks[PMU_COUNTERS];
	uint8_t previous[PMU_COUNTERS];
	struct pmu_demand d;

	if (nhardware(g) > PMU_COUNTERS)
		return false;
	d = demand_of(t, g, masks, previous);
	return accept_demand(t, a, g, &d);
}

/* Returns whether the group counts, and says in it why not. */
static bool accept(const struct pmu_tick *t, struct accepted *a, struct pmu_tick_group *g)
{
	if (a->exclusive || (g->exclusive && a->n)) {
		g->wait = PMU_WAIT_EXCLUSIVE;
		g->blocker = a->exclusive;
		return false;
	}
	if (!(t->fair ? accept_exact : accept_greedy)(t, a, g)) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	if (g->exclusive)
		a->exclusive = g;
	g->wait = PMU_RUNS;
	return true;
}

/* Has a say in the present decision; else says why not. */
static bool is_up(const struct pmu_tick *t, struct pmu_tick_group *g)
{
	if (!g->enabled)
		g->wait = PMU_WAIT_OFF;
	else if (g->error)
		g->wait = PMU_WAIT_ERROR;
	else if (!g->cpu && !t->task_runs)
		g->wait = PMU_WAIT_ASLEEP;
	else
		return true;
	return false;
}

/* One list of one context. In policy perf, who does not fit stops those behind. */
static void schedule_list(struct pmu_tick *t, struct accepted *a, bool cpu, bool pinned)
{
	const struct pmu_tick_group *blocker = NULL;

	for (unsigned i = 0; i < t->ngroups; i++) {
		struct pmu_tick_group *g = t->groups[i];

		if (g->cpu != cpu || g->pinned != pinned || !is_up(t, g))
			continue;
		g->wait = PMU_RUNS;
		if (!nhardware(g))
			continue;
		if (blocker) {
			g->wait = PMU_WAIT_BLOCKED;
			g->blocker = blocker;
		} else if (accept(t, a, g)) {
			continue;
		} else if (!t->fair) {
			blocker = g;
		}
		if (pinned)
			g->error = true;
		else
			t->multiplex[cpu] = true;
	}
}

/*
 * Who comes back was not served while it was away, and is not owed that: newcomers start where the
 * least served of the others stands, and keep their distances.
 */
static void level(struct pmu_tick *t)
{
	uint64_t least[2] = {UINT64_MAX, UINT64_MAX}; /* newcomers, others */

	for (unsigned i = 0; i < t->ngroups; i++) {
		struct pmu_tick_group *g = t->groups[i];

		if (!g->pinned && is_up(t, g) && nhardware(g) && g->served < least[g->present])
			least[g->present] = g->served;
	}
	for (unsigned i = 0; i < t->ngroups; i++) {
		struct pmu_tick_group *g = t->groups[i];
		bool up = !g->pinned && is_up(t, g) && nhardware(g);

		if (up && !g->present && least[1] != UINT64_MAX && least[0] < least[1])
			g->served += least[1] - least[0];
		g->present = up;
	}
}

/* Takes part if it could count were it alone beside the pinned ones, and there is room. */
static void enter(const struct pmu_tick *t, const struct accepted *a, struct contest *c,
		  struct pmu_tick_group *g)
{
	unsigned n = nhardware(g);
	struct pmu_match alone;

	if (c->n == PMU_FAIR_GROUPS || n > PMU_COUNTERS || c->nmasks + n > PMU_TICK_EVENTS)
		return;
	c->demands[c->n] = demand_of(t, g, c->masks + c->nmasks, c->previous + c->nmasks);
	alone = a->match;
	if (!pmu_match_group(&alone, &c->demands[c->n], &t->limits))
		return;
	c->nmasks += n;
	c->groups[c->n] = g;
	c->served[c->n++] = g->served;
}

/* The least service above `from`; UINT64_MAX: nobody has more. */
static uint64_t next_level(const struct pmu_tick *t, uint64_t from)
{
	uint64_t level = UINT64_MAX;

	for (unsigned i = 0; i < t->ngroups; i++) {
		const struct pmu_tick_group *g = t->groups[i];

		if (g->present && g->served >= from && g->served < level)
			level = g->served;
	}
	return level;
}

/* All flexible groups in order, or when these are too many, the least served of them. */
static void gather(struct pmu_tick *t, const struct accepted *a, struct contest *c)
{
	unsigned present = 0;

	for (unsigned i = 0; i < t->ngroups; i++)
		present += t->groups[i]->present;
	if (present <= PMU_FAIR_GROUPS) {
		for (unsigned i = 0; i < t->ngroups; i++)
			if (t->groups[i]->present)
				enter(t, a, c, t->groups[i]);
		return;
	}
	for (uint64_t level = next_level(t, 0); level != UINT64_MAX && c->n < PMU_FAIR_GROUPS;
	     level = next_level(t, level + 1))
		for (unsigned i = 0; i < t->ngroups; i++)
			if (t->groups[i]->present && t->groups[i]->served == level)
				enter(t, a, c, t->groups[i]);
}

/* Whoever else fits, least served first. */
static void fill(struct pmu_tick *t, struct accepted *a, struct contest *c, uint64_t rest)
{
	while (rest) {
		unsigned least = bits_first(rest);

		for (uint64_t left = rest; left; left &= left - 1)
			if (c->served[bits_first(left)] < c->served[least])
				least = bits_first(left);
		rest &= ~(1ull << least);
		if (accept_demand(t, a, c->groups[least], &c->demands[least]))
			c->groups[least]->wait = PMU_RUNS;
	}
}

static void schedule_fair(struct pmu_tick *t, struct accepted *a)
{
	struct contest c;
	struct pmu_match start = a->match;
	struct pmu_fair_job job = {.groups = c.demands, .start = &start, .limits = &t->limits};
	uint64_t set;

	c.n = 0;
	c.nmasks = 0;
	level(t);
	for (unsigned i = 0; i < t->ngroups; i++)
		if (!t->groups[i]->pinned && is_up(t, t->groups[i]))
			t->groups[i]->wait = t->groups[i]->present ? PMU_WAIT_ROOM : PMU_RUNS;
	gather(t, a, &c);
	job.n = c.n;
	pmu_fair_prepare(t->fair, &job);
	set = pmu_fair_pick(t->fair, c.served);
	fill(t, a, &c, set);
	fill(t, a, &c, bits_low(c.n) & ~set);
	/* Beyond what was weighed: in order. */
	for (unsigned i = 0; i < t->ngroups; i++) {
		struct pmu_tick_group *g = t->groups[i];

		if (g->present && g->wait == PMU_WAIT_ROOM) {
			accept(t, a, g);
			t->multiplex[g->cpu] |= g->wait != PMU_RUNS;
		}
	}
}

static void publish(struct pmu_tick *t, struct accepted *a)
{
	const struct pmu_match *m = &a->match;

	if (t->fair)
		for (uint64_t left = m->used; left; left &= left - 1)
			a->index[m->event[bits_first(left)]] = (uint8_t)bits_first(left);
	for (unsigned i = 0; i < t->ngroups; i++)
		for (unsigned k = 0; k < t->groups[i]->n; k++)
			t->groups[i]->events[k].counter = PMU_NO_COUNTER;
	for (unsigned i = 0; i < a->n; i++) {
		a->events[i]->counter = a->index[i];
		t->used |= 1ull << a->index[i];
		if (a->events[i]->corrupting)
			t->corrupted |= 1ull << a->index[i];
	}
}

void pmu_tick(struct pmu_tick *t)
{
	struct accepted a;

	a.n = 0;
	a.corrupting = false;
	a.exclusive = NULL;
	pmu_match_init(&a.match);
	t->multiplex[PMU_TICK_TASK] = t->multiplex[PMU_TICK_CPU] = false;
	t->used = t->corrupted = 0;
	for (unsigned i = 0; i < t->ngroups; i++)
		t->groups[i]->blocker = NULL;

	schedule_list(t, &a, true, true);
	schedule_list(t, &a, false, true);
	if (t->fair) {
		schedule_fair(t, &a);
	} else {
		schedule_list(t, &a, true, false);
		schedule_list(t, &a, false, false);
	}
	publish(t, &a);
}

/* The last flexible group of the context goes to where the first one is. */
static void rotate(struct pmu_tick *t, bool cpu)
{
	struct pmu_tick_group *carried = NULL;
	unsigned last = 0;

	for (unsigned i = 0; i < t->ngroups; i++)
		if (t->groups[i]->cpu == cpu && !t->groups[i]->pinned) {
			carried = t->groups[i];
			last = i;
		}
	for (unsigned i = 0; carried && i <= last; i++) {
		struct pmu_tick_group *g = t->groups[i];

		if (g->cpu == cpu && !g->pinned) {
			t->groups[i] = carried;
			carried = g;
		}
	}
}

void pmu_tick_next(struct pmu_tick *t)
{
	for (unsigned i = 0; i < t->ngroups; i++)
		if (t->groups[i]->wait == PMU_RUNS)
			t->groups[i]->served++;
	if (t->fair) {
		pmu_fair_account(t->fair);
		return;
	}
	if (t->multiplex[PMU_TICK_CPU])
		rotate(t, true);
	if (t->multiplex[PMU_TICK_TASK] && t->task_runs)
		rotate(t, false);
}

bool pmu_tick_fits(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	struct pmu_constraint events[PMU_COUNTERS];
	uint64_t masks[PMU_COUNTERS];
	uint8_t index[PMU_COUNTERS];
	struct pmu_assign_job job = {
		.events = events, .general_max = PMU_NO_LIMIT, .flags = t->assign};

	if (nhardware(g) > PMU_COUNTERS)
		return false;
	for (unsigned i = 0; i < g->n; i++) {
		const struct pmu_constraint *c = &g->events[i].constraint;

		if (!pmu_tick_participates(g, i))
			continue;
		masks[job.n] = c->counters & t->counters & ~t->taken;
		events[job.n] = narrowed(c, masks[job.n]);
		job.n++;
	}
	if (t->fair)
		return pmu_assign_exact(masks, job.n, PMU_NO_LIMIT, index);
	return pmu_assign_greedy(&job, index);
}
