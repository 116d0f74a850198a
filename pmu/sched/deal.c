// SPDX-License-Identifier: BSD-2-Clause
/*
 * deal.c - deals slices to the sets; see fair.h. deal_many.c does it for many groups; for up to
 * PMU_FAIR_FEW of them no group falls behind by more than about a slice. Several courses, each a
 * sequence of sets for the next slices, are followed in parallel. Each slice extends the courses by
 * one set. A course is better if fewer groups fall more than one slice behind their due; equal ones
 * are compared by how far behind the groups are that they serve. The first set of the best course
 * runs in this slice, and courses that begin with another set are dropped.
 *
 * No group falls behind for ever. Each set that is dealt is in a mixture that serves every group as
 * it is due. So some mixture contains all of these sets, and over that mixture the lags of all
 * groups add up to no change on average. Whenever a lag is large, one of the sets reduces it by
 * more than the slice adds. The weights grow with the lag without a bound, so they choose that set.
 *
 * Invariant: each course starts from the present lags and covers `ahead` slices. `due` has the
 * fractions of a slice that groups are due after these.
 */
#include "pmu/sched/fair.h"

#include "lib/bits.h"

#define WEIGHED     4096 /* groups of all courses and sets that are evaluated in one slice */
#define URGENT      64   /* groups of all courses for which sets are computed in one slice */
#define PARTS       8    /* levels of lag in a slice */
#define LEAST       (-3) /* lag of the lowest level */
#define LEVEL_BITS  1    /* a level outweighs up to two groups of the level below */
#define COMING_BITS 6    /* bits below the levels: the number of groups that start to run */
#define LATE_SHIFT  64
#define MOST_LATE   8

/* A course extended by one set. */
struct candidate {
	uexact_t badness; /* number of late groups; below it the weights of all lags */
	uint64_t
		hash; /* hash of services: candidates with equal hashes served the groups equally */
	uint64_t set;
	unsigned course;
};

static uint64_t scramble_number(uint64_t g)
{
	g = (g + 1) * 0x9e3779b97f4a7c15;
	g = (g ^ g >> 30) * 0xbf58476d1ce4e5b9;
	return g ^ g >> 27;
}

static uint64_t hash_set(uint64_t set)
{
	uint64_t hash = 0;

	for (; set; set &= set - 1)
		hash += scramble_number(bits_first(set));
	return hash;
}

void pmu_fair_clear_sets(struct pmu_fair *f)
{
	f->nsets = 0;
	f->ncourses = 0;
	f->picked = 0;
}

/* Orders equal sets: those with groups of lower numbers go first. */
static bool goes_first(uint64_t a, uint64_t b)
{
	return a & (a ^ b) & -(a ^ b);
}

void pmu_fair_add_set(struct pmu_fair *f, uint64_t set)
{
	unsigned at = f->nsets;

	for (unsigned i = 0; i < f->nsets; i++)
		if (f->sets[i] == set)
			return;
	if (f->nsets == PMU_FAIR_SETS)
		return;
	for (; at > 0 && goes_first(set, f->sets[at - 1]); at--) {
		f->sets[at] = f->sets[at - 1];
		f->hashes[at] = f->hashes[at - 1];
	}
	f->sets[at] = set;
	f->hashes[at] = hash_set(set);
	f->nsets++;
}

/* --- Dues of groups --- */

/* part / whole as a fixed-point number of PMU_FAIR_WHOLE, rounded down. */
uint64_t pmu_fair_fixed(exact_t part, exact_t whole)
{
	uint64_t result = 0;

	if (part >= whole)
		return PMU_FAIR_WHOLE;
	for (uint64_t bit = PMU_FAIR_WHOLE >> 1; bit; bit >>= 1) {
		part *= 2;
		if (part >= whole) {
			part -= whole;
			result |= bit;
		}
	}
	return result;
}

void pmu_fair_set_dues(struct pmu_fair *f)
{
	const struct pmu_mixture *m = &f->mixture;

	for (unsigned g = 0; g < f->n; g++)
		f->due[g].share =
			pmu_fair_fixed((exact_t)m->denominator * (int64_t)m->need[g], m->total);
}

/* Adds the due of one slice; returns the whole slices that this completes. */
static int32_t add_due(struct pmu_fair_due *due, uint64_t *fraction)
{
	*fraction += due->share;
	if (*fraction < PMU_FAIR_WHOLE)
		return 0;
	*fraction -= PMU_FAIR_WHOLE;
	return 1;
}

