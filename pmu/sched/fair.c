// SPDX-License-Identifier: BSD-2-Clause
/*
 * fair.c - the mixture of sets; see fair.h. The linear program: shares x >= 0 of the sets, each
 * group covered once, the sum of shares least; its inverse is the best worst-case share. As every
 * part of a set that fits also fits, "once" loses nothing against "at least once".
 *
 * Invariant: inverse * (0/1 matrix of the basis) = denominator * identity, in integers without
 * rounding: each step divides by the old denominator, which divides evenly.
 */
#include "pmu/sched/fair.h"

#include "lib/bits.h"

#include <stddef.h>

#define LARGEST  (1ll << 29) /* entries of the inverse: products of any two sums of a row fit */
#define TIES     2000        /* steps spent to find more sets that are worth most */
#define PER_STEP 170         /* instructions */

static uint64_t mix_hash(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static uint64_t hash_job(const struct pmu_fair_job *job)
{
	const struct pmu_limits *l = job->limits;
	uint64_t hash = mix_hash(job->n, (uint64_t)l->general << 16 | l->general_corrupting << 8 |
						 l->total);

	hash = mix_hash(hash, job->start->used);
	hash = mix_hash(hash, (uint64_t)job->start->corrupting << 1 | job->start->exclusive);
	for (uint64_t left = job->start->used; left; left &= left - 1)
		hash = mix_hash(hash, job->start->masks[bits_first(left)]);
	for (unsigned left = job->start->extras.held; left; left &= left - 1)
		hash = mix_hash(mix_hash(hash, left), job->start->extras.value[bits_first(left)]);
	for (unsigned g = 0; g < job->n; g++) {
		const struct pmu_demand *d = &job->groups[g];

		hash = mix_hash(hash, (uint64_t)d->n << 2 | d->corrupting << 1 | d->exclusive);
		for (unsigned i = 0; i < d->n; i++)
			hash = mix_hash(hash, d->masks[i]);
		for (unsigned i = 0; i < d->nextras; i++)
			hash = mix_hash(mix_hash(hash, d->extras[i].value), d->extras[i].registers);
	}
	return hash;
}

/* --- The groups --- */

static struct pmu_fit_group fit_group_of(const struct pmu_fair *f, unsigned g)
{
	return (struct pmu_fit_group){.masks = f->masks + f->first[g],
				      .n = (uint8_t)(f->first[g + 1] - f->first[g]),
				      .extras = f->extras + f->first_extra[g],
				      .nextras =
					      (uint8_t)(f->first_extra[g + 1] - f->first_extra[g]),
				      .corrupting = f->corrupting >> g & 1};
}

static uint64_t wanted_counters(const struct pmu_fair_job *job)
{
	uint64_t counters = job->start->wanted;

	for (unsigned g = 0; g < job->n; g++)
		for (unsigned i = 0; i < job->groups[g].n; i++)
			counters |= job->groups[g].masks[i];
	return counters & bits_low(PMU_COUNTERS);
}

static void number_start(struct pmu_fair *f, const struct pmu_match *start)
{
	pmu_fit_begin(&f->start);
	f->start.corrupting = start->corrupting;
	f->start.extras = start->extras;
	for (uint64_t left = start->used; left; left &= left - 1)
		pmu_fit_add(&f->start, &f->rules,
			    pmu_fit_mask(&f->rules, start->masks[bits_first(left)]));
}

/* Adds group g of the job, unless it does not fit even alone. */
static void number_group(struct pmu_fair *f, const struct pmu_demand *d, unsigned g)
{
	unsigned at = f->n, n = f->first[at], nextras = f->first_extra[at];
	struct pmu_fit_group group;
	struct pmu_fit alone;

	for (unsigned i = 0; i < d->n; i++)
		f->masks[n++] = pmu_fit_mask(&f->rules, d->masks[i]);
	for (unsigned i = 0; i < d->nextras; i++)
		f->extras[nextras++] = d->extras[i];
	f->first[at + 1] = (uint16_t)n;
	f->first_extra[at + 1] = (uint16_t)nextras;
	f->corrupting |= (uint64_t)d->corrupting << at;
	group = fit_group_of(f, at);
	if ((d->exclusive && f->start.n) || !pmu_fit_group(&alone, &f->start, &f->rules, &group)) {
		f->corrupting &= ~(1ull << at);
		return;
	}
	f->exclusive |= (uint64_t)d->exclusive << at;
	f->group[f->n++] = (uint8_t)g;
}

static void number_anew(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	number_start(f, job->start);
	f->n = 0;
	f->corrupting = 0;
	f->exclusive = 0;
	f->first[0] = 0;
	f->first_extra[0] = 0;
	for (unsigned g = 0; g < job->n && !job->start->exclusive; g++)
		number_group(f, &job->groups[g], g);
}

/* Adds those of `groups` that still fit to a set, from group `from` on, round. */
static uint64_t extend_set(const struct pmu_fair *f, uint64_t set, uint64_t groups, unsigned from)
{
	struct pmu_fit fits[2];
	unsigned now = 0;
	uint64_t all = set;

	fits[0] = f->start;
	if (set & f->exclusive)
		return set;
	groups &= ~f->exclusive & ~set;
	for (uint64_t left = set | groups; left;) {
		uint64_t next = set ? set : left >> from ? left >> from << from : left;
		unsigned g = bits_first(next);
		struct pmu_fit_group group = fit_group_of(f, g);

		left &= ~(1ull << g);
		set &= ~(1ull << g);
		if (!pmu_fit_group(&fits[!now], &fits[now], &f->rules, &group))
			continue;
		now = !now;
		all |= 1ull << g;
		if (fits[now].n == f->rules.room)
			break;
	}
	return all;
}

/* --- The mixture --- */

/* The sets to deal from: those of the mixture, with all that fits beside. */
static void fill_sets(struct pmu_fair *f)
{
	pmu_fair_clear_sets(f);
	for (unsigned i = 0; i < f->n; i++) {
		if (!f->x[i])
			continue;
		if (!f->full[i])
			f->full[i] = extend_set(f, f->set[i], bits_low(f->n), i);
		pmu_fair_add_set(f, f->full[i]);
	}
}

/*
 * The groups packed into sets, one after the other, each with the first group that is left; and
 * every other group by itself, for nothing, which makes it a basis.
 */
static void start_mixture(struct pmu_fair *f)
{
	uint64_t left = bits_low(f->n);

	for (unsigned i = 0; i < f->n; i++) {
		f->set[i] = 1ull << i;
		f->full[i] = 0;
		f->x[i] = 0;
		f->price[i] = 1;
		for (unsigned g = 0; g < f->n; g++)
			f->inverse[i][g] = i == g;
	}
	f->denominator = 1;
	f->largest = 1;
	for (f->total = 0; left; f->total++) {
		unsigned i = bits_first(left);

		f->set[i] = extend_set(f, 1ull << i, left, i);
		f->x[i] = 1;
		for (uint64_t with = f->set[i] & ~(1ull << i); with; with &= with - 1) {
			f->inverse[bits_first(with)][i] = -1;
			f->price[i]--;
		}
		left &= ~f->set[i];
	}
}

/* Each group by itself: more counters than can be told apart. */
static void take_singles(struct pmu_fair *f, unsigned n)
{
	f->n = n;
	pmu_fair_clear_sets(f);
	for (unsigned i = 0; i < n; i++) {
		f->group[i] = (uint8_t)i;
		pmu_fair_add_set(f, 1ull << i);
	}
	f->denominator = 1;
	f->total = f->n;
	f->done = true;
	f->optimal = false;
}

static void start_job(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	f->pivots = 0;
	f->slices = 0;
	f->search.active = false;
	f->search.left = PMU_FAIR_STEPS;
	f->full_sets = pmu_fit_init(&f->rules, wanted_counters(job), job->limits);
	if (!f->full_sets) {
		take_singles(f, job->n);
		return;
	}
	number_anew(f, job);
	start_mixture(f);
	f->done = f->optimal = !f->n;
	pmu_fair_clear_sets(f);
}

/* --- The search for the set that is worth most at present prices --- */

/* What the groups from `k` on can add at most: as if any counter were good for any event. */
static int64_t bound_value(const struct pmu_fair_search *s, unsigned k, unsigned left)
{
	int64_t sum = 0;

	for (; k < s->n && left; k++) {
		if (s->size[k] > left)
			return sum + s->price[k] * left / s->size[k] + 1;
		sum += s->price[k];
		left -= s->size[k];
	}
	return sum;
}

static void sort_in(struct pmu_fair_search *s, unsigned g, unsigned size, int64_t price)
{
	unsigned at = s->n++;

	for (; at > 0 && s->price[at - 1] * size < price * s->size[at - 1]; at--) {
		s->price[at] = s->price[at - 1];
		s->size[at] = s->size[at - 1];
		s->group[at] = s->group[at - 1];
	}
	s->price[at] = price;
	s->size[at] = (uint8_t)size;
	s->group[at] = (uint8_t)g;
}

static void begin_search(struct pmu_fair *f, bool ties)
{
	struct pmu_fair_search *s = &f->search;

	s->active = true;
	s->ties = ties;
	s->found = 0;
	s->quick = f->n * f->n / 10; /* as long as the step of the simplex method takes */
	s->goal = f->denominator + !ties;
	s->depth = 0;
	s->level[0].fit = f->start;
	s->level[0].value = 0;
	s->level[0].set = 0;
	s->level[0].next = 0;
	s->n = 0;
	for (unsigned g = 0; g < f->n; g++)
		if (f->price[g] > 0)
			sort_in(s, g, fit_group_of(f, g).n, f->price[g]);
}

static void note_found(struct pmu_fair *f, uint64_t set, int64_t value)
{
	struct pmu_fair_search *s = &f->search;

	if (value < s->goal)
		return;
	s->found = set;
	if (!s->ties) {
		s->goal = value + 1;
		return;
	}
	pmu_fair_add_set(f, extend_set(f, set, bits_low(f->n), bits_first(set)));
}

/* One step of the search. False: there is nothing more to see. */
static bool step_search(struct pmu_fair *f)
{
	struct pmu_fair_search *s = &f->search;
	unsigned k = s->level[s->depth].next, left = f->rules.room - s->level[s->depth].fit.n, g;
	struct pmu_fit_group group;

	if (k == s->n || s->level[s->depth].value + bound_value(s, k, left) < s->goal)
		return s->depth-- > 0;
	s->level[s->depth].next++;
	g = s->group[k];
	if (s->size[k] > left || (f->exclusive >> g & 1 && s->depth))
		return true;
	group = fit_group_of(f, g);
	if (!pmu_fit_group(&s->level[s->depth + 1].fit, &s->level[s->depth].fit, &f->rules, &group))
		return true;
	s->depth++;
	s->level[s->depth].value = s->level[s->depth - 1].value + s->price[k];
	s->level[s->depth].set = s->level[s->depth - 1].set | 1ull << g;
	s->level[s->depth].next = f->exclusive >> g & 1 ? s->n : k + 1;
	note_found(f, s->level[s->depth].set, s->level[s->depth].value);
	return true;
}

/* --- The simplex method --- */

/* How much of each set of the basis one unit of the new set replaces, times the denominator. */
static void find_direction(const struct pmu_fair *f, uint64_t set, int64_t *d)
{
	for (unsigned i = 0; i < f->n; i++) {
		d[i] = 0;
		for (uint64_t left = set; left; left &= left - 1)
			d[i] += f->inverse[i][bits_first(left)];
	}
}

/* The set that comes down to 0 first; there is one, as no set covers more than it covers. */
static int leaving_set(const struct pmu_fair *f, const int64_t *d)
{
	int row = -1;

	for (unsigned i = 0; i < f->n; i++)
		if (d[i] > 0 &&
		    (row < 0 || (__int128)f->x[i] * d[row] < (__int128)f->x[row] * d[i]))
			row = (int)i;
	return row;
}

/* What becomes of an entry v, with r in the same column of the row, and p in the old place. */
static int64_t eliminated_entry(const struct pmu_fair *f, int64_t v, int64_t p, int64_t d,
				int64_t r)
{
	v = p * v - d * r;
	return f->denominator == 1 ? v : v / f->denominator;
}

static int64_t larger_magnitude(int64_t a, int64_t b)
{
	return b < 0 ? (a > -b ? a : -b) : (a > b ? a : b);
}

/* Finds the largest entry that there is, and returns the largest that there would be. */
static int64_t foresee_largest(struct pmu_fair *f, unsigned row, const int64_t *d)
{
	int64_t largest = 0;

	f->largest = 0;
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned g = 0; g < f->n; g++) {
			int64_t v = f->inverse[i][g];

			f->largest = larger_magnitude(f->largest, v);
			if (i != row)
				v = eliminated_entry(f, v, d[row], d[i], f->inverse[row][g]);
			largest = larger_magnitude(largest, v);
		}
	return largest;
}

