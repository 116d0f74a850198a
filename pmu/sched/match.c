// SPDX-License-Identifier: BSD-2-Clause
/* match.c - see match.h. */
#include "pmu/sched/match.h"

#include "lib/bits.h"

#define ROOT PMU_NO_COUNTER /* the new event itself */

void pmu_match_init(struct pmu_match *m)
{
	m->used = 0;
	m->wanted = 0;
	m->n = 0;
	m->corrupting = false;
	m->exclusive = false;
	m->extras.held = 0;
}

/* Moves each event on the path to `end` to the next counter; the new event takes the first one. */
static void shift_along(struct pmu_match *m, const uint8_t *from, unsigned end, uint64_t mask,
			uint8_t number)
{
	m->used |= 1ull << end;
	m->wanted |= mask;
	m->n++;
	for (; from[end] != ROOT; end = from[end]) {
		m->event[end] = m->event[from[end]];
		m->masks[end] = m->masks[from[end]];
	}
	m->event[end] = number;
	m->masks[end] = mask;
}

static void mark_fresh(uint8_t *from, uint64_t fresh, unsigned holder)
{
	for (; fresh; fresh &= fresh - 1)
		from[bits_first(fresh)] = (uint8_t)holder;
}

static unsigned choose_end(uint64_t ends, uint64_t prefer)
{
	return bits_first(ends & prefer ? ends & prefer : ends);
}

bool pmu_match_add(struct pmu_match *m, uint64_t mask, uint8_t number, uint64_t prefer)
{
	uint8_t from[PMU_COUNTERS];
	uint64_t seen, todo, ends, fixed;

	mask &= bits_low(PMU_COUNTERS);
	seen = mask;
	todo = mask & m->used;
	ends = mask & ~m->used;
	fixed = (m->wanted | mask) & ~m->used & PMU_FIXED_MASK;
	mark_fresh(from, mask, ROOT);
	/* Ends at a free fixed counter if one can be reached, else at any free counter. */
	while (todo && !(ends & PMU_FIXED_MASK) && (fixed || !ends)) {
		unsigned holder = bits_first(todo);
		uint64_t fresh = m->masks[holder] & ~seen;

		mark_fresh(from, fresh, holder);
		seen |= fresh;
		ends |= fresh & ~m->used;
		todo = (todo & (todo - 1)) | (fresh & m->used);
	}
	if (ends & PMU_FIXED_MASK)
		ends &= PMU_FIXED_MASK;
	if (!ends)
		return false;
	shift_along(m, from, choose_end(ends, prefer), mask, number);
	return true;
}

static bool is_match_within(const struct pmu_match *m, const struct pmu_limits *limits)
{
	unsigned general = bits_count(m->used & PMU_GENERAL_MASK);

	return general <= limits->general && m->n <= limits->total &&
	       (!m->corrupting || general <= limits->general_corrupting);
}

bool pmu_match_group(struct pmu_match *m, const struct pmu_demand *d,
		     const struct pmu_limits *limits)
{
	struct pmu_match next = *m;

	if (m->exclusive || (d->exclusive && m->n))
		return false;
	for (unsigned i = 0; i < d->nextras; i++)
		if (!pmu_extras_fit(&next.extras, &d->extras[i]))
			return false;
	for (unsigned i = 0; i < d->n; i++) {
		uint64_t prefer = 0;

		if (d->previous && d->previous[i] < PMU_COUNTERS)
			prefer = 1ull << d->previous[i];
		if (!pmu_match_add(&next, d->masks[i], (uint8_t)(d->first + i), prefer))
			return false;
	}
	next.corrupting |= d->corrupting;
	next.exclusive |= d->exclusive;
	if (!is_match_within(&next, limits))
		return false;
	*m = next;
	return true;
}

bool pmu_demand_same_extras(const struct pmu_demand *a, const struct pmu_demand *b)
{
	if (a->nextras != b->nextras)
		return false;
	for (unsigned i = 0; i < a->nextras; i++)
		if (a->extras[i].value != b->extras[i].value ||
		    a->extras[i].registers != b->extras[i].registers)
			return false;
	return true;
}
