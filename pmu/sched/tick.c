// SPDX-License-Identifier: BSD-2-Clause
/* tick.c - see tick.h. */
#include "pmu/sched/tick.h"

#include "lib/bits.h"
#include "pmu/sched/placing.h"

#include <stddef.h>

/* The hardware events that count, in the order of acceptance. */
struct accepted {
	uint64_t counters; /* that anybody can use at present */
	unsigned n;
	unsigned plain_room; /* how many there may be for plain groups to be taken as such */
	bool special;        /* one of them is of a group that is not plain */
	bool homely;         /* policy perf: all can go home */
	uint64_t no_home;    /* counters that are home to none of them */
	unsigned alike; /* the first ones, plain and alike, that placing does not know of yet */
	bool placed;    /* placing has begun */
	struct pmu_tick_event *events[PMU_COUNTERS]; /* NULL: the upper counter of the one before */
	uint8_t reg[PMU_COUNTERS];
	struct pmu_extras extras;
	bool corrupting;
	bool pairs;
	const struct pmu_tick_group *exclusive;
	struct pmu_placing placing;                   /* by policy perf */
	struct pmu_constraint narrowed[PMU_COUNTERS]; /* of events that cannot use all of theirs */
	struct pmu_match match;                       /* by policy fair */
};

/* A flexible group of policy fair, and its demand. */
struct contest {
	bool all; /* nobody was left out */
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

/* --- Lists --- */

void pmu_tick_append(struct pmu_tick_group *g, struct pmu_tick_event *e)
{
	struct pmu_tick_event **at = &g->events;

	while (*at)
		at = &(*at)->next;
	e->next = NULL;
	*at = e;
	g->n++;
}

void pmu_tick_unlink(struct pmu_tick_group *g, struct pmu_tick_event *e)
{
	struct pmu_tick_event **at = &g->events;

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	g->n--;
}

static struct pmu_tick_group **list_of(struct pmu_tick_context *context,
				       const struct pmu_tick_group *g)
{
	return g->pinned ? &context->pinned : &context->flexible;
}

void pmu_tick_insert(struct pmu_tick_context *context, struct pmu_tick_group *g)
{
	struct pmu_tick_group **list = list_of(context, g), *head = *list;

	pmu_tick_group_update(g);
	if (!head) {
		g->prev = g->next = g;
		*list = g;
		return;
	}
	g->prev = head->prev;
	g->next = head;
	g->prev->next = head->prev = g;
}

void pmu_tick_remove(struct pmu_tick_context *context, struct pmu_tick_group *g)
{
	struct pmu_tick_group **list = list_of(context, g);

	if (*list == g)
		*list = g->next == g ? NULL : g->next;
	g->prev->next = g->next;
	g->next->prev = g->prev;
	context->multiplex &= context->flexible != NULL;
}

/* Up, and plain. */
static bool is_plain(const struct pmu_tick_group *g)
{
	return g->n == 1 && g->nhardware == 1 && !g->exclusive && !g->corrupting && !g->extras &&
	       !g->events->northbridge;
}

void pmu_tick_group_update(struct pmu_tick_group *g)
{
	g->nhardware = 0;
	g->hardware = false;
	g->corrupting = false;
	g->extras = false;
	pmu_tick_each_event (e, g) {
		g->hardware |= e->hardware;
		if (!pmu_tick_participates(g, e))
			continue;
		g->nhardware += 1 + e->pair;
		g->corrupting |= e->corrupting;
		g->extras |= e->extra.registers != 0;
	}
	g->turns = g->hardware && g->enabled && !g->error && !g->asleep;
	g->plain = g->turns && is_plain(g);
}

void pmu_tick_forget(struct pmu_tick *t, struct pmu_tick_event *e)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < t->n; i++)
		if (t->running[i] != e)
			t->running[kept++] = t->running[i];
	t->n = kept;
}

/* --- Policy perf --- */

static uint64_t common_counters(const struct pmu_tick *t)
{
	return t->counters & ~t->taken & ~t->sibling_corrupting;
}

/* Counters that others have no use for, but this event cannot have. */
static uint64_t closed_to(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return (e->corrupting ? t->sibling_busy : 0) | (e->northbridge ? t->node_busy : 0) |
	       (e->pair ? ~(common_counters(t) >> 1) : 0);
}

uint64_t pmu_tick_counters(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return e->constraint.counters & common_counters(t) & ~closed_to(t, e);
}