/* The numbers would become too large, were the new set to take the place of `row`. */
static bool would_overflow(struct pmu_fair *f, unsigned row, const int64_t *d)
{
	int64_t most = 0;

	for (unsigned i = 0; i < f->n; i++)
		most = larger_magnitude(most, d[i]);
	if (most >= LARGEST)
		return true;
	if ((d[row] + most) * f->largest / f->denominator < LARGEST)
		return false;
	return foresee_largest(f, row, d) >= LARGEST;
}

static void eliminate_row(struct pmu_fair *f, unsigned i, unsigned row, int64_t p, int64_t d)
{
	int64_t x = 0;

	for (unsigned g = 0; g < f->n; g++) {
		int64_t v = eliminated_entry(f, f->inverse[i][g], p, d, f->inverse[row][g]);

		f->inverse[i][g] = v;
		f->largest = larger_magnitude(f->largest, v);
		x += v;
	}
	f->total += x - f->x[i];
	f->x[i] = x;
}

static void pivot_basis(struct pmu_fair *f, uint64_t set, unsigned row, const int64_t *d)
{
	int64_t excess = -f->denominator;

	for (uint64_t left = set; left; left &= left - 1)
		excess += f->price[bits_first(left)];
	for (unsigned g = 0; g < f->n; g++)
		f->price[g] = eliminated_entry(f, f->price[g], d[row], excess, f->inverse[row][g]);
	for (unsigned i = 0; i < f->n; i++)
		if (i != row && (d[i] || d[row] != f->denominator))
			eliminate_row(f, i, row, d[row], d[i]);
	f->denominator = d[row];
	f->set[row] = set;
	f->full[row] = 0;
}

