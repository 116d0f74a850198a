// SPDX-License-Identifier: BSD-2-Clause
/*
 * policy_perf.c - policy perf of tick.h: groups in the order of their lists, by the greedy
 * assignment of placing.h, each list up to the first group that does not fit.
 *
 * The usual load takes a fast path: groups of one event each that can all use the same counters.
 * Then as many fit as there are counters, and no placing is needed as long as each event can have
 * its first counter (first_counter.c).
 */
#include "lib/bits.h"
#include "pmu/sched/decision.h"

/* --- The greedy assignment, group by group --- */

static struct pmu_constraint narrow_constraint(const struct pmu_constraint *c, uint64_t counters)
{
	counters &= c->counters;
	return counters == c->counters ? *c : pmu_constraint(counters, c->overlap);
}

/* The constraint of event `n`, without counters that are closed at present. */
static const struct pmu_constraint *constraint_now(const struct pmu_tick *t, struct pmu_decision *d,
						   const struct pmu_tick_event *e, unsigned n)
{
	uint64_t counters = d->counters & ~pmu_closed_to(t, e);

	if (!(e->constraint.counters & ~counters))
		return &e->constraint;
	d->greedy.narrowed[n] = narrow_constraint(&e->constraint, counters);
	return &d->greedy.narrowed[n];
}

/*
 * A pair is two events for the assignment, on an even counter and on the next odd one. Both come
 * before events with more counters, and lower counters come first, so they end up side by side.
 */
static void offer_upper(struct pmu_decision *d, const struct pmu_constraint *lower, unsigned n)
{
	d->events[n] = NULL;
	d->greedy.narrowed[n] = pmu_constraint(lower->counters << 1, false);
	pmu_placing_offer(&d->greedy.placing, &d->greedy.narrowed[n]);
	d->pairs = true;
}

/* Offers the events of the group, behind the accepted ones. */
static void offer_group(const struct pmu_tick *t, struct pmu_decision *d,
			const struct pmu_tick_group *g)
{
	unsigned n = d->n;

	pmu_tick_each_event (e, g) {
		const struct pmu_constraint *c;

		if (!pmu_tick_participates(g, e))
			continue;
		c = constraint_now(t, d, e, n);
		pmu_placing_offer(&d->greedy.placing, c);
		d->events[n++] = e;
		if (e->pair)
			offer_upper(d, c, n++);
	}
}

/* Takes the registers that the group needs, in order. False: one is not available. */
static bool take_extras(struct pmu_decision *d, const struct pmu_tick_group *g,
			struct pmu_extras *extras)
{
	unsigned n = d->n;

	*extras = d->extras;
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		if (e->extra.registers) {
			d->reg[n] = (uint8_t)pmu_extras_take(extras, &e->extra);
			if (d->reg[n] == PMU_NO_EXTRA)
				return false;
		}
		if (e->branches.registers && pmu_extras_take(extras, &e->branches) == PMU_NO_EXTRA)
			return false;
		n += 1u + e->pair;
	}
	return true;
}

/* Accepts all events of the group, or none. */
static bool accept_greedy(const struct pmu_tick *t, struct pmu_decision *d,
			  const struct pmu_tick_group *g)
{
	struct pmu_extras extras;
	unsigned n = d->n + g->nhardware;

	if (n > PMU_COUNTERS || n > t->limits.total)
		return false;
	if (g->extras && !take_extras(d, g, &extras))
		return false;
	offer_group(t, d, g);
	if (!pmu_placing_accept(&d->greedy.placing,
				pmu_general_max(&t->limits, d->corrupting | g->corrupting)))
		return false;
	if (g->extras)
		d->extras = extras;
	d->n = n;
	d->corrupting |= g->corrupting;
	return true;
}

/* --- Equal groups of one event each --- */

static unsigned plain_room(const struct pmu_limits *l)
{
	unsigned room = l->total < l->general ? l->total : l->general;

	return room < PMU_COUNTERS ? room : PMU_COUNTERS;
}

