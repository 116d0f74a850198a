// SPDX-License-Identifier: BSD-2-Clause
/*
 * fair.c - the mixture of sets; see fair.h. The linear program: shares x >= 0 of the sets, each
 * group covered once, the sum of shares least; its inverse is the best worst-case share. As every
 * part of a set that fits also fits, "once" loses nothing against "at least once".
 *
 * Invariant: inverse * (0/1 matrix of the basis) = denominator * identity, in integers without
 * rounding: each step divides by the old denominator, which divides evenly.
 */
#include "pmu/fair.h"

#include "pmu/bits.h"

#include <stddef.h>

#define LARGEST (1ll << 24) /* entries of the inverse: products of any two sums fit */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static uint64_t sign(const struct pmu_fair_job *job)
{
	const struct pmu_limits *l = job->limits;
	uint64_t hash =
		mix(job->n, (uint64_t)l->general << 16 | l->general_corrupting << 8 | l->total);

	hash = mix(hash, job->start->used);
	hash = mix(hash, (uint64_t)job->start->corrupting << 1 | job->start->exclusive);
	for (uint64_t left = job->start->used; left; left &= left - 1)
		hash = mix(hash, job->start->masks[bits_first(left)]);
	for (unsigned left = job->start->extras.held; left; left &= left - 1)
		hash = mix(mix(hash, left), job->start->extras.value[bits_first(left)]);
	for (unsigned g = 0; g < job->n; g++) {
		const struct pmu_demand *d = &job->groups[g];

		hash = mix(hash, (uint64_t)d->n << 2 | d->corrupting << 1 | d->exclusive);
		for (unsigned i = 0; i < d->n; i++)
			hash = mix(hash, d->masks[i]);
		for (unsigned i = 0; i < d->nextras; i++)
			hash = mix(mix(hash, d->extras[i].value), d->extras[i].registers);
	}
	return hash;
}

static void deal_anew(struct pmu_fair *f)
{
	f->slices = 0;
	for (unsigned i = 0; i < f->n; i++)
		f->dealt[i] = 0;
	f->picked = -1;
}

/* The set with all groups that still fit, from group `from` on, round. */
static uint64_t extend(const struct pmu_fair_job *job, uint64_t set, unsigned from)
{
	struct pmu_match m = *job->start;

	for (uint64_t left = set; left; left &= left - 1)
		pmu_match_group(&m, &job->groups[bits_first(left)], job->limits);
	for (unsigned i = 0; i < job->n; i++) {
		unsigned g = (from + i) % job->n;

		if (!(set >> g & 1) && pmu_match_group(&m, &job->groups[g], job->limits))
			set |= 1ull << g;
	}
	return set;
}

/* Every group by itself: a basis that always is one. */
static void start(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	unsigned n = job->n;

	f->n = n;
	f->denominator = 1;
	f->total = n;
	f->pivots = 0;
	f->done = false;
	f->optimal = false;
	for (unsigned i = 0; i < n; i++) {
		f->set[i] = f->full[i] = 1ull << i;
		if (n <= PMU_FAIR_SMALL)
			f->full[i] = extend(job, f->set[i], i);
		f->x[i] = 1;
		for (unsigned g = 0; g < n; g++)
			f->inverse[i][g] = i == g;
	}
	deal_anew(f);
}

/* The search for the set that is worth most at present prices. */
struct search {
	const struct pmu_fair_job *job;
	uint64_t universe; /* counters that anybody could use */
	unsigned n;        /* groups with a price above 0, best price for a counter first */
	uint8_t group[PMU_FAIR_GROUPS];
	int64_t price[PMU_FAIR_GROUPS]; /* in that order */
	int64_t best;
	uint64_t set;
	unsigned nodes; /* left */
};

static unsigned size_of(const struct search *s, unsigned k)
{
	return s->job->groups[s->group[k]].n;
}

static unsigned room(const struct search *s, const struct pmu_match *m)
{
	unsigned counters = bits_count(s->universe & ~m->used);
	unsigned total = s->job->limits->total;

	if (total != PMU_NO_LIMIT && counters > total - m->n)
		counters = total - m->n;
	return counters;
}

/* What the groups from `k` on can add at most: as if any counter were good for any event. */
static int64_t bound(const struct search *s, unsigned k, unsigned left)
{
	int64_t sum = 0;

	for (; k < s->n && left; k++) {
		unsigned size = size_of(s, k);

		if (size > left)
			return sum + s->price[k] * left / size + 1;
		sum += s->price[k];
		left -= size;
	}
	return sum;
}

static void search(struct search *s, unsigned k, const struct pmu_match *m, int64_t value,
		   uint64_t set)
{
	unsigned left = room(s, m);

	if (value > s->best) {
		s->best = value;
		s->set = set;
	}
	for (; k < s->n && value + bound(s, k, left) > s->best; k++) {
		const struct pmu_demand *d = &s->job->groups[s->group[k]];
		struct pmu_match with;

		if (!s->nodes)
			return;
		s->nodes--;
		if (d->n > left)
			continue;
		with = *m;
		if (pmu_match_group(&with, d, s->job->limits))
			search(s, k + 1, &with, value + s->price[k], set | 1ull << s->group[k]);
	}
}