static struct pmu_constraint narrowed(const struct pmu_constraint *c, uint64_t counters)
{
	counters &= c->counters;
	return counters == c->counters ? *c : pmu_constraint(counters, c->overlap);
}

/* The constraint of event `n` as it is at present. */
static const struct pmu_constraint *constraint_now(const struct pmu_tick *t, struct accepted *a,
						   const struct pmu_tick_event *e, unsigned n)
{
	uint64_t counters = a->counters & ~closed_to(t, e);

	if (!(e->constraint.counters & ~counters))
		return &e->constraint;
	a->narrowed[n] = narrowed(&e->constraint, counters);
	return &a->narrowed[n];
}

/*
 * A pair is two events to the assignment, on an even counter and on an odd one. As both have their
 * turn before events with more choice, and lower counters first, they end up side by side.
 */
static void offer_upper(struct accepted *a, const struct pmu_constraint *lower, unsigned n)
{
	a->events[n] = NULL;
	a->narrowed[n] = pmu_constraint(lower->counters << 1, false);
	pmu_placing_offer(&a->placing, &a->narrowed[n]);
	a->pairs = true;
}

/* Puts the events behind those that are in. */
static void offer(const struct pmu_tick *t, struct accepted *a, const struct pmu_tick_group *g)
{
	unsigned n = a->n;

	pmu_tick_each_event (e, g) {
		const struct pmu_constraint *c;

		if (!pmu_tick_participates(g, e))
			continue;
		c = constraint_now(t, a, e, n);
		pmu_placing_offer(&a->placing, c);
		a->events[n++] = e;
		if (e->pair)
			offer_upper(a, c, n++);
	}
}

/* The registers that the group needs, in order. False: they are taken. */
static bool take_extras(struct accepted *a, const struct pmu_tick_group *g,
			struct pmu_extras *extras)
{
	unsigned n = a->n;

	*extras = a->extras;
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		if (e->extra.registers) {
			a->reg[n] = (uint8_t)pmu_extras_take(extras, &e->extra);
			if (a->reg[n] == PMU_NO_EXTRA)
				return false;
		}
		n += 1u + e->pair;
	}
	return true;
}

/* How many general counters may be in use, with a corrupting event or without. */
static uint8_t general_max(const struct pmu_limits *l, bool corrupting)
{
	return corrupting && l->general_corrupting < l->general ? l->general_corrupting
								: l->general;
}

/* All of the group, or none of it. */
static bool accept_greedy(const struct pmu_tick *t, struct accepted *a,
			  const struct pmu_tick_group *g)
{
	struct pmu_extras extras;
	unsigned n = a->n + g->nhardware;

	if (n > PMU_COUNTERS || n > t->limits.total)
		return false;
	if (g->extras && !take_extras(a, g, &extras))
		return false;
	offer(t, a, g);
	if (!pmu_placing_accept(&a->placing,
				general_max(&t->limits, a->corrupting | g->corrupting)))
		return false;
	if (g->extras)
		a->extras = extras;
	a->n = n;
	a->corrupting |= g->corrupting;
	return true;
}

/* --- Policy fair --- */

static uint8_t upper(uint8_t counter)
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
		masks[d.n] = pmu_tick_counters(t, e);
		previous[d.n++] = e->counter;
		if (e->pair) {
			masks[d.n] = masks[d.n - 1] << 1;
			previous[d.n++] = upper(e->counter);
		}
		if (e->extra.registers)
			extras[d.nextras++] = e->extra;
	}
	return d;
}

/* All of the group, or none of it, exactly. */
static bool accept_demand(const struct pmu_tick *t, struct accepted *a,
			  const struct pmu_tick_group *g, struct pmu_demand *d)
{
	d->first = (uint8_t)a->n;
	if (!pmu_match_group(&a->match, d, &t->limits))
		return false;
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		a->events[a->n++] = e;
		if (e->pair)
			a->events[a->n++] = NULL;
	}
	return true;
}

static bool accept_exact(const struct pmu_tick *t, struct accepted *a,
			 const struct pmu_tick_group *g)
{
	uint64_t masks[PMU_COUNTERS];
	uint8_t previous[PMU_COUNTERS];
	struct pmu_extra extras[PMU_COUNTERS];
	struct pmu_demand d;

	if (g->nhardware > PMU_COUNTERS)
		return false;
	d = pmu_tick_demand(t, g, masks, previous, extras);
	return accept_demand(t, a, g, &d);
}

