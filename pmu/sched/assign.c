// SPDX-License-Identifier: BSD-2-Clause
/* assign.c - see assign.h. */
#include "pmu/sched/assign.h"

#include "lib/bits.h"
#include "pmu/sched/match.h"

#include <stddef.h>

/* The state that backtracking restores. */
struct saved {
	unsigned at;    /* position in the order */
	uint64_t used;  /* counters in use before that event got its counter */
	uint64_t tried; /* counters of that event that led to no assignment */
	unsigned general;
};

struct state {
	const struct pmu_assign_job *job;
	const uint8_t *order; /* NULL: the given order */
	uint8_t *index;
	struct saved saved[PMU_SAVED_STATES];
	unsigned nsaved;
};

struct pmu_constraint pmu_constraint(uint64_t counters, bool overlap)
{
	return (struct pmu_constraint){
		.counters = counters, .weight = (uint8_t)bits_count(counters), .overlap = overlap};
}

/* Gives every event its previous counter; returns false where that is impossible. */
static __attribute__((noinline)) bool reuse_counters(const struct pmu_assign_job *job,
						     uint8_t *index)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < job->n; i++) {
		uint64_t bit;

		if (job->previous[i] >= PMU_COUNTERS)
			return false;
		bit = 1ull << job->previous[i];
		if (!(job->events[i].counters & ~used & bit))
			return false;
		used |= bit;
		index[i] = job->previous[i];
	}
	return bits_count(used & PMU_GENERAL_MASK) <= job->general_max;
}

static uint64_t first_choice(uint64_t free, uint8_t flags)
{
	uint64_t fixed = free & PMU_FIXED_MASK;

	return (flags & PMU_ASSIGN_FIXED_FIRST) && fixed ? fixed : free;
}

/* Takes the first counter out of `free`; false: none of `counters` is free. */
static inline bool take_free_counter(uint64_t *free, uint64_t counters, uint8_t *index)
{
	uint64_t can = counters & *free;

	if (!can)
		return false;
	/* Most constraints have no fixed counter, so this branch is predicted. */
	if (__builtin_expect(counters & PMU_FIXED_MASK, 0) && can & PMU_FIXED_MASK)
		can &= PMU_FIXED_MASK;
	*index = (uint8_t)bits_first(can);
	*free ^= can & -can;
	return true;
}

/*
 * Fixed counters are preferred, and there is no backtracking. So an event takes a general counter
 * only where no fixed one is free, and the limit can be checked at the end.
 */
static inline bool within_limit(const struct pmu_assign_job *job, uint64_t free)
{
	return job->n <= job->general_max ||
	       bits_count(~free & PMU_GENERAL_MASK) <= job->general_max;
}

/*
 * The common case: sorted by weight, no overlaps, and a solution. False: the general way must
 * decide.
 */
static inline bool assign_sorted(const struct pmu_assign_job *job, uint8_t *index)
{
	const struct pmu_constraint *e = job->events, *end = e + job->n;
	uint64_t free = UINT64_MAX;
	unsigned before = 0;

	if (e < end && e->weight > end[-1].weight)
		return false;
	for (; e < end; e++) {
		if (e->weight < before || e->overlap ||
		    !take_free_counter(&free, e->counters, index++))
			return false;
		before = e->weight;
	}
	return within_limit(job, free);
}

/* Gives the event at `now->at` its next counter and advances `now`. */
static bool take_next_counter(struct state *s, struct saved *now)
{
	const struct pmu_assign_job *job = s->job;
	unsigned i = s->order ? s->order[now->at] : now->at;
	uint64_t free = job->events[i].counters & ~now->used & ~now->tried;

	if (now->general >= job->general_max)
		free &= PMU_FIXED_MASK;
	if (!free)
		return false;
	free = first_choice(free, job->flags);
	free &= -free;
	s->index[i] = (uint8_t)bits_first(free);
	if (free & PMU_GENERAL_MASK)
		now->general++;
	if (job->flags & PMU_ASSIGN_OVERLAP && job->events[i].overlap &&
	    s->nsaved < PMU_SAVED_STATES) {
		s->saved[s->nsaved] = *now;
		s->saved[s->nsaved].tried |= free;
		if (!(job->flags & PMU_ASSIGN_LEAK) && (free & PMU_GENERAL_MASK))
			s->saved[s->nsaved].general--;
		s->nsaved++;
	}
	now->used |= free;
	now->tried = 0;
	now->at++;
	return true;
}

