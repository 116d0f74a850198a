// SPDX-License-Identifier: BSD-2-Clause
/*
 * placing.c - see placing.h. Two ways to go on from n events to one more:
 *
 * While everybody is where it was, one that can stay where it was is enough.
 *
 * Else the greedy order decides, in which those behind the new event choose after it. They choose
 * as before when there are none, or when it takes a counter that nobody has; which it does for
 * certain when nobody has the one that it likes best of all. Going back to overlapping constraints
 * is left to pmu_assign_greedy().
 */
#include "pmu/placing.h"

#include "pmu/bits.h"

#define PLAIN (PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST)

enum step {
	PLACED,
	UNCLEAR, /* all must be looked at */
	FULL,    /* n events on n counters want no others, and one more is too many */
};

void pmu_placing_begin(struct pmu_placing *p, uint8_t flags)
{
	p->now = (struct pmu_placing_state){.kept = true, .plain = (flags & PLAIN) == PLAIN};
	p->flags = flags;
	p->n = 0;
	p->end = 0;
}

static inline bool keep(const struct pmu_placing_state *s, uint64_t counters, uint8_t previous,
			uint64_t *bit)
{
	if (previous >= PMU_COUNTERS)
		return false;
	*bit = 1ull << previous;
	return (counters & ~s->used & *bit) != 0;
}

/* The counter that comes first in the greedy order, if it is clear that nobody has it. */
static inline bool choose(const struct pmu_placing_state *s, const struct pmu_constraint *c,
			  uint64_t *bit)
{
	uint64_t can = c->weight >= s->heaviest ? c->counters & ~s->used : c->counters;

	if (can & PMU_FIXED_MASK)
		can &= PMU_FIXED_MASK;
	*bit = can & -can;
	return (*bit & ~s->used) != 0;
}

static inline enum step place(struct pmu_placing *p, struct pmu_placing_state *s, unsigned i)
{
	const struct pmu_constraint *c = &p->events[i];
	uint64_t bit;

	s->wanted |= c->counters;
	if (s->wanted == s->used)
		return FULL;
	if (c->overlap && (p->flags & PMU_ASSIGN_OVERLAP))
		s->plain = false;
	if (s->kept ? !keep(s, c->counters, p->previous[i], &bit)
		    : !s->plain || !choose(s, c, &bit))
		return UNCLEAR;
	if (c->weight > s->heaviest)
		s->heaviest = c->weight;
	s->used |= bit;
	p->index[i] = (uint8_t)bits_first(bit);
	return PLACED;
}

static bool within(const struct pmu_placing *p, const struct pmu_placing_state *s,
		   uint8_t general_max)
{
	return p->end <= general_max || bits_count(s->used & PMU_GENERAL_MASK) <= general_max;
}

static struct pmu_placing_state state_of(const struct pmu_placing *p)
{
	struct pmu_placing_state s = {.plain = (p->flags & PLAIN) == PLAIN};

	for (unsigned i = 0; i < p->n; i++) {
		const struct pmu_constraint *c = &p->events[i];

		s.used |= 1ull << p->index[i];
		s.wanted |= c->counters;
		s.heaviest = c->weight > s.heaviest ? c->weight : s.heaviest;
		if (c->overlap && (p->flags & PMU_ASSIGN_OVERLAP))
			s.plain = false;
	}
	return s;
}

static bool refuse(struct pmu_placing *p)
{
	p->end = p->n;
	return false;
}

static bool place_all(struct pmu_placing *p, uint8_t general_max)
{
	uint8_t index[PMU_COUNTERS];
	const struct pmu_assign_job job = {
		.events = p->events, .n = p->end, .general_max = general_max, .flags = p->flags};

	if (!pmu_assign_greedy(&job, index))
		return refuse(p);
	for (unsigned i = 0; i < p->end; i++)
		p->index[i] = index[i];
	p->n = p->end;
	p->now = state_of(p);
	return true;
}

bool pmu_placing_accept(struct pmu_placing *p, uint8_t general_max)
{
	struct pmu_placing_state s = p->now;
	enum step step = PLACED;

	if (p->end > PMU_COUNTERS)
		return refuse(p);
	for (unsigned i = p->n; i < p->end && step == PLACED; i++)
		step = place(p, &s, i);
	if (step == FULL)
		return refuse(p);
	if (step != PLACED || !within(p, &s, general_max))
		return place_all(p, general_max);
	p->now = s;
	p->n = p->end;
	return true;
}