/* --- Courses --- */

static int32_t lag_level(int32_t lag, uint64_t fraction)
{
	return (lag - LEAST) * PARTS + (int32_t)(fraction >> 59);
}

static uint64_t level_weight(int32_t level)
{
	const int32_t most = (63 - COMING_BITS) / LEVEL_BITS;

	return level < 0 ? 0 : 1ull << (COMING_BITS + LEVEL_BITS * (level < most ? level : most));
}

/*
 * Inserts `c` into the best `width` candidates, the best first. Among candidates with equal hashes
 * only the best stays. Returns the number of candidates.
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

/* The value of the next slice on a course. */
struct outlook {
	uexact_t badness;               /* badness if no group is served */
	uexact_t gain[PMU_FAIR_GROUPS]; /* reduction of the badness by serving a group */
	uint64_t before;                /* groups that run in the slice before */
	int32_t beyond; /* levels beyond the limit: so many of the lowest are ignored */
};

/* The penalty for more than one slice of lag: it doubles with each level. */
static uexact_t lateness(int32_t level, uint64_t fraction)
{
	const int32_t late = level - (1 - LEAST) * PARTS;

	if (late < 0 || (!late && !(fraction << 5)))
		return 0;
	return (uexact_t)1 << (LATE_SHIFT + (late < MOST_LATE ? late : MOST_LATE));
}

/*
 * If a lag is beyond the highest level, only the level weights count: they grow with the lag, and
 * lateness does not.
 */
static uexact_t weight_of_lag(const struct outlook *o, int32_t level, uint64_t fraction)
{
	return level_weight(level - o->beyond) + (o->beyond ? 0 : lateness(level, fraction));
}

void pmu_fair_begin_dealing(struct pmu_fair *f)
{
	const struct outlook usual = {.beyond = 0};

	for (int32_t level = 0; level < PMU_FAIR_LEVELS; level++)
		f->weight[level] = weight_of_lag(&usual, level, 1);
	for (unsigned g = 0; g < PMU_FAIR_GROUPS; g++)
		f->order[g] = (uint8_t)g;
}

static uexact_t usual_weight(const struct pmu_fair *f, int32_t level)
{
	return level < 0 ? 0 : f->weight[level];
}

/*
 * `lag` is the lag behind the slice if the group is not served. A table has the usual weights: up
 * to the highest level, but for lags of whole slices.
 */
static inline void look_at_group(const struct pmu_fair *f, struct outlook *o, unsigned g,
				 int32_t lag, uint64_t fraction)
{
	const int32_t level = lag_level(lag, fraction);
	uexact_t now, served;

	if (__builtin_expect(!o->beyond && level < PMU_FAIR_LEVELS && fraction << 5, 1)) {
		now = usual_weight(f, level);
		served = usual_weight(f, level - PARTS);
	} else {
		now = weight_of_lag(o, level, fraction);
		served = weight_of_lag(o, level - PARTS, fraction);
	}
	o->badness += now;
	o->gain[g] = now - served;
}

static void look_ahead(const struct pmu_fair *f, const struct pmu_fair_course *c,
		       const int32_t *due, int32_t beyond, struct outlook *o)
{
	o->badness = beyond ? 0 : (uexact_t)c->late << LATE_SHIFT;
	o->before = f->ahead ? c->set[f->ahead - 1] : f->last;
	o->beyond = beyond;
	for (unsigned g = 0; g < f->n; g++)
		look_at_group(f, o, g, c->lag[g] + due[g], f->due[g].fraction);
}

static int32_t highest_level(const struct pmu_fair *f, const struct pmu_fair_course *c,
			     const int32_t *due)
{
	int32_t highest = 0;

	for (unsigned g = 0; g < f->n; g++) {
		const int32_t level = lag_level(c->lag[g] + due[g], f->due[g].fraction);

		highest = level > highest ? level : highest;
	}
	return highest;
}

/*
 * By how many levels the worst group exceeds the highest one, on the course where this is least.
 * All courses share this number, because they are compared.
 */
