// SPDX-License-Identifier: BSD-2-Clause
/* passes.c - see passes.h. */
#include "pmu/sched/passes.h"

#include "lib/bits.h"

#include <stddef.h>

#define TORN_EVENTS 512 /* further events do not count for the bound, which is weaker then */
#define NOBODY      0xff

struct packing {
	const struct pmu_demand *groups;
	const struct pmu_match *start;
	const struct pmu_limits *limits;
	unsigned n, limit;
	uint64_t universe; /* counters that at least one event could use */
	uint8_t order[PMU_PASSES_GROUPS];
	uint16_t events[PMU_PASSES_GROUPS +
			1]; /* number of events of the groups from here on, in order */
	uint8_t pass[PMU_PASSES_GROUPS];
	struct pmu_match *matches;
	uint32_t steps; /* search steps left */
	bool all;       /* the search was complete: no steps were lacking */
};

static bool is_same_demand(const struct pmu_demand *a, const struct pmu_demand *b)
{
	if (a->n != b->n || a->corrupting != b->corrupting || a->exclusive != b->exclusive ||
	    !pmu_demand_same_extras(a, b))
		return false;
	for (unsigned i = 0; i < a->n; i++)
		if (a->masks[i] != b->masks[i])
			return false;
	return true;
}

/* The smallest number of counters that an event of the group can use; fewer are harder to place. */
static unsigned least_choice(const struct pmu_demand *d)
{
	unsigned least = PMU_COUNTERS + 1;

	for (unsigned i = 0; i < d->n; i++)
		if (bits_count(d->masks[i]) < least)
			least = bits_count(d->masks[i]);
	return least;
}

/*
 * The order of packing: exclusive and corrupting groups first, because they take room from others.
 * Then larger groups, then those with fewer counters, with equal groups side by side.
 */
static bool packs_before(const struct pmu_demand *a, const struct pmu_demand *b)
{
	if (a->exclusive != b->exclusive)
		return a->exclusive;
	if (a->corrupting != b->corrupting)
		return a->corrupting;
	if (a->n != b->n)
		return a->n > b->n;
	if (least_choice(a) != least_choice(b))
		return least_choice(a) < least_choice(b);
	for (unsigned i = 0; i < a->n; i++)
		if (a->masks[i] != b->masks[i])
			return a->masks[i] < b->masks[i];
	return false;
}

static void sort_groups(struct packing *p)
{
	for (unsigned g = 0; g < p->n; g++) {
		unsigned at = g;

		for (; at > 0 && packs_before(&p->groups[g], &p->groups[p->order[at - 1]]); at--)
			p->order[at] = p->order[at - 1];
		p->order[at] = (uint8_t)g;
	}
	p->events[p->n] = 0;
	p->universe = p->start->wanted;
	for (unsigned k = p->n; k--;) {
		const struct pmu_demand *d = &p->groups[p->order[k]];

		p->events[k] = (uint16_t)(p->events[k + 1] + d->n);
		for (unsigned i = 0; i < d->n; i++)
			p->universe |= d->masks[i];
	}
}

/*
 * Groups split into single events, at most `passes` of them on each counter. A number of passes
 * that fails here is impossible. If all groups are single events and nothing is pinned or limited,
 * a number that succeeds here is possible: each counter spreads its events over the passes.
 */
struct torn {
	unsigned n, passes;
	uint64_t masks[TORN_EVENTS];
	uint8_t group[TORN_EVENTS]; /* `NOBODY`: a pinned event */
	uint8_t counter[TORN_EVENTS];
	uint8_t load[PMU_COUNTERS];
};

/*
 * Finds a counter for the event that is not in `seen`; an event on that counter may have to move.
 */
static bool place_torn_event(struct torn *t, unsigned event, uint64_t *seen)
{
	uint64_t left;

	while ((left = t->masks[event] & ~*seen)) {
		unsigned c = bits_first(left);

		*seen |= 1ull << c;
		if (t->load[c] < t->passes) {
			t->load[c]++;
			t->counter[event] = (uint8_t)c;
			return true;
		}
		for (unsigned other = 0; other < t->n; other++)
			if (t->counter[other] == c && place_torn_event(t, other, seen)) {
				t->counter[event] = (uint8_t)c;
				return true;
			}
	}
	return false;
}