/* --- One list after the other --- */

static unsigned plain_room(const struct pmu_limits *l)
{
	unsigned room = l->total < l->general ? l->total : l->general;

	return room < PMU_COUNTERS ? room : PMU_COUNTERS;
}

static void begin(const struct pmu_tick *t, struct accepted *a)
{
	a->counters = common_counters(t);
	a->n = 0;
	a->plain_room = 0;
	a->special = t->fair;
	a->homely = false;
	a->alike = 0;
	a->placed = false;
	a->corrupting = a->pairs = false;
	a->exclusive = NULL;
	if (t->fair) {
		pmu_match_init(&a->match);
		a->match.extras = t->others;
		return;
	}
	a->homely = t->assign == PMU_ASSIGN_DEFAULT;
	a->plain_room = plain_room(&t->limits);
}

/* Returns whether the group counts, and says in it why not. */
static bool accept_any(const struct pmu_tick *t, struct accepted *a, struct pmu_tick_group *g)
{
	if (a->exclusive || (g->exclusive && a->n)) {
		g->wait = PMU_WAIT_EXCLUSIVE;
		g->blocker = a->exclusive;
		return false;
	}
	if (!(t->fair ? accept_exact(t, a, g) : accept_greedy(t, a, g))) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	if (g->exclusive)
		a->exclusive = g;
	/* From a corrupting event on there are less counters for all. */
	if (g->exclusive || g->corrupting)
		a->plain_room = 0;
	a->special = true;
	a->homely = false;
	g->wait = PMU_RUNS;
	return true;
}

/* Has a say in the present decision; else says why not. */
static bool is_up(struct pmu_tick_group *g)
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
 * Has something to decide: is in the hardware's context, and not purely of software. By policy perf
 * that is also so while none of its hardware events is enabled; by policy fair it is given what it
 * wants.
 */
static inline bool is_contender(const struct pmu_tick *t, struct pmu_tick_group *g)
{
	if (g->plain)
		return true;
	if (!is_up(g))
		return false;
	g->wait = PMU_RUNS;
	return t->fair ? g->nhardware : g->hardware;
}

/*
 * Most loads are groups of one event each that can all use the same counters: then as many fit as
 * there are counters, and which one each has is decided only if they cannot go home. What a time
 * slice costs depends on this. Returns the first group that is not accepted so; NULL: all are.
 */
static struct pmu_tick_group *accept_alike(struct accepted *a, struct pmu_tick_group *head)
{
	const struct pmu_constraint *like = &head->events->constraint;
	const unsigned room = like->weight < a->plain_room ? like->weight : a->plain_room;
	const uint64_t counters = like->counters;
	uint64_t no_home = UINT64_MAX, strays = 0;
	struct pmu_tick_group *g = head;
	unsigned n = 0;

	if (counters & ~a->counters)
		return head;
	while (g->plain && n < room && g->events->constraint.counters == counters) {
		uint64_t home = 1ull << ((g->events->home - 1u) & 63);

		strays |= home & ~(counters & no_home);
		no_home &= ~home;
		a->events[n++] = g->events;
		g->wait = PMU_RUNS;
		g = g->next;
		if (g == head)
			break;
	}
	a->homely = !strays;
	a->no_home = no_home;
	a->n = a->alike = n;
	return n && g == head ? NULL : g;
}

/* Now it matters where they are. They fit, wherever that is. */
static void place_alike(const struct pmu_tick *t, struct accepted *a)
{
	if (a->placed)
		return;
	a->placed = true;
	pmu_placing_begin(&a->placing, t->assign);
	a->extras = t->others;
	for (unsigned i = 0; i < a->alike; i++)
		pmu_placing_offer(&a->placing, &a->events[i]->constraint);
	if (a->alike)
		pmu_placing_accept(&a->placing, PMU_NO_LIMIT);
	a->alike = 0;
}

/* Whether the group counts. One more of those that are alike does not, when they have it all. */
static inline bool accept(const struct pmu_tick *t, struct accepted *a, struct pmu_tick_group *g)
{
	if (a->alike && g->plain && a->alike == g->events->constraint.weight &&
	    a->events[0]->constraint.counters == g->events->constraint.counters) {
		g->wait = PMU_WAIT_ROOM;
		return false;
	}
	if (!t->fair)
		place_alike(t, a);
	return accept_any(t, a, g);
}

