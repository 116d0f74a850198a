// SPDX-License-Identifier: BSD-2-Clause
/* fit.c - see fit.h. */
#include "pmu/sched/fit.h"

#include "lib/bits.h"

#define ROOT PMU_NO_COUNTER /* the new event itself */

static uint8_t smaller_of(unsigned a, unsigned b)
{
	return (uint8_t)(a < b ? a : b);
}

bool pmu_fit_init(struct pmu_fit_rules *r, uint64_t counters, const struct pmu_limits *limits)
{
	unsigned general = bits_count(counters & PMU_GENERAL_MASK), n = bits_count(counters);

	if (n > PMU_FIT_COUNTERS)
		return false;
	r->counters = counters;
	r->fixed = (uint32_t)(bits_low(n) & ~bits_low(general));
	r->n = (uint8_t)n;
	r->room = smaller_of(smaller_of(general, limits->general) + n - general, limits->total);
	r->limited = limits->general < general || limits->general_corrupting < general;
	r->limits = *limits;
	return true;
}

uint32_t pmu_fit_mask(const struct pmu_fit_rules *r, uint64_t mask)
{
	uint32_t to = 0, bit = 1;

	for (uint64_t left = r->counters; left; left &= left - 1, bit += bit)
		if (left & -left & mask)
			to |= bit;
	return to;
}

void pmu_fit_begin(struct pmu_fit *f)
{
	f->used = 0;
	f->wanted = 0;
	f->n = 0;
	f->corrupting = false;
	f->extras.held = 0;
}

static void put_mask(struct pmu_fit *f, unsigned at, uint32_t mask)
{
	f->masks[at] = mask;
	f->used |= 1u << at;
	f->wanted |= mask;
	f->n++;
}

/*
 * Adds an event along an augmenting path from one of its counters to a free counter, preferably a
 * fixed one: each event on the path moves to the next counter. False: there is no path.
 */
static bool add_by_path(struct pmu_fit *f, const struct pmu_fit_rules *r, uint32_t mask)
{
	uint8_t from[PMU_FIT_COUNTERS];
	uint32_t seen = mask, todo = mask & f->used, ends = mask & ~f->used;
	uint32_t hope = (f->wanted | mask) & ~f->used & r->fixed;
	unsigned at;

	for (uint32_t left = mask; left; left &= left - 1)
		from[bits_first(left)] = ROOT;
	while (todo && !(ends & r->fixed) && (hope || !ends)) {
		unsigned holder = bits_first(todo);
		uint32_t fresh = f->masks[holder] & ~seen;

		for (uint32_t left = fresh; left; left &= left - 1)
			from[bits_first(left)] = (uint8_t)holder;
		seen |= fresh;
		ends |= fresh & ~f->used;
		todo = (todo & (todo - 1)) | (fresh & f->used);
	}
	if (!ends)
		return false;
	at = bits_first(ends & r->fixed ? ends & r->fixed : ends);
	f->used |= 1u << at;
	for (; from[at] != ROOT; at = from[at])
		f->masks[at] = f->masks[from[at]];
	put_mask(f, at, mask);
	return true;
}

bool pmu_fit_add(struct pmu_fit *f, const struct pmu_fit_rules *r, uint32_t mask)
{
	uint32_t free = mask & ~f->used;

	if (free & r->fixed)
		put_mask(f, bits_first(free & r->fixed), mask);
	else if (free && !((f->wanted | mask) & ~f->used & r->fixed))
		put_mask(f, bits_first(free), mask);
	else
		return add_by_path(f, r, mask);
	return true;
}

static bool is_fit_within(const struct pmu_fit *f, const struct pmu_fit_rules *r)
{
	unsigned general = bits_count(f->used & ~r->fixed);

	return general <= r->limits.general &&
	       (!f->corrupting || general <= r->limits.general_corrupting);
}

static void copy_fit(struct pmu_fit *to, const struct pmu_fit *from, unsigned n)
{
	to->used = from->used;
	to->wanted = from->wanted;
	to->n = from->n;
	if (from->extras.held)
		to->extras = from->extras;
	else
		to->extras.held = 0;
	for (unsigned i = 0; i < n; i++)
		to->masks[i] = from->masks[i];
}

bool pmu_fit_group(struct pmu_fit *to, const struct pmu_fit *from, const struct pmu_fit_rules *r,
		   const struct pmu_fit_group *g)
{
	if (from->n + g->n > r->room)
		return false;
	copy_fit(to, from, r->n);
	to->corrupting = from->corrupting || g->corrupting;
	for (unsigned i = 0; i < g->nextras; i++)
		if (!pmu_extras_fit(&to->extras, &g->extras[i]))
			return false;
	for (unsigned i = 0; i < g->n; i++)
		if (!pmu_fit_add(to, r, g->masks[i]))
			return false;
	return !r->limited || is_fit_within(to, r);
}