static bool assign_going_back(const struct pmu_assign_job *job, const uint8_t *order,
			      uint8_t *index)
{
	struct state s = {.job = job, .order = order, .index = index};
	struct saved now = {0};

	while (now.at < job->n) {
		if (take_next_counter(&s, &now))
			continue;
		if (!s.nsaved)
			return false;
		now = s.saved[--s.nsaved];
	}
	return true;
}

static void order_by_weight(const struct pmu_assign_job *job, uint8_t *order)
{
	unsigned n = 0;

	for (unsigned w = 0; n < job->n; w++)
		for (unsigned i = 0; i < job->n; i++)
			if (job->events[i].weight == w)
				order[n++] = (uint8_t)i;
}

static __attribute__((noinline)) bool assign_closely(const struct pmu_assign_job *job,
						     uint8_t *index)
{
	uint8_t order[PMU_COUNTERS];

	order_by_weight(job, order);
	return assign_going_back(job, job->flags & PMU_ASSIGN_BY_WEIGHT ? order : NULL, index);
}

/* Assigns events of equal weight in the given order. */
static inline bool assign_equals(const struct pmu_constraint *events, uint64_t equals,
				 uint64_t *free, uint8_t *index)
{
	for (; equals; equals &= equals - 1) {
		uint64_t i = bits_first(equals);

		if (!take_free_counter(free, events[i].counters, &index[i]))
			return false;
	}
	return true;
}

/*
 * Assigns by weight, fixed counters first, where no constraint overlaps. An event with a single
 * counter takes it at once: it comes first in this order, and only another event with the same
 * single counter could have it. The other events wait, in one set for each weight that occurs.
 */
static __attribute__((noinline)) bool assign_by_weight(const struct pmu_assign_job *job,
						       uint8_t *index)
{
	const struct pmu_constraint *const events = job->events, *const end = events + job->n;
	uint64_t free = UINT64_MAX, weights = 0, equals[64], bit = 1;

	for (const struct pmu_constraint *e = events; e < end; e++, bit += bit) {
		uint64_t w = e->weight & 63;

		if (e->overlap)
			return assign_closely(job, index);
		if (w == 1) {
			if (!(e->counters & free))
				return false;
			free ^= e->counters;
			index[bits_first(bit)] = (uint8_t)bits_first(e->counters);
		} else {
			equals[w] = bit | (weights >> w & 1 ? equals[w] : 0);
			weights |= 1ull << w;
		}
	}
	for (; weights; weights &= weights - 1)
		if (!assign_equals(events, equals[bits_first(weights)], &free, index))
			return false;
	return within_limit(job, free);
}

bool pmu_assign_greedy(const struct pmu_assign_job *job, uint8_t *index)
{
	const uint8_t plain = PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST;

	if (job->n > PMU_COUNTERS)
		return false;
	if (job->previous && reuse_counters(job, index))
		return true;
	if ((job->flags & plain) != plain)
		return assign_closely(job, index);
	return assign_sorted(job, index) || assign_by_weight(job, index);
}

bool pmu_assign(const uint64_t *masks, unsigned n, uint8_t *index)
{
	struct pmu_constraint events[PMU_COUNTERS];
	const struct pmu_assign_job job = {
		.events = events,
		.n = n,
		.general_max = PMU_NO_LIMIT,
		.flags = PMU_ASSIGN_DEFAULT,
	};

	if (n > PMU_COUNTERS)
		return false;
	for (unsigned i = 0; i < n; i++)
		events[i] = pmu_constraint(masks[i], false);
	return pmu_assign_greedy(&job, index);
}

bool pmu_assign_exact(const uint64_t *masks, unsigned n, uint8_t general_max, uint8_t *index)
{
	struct pmu_match match;

	pmu_match_init(&match);
	if (n > PMU_COUNTERS)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!pmu_match_add(&match, masks[i], (uint8_t)i, 0))
			return false;
	if (bits_count(match.used & PMU_GENERAL_MASK) > general_max)
		return false;
	for (uint64_t left = match.used; left; left &= left - 1)
		index[match.event[bits_first(left)]] = (uint8_t)bits_first(left);
	return true;
}