static void begin_greedy(const struct pmu_tick *t, struct pmu_decision *d)
{
	pmu_decision_begin(t, d);
	d->special = false;
	d->greedy.alike = 0;
	d->greedy.placed = false;
	d->greedy.first_counters = t->assign == PMU_ASSIGN_DEFAULT;
	d->greedy.plain_room = plain_room(&t->limits);
}

/*
 * Accepts the plain groups from the head on that equal the first one, as many as there is room for,
 * without placing them. The cost of a time slice depends on this. Returns the first group that is
 * not accepted; NULL: all are.
 */
static struct pmu_tick_group *accept_alike(struct pmu_decision *d, struct pmu_tick_group *head)
{
	const struct pmu_constraint *like = &head->events->constraint;
	const unsigned room =
		like->weight < d->greedy.plain_room ? like->weight : d->greedy.plain_room;
	const uint64_t counters = like->counters;
	uint64_t unclaimed = UINT64_MAX, impossible = 0;
	struct pmu_tick_group *g = head;
	unsigned n = 0;

	if (counters & ~d->counters)
		return head;
	while (g->plain && n < room && g->events->constraint.counters == counters) {
		uint64_t first = 1ull << ((g->events->first_counter - 1u) & 63);

		impossible |= first & ~(counters & unclaimed);
		unclaimed &= ~first;
		d->events[n++] = g->events;
		g->wait = PMU_RUNS;
		g = g->next;
		if (g == head)
			break;
	}
	d->greedy.first_counters = !impossible;
	d->greedy.unclaimed = unclaimed;
	d->n = d->greedy.alike = n;
	return n && g == head ? NULL : g;
}

/* Places the events that were accepted unplaced. They fit in any order. */
static void place_alike(const struct pmu_tick *t, struct pmu_decision *d)
{
	if (d->greedy.placed)
		return;
	d->greedy.placed = true;
	pmu_placing_begin(&d->greedy.placing, t->assign);
	d->extras = t->others;
	for (unsigned i = 0; i < d->greedy.alike; i++)
		pmu_placing_offer(&d->greedy.placing, &d->events[i]->constraint);
	if (d->greedy.alike)
		pmu_placing_accept(&d->greedy.placing, PMU_NO_LIMIT);
	d->greedy.alike = 0;
}

/* --- One list after the other --- */

/* Returns whether the group counts, and sets its `wait`. */
static bool accept_any(const struct pmu_tick *t, struct pmu_decision *d, struct pmu_tick_group *g)
{
	if (pmu_group_is_excluded(d, g))
		return false;
	if (!accept_greedy(t, d, g)) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	if (g->exclusive)
		d->exclusive = g;
	/* After a corrupting event, fewer counters are available to all. */
	if (g->exclusive || g->corrupting)
		d->greedy.plain_room = 0;
	d->special = true;
	d->greedy.first_counters = false;
	g->wait = PMU_RUNS;
	return true;
}

/* The same, with a short cut: if equal groups have all of their counters, one more does not fit. */
static inline bool accept_perf_group(const struct pmu_tick *t, struct pmu_decision *d,
				     struct pmu_tick_group *g)
{
	if (d->greedy.alike && g->plain && d->greedy.alike == g->events->constraint.weight &&
	    d->events[0]->constraint.counters == g->events->constraint.counters) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	place_alike(t, d);
	return accept_any(t, d, g);
}

/* True where the group takes part: it has hardware events, enabled or not; else sets its `wait`. */
static inline bool is_perf_contender(struct pmu_tick_group *g)
{
	if (g->plain)
		return true;
	if (!pmu_group_is_up(g))
		return false;
	g->wait = PMU_RUNS;
	return g->hardware;
}

/*
 * Accepts groups up to the first that does not fit; those behind it wait. Returns whether there is
 * one.
 */
static bool decide_list(const struct pmu_tick *t, struct pmu_decision *d,
			struct pmu_tick_group *head)
{
	struct pmu_tick_group *g = head;
	bool blocked = false;

	if (d->greedy.first_counters && !d->n && !d->greedy.placed)
		g = accept_alike(d, head);
	for (; g; g = g->next == head ? NULL : g->next) {
		if (!is_perf_contender(g))
			continue;
		if (blocked) {
			g->wait = PMU_WAIT_BLOCKED;
		} else {
			blocked = !accept_perf_group(t, d, g);
		}
	}
	return blocked;
}

