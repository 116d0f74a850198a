// SPDX-License-Identifier: BSD-2-Clause
/*
 * policy_fair.c - policy fair of tick.h: exact matching (match.h). Pinned groups come in the order
 * of their lists, then the flexible groups of both contexts together, by the mixture of fair.h.
 */
#include "lib/bits.h"
#include "pmu/sched/decision.h"

/* The flexible groups that are compared, and their demands. */
struct contest {
	bool all; /* no group was left out */
	unsigned n;
	struct pmu_tick_group *groups[PMU_FAIR_GROUPS];
	struct pmu_demand demands[PMU_FAIR_GROUPS];
	uint64_t served[PMU_FAIR_GROUPS];
	unsigned nmasks;
	uint64_t masks[PMU_TICK_EVENTS];
	uint8_t previous[PMU_TICK_EVENTS];
	unsigned nextras;
	struct pmu_extra extras[PMU_TICK_EXTRAS];
};

/* --- The exact matching, group by group --- */

static uint8_t upper_counter(uint8_t counter)
{
	return counter < PMU_COUNTERS ? (uint8_t)(counter + 1) : PMU_NO_COUNTER;
}

struct pmu_demand pmu_tick_demand(const struct pmu_tick *t, const struct pmu_tick_group *g,
				  uint64_t *masks, uint8_t *previous, struct pmu_extra *extras)
{
	struct pmu_demand d = {.masks = masks,
			       .previous = previous,
			       .extras = extras,
			       .corrupting = g->corrupting,
			       .exclusive = g->exclusive};

	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		masks[d.n] = pmu_open_counters(t, e);
		previous[d.n++] = e->counter;
		if (e->pair) {
			masks[d.n] = masks[d.n - 1] << 1;
			previous[d.n++] = upper_counter(e->counter);
		}
		if (e->extra.registers)
			extras[d.nextras++] = e->extra;
		if (e->branches.registers)
			extras[d.nextras++] = e->branches;
	}
	return d;
}

/* Accepts all events of the group, or none. */
static bool accept_demand(const struct pmu_tick *t, struct pmu_decision *d,
			  const struct pmu_tick_group *g, struct pmu_demand *demand)
{
	demand->first = (uint8_t)d->n;
	if (!pmu_match_group(&d->match, demand, &t->limits))
		return false;
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		d->events[d->n++] = e;
		if (e->pair)
			d->events[d->n++] = NULL;
	}
	return true;
}

static bool accept_exact(const struct pmu_tick *t, struct pmu_decision *d,
			 const struct pmu_tick_group *g)
{
	uint64_t masks[PMU_COUNTERS];
	uint8_t previous[PMU_COUNTERS];
	struct pmu_extra extras[PMU_NEEDS * PMU_COUNTERS];
	struct pmu_demand demand;

	if (g->nhardware > PMU_COUNTERS)
		return false;
	demand = pmu_tick_demand(t, g, masks, previous, extras);
	return accept_demand(t, d, g, &demand);
}

/* Returns whether the group counts, and sets its `wait`. */
static bool accept_fair_group(const struct pmu_tick *t, struct pmu_decision *d,
			      struct pmu_tick_group *g)
{
	if (pmu_group_is_excluded(d, g))
		return false;
	if (!accept_exact(t, d, g)) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	if (g->exclusive)
		d->exclusive = g;
	g->wait = PMU_RUNS;
	return true;
}

static void begin_exact(const struct pmu_tick *t, struct pmu_decision *d)
{
	pmu_decision_begin(t, d);
	d->special = true;
	pmu_match_init(&d->match);
	d->match.extras = t->others;
}

/* --- Pinned groups --- */

/* True where the group needs counters; else sets its `wait`. */
static bool is_fair_contender(struct pmu_tick_group *g)
{
	if (g->plain)
		return true;
	if (!pmu_group_is_up(g))
		return false;
	g->wait = PMU_RUNS;
	return g->nhardware;
}

static inline void decide_fair_pinned(struct pmu_tick *t, struct pmu_decision *d,
				      const struct pmu_tick_context *context)
{
	bool waits = false;

	if (!context || !context->pinned)
		return;
	pmu_tick_each (g, context->pinned)
		waits |= is_fair_contender(g) && !accept_fair_group(t, d, g);
	if (waits)
		pmu_fail_pinned(t, context->pinned);
}

/* --- Flexible groups of both contexts --- */

static bool took_part(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	return g->decision == t->decision;
}

/*
 * A group that returns gets no compensation for the time of its absence. Such groups, and new ones,
 * start at the level of the least served other group, and keep their distances.
 */