/* Prices of the groups, those above 0 in order of price for a counter. */
static void set_prices(const struct pmu_fair *f, struct search *s)
{
	s->n = 0;
	s->universe = s->job->start->used;
	for (unsigned g = 0; g < f->n; g++) {
		const struct pmu_demand *d = &s->job->groups[g];
		int64_t price = 0;
		unsigned at;

		for (unsigned i = 0; i < d->n; i++)
			s->universe |= d->masks[i];
		for (unsigned i = 0; i < f->n; i++)
			price += f->inverse[i][g];
		if (price <= 0)
			continue;
		at = s->n++;
		for (; at > 0 && s->price[at - 1] * d->n < price * size_of(s, at - 1); at--) {
			s->price[at] = s->price[at - 1];
			s->group[at] = s->group[at - 1];
		}
		s->price[at] = price;
		s->group[at] = (uint8_t)g;
	}
}

/* How much of each set of the basis one unit of the new set replaces, times the denominator. */
static void direction(const struct pmu_fair *f, uint64_t set, int64_t *d)
{
	for (unsigned i = 0; i < f->n; i++) {
		d[i] = 0;
		for (uint64_t left = set; left; left &= left - 1)
			d[i] += f->inverse[i][bits_first(left)];
	}
}

/* The set that comes down to 0 first; there is one, as no set covers more than it covers. */
static int leaving(const struct pmu_fair *f, const int64_t *d)
{
	int row = -1;

	for (unsigned i = 0; i < f->n; i++)
		if (d[i] > 0 && (row < 0 || f->x[i] * d[row] < f->x[row] * d[i]))
			row = (int)i;
	return row;
}

/* Returns the largest entry of the row, and puts its sum into x. */
static int64_t sum_row(struct pmu_fair *f, unsigned i)
{
	int64_t largest = 0;

	f->x[i] = 0;
	for (unsigned g = 0; g < f->n; g++) {
		int64_t v = f->inverse[i][g];

		f->x[i] += v;
		if (v > largest || -v > largest)
			largest = v < 0 ? -v : v;
	}
	return largest;
}

static void eliminate(struct pmu_fair *f, unsigned i, unsigned row, int64_t p, int64_t d)
{
	int64_t old = f->denominator;

	if (!d && p == old)
		return;
	for (unsigned g = 0; g < f->n; g++) {
		int64_t v = p * f->inverse[i][g] - d * f->inverse[row][g];

		f->inverse[i][g] = old == 1 ? v : v / old;
	}
}

/* The new set takes the place of `row`. False: the numbers became too large. */
static bool pivot(struct pmu_fair *f, uint64_t set, unsigned row, const int64_t *d)
{
	int64_t largest = 0;

	for (unsigned i = 0; i < f->n; i++)
		if (i != row)
			eliminate(f, i, row, d[row], d[i]);
	f->denominator = d[row];
	f->set[row] = set;
	for (unsigned i = 0; i < f->n; i++) {
		int64_t l = sum_row(f, i);

		largest = l > largest ? l : largest;
	}
	if (largest >= LARGEST || f->denominator >= LARGEST)
		return false;
	f->total = 0;
	for (unsigned i = 0; i < f->n; i++)
		f->total += f->x[i];
	deal_anew(f);
	return true;
}

static void give_up(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	start(f, job);
	f->done = true;
}

static void improve(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	struct search s = {.job = job, .best = f->denominator};
	int64_t d[PMU_FAIR_GROUPS];
	int row;

	s.nodes = f->n <= PMU_FAIR_SMALL ? 4096 : 8192 / f->n;
	set_prices(f, &s);
	search(&s, 0, job->start, 0, 0);
	if (!s.set) {
		f->optimal = s.nodes > 0;
		f->done = true;
		return;
	}
	direction(f, s.set, d);
	row = leaving(f, d);
	if (row < 0 || ++f->pivots > 16 * f->n + 64) {
		f->done = true;
		return;
	}
	if (!pivot(f, s.set, (unsigned)row, d))
		give_up(f, job);
	else
		f->full[row] = extend(job, s.set, (unsigned)row);
}

void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	uint64_t signature = sign(job);
	unsigned steps = job->n <= PMU_FAIR_SMALL ? 16 * PMU_FAIR_SMALL + 64
						  : 1 + 4096 / (job->n * job->n * 2);

	if (f->signature != signature || f->n != job->n) {
		start(f, job);
		f->signature = signature;
	}
	for (; steps && !f->done; steps--)
		improve(f, job);
}

void pmu_fair_account(struct pmu_fair *f)
{
	if (f->picked < 0)
		return;
	f->dealt[f->picked]++;
	if (++f->slices == PMU_FAIR_SLICES)
		deal_anew(f);
}

uint32_t pmu_fair_share(const struct pmu_fair *f)
{
	return f->n ? (uint32_t)((uint64_t)f->denominator * 1000000 / (uint64_t)f->total) : 1000000;
}