/* In policy perf, who does not fit stops those behind. Returns whether somebody has to wait. */
static bool schedule_list(const struct pmu_tick *t, struct accepted *a, struct pmu_tick_group *head)
{
	const struct pmu_tick_group *blocker = NULL;
	struct pmu_tick_group *g = a->homely && !a->n && !a->placed ? accept_alike(a, head) : head;
	bool waits = false;

	for (; g; g = g->next == head ? NULL : g->next) {
		if (!is_contender(t, g))
			continue;
		if (blocker) {
			g->wait = PMU_WAIT_BLOCKED;
			g->blocker = blocker;
		} else if (accept(t, a, g)) {
			continue;
		} else if (!t->fair) {
			blocker = g;
		}
		waits = true;
	}
	return waits;
}

/* Pinned groups that did not get what they want are out. */
static inline void schedule_pinned(struct pmu_tick *t, struct accepted *a,
				   const struct pmu_tick_context *context)
{
	if (!context || !context->pinned || !schedule_list(t, a, context->pinned))
		return;
	t->failed = true;
	pmu_tick_each (g, context->pinned) {
		g->error |= g->wait >= PMU_WAIT_ROOM;
		g->turns &= !g->error;
		g->plain &= !g->error;
	}
}

static void schedule_flexible(struct pmu_tick *t, struct accepted *a,
			      struct pmu_tick_context *context)
{
	if (context)
		context->multiplex = context->flexible && schedule_list(t, a, context->flexible);
}

/* --- Policy fair, the flexible groups of both contexts at once --- */

/* Those that run, the one of the CPU first. */
#define each_context(t, context)                            \
	for (unsigned i_ = 0; i_ < PMU_TICK_CONTEXTS; i_++) \
		for (struct pmu_tick_context *context = (t)->contexts[i_]; context; context = NULL)

static bool took_part(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	return g->decision == t->decision;
}

/*
 * Who comes back was not served while it was away, and is not owed that: newcomers start where the
 * least served of the others stands, and keep their distances.
 */
static void level(struct pmu_tick *t)
{
	uint64_t least[2] = {UINT64_MAX, UINT64_MAX}; /* newcomers, others */
	uint64_t lift = 0;

	each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (is_up(g) && g->nhardware && g->served < least[took_part(t, g)])
				least[took_part(t, g)] = g->served;
	if (least[1] != UINT64_MAX && least[0] < least[1])
		lift = least[1] - least[0];
	each_context (t, context)
		pmu_tick_each (g, context->flexible) {
			if (!is_up(g) || !g->nhardware)
				continue;
			if (!took_part(t, g))
				g->served += lift;
			g->decision = t->decision + 1;
		}
	t->decision++;
}