static void level_service(struct pmu_tick *t)
{
	uint64_t least[2] = {UINT64_MAX, UINT64_MAX}; /* groups that return; others */
	uint64_t lift = 0;

	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (pmu_group_is_up(g) && g->nhardware &&
			    g->served < least[took_part(t, g)])
				least[took_part(t, g)] = g->served;
	if (least[1] != UINT64_MAX && least[0] < least[1])
		lift = least[1] - least[0];
	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible) {
			if (!pmu_group_is_up(g) || !g->nhardware)
				continue;
			if (!took_part(t, g))
				g->served += lift;
			g->decision = t->decision + 1;
		}
	t->decision++;
}

/* Adds the group, if there is room. */
static void enter_contest(const struct pmu_tick *t, struct contest *c, struct pmu_tick_group *g)
{
	unsigned n = g->nhardware;

	if (c->n == PMU_FAIR_GROUPS || n > PMU_COUNTERS || c->nmasks + n > PMU_TICK_EVENTS ||
	    (g->extras && c->nextras + PMU_NEEDS * n > PMU_TICK_EXTRAS)) {
		c->all = false;
		return;
	}
	c->demands[c->n] = pmu_tick_demand(t, g, c->masks + c->nmasks, c->previous + c->nmasks,
					   c->extras + c->nextras);
	c->nmasks += n;
	c->nextras += c->demands[c->n].nextras;
	c->groups[c->n] = g;
	c->served[c->n++] = g->served;
}

/* The least service that is at least `from`; UINT64_MAX: no group has it. */
static uint64_t next_level(const struct pmu_tick *t, uint64_t from)
{
	uint64_t level = UINT64_MAX;

	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (took_part(t, g) && g->served >= from && g->served < level)
				level = g->served;
	return level;
}

/* Adds all flexible groups in order or, if there are too many, the least served ones. */
static void gather_contest(struct pmu_tick *t, struct contest *c)
{
	unsigned present = 0;

	c->all = true;
	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible)
			present += took_part(t, g);
	for (uint64_t level = next_level(t, 0); level != UINT64_MAX && c->n < PMU_FAIR_GROUPS;
	     level = next_level(t, level + 1)) {
		pmu_each_context (t, context)
			pmu_tick_each (g, context->flexible)
				if (took_part(t, g) &&
				    (present <= PMU_FAIR_GROUPS || g->served == level))
					enter_contest(t, c, g);
		if (present <= PMU_FAIR_GROUPS)
			return;
	}
	c->all = false;
}

/* Accepts the groups of `rest` that fit, least served first. */
static void accept_least_served(const struct pmu_tick *t, struct pmu_decision *d, struct contest *c,
				uint64_t rest)
{
	while (rest) {
		unsigned least = bits_first(rest);

		for (uint64_t left = rest; left; left &= left - 1)
			if (c->served[bits_first(left)] < c->served[least])
				least = bits_first(left);
		rest &= ~(1ull << least);
		if (accept_demand(t, d, c->groups[least], &c->demands[least]))
			c->groups[least]->wait = PMU_RUNS;
	}
}

/*
 * Decides about the groups outside of the contest, in order. `full`: there is no room for any of
 * them.
 */
static void decide_rest(const struct pmu_tick *t, struct pmu_decision *d, bool full)
{
	pmu_each_context (t, context) {
		context->multiplex = false;
		pmu_tick_each (g, context->flexible)
			if (took_part(t, g) && g->wait == PMU_WAIT_ROOM)
				context->multiplex |= full || !accept_fair_group(t, d, g);
	}
}

/* --- A decision after which nothing has changed --- */

/* Remembers the groups, if no other groups or events matter, and no group is outside of the
 * contest. */
static void remember_contest(struct pmu_tick *t, const struct pmu_match *start,
			     const struct contest *c, uint64_t set)
{
	struct pmu_tick_known *k = &t->known;

	k->valid = c->all && t->fair->full_sets && !start->used && !t->others.held;
	if (!k->valid)
		return;
	k->open = pmu_common_counters(t);
	k->sibling_busy = t->sibling_busy;
	k->node_busy = t->node_busy;
	k->set = set;
	for (unsigned i = 0; i < c->n; i++)
		k->groups[i] = c->groups[i];
	for (unsigned i = 0; i < PMU_TICK_CONTEXTS; i++)
		k->contexts[i] = t->contexts[i];
	pmu_each_context (t, context) {
		context->same = true;
		k->valid &= !context->pinned;
	}
}

static bool is_contest_known(const struct pmu_tick *t)
{
	const struct pmu_tick_known *k = &t->known;

	if (!k->valid || t->fair->phase != PMU_FAIR_DONE || !t->fair->counts || !t->fair->nsets ||
	    k->open != pmu_common_counters(t) || k->sibling_busy != t->sibling_busy ||
	    k->node_busy != t->node_busy || t->others.held)
		return false;
	for (unsigned i = 0; i < PMU_TICK_CONTEXTS; i++)
		if (k->contexts[i] != t->contexts[i] || (t->contexts[i] && !t->contexts[i]->same))
			return false;
	return true;
}

