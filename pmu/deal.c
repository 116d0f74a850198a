// SPDX-License-Identifier: BSD-2-Clause
/*
 * deal.c - deals slices out to the sets of the mixture; see fair.h. A set may run when it is behind
 * its quota; of these, the one that serves the least served. When that would let a group fall more
 * than a slice behind its due within the next slices, several courses are followed side by side for
 * one on which that does not happen, or happens last.
 */
#include "pmu/fair.h"

#include "pmu/bits.h"

#define AHEAD       8 /* slices that are looked ahead */
#define BEAM        8 /* courses that are followed */
#define LEVELS      12
#define LEVEL_SHIFT 5 /* one group at a level outweighs up to 32 one level above */

/* A course of slices, tried out in the head. */
struct course {
	uint32_t served[PMU_FAIR_GROUPS]; /* above the floor */
	uint32_t dealt[PMU_FAIR_GROUPS];
};

static uint32_t least_served(const struct pmu_fair *f, const struct course *c)
{
	uint32_t least = UINT32_MAX;

	for (unsigned g = 0; g < f->n; g++)
		least = c->served[g] < least ? c->served[g] : least;
	return least;
}

/* What it is worth to serve each group now: the least served above all. */
static void weigh(const struct pmu_fair *f, const struct course *c, uint64_t *weight)
{
	uint32_t least = least_served(f, c);

	for (unsigned g = 0; g < f->n; g++) {
		uint32_t level = c->served[g] - least;

		weight[g] = level < LEVELS ? 1ull << LEVEL_SHIFT * (LEVELS - 1 - level) : 0;
	}
}

/* The set for slice number `k` (from 1), of those that are behind their quota. */
static int choose(const struct pmu_fair *f, const struct course *c, uint32_t k)
{
	uint64_t weight[PMU_FAIR_GROUPS], most = 0;
	int best = -1;

	weigh(f, c, weight);
	for (unsigned i = 0; i < f->n; i++) {
		uint64_t worth = 0;

		if (f->x[i] * k <= c->dealt[i] * f->total)
			continue;
		for (uint64_t left = f->full[i]; left; left &= left - 1)
			worth += weight[bits_first(left)];
		if (best < 0 || worth > most) {
			best = (int)i;
			most = worth;
		}
	}
	return best;
}

static void deal(const struct pmu_fair *f, struct course *c, int i)
{
	c->dealt[i]++;
	for (uint64_t left = f->full[i]; left; left &= left - 1)
		c->served[bits_first(left)]++;
}

/* A group is more than one slice behind its due after `k` slices. */
static bool late(const struct pmu_fair *f, const struct course *c, uint32_t k)
{
	for (unsigned g = 0; g < f->n; g++)
		if (k * f->denominator > ((int64_t)c->served[g] + 1) * f->total)
			return true;
	return false;
}

/* The least-served-first course goes well for the next slices. */
static bool goes_well(const struct pmu_fair *f, const struct course *from, int next, unsigned ahead)
{
	struct course c = *from;

	for (unsigned k = 1; k <= ahead && next >= 0; k++) {
		deal(f, &c, next);
		if (late(f, &c, f->slices + k))
			return false;
		next = choose(f, &c, f->slices + k + 1);
	}
	return true;
}

/* One of the courses that are compared, and what it began with. */
struct trial {
	uint16_t served[PMU_FAIR_SMALL], dealt[PMU_FAIR_SMALL]; /* beyond now */
	uint64_t badness;
	int first;
};

/* How little the groups were served, the least served above all. UINT64_MAX: one of them is late.
 */
static uint64_t badness(const struct pmu_fair *f, const struct course *now, const struct trial *t,
			uint32_t least, uint32_t k)
{
	uint64_t sum = 0;

	for (unsigned g = 0; g < f->n; g++) {
		uint32_t served = now->served[g] + t->served[g];

		if (k * f->denominator > ((int64_t)served + 1) * f->total)
			return UINT64_MAX;
		if (served - least < LEVELS)
			sum += 1ull << LEVEL_SHIFT * (LEVELS - 1 - (served - least));
	}
	return sum;
}

/* Keeps the best BEAM of those that came, the best first. Returns how many there are. */
static unsigned keep(struct trial *best, unsigned n, const struct trial *t)
{
	unsigned at = n;

	if (t->badness == UINT64_MAX || (n == BEAM && best[n - 1].badness <= t->badness))
		return n;
	if (n == BEAM)
		at--;
	else
		n++;
	for (; at > 0 && best[at - 1].badness > t->badness; at--)
		best[at] = best[at - 1];
	best[at] = *t;
	return n;
}

/* All courses that go on from `from` with a set that is not ahead of its quota by a slice. */
static unsigned spread(const struct pmu_fair *f, const struct course *now, const struct trial *from,
		       unsigned depth, struct trial *best, unsigned n)
{
	uint32_t k = f->slices + depth, least = least_served(f, now);

	for (unsigned i = 0; i < f->n; i++) {
		struct trial t = *from;

		if (!f->x[i] || f->x[i] * k <= ((int64_t)now->dealt[i] + t.dealt[i] - 1) * f->total)
			continue;
		t.dealt[i]++;
		for (uint64_t left = f->full[i]; left; left &= left - 1)
			t.served[bits_first(left)]++;
		t.badness = badness(f, now, &t, least, k);
		if (depth == 1)
			t.first = (int)i;
		n = keep(best, n, &t);
	}
	return n;
}

/* The beginning of the course on which nobody is late for longest; -1: there is none. */
static int search_course(const struct pmu_fair *f, const struct course *now, unsigned ahead)
{
	struct trial pools[2][BEAM] = {{{.first = -1}}}, *from = pools[0], *to = pools[1], *swap;
	unsigned n = 1, m;
	int first = -1;

	for (unsigned depth = 1; depth <= ahead; depth++) {
		m = 0;
		for (unsigned i = 0; i < n; i++)
			m = spread(f, now, &from[i], depth, to, m);
		if (!m)
			break;
		first = to[0].first;
		swap = from;
		from = to;
		to = swap;
		n = m;
	}
	return first;
}

static void begin(struct pmu_fair *f, const uint64_t *served, struct course *c)
{
	if (!f->slices) {
		f->floor = UINT64_MAX;
		for (unsigned g = 0; g < f->n; g++)
			f->floor = served[g] < f->floor ? served[g] : f->floor;
	}
	for (unsigned g = 0; g < f->n; g++) {
		uint64_t above = served[g] > f->floor ? served[g] - f->floor : 0;

		c->served[g] = (uint32_t)(above < PMU_FAIR_SLICES ? above : PMU_FAIR_SLICES);
		c->dealt[g] = f->dealt[g];
	}
}

uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served)
{
	struct course now;

	f->picked = -1;
	if (!f->n)
		return 0;
	begin(f, served, &now);
	f->picked = choose(f, &now, f->slices + 1);
	if (f->n <= PMU_FAIR_SMALL && !goes_well(f, &now, f->picked, AHEAD)) {
		int better = search_course(f, &now, AHEAD);

		if (better >= 0)
			f->picked = better;
	}
	return f->full[f->picked];
}