/* A set that is worth more comes into the mixture. */
static void improve_mixture(struct pmu_fair *f, uint64_t set)
{
	int64_t d[PMU_FAIR_GROUPS];
	int row;

	f->search.active = false;
	find_direction(f, set, d);
	row = leaving_set(f, d);
	if (row < 0 || ++f->pivots > 16 * f->n + 64 || would_overflow(f, (unsigned)row, d)) {
		f->done = true;
		return;
	}
	pivot_basis(f, set, (unsigned)row, d);
	f->nsets = 0;
}

static void conclude_optimal(struct pmu_fair *f)
{
	f->optimal = true;
	fill_sets(f);
	begin_search(f, true);
	f->search.left = TIES;
}

/* The search is over. */
static void conclude_search(struct pmu_fair *f)
{
	struct pmu_fair_search *s = &f->search;

	if (s->ties) {
		f->done = true;
	} else if (s->found) {
		improve_mixture(f, s->found);
	} else {
		conclude_optimal(f);
	}
}

/* Whether all counters are in use all the time: no mixture can be better than that. */
static bool is_packed(const struct pmu_fair *f)
{
	return f->total * (f->rules.room - f->start.n) <= f->denominator * f->first[f->n];
}

/* A part of what is to be done. Returns about how many instructions it took. */
static unsigned work_a_part(struct pmu_fair *f)
{
	struct pmu_fair_search *s = &f->search;
	unsigned square = f->n * f->n;

	if (!s->active && is_packed(f)) {
		conclude_optimal(f);
		return square;
	}
	if (!s->active) {
		begin_search(f, false);
		return square;
	}
	if (!s->left) {
		f->done = true;
		return 0;
	}
	s->left--;
	if (step_search(f) && !(s->ties ? f->nsets == PMU_FAIR_SETS : s->found && !s->quick--))
		return PER_STEP;
	conclude_search(f);
	return PER_STEP + 16 * square;
}

void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	uint64_t signature = hash_job(job);
	unsigned spent = 0;

	if (f->signature != signature || f->njob != job->n) {
		start_job(f, job);
		f->signature = signature;
		f->njob = job->n;
		spent = 20 * f->n * f->n;
	}
	while (spent < PMU_FAIR_WORK && !f->done)
		spent += work_a_part(f);
	if (!f->nsets && f->n)
		fill_sets(f);
}

uint32_t pmu_fair_share(const struct pmu_fair *f)
{
	return f->n ? (uint32_t)((uint64_t)f->denominator * 1000000 / (uint64_t)f->total) : 1000000;
}
