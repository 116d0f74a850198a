// SPDX-License-Identifier: BSD-2-Clause
/* assign.c - see assign.h. */
#include "pmu/assign.h"

#include "pmu/bits.h"
#include "pmu/match.h"

#include <stddef.h>

/* What going back restores. */
struct saved {
	unsigned at;    /* position in the order */
	uint64_t used;  /* before that event got its counter */
	uint64_t tried; /* counters that it had, and that did not lead anywhere */
	unsigned general;
};

struct state {
	const struct pmu_assign_job *job;
	const uint8_t *order; /* NULL: as given */
	bool overlap;         /* going back is known */
	uint8_t *index;
	struct saved saved[PMU_SAVED_STATES];
	unsigned nsaved;
};

struct pmu_constraint pmu_constraint(uint64_t counters, bool overlap)
{
	return (struct pmu_constraint){
		.counters = counters, .weight = (uint8_t)bits_count(counters), .overlap = overlap};
}

/* All where they were, or false. */
static bool reuse(const struct pmu_assign_job *job, uint8_t *index)
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

/* The events by weight: a set for each weight that occurs. */
struct buckets {
	uint64_t weights; /* that occur */
	uint64_t events[64];
	bool overlap; /* of any */
};

static void fill_buckets(struct buckets *b, const struct pmu_constraint *events, unsigned n)
{
	uint64_t weights = 0;
	bool overlap = false;

	for (uint64_t bit = 1; n; n--, bit += bit, events++) {
		unsigned w = events->weight & 63;

		if (weights >> w & 1)
			b->events[w] |= bit;
		else
			b->events[w] = bit;
		weights |= 1ull << w;
		overlap |= events->overlap;
	}
	b->weights = weights;
	b->overlap = overlap;
}

static void order_by_weight(struct buckets *b, uint8_t *order)
{
	for (; b->weights; b->weights &= b->weights - 1)
		for (uint64_t left = b->events[bits_first(b->weights)]; left; left &= left - 1)
			*order++ = (uint8_t)bits_first(left);
}

static uint64_t first_choice(uint64_t free, uint8_t flags)
{
	uint64_t fixed = free & PMU_FIXED_MASK;

	return (flags & PMU_ASSIGN_FIXED_FIRST) && fixed ? fixed : free;
}

/* Takes the first counter out of `free`; false: there is none left. */
static inline bool take_first(uint64_t *free, uint64_t counters, uint8_t *index)
{
	uint64_t can = counters & *free;

	if (!can)
		return false;
	if (can & PMU_FIXED_MASK)
		can &= PMU_FIXED_MASK;
	*index = (uint8_t)bits_first(can);
	*free ^= can & -can;
	return true;
}

/*
 * Fixed counters first, and no going back: a general counter is only taken where no fixed one is
 * free, so whether the limit holds can be seen at the end.
 */
static inline bool within_limit(const struct pmu_assign_job *job, uint64_t free)
{
	return job->n <= job->general_max ||
	       bits_count(~free & PMU_GENERAL_MASK) <= job->general_max;
}

/* The common case: sorted by weight, nothing overlaps, and it works out. False: look closer. */
static bool assign_sorted(const struct pmu_assign_job *job, uint8_t *index)
{
	const struct pmu_constraint *e = job->events, *end = e + job->n;
	uint64_t free = UINT64_MAX;
	unsigned before = 0;

	for (; e < end; e++) {
		if (e->weight < before || e->overlap || !take_first(&free, e->counters, index++))
			return false;
		before = e->weight;
	}
	return within_limit(job, free);
}

static bool assign_by_weight(const struct pmu_assign_job *job, const struct buckets *b,
			     uint8_t *index)
{
	const struct pmu_constraint *events = job->events;
	uint64_t free = UINT64_MAX;

	for (uint64_t weights = b->weights; weights; weights &= weights - 1)
		for (uint64_t left = b->events[bits_first(weights)]; left; left &= left - 1) {
			unsigned i = bits_first(left);

			if (!take_first(&free, events[i].counters, &index[i]))
				return false;
		}
	return within_limit(job, free);
}

/* The event at `now->at` takes its next counter; `now` is then the state after it. */
static bool take(struct state *s, struct saved *now)
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
	if (s->overlap && job->events[i].overlap && s->nsaved < PMU_SAVED_STATES) {
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

static bool assign_going_back(const struct pmu_assign_job *job, const uint8_t *order, bool overlap,
			      uint8_t *index)
{
	struct state s = {.job = job, .order = order, .overlap = overlap, .index = index};
	struct saved now = {0};

	while (now.at < job->n) {
		if (take(&s, &now))
			continue;
		if (!s.nsaved)
			return false;
		now = s.saved[--s.nsaved];
	}
	return true;
}

bool pmu_assign_greedy(const struct pmu_assign_job *job, uint8_t *index)
{
	const uint8_t plain = PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST;
	bool is_plain = (job->flags & plain) == plain;
	uint8_t order[PMU_COUNTERS];
	struct buckets b;

	if (job->n > PMU_COUNTERS)
		return false;
	if (job->previous && reuse(job, index))
		return true;
	if (is_plain && assign_sorted(job, index))
		return true;
	fill_buckets(&b, job->events, job->n);
	b.overlap &= !!(job->flags & PMU_ASSIGN_OVERLAP);
	if (is_plain && !b.overlap)
		return assign_by_weight(job, &b, index);
	order_by_weight(&b, order);
	return assign_going_back(job, job->flags & PMU_ASSIGN_BY_WEIGHT ? order : NULL, b.overlap,
				 index);
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
