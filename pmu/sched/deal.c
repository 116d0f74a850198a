// SPDX-License-Identifier: BSD-2-Clause
/*
 * deal.c - deals slices out to the sets; see fair.h. Courses of slices are followed side by side,
 * each slice one set further: those on which the fewest groups fall behind their due, and of these
 * the ones that serve the least served. The best of them says what runs in this slice, and those
 * that say otherwise are dropped.
 *
 * Invariant: with courses, the caller's services are `served`, and each course leads from there
 * over `ahead` slices.
 */
#include "pmu/sched/fair.h"

#include "lib/bits.h"

#define WEIGHED     4096 /* groups of all courses and sets that are looked at in one slice */
#define LEVELS      10
#define LEVEL_SHIFT 5 /* one group at a level outweighs up to 32 one level above */
#define LATE_SHIFT  54

/* A course and one set more. */
struct candidate {
	uint64_t badness; /* late groups; how little the groups were served, the least above all */
	uint64_t hash;    /* of services: candidates with the same hash served the groups alike */
	uint8_t course, set;
};

static uint64_t scramble_number(uint64_t g)
{
	g = (g + 1) * 0x9e3779b97f4a7c15;
	g = (g ^ g >> 30) * 0xbf58476d1ce4e5b9;
	return g ^ g >> 27;
}

void pmu_fair_clear_sets(struct pmu_fair *f)
{
	f->nsets = 0;
	f->ncourses = 0;
	f->picked = -1;
}

void pmu_fair_add_set(struct pmu_fair *f, uint64_t set)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < f->nsets; i++)
		if (f->sets[i] == set)
			return;
	if (f->nsets == PMU_FAIR_SETS)
		return;
	for (uint64_t left = set; left; left &= left - 1)
		hash += scramble_number(bits_first(left));
	f->hashes[f->nsets] = hash;
	f->sets[f->nsets++] = set;
}

static uint32_t least_served(const struct pmu_fair *f)
{
	uint32_t least = UINT32_MAX;

	for (unsigned g = 0; g < f->n; g++)
		least = f->served[g] < least ? f->served[g] : least;
	return least;
}

/* What every group is to have had after `k` slices, so as not to be behind by more than one. */
static int64_t slices_due(const struct pmu_fair *f, uint32_t k)
{
	return k ? (k * f->denominator - 1) / f->total : 0;
}

static uint64_t level_weight(uint32_t level)
{
	return level < LEVELS ? 1ull << LEVEL_SHIFT * (LEVELS - 1 - level) : 0;
}

/*
 * Puts `c` among the best `width` candidates, the best first; of candidates with the same hash only
 * the best stays. Returns how many candidates there are.
 */
static unsigned keep_best(struct candidate *best, unsigned n, unsigned width, struct candidate c)
{
	unsigned at, end = n;

	if (n == width && best[n - 1].badness <= c.badness)
		return n;
	for (unsigned i = 0; i < n; i++) {
		if (best[i].hash != c.hash)
			continue;
		if (best[i].badness <= c.badness)
			return n;
		end = i;
	}
	if (end == n) {
		if (n == width)
			end--;
		else
			n++;
	}
	for (at = end; at > 0 && best[at - 1].badness > c.badness; at--)
		best[at] = best[at - 1];
	best[at] = c;
	return n;
}

/* What the next slice is worth on a course. */
struct outlook {
	uint64_t badness;               /* if no group is served */
	uint64_t late;                  /* groups that are late unless they are served */
	uint64_t gain[PMU_FAIR_GROUPS]; /* by serving a group */
};

static void look_ahead(const struct pmu_fair *f, const struct pmu_fair_course *c, uint32_t least,
		       int64_t needed, struct outlook *o)
{
	uint64_t late = c->late;

	o->badness = 0;
	o->late = 0;
	for (unsigned g = 0; g < f->n; g++) {
		uint64_t now = level_weight(c->served[g] - least);

		o->badness += now;
		o->gain[g] = now - level_weight(c->served[g] - least + 1);
		if (c->served[g] + 1 < needed)
			late++;
		else if (c->served[g] < needed)
			o->late |= 1ull << g;
	}
	o->badness += late << LATE_SHIFT;
}

static uint64_t badness_with(const struct outlook *o, uint64_t set)
{
	uint64_t sum = o->badness;

	if (o->late & ~set)
		sum += (uint64_t)bits_count(o->late & ~set) << LATE_SHIFT;
	for (; set; set &= set - 1)
		sum -= o->gain[bits_first(set)];
	return sum;
}