/* Takes part, if there is room. */
static void enter(const struct pmu_tick *t, struct contest *c, struct pmu_tick_group *g)
{
	unsigned n = g->nhardware;

	if (c->n == PMU_FAIR_GROUPS || n > PMU_COUNTERS || c->nmasks + n > PMU_TICK_EVENTS ||
	    (g->extras && c->nextras + n > PMU_TICK_EXTRAS)) {
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

/* The least service above `from`; UINT64_MAX: nobody has more. */
static uint64_t next_level(const struct pmu_tick *t, uint64_t from)
{
	uint64_t level = UINT64_MAX;

	each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (took_part(t, g) && g->served >= from && g->served < level)
				level = g->served;
	return level;
}

/* All flexible groups in order, or when these are too many, the least served of them. */
static void gather(struct pmu_tick *t, struct contest *c)
{
	unsigned present = 0;

	c->all = true;
	each_context (t, context)
		pmu_tick_each (g, context->flexible)
			present += took_part(t, g);
	for (uint64_t level = next_level(t, 0); level != UINT64_MAX && c->n < PMU_FAIR_GROUPS;
	     level = next_level(t, level + 1)) {
		each_context (t, context)
			pmu_tick_each (g, context->flexible)
				if (took_part(t, g) &&
				    (present <= PMU_FAIR_GROUPS || g->served == level))
					enter(t, c, g);
		if (present <= PMU_FAIR_GROUPS)
			return;
	}
	c->all = false;
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

/* Beyond what was weighed: in order; `full`: there is no room for any of them. */
static void schedule_rest(struct pmu_tick *t, struct accepted *a, bool full)
{
	each_context (t, context) {
		context->multiplex = false;
		pmu_tick_each (g, context->flexible)
			if (took_part(t, g) && g->wait == PMU_WAIT_ROOM)
				context->multiplex |= full || !accept(t, a, g);
	}
}

static void schedule_fair(struct pmu_tick *t, struct accepted *a)
{
	struct contest c;
	struct pmu_match start = a->match;
	struct pmu_fair_job job = {.groups = c.demands, .start = &start, .limits = &t->limits};
	uint64_t set;
	bool full;

	c.n = 0;
	c.nmasks = 0;
	c.nextras = 0;
	level(t);
	each_context (t, context)
		pmu_tick_each (g, context->flexible)
			if (is_up(g))
				g->wait = took_part(t, g) ? PMU_WAIT_ROOM : PMU_RUNS;
	gather(t, &c);
	/* The least served of very many are others each time: not worth a mixture. */
	job.n = c.n < PMU_FAIR_GROUPS || c.all ? c.n : 0;
	pmu_fair_prepare(t->fair, &job);
	set = pmu_fair_pick(t->fair, c.served);
	fill(t, a, &c, set);
	full = c.all && t->fair->full_sets;
	if (!full)
		fill(t, a, &c, bits_low(c.n) & ~set);
	schedule_rest(t, a, full);
}

/* --- The decision --- */

/* Others make way for upper counters of pairs: beside pairs, anybody can go anywhere. */
static void join_pairs(const struct accepted *a, uint8_t *index)
{
	for (unsigned i = 1; i < a->n; i++) {
		unsigned other = 0;

		if (a->events[i])
			continue;
		while (other < a->n && index[other] != index[i - 1] + 1)
			other++;
		if (other < a->n)
			index[other] = index[i];
		index[i] = index[i - 1] + 1;
	}
}

/* What the matching came to. */
static void take_match(struct accepted *a, uint8_t *index)
{
	const struct pmu_match *m = &a->match;

	for (uint64_t left = m->used; left; left &= left - 1)
		index[m->event[bits_first(left)]] = (uint8_t)bits_first(left);
	join_pairs(a, index);
	for (unsigned i = 0; m->extras.held && i < a->n; i++)
		if (a->events[i])
			a->reg[i] = (uint8_t)pmu_extras_find(&m->extras, &a->events[i]->extra);
}

/* What the others need to know of events that are not plain. */
static void publish_special(struct pmu_tick *t, const struct accepted *a, unsigned i,
			    const uint8_t *index)
{
	struct pmu_tick_event *e = a->events[i];
	uint64_t bit = 1ull << index[i];

	t->upper |= e->pair ? 2 * bit : 0;
	t->corrupted |= e->corrupting ? bit : 0;
	t->northbridge |= e->northbridge ? bit : 0;
	if (!e->extra.registers)
		return;
	e->extra.reg = a->reg[i];
	pmu_extras_hold(&t->extras, e->extra.reg, e->extra.value);
}

static void begin_publishing(struct pmu_tick *t, uint64_t used)
{
	for (unsigned i = 0; i < t->n; i++)
		t->running[i]->counter = PMU_NO_COUNTER;
	t->n = 0;
	t->used = used;
	t->upper = t->corrupted = t->northbridge = 0;
	t->extras.held = 0;
}

static void publish(struct pmu_tick *t, const struct accepted *a, const uint8_t *index,
		    uint64_t used)
{
	begin_publishing(t, used);
	for (unsigned i = 0; i < a->n; i++) {
		struct pmu_tick_event *e = a->events[i];

		if (!e)
			continue;
		t->running[t->n++] = e;
		e->counter = index[i];
		if (!e->home)
			e->home = (uint8_t)(index[i] + 1);
		if (a->special)
			publish_special(t, a, i, index);
	}
}

/* The same, when all are plain and at home. */
static void publish_homes(struct pmu_tick *t, const struct accepted *a)
{
	const unsigned n = a->n;

	begin_publishing(t, ~a->no_home);
	for (unsigned i = 0; i < n; i++) {
		struct pmu_tick_event *e = a->events[i];

		t->running[i] = e;
		e->counter = (uint8_t)(e->home - 1);
	}
	t->n = n;
}

/*
 * Everybody at home, newcomers where the greedy assignment has them, or on what is left. False:
 * that does not work out, or nobody has a home.
 */
static bool go_home(const struct accepted *a, uint8_t *index, uint64_t *used)
{
	const struct pmu_constraint *const *constraints = a->placing.events;
	uint64_t free = UINT64_MAX, newcomers = 0;
	bool old = false;

	for (unsigned i = 0; i < a->n; i++) {
		unsigned home = a->events[i]->home;
		uint64_t bit;

		if (!home) {
			newcomers |= 1ull << i;
			continue;
		}
		bit = 1ull << (home - 1);
		if (!(constraints[i]->counters & free & bit))
			return false;
		free ^= bit;
		index[i] = (uint8_t)(home - 1);
		old = true;
	}
	for (; newcomers; newcomers &= newcomers - 1) {
		unsigned i = bits_first(newcomers);
		uint64_t can = constraints[i]->counters & free;

		index[i] = a->placing.index[i];
		if (!(can >> index[i] & 1))
			index[i] = pmu_placing_choice(can);
		if (index[i] == PMU_NO_COUNTER)
			return false;
		free ^= 1ull << index[i];
	}
	*used = ~free;
	return old;
}

/* How many general counters there may be in use in the end. */
static bool is_within(const struct pmu_tick *t, const struct accepted *a, uint64_t used)
{
	uint8_t max = general_max(&t->limits, a->corrupting);

	return max == PMU_NO_LIMIT || bits_count(used & PMU_GENERAL_MASK) <= max;
}

static void decide_perf(struct pmu_tick *t, struct accepted *a)
{
	uint8_t index[PMU_COUNTERS];
	uint64_t used;

	schedule_pinned(t, a, t->contexts[PMU_TICK_CPU]);
	schedule_pinned(t, a, t->contexts[PMU_TICK_TASK]);
	schedule_flexible(t, a, t->contexts[PMU_TICK_CPU]);
	schedule_flexible(t, a, t->contexts[PMU_TICK_TASK]);
	if (a->homely && a->n) {
		publish_homes(t, a);
		return;
	}
	place_alike(t, a);
	if (t->assign == PMU_ASSIGN_DEFAULT && !a->pairs && go_home(a, index, &used) &&
	    is_within(t, a, used))
		publish(t, a, index, used);
	else
		publish(t, a, a->placing.index, ~a->placing.free);
}

static uint64_t used_of(const uint8_t *index, unsigned n)
{
	uint64_t used = 0;

	while (n--)
		used |= 1ull << index[n];
	return used;
}

static void decide_fair(struct pmu_tick *t, struct accepted *a)
{
	uint8_t index[PMU_COUNTERS];

	schedule_pinned(t, a, t->contexts[PMU_TICK_CPU]);
	schedule_pinned(t, a, t->contexts[PMU_TICK_TASK]);
	schedule_fair(t, a);
	take_match(a, index);
	publish(t, a, index, used_of(index, a->n));
}

void pmu_tick(struct pmu_tick *t)
{
	struct accepted a;

	begin(t, &a);
	t->failed = false;
	if (t->fair)
		decide_fair(t, &a);
	else
		decide_perf(t, &a);
}

bool pmu_tick_multiplexes(const struct pmu_tick *t)
{
	const struct pmu_tick_context *cpu = t->contexts[PMU_TICK_CPU];
	const struct pmu_tick_context *task = t->contexts[PMU_TICK_TASK];

	return (cpu && cpu->multiplex) || (task && task->multiplex);
}

void pmu_tick_next(struct pmu_tick *t)
{
	if (!t->fair) {
		each_context (t, context)
			pmu_tick_rotate(context);
		return;
	}
	each_context (t, context)
		pmu_tick_each (g, context->flexible)
			g->served += g->wait == PMU_RUNS;
	pmu_fair_account(t->fair);
}

/* --- The check at opening --- */

bool pmu_tick_fits(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct pmu_tick idle = {.counters = t->counters,
				      .taken = t->taken,
				      .limits = PMU_UNLIMITED,
				      .assign = t->assign,
				      .fair = t->fair};
	struct pmu_tick_group group = *g;
	struct accepted a;

	pmu_tick_group_update(&group);
	begin(&idle, &a);
	if (t->fair)
		return accept_exact(&idle, &a, &group);
	place_alike(&idle, &a);
	return accept_greedy(&idle, &a, &group);
}