/* The least served group of the set. */
static unsigned least_served(const struct pmu_tick_known *k, uint64_t set)
{
	unsigned least = bits_first(set);

	for (set &= set - 1; set; set &= set - 1)
		if (k->groups[bits_first(set)]->served < k->groups[least]->served)
			least = bits_first(set);
	return least;
}

static bool any_waits(const struct pmu_tick_group *head)
{
	pmu_tick_each (g, (struct pmu_tick_group *)head)
		if (g->wait == PMU_WAIT_ROOM)
			return true;
	return false;
}

/* Picks the next set, and accepts its groups, least served first. */
static void decide_known(struct pmu_tick *t, struct pmu_decision *d)
{
	struct pmu_tick_known *k = &t->known;

	for (uint64_t left = k->set; left; left &= left - 1)
		k->groups[bits_first(left)]->wait = PMU_WAIT_ROOM;
	k->set = pmu_fair_pick(t->fair, NULL);
	for (uint64_t left = k->set; left;) {
		const unsigned i = least_served(k, left);

		left &= ~(1ull << i);
		if (accept_exact(t, d, k->groups[i]))
			k->groups[i]->wait = PMU_RUNS;
	}
	pmu_each_context (t, context)
		context->multiplex = any_waits(context->flexible);
}

static void decide_fair_flexible(struct pmu_tick *t, struct pmu_decision *d)
{
	struct contest c;
	struct pmu_match start = d->match;
	struct pmu_fair_job job = {.groups = c.demands, .start = &start, .limits = &t->limits};
	uint64_t set;
	bool full;

	c.n = 0;
	c.nmasks = 0;
	c.nextras = 0;
	level_service(t);
	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (pmu_group_is_up(g))
				g->wait = took_part(t, g) ? PMU_WAIT_ROOM : PMU_RUNS;
	gather_contest(t, &c);
	/*
	 * Among very many groups, the least served ones differ each time: a mixture does not pay
	 * off.
	 */
	job.n = c.n < PMU_FAIR_GROUPS || c.all ? c.n : 0;
	pmu_fair_prepare(t->fair, &job);
	set = pmu_fair_pick(t->fair, c.served);
	accept_least_served(t, d, &c, set);
	remember_contest(t, &start, &c, set);
	full = c.all && t->fair->full_sets;
	if (!full)
		accept_least_served(t, d, &c, bits_low(c.n) & ~set);
	decide_rest(t, d, full);
}

/* --- The decision --- */

/*
 * Moves other events away from the upper counters of pairs: if a pair fits, other events fit
 * anywhere.
 */
static void join_pairs(const struct pmu_decision *d, uint8_t *index)
{
	for (unsigned i = 1; i < d->n; i++) {
		unsigned other = 0;

		if (d->events[i])
			continue;
		while (other < d->n && index[other] != index[i - 1] + 1)
			other++;
		if (other < d->n)
			index[other] = index[i];
		index[i] = index[i - 1] + 1;
	}
}

/* Takes the counters and registers from the matching. */
static void take_match(struct pmu_decision *d, uint8_t *index)
{
	const struct pmu_match *m = &d->match;

	for (uint64_t left = m->used; left; left &= left - 1)
		index[m->event[bits_first(left)]] = (uint8_t)bits_first(left);
	join_pairs(d, index);
	for (unsigned i = 0; m->extras.held && i < d->n; i++)
		if (d->events[i])
			d->reg[i] = (uint8_t)pmu_extras_find(&m->extras, &d->events[i]->extra);
}

static uint64_t used_of(const uint8_t *index, unsigned n)
{
	uint64_t used = 0;

	while (n--)
		used |= 1ull << index[n];
	return used;
}

void pmu_decide_fair(struct pmu_tick *t)
{
	struct pmu_decision d;
	uint8_t index[PMU_COUNTERS];

	begin_exact(t, &d);
	t->turning = NULL;
	t->failed = false;
	if (is_contest_known(t)) {
		decide_known(t, &d);
	} else {
		decide_fair_pinned(t, &d, t->contexts[PMU_TICK_CPU]);
		decide_fair_pinned(t, &d, t->contexts[PMU_TICK_TASK]);
		decide_fair_flexible(t, &d);
	}
	take_match(&d, index);
	pmu_publish(t, &d, index, used_of(index, d.n));
}

bool pmu_fits_fair(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	struct pmu_decision d;

	begin_exact(t, &d);
	return accept_exact(t, &d, g);
}