static void tear_event(struct torn *t, uint64_t mask, unsigned group)
{
	if (t->n == TORN_EVENTS)
		return;
	t->masks[t->n] = mask;
	t->group[t->n] = (uint8_t)group;
	t->counter[t->n++] = PMU_NO_COUNTER;
}

/*
 * True where the split groups fit into `passes`. Exclusive groups are ignored here: bound_passes()
 * counts one pass for each. Pinned events take part in each pass.
 */
static bool works_torn(const struct packing *p, struct torn *t, unsigned passes)
{
	*t = (struct torn){.passes = passes};
	for (uint64_t left = p->start->used; left; left &= left - 1)
		for (unsigned i = 0; i < passes; i++)
			tear_event(t, p->start->masks[bits_first(left)], NOBODY);
	for (unsigned g = 0; g < p->n; g++)
		for (unsigned i = 0; i < p->groups[g].n && !p->groups[g].exclusive; i++)
			tear_event(t, p->groups[g].masks[i], g);
	for (unsigned i = 0; i < t->n; i++) {
		uint64_t seen = 0;

		if (!place_torn_event(t, i, &seen))
			return false;
	}
	return true;
}

static unsigned divide_up(unsigned a, unsigned b)
{
	return (a + b - 1) / b;
}

/* A lower bound by the limits alone: a pass with a corrupting event has less room than others. */
static unsigned bound_by_limits(const struct packing *p)
{
	unsigned corrupting = 0, general = 0, events = 0, own, counters, passes;
	const struct pmu_limits *l = p->limits;
	uint64_t wanted = p->start->wanted;

	for (unsigned g = 0; g < p->n; g++) {
		const struct pmu_demand *d = &p->groups[g];

		if (d->exclusive)
			continue;
		events += d->n;
		own = 0;
		for (unsigned i = 0; i < d->n; i++) {
			wanted |= d->masks[i];
			own += !(d->masks[i] & PMU_FIXED_MASK);
		}
		general += own;
		corrupting += d->corrupting && own;
	}
	counters = bits_count(wanted & PMU_GENERAL_MASK);
	counters = counters < l->general ? counters : l->general;
	passes = divide_up(corrupting, l->general_corrupting ? l->general_corrupting : 1);
	if (l->general_corrupting < counters && general > passes * l->general_corrupting)
		passes += divide_up(general - passes * l->general_corrupting, counters);
	if (l->total && divide_up(events, l->total) > passes)
		passes = divide_up(events, l->total);
	return passes;
}

static unsigned bound_passes(const struct packing *p, struct torn *t)
{
	unsigned passes = bound_by_limits(p), exclusive = 0;

	for (unsigned g = 0; g < p->n; g++)
		exclusive += p->groups[g].exclusive;
	if (!passes && exclusive < p->n)
		passes = 1;
	while (!works_torn(p, t, passes))
		passes++;
	return passes + exclusive;
}

static bool is_unlimited(const struct packing *p)
{
	const struct pmu_limits *l = p->limits;
	bool free = l->general == PMU_NO_LIMIT && l->total == PMU_NO_LIMIT && !p->start->n;

	for (unsigned g = 0; g < p->n; g++)
		free &= p->groups[g].exclusive ||
			(p->groups[g].n == 1 && !p->groups[g].nextras &&
			 (!p->groups[g].corrupting || l->general_corrupting == PMU_NO_LIMIT));
	return free;
}

/* Spreads each counter's events over the passes; each exclusive group gets a pass of its own. */
static void deal_out(struct packing *p, const struct torn *t)
{
	uint8_t next[PMU_COUNTERS] = {0};

	for (unsigned i = 0; i < t->n; i++)
		p->pass[t->group[i]] = next[t->counter[i]]++;
	for (unsigned g = 0, pass = t->passes; g < p->n; g++)
		if (p->groups[g].exclusive)
			p->pass[g] = (uint8_t)pass++;
}