static int32_t levels_beyond(const struct pmu_fair *f, const int32_t *due)
{
	int32_t least = INT32_MAX;

	for (unsigned i = 0; i < f->ncourses; i++) {
		const int32_t level = highest_level(f, &f->courses[f->side][i], due);

		least = level < least ? level : least;
	}
	return least < PMU_FAIR_LEVELS ? 0 : least - (PMU_FAIR_LEVELS - 1);
}

static uexact_t badness_with(const struct outlook *o, uint64_t set)
{
	uexact_t sum = o->badness + bits_count(set & ~o->before);

	for (; set; set &= set - 1)
		sum -= o->gain[bits_first(set)];
	return sum;
}

static void follow_candidate(const struct pmu_fair *f, struct pmu_fair_course *to,
			     const struct pmu_fair_course *from, const struct candidate *c,
			     const int32_t *due)
{
	for (unsigned g = 0; g < f->n; g++)
		to->lag[g] = from->lag[g] + due[g] - (int32_t)(c->set >> g & 1);
	for (unsigned i = 0; i < f->ahead; i++)
		to->set[i] = from->set[i];
	to->set[f->ahead] = c->set;
	to->hash = c->hash;
	to->late = (unsigned)(c->badness >> LATE_SHIFT);
}

/* --- The set for the groups with the least time left --- */

/* How long a group can wait before it is late, in slices of fixed point. */
static uint64_t time_left(const struct pmu_fair *f, unsigned g, int32_t lag)
{
	int64_t left = (int64_t)(1 - lag) * (1ll << 32) - (int64_t)(f->due[g].fraction >> 30);

	return left <= 0 ? 0 : (uint64_t)left / ((f->due[g].share >> 30) + 1);
}

/* True where group `a` comes before `b`: its events have a higher price, or less time left. */
static bool comes_before(const struct pmu_fair *f, const uint64_t *time, unsigned a, unsigned b)
{
	const unsigned size = f->job.first[a + 1] - f->job.first[a];
	const unsigned other = f->job.first[b + 1] - f->job.first[b];
	const int64_t price = f->gathered[a] * other, there = f->gathered[b] * size;

	if (price != there)
		return price > there;
	return time[a] != time[b] ? time[a] < time[b] : a < b;
}

/*
 * Takes groups by price per event, the most expensive first; equal prices by the time left. The set
 * takes what fits in this order. So it contains the urgent groups, and belongs to a best mixture if
 * groups are single events. The order is about that of the slice before.
 */
static uint64_t urgent_set(struct pmu_fair *f, const struct pmu_fair_course *c, const int32_t *due)
{
	uint64_t time[PMU_FAIR_GROUPS];
	uint64_t set;

	for (unsigned g = 0; g < f->n; g++)
		time[g] = time_left(f, g, c->lag[g] + due[g]);
	for (unsigned i = 1; i < f->n; i++) {
		const uint8_t g = f->order[i];
		unsigned at = i;

		for (; at > 0 && comes_before(f, time, g, f->order[at - 1]); at--)
			f->order[at] = f->order[at - 1];
		f->order[at] = g;
	}
	set = pmu_worth_take(&f->job, f->order, f->n);
	return pmu_mixture_takes(&f->mixture, set) ? set : 0;
}

/* Extends all courses by one slice. */
static void extend_courses(struct pmu_fair *f)
{
	const struct pmu_fair_course *from = f->courses[f->side];
	struct pmu_fair_course *to = f->courses[!f->side];
	struct candidate best[PMU_FAIR_COURSES];
	unsigned n = 0, width = 1 + WEIGHED / (f->n * f->nsets);
	unsigned urgents = f->optimal ? 1 + URGENT / f->n : 0;
	int32_t due[PMU_FAIR_GROUPS], beyond;

	if (width > PMU_FAIR_COURSES)
		width = PMU_FAIR_COURSES;
	for (unsigned g = 0; g < f->n; g++)
		due[g] = add_due(&f->due[g], &f->due[g].fraction);
	beyond = levels_beyond(f, due);
	for (unsigned i = 0; i < f->ncourses; i++) {
		struct outlook o;
		uint64_t urgent = i < urgents ? urgent_set(f, &from[i], due) : 0;

		look_ahead(f, &from[i], due, beyond, &o);
		for (unsigned k = 0; k < f->nsets; k++)
			n = keep_best(best, n, width,
				      (struct candidate){.badness = badness_with(&o, f->sets[k]),
							 .hash = from[i].hash + f->hashes[k],
							 .course = i,
							 .set = f->sets[k]});
		if (urgent)
			n = keep_best(best, n, width,
				      (struct candidate){.badness = badness_with(&o, urgent),
							 .hash = from[i].hash + hash_set(urgent),
							 .course = i,
							 .set = urgent});
	}
	for (unsigned i = 0; i < n; i++)
		follow_candidate(f, &to[i], &from[best[i].course], &best[i], due);
	for (unsigned i = 1; i < n; i++)
		to[i].late -= to[0].late < to[i].late ? to[0].late : to[i].late;
	to[0].late = 0;
	f->side = !f->side;
	f->ncourses = n;
	f->ahead++;
}