static void follow_candidate(const struct pmu_fair *f, struct pmu_fair_course *to,
			     const struct pmu_fair_course *from, const struct candidate *c)
{
	for (unsigned g = 0; g < f->n; g++)
		to->served[g] = from->served[g] + (f->sets[c->set] >> g & 1);
	for (unsigned i = 0; i < f->ahead; i++)
		to->set[i] = from->set[i];
	to->set[f->ahead] = c->set;
	to->hash = c->hash;
	to->late = (unsigned)(c->badness >> LATE_SHIFT);
}

/* All courses go on by a slice. */
static void go_on(struct pmu_fair *f)
{
	const struct pmu_fair_course *from = f->courses[f->side];
	struct pmu_fair_course *to = f->courses[!f->side];
	struct candidate best[PMU_FAIR_COURSES];
	unsigned n = 0, width = 1 + WEIGHED / (f->n * f->nsets);
	uint32_t least = least_served(f);
	int64_t behind = slices_due(f, f->slices) - least,
		needed = slices_due(f, f->slices + f->ahead + 1);

	if (behind > 0)
		needed -= behind;
	if (width > PMU_FAIR_COURSES)
		width = PMU_FAIR_COURSES;
	for (unsigned i = 0; i < f->ncourses; i++) {
		struct outlook o;

		look_ahead(f, &from[i], least, needed, &o);
		for (unsigned k = 0; k < f->nsets; k++)
			n = keep_best(best, n, width,
				      (struct candidate){.badness = badness_with(&o, f->sets[k]),
							 .hash = from[i].hash + f->hashes[k],
							 .course = (uint8_t)i,
							 .set = (uint8_t)k});
	}
	for (unsigned i = 0; i < n; i++)
		follow_candidate(f, &to[i], &from[best[i].course], &best[i]);
	for (unsigned i = 1; i < n; i++)
		to[i].late -= to[0].late < to[i].late ? to[0].late : to[i].late;
	to[0].late = 0;
	f->side = !f->side;
	f->ncourses = n;
	f->ahead++;
}

/* Replaces the courses by one that has no slices yet. */
static void begin_courses(struct pmu_fair *f)
{
	struct pmu_fair_course *c = f->courses[f->side];

	for (unsigned g = 0; g < f->n; g++)
		c->served[g] = f->served[g];
	c->hash = 0;
	c->late = 0;
	f->ncourses = 1;
	f->ahead = 0;
}

/* Takes over the caller's services. Returns whether they are those that were expected. */
static bool take_served(struct pmu_fair *f, const uint64_t *served)
{
	bool expected = true;

	if (!f->slices) {
		f->floor = UINT64_MAX;
		for (unsigned g = 0; g < f->n; g++)
			f->floor = served[f->group[g]] < f->floor ? served[f->group[g]] : f->floor;
	}
	for (unsigned g = 0; g < f->n; g++) {
		uint64_t now = served[f->group[g]], above = now > f->floor ? now - f->floor : 0;

		if (above > PMU_FAIR_SLICES)
			above = PMU_FAIR_SLICES;
		expected &= f->served[g] == above;
		f->served[g] = (uint32_t)above;
	}
	return expected;
}

static uint64_t by_job(const struct pmu_fair *f, uint64_t set)
{
	uint64_t groups = 0;

	for (; set; set &= set - 1)
		groups |= 1ull << f->group[bits_first(set)];
	return groups;
}

uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served)
{
	unsigned steps = f->done ? 2 : 1; /* solving takes its time, too */

	if (!f->n) {
		f->picked = -1;
		return 0;
	}
	if (!take_served(f, served) || !f->ncourses) {
		begin_courses(f);
		f->picked = -1;
	}
	if (f->picked < 0) {
		for (unsigned i = 0; i < steps && f->ahead < PMU_FAIR_AHEAD; i++)
			go_on(f);
		f->picked = f->courses[f->side][0].set[0];
	}
	return by_job(f, f->sets[f->picked]);
}

/* Drops the first slice of a course, which began with the set that was picked. */
static void drop_first_slice(struct pmu_fair_course *to, const struct pmu_fair_course *from,
			     unsigned ahead)
{
	if (to != from)
		*to = *from;
	for (unsigned i = 1; i < ahead; i++)
		to->set[i - 1] = to->set[i];
}

void pmu_fair_account(struct pmu_fair *f)
{
	struct pmu_fair_course *c = f->courses[f->side];
	unsigned n = 0;

	if (f->picked < 0)
		return;
	for (uint64_t left = f->sets[f->picked]; left; left &= left - 1)
		f->served[bits_first(left)]++;
	for (unsigned i = 0; i < f->ncourses; i++)
		if (c[i].set[0] == f->picked)
			drop_first_slice(&c[n++], &c[i], f->ahead);
	f->ncourses = n;
	f->ahead--;
	f->picked = -1;
	if (++f->slices == PMU_FAIR_SLICES)
		f->slices = 0;
}