static inline void decide_perf_pinned(struct pmu_tick *t, struct pmu_decision *d,
				      const struct pmu_tick_context *context)
{
	if (context && context->pinned && decide_list(t, d, context->pinned))
		pmu_fail_pinned(t, context->pinned);
}

static void decide_perf_flexible(struct pmu_tick *t, struct pmu_decision *d,
				 struct pmu_tick_context *context)
{
	if (context)
		context->multiplex = context->flexible && decide_list(t, d, context->flexible);
}

/* --- The decision --- */

/* True where the number of general counters in use is within the limit. */
static bool is_use_within(const struct pmu_tick *t, const struct pmu_decision *d, uint64_t used)
{
	uint8_t max = pmu_general_max(&t->limits, d->corrupting);

	return max == PMU_NO_LIMIT || bits_count(used & PMU_GENERAL_MASK) <= max;
}

static void decide_anew(struct pmu_tick *t)
{
	struct pmu_decision d;
	uint8_t index[PMU_COUNTERS];
	uint64_t used;

	begin_greedy(t, &d);
	t->failed = false;
	decide_perf_pinned(t, &d, t->contexts[PMU_TICK_CPU]);
	decide_perf_pinned(t, &d, t->contexts[PMU_TICK_TASK]);
	decide_perf_flexible(t, &d, t->contexts[PMU_TICK_CPU]);
	decide_perf_flexible(t, &d, t->contexts[PMU_TICK_TASK]);
	if (d.greedy.first_counters && d.n) {
		pmu_publish_first_counters(t, &d);
		return;
	}
	place_alike(t, &d);
	if (t->assign == PMU_ASSIGN_DEFAULT && !d.pairs &&
	    pmu_take_first_counters(&d, index, &used) && is_use_within(t, &d, used))
		pmu_publish(t, &d, index, used);
	else
		pmu_publish(t, &d, d.greedy.placing.index, ~d.greedy.placing.free);
}

/* --- A single group --- */

/* The only group of all contexts that run; NULL: there is none, or more than one. */
static struct pmu_tick_group *only_group(const struct pmu_tick *t)
{
	struct pmu_tick_group *only = NULL;

	pmu_each_context (t, context) {
		struct pmu_tick_group *g = context->pinned ? context->pinned : context->flexible;

		if (!g)
			continue;
		if (only || g->next != g || (context->pinned && context->flexible))
			return NULL;
		only = g;
	}
	return only;
}

/* True where nothing but the event's own constraint limits the choice of its counter. */
static bool is_free_to_choose(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct pmu_constraint *c = &g->events->constraint;

	return g->plain && !c->overlap && c->counters && !(c->counters & ~pmu_common_counters(t)) &&
	       t->assign == PMU_ASSIGN_DEFAULT && plain_room(&t->limits);
}

/* The usual event of a short measurement: no other group is there. The result equals that of
 * decide_anew(). */
static bool decide_single(struct pmu_tick *t)
{
	struct pmu_tick_group *g = only_group(t);
	struct pmu_tick_event *e;

	if (!g || !is_free_to_choose(t, g))
		return false;
	e = g->events;
	if (!e->first_counter)
		e->first_counter = (uint8_t)(pmu_placing_choice(e->constraint.counters) + 1);
	pmu_publish_begin(t, 1ull << (e->first_counter - 1));
	e->counter = (uint8_t)(e->first_counter - 1);
	t->running[t->n++] = e;
	t->failed = false;
	t->turning = NULL;
	g->wait = PMU_RUNS;
	pmu_each_context (t, context)
		context->multiplex = false;
	return true;
}

void pmu_decide_perf(struct pmu_tick *t)
{
	if (decide_single(t))
		return;
	decide_anew(t);
	pmu_turn_begin(t);
}

bool pmu_fits_perf(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	struct pmu_decision d;

	begin_greedy(t, &d);
	place_alike(t, &d);
	return accept_greedy(t, &d, g);
}