/* Replaces the courses by one without slices. */
static void begin_courses(struct pmu_fair *f)
{
	struct pmu_fair_course *c = f->courses[f->side];

	for (unsigned g = 0; g < f->n; g++) {
		c->lag[g] = f->lag[g];
		f->due[g].fraction = f->now[g];
	}
	c->hash = 0;
	c->late = 0;
	f->ncourses = 1;
	f->ahead = 0;
	f->picked = 0;
}

/* --- Slices --- */

/*
 * Earlier service counts little: a group that had more than others waits, but for at most
 * PMU_FAIR_LEAD slices.
 */
static void begin_counting(struct pmu_fair *f, const uint64_t *served)
{
	uint64_t least = UINT64_MAX;

	for (unsigned g = 0; g < f->n; g++)
		least = served[f->group[g]] < least ? served[f->group[g]] : least;
	for (unsigned g = 0; g < f->n; g++) {
		uint64_t lead = served[f->group[g]] - least;

		f->served[g] = served[f->group[g]];
		f->lag[g] = -(int32_t)(lead < PMU_FAIR_LEAD ? lead : PMU_FAIR_LEAD);
		f->now[g] = 0;
	}
	f->counts = true;
	f->picked = 0;
	f->ncourses = 0;
}

/* Reads the caller's services. Returns whether they are as expected. */
static bool take_served(struct pmu_fair *f, const uint64_t *served)
{
	bool expected = true;

	if (!f->counts)
		begin_counting(f, served);
	for (unsigned g = 0; g < f->n; g++) {
		uint64_t now = served[f->group[g]];

		expected &= now == f->served[g];
		f->lag[g] -= (int32_t)(now - f->served[g]);
		f->served[g] = now;
	}
	return expected;
}

uint64_t pmu_fair_by_job(const struct pmu_fair *f, uint64_t set)
{
	uint64_t groups = 0;

	for (; set; set &= set - 1)
		groups |= 1ull << f->group[bits_first(set)];
	return groups;
}

uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served)
{
	unsigned steps =
		f->phase == PMU_FAIR_DONE ? 2 : 1; /* the solver uses the other half of the time */

	if (!f->n) {
		f->picked = 0;
		return 0;
	}
	if (served && !take_served(f, served)) {
		f->ncourses = 0;
		f->picked = 0;
	}
	if (f->njob > PMU_FAIR_FEW) {
		f->picked = f->picked ? f->picked : pmu_fair_deal_many(f);
		return pmu_fair_by_job(f, f->picked);
	}
	if (!f->ncourses)
		begin_courses(f);
	if (!f->picked) {
		for (unsigned i = 0; i < steps && f->ahead < PMU_FAIR_AHEAD; i++)
			extend_courses(f);
		f->picked = f->courses[f->side][0].set[0];
	}
	return pmu_fair_by_job(f, f->picked);
}

/* Drops the first slice of a course, which began with the picked set. */
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

	f->spent -= f->spent < PMU_FAIR_WORK ? f->spent : PMU_FAIR_WORK;
	if (!f->picked)
		return;
	for (unsigned g = 0; g < f->n; g++)
		f->lag[g] += add_due(&f->due[g], &f->now[g]);
	for (uint64_t left = f->picked; left; left &= left - 1) {
		f->served[bits_first(left)]++;
		f->lag[bits_first(left)]--;
	}
	for (unsigned i = 0; i < f->ncourses; i++)
		if (c[i].set[0] == f->picked)
			drop_first_slice(&c[n++], &c[i], f->ahead);
	f->ncourses = n;
	f->ahead -= f->ahead > 0;
	f->last = f->picked;
	f->picked = 0;
}