/* An upper bound on the events that still fit into the passes. */
static unsigned room_left(const struct packing *p)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < p->limit; i++) {
		const struct pmu_match *m = &p->matches[i];
		uint64_t free = p->universe & ~m->used;
		unsigned general = bits_count(free & PMU_GENERAL_MASK);
		unsigned used = bits_count(m->used & PMU_GENERAL_MASK);
		unsigned max = m->corrupting ? p->limits->general_corrupting : p->limits->general;

		if (m->exclusive)
			continue;
		if (general > max - used && max >= used)
			general = max - used;
		sum += general + bits_count(free & PMU_FIXED_MASK);
	}
	return sum;
}

/* Packs the groups from `k` on into the passes, of which `open` are not empty. */
static bool pack_groups(struct packing *p, unsigned k, unsigned open)
{
	const struct pmu_demand *d;
	unsigned g, first = 0;

	if (k == p->n)
		return true;
	if (p->events[k] > room_left(p))
		return false;
	g = p->order[k];
	d = &p->groups[g];
	if (k && is_same_demand(d, &p->groups[p->order[k - 1]]))
		first = p->pass[p->order[k - 1]];
	for (unsigned i = first; i < p->limit && i <= open; i++) {
		struct pmu_match old = p->matches[i];

		if (!p->steps) {
			p->all = false;
			return false;
		}
		p->steps--;
		if (!pmu_match_group(&p->matches[i], d, p->limits))
			continue;
		p->pass[g] = (uint8_t)i;
		if (pack_groups(p, k + 1, i == open ? open + 1 : open))
			return true;
		p->matches[i] = old;
	}
	return false;
}

static void start_over(struct packing *p, unsigned limit, uint32_t steps)
{
	p->limit = limit;
	p->steps = steps;
	p->all = true;
	for (unsigned i = 0; i < limit; i++)
		p->matches[i] = *p->start;
}

/* First fit: always succeeds, with at most as many passes as groups. */
static unsigned first_fit(struct packing *p)
{
	unsigned open = 0;

	start_over(p, p->n, 0);
	for (unsigned k = 0; k < p->n; k++) {
		unsigned g = p->order[k], i = 0;

		while (!pmu_match_group(&p->matches[i], &p->groups[g], p->limits))
			i++;
		p->pass[g] = (uint8_t)i;
		open = i + 1 > open ? i + 1 : open;
	}
	return open;
}

static void take_passes(const struct packing *p, struct pmu_passes *out, unsigned n)
{
	out->n = n;
	for (unsigned g = 0; g < p->n; g++)
		out->pass[g] = p->pass[g];
}

/* Renumbers the passes in the order in which the groups first use them. */
static void number_passes(struct pmu_passes *out, unsigned ngroups)
{
	uint8_t as[PMU_PASSES_GROUPS], next = 0;

	for (unsigned i = 0; i < out->n; i++)
		as[i] = NOBODY;
	for (unsigned g = 0; g < ngroups; g++) {
		if (as[out->pass[g]] == NOBODY)
			as[out->pass[g]] = next++;
		out->pass[g] = as[out->pass[g]];
	}
}

int pmu_passes(const struct pmu_demand *groups, unsigned n, const struct pmu_match *start,
	       const struct pmu_limits *limits, struct pmu_passes *out)
{
	static const uint32_t budget = PMU_PASSES_STEPS;
	struct packing p = {.groups = groups,
			    .start = start,
			    .limits = limits,
			    .n = n,
			    .matches = out->matches};
	uint32_t left = budget;
	struct torn torn;

	for (unsigned g = 0; g < n; g++) {
		struct pmu_match alone = *start;

		if (!pmu_match_group(&alone, &groups[g], limits))
			return (int)g;
	}
	sort_groups(&p);
	take_passes(&p, out, first_fit(&p));
	out->bound = n ? bound_passes(&p, &torn) : 0;
	out->proven = true;
	if (out->bound < out->n && is_unlimited(&p)) {
		deal_out(&p, &torn);
		take_passes(&p, out, out->bound);
	}
	for (unsigned limit = out->bound; limit < out->n; limit++) {
		start_over(&p, limit, left);
		if (pack_groups(&p, 0, 0)) {
			take_passes(&p, out, limit);
			break;
		}
		left = p.steps;
		out->proven &= p.all;
		if (p.all)
			out->bound = limit + 1;
	}
	out->steps = budget - left;
	number_passes(out, n);
	return -1;
}
