// SPDX-License-Identifier: BSD-2-Clause
/* fair.c - prepares the job for the solver, and finds the best mixture; see fair.h. */
#include "pmu/sched/fair.h"
#include "pmu/sched/fair_solve.h"

#include "lib/bits.h"

#include <stddef.h>

#define PER_STEP  600 /* instructions of a step */
#define ONE_SHIFT 24  /* fixed point of gathered prices */
#define MILLION   1000000

/* value / total in millionths, rounded down; total is above 0. */
static uint32_t share_of(exact_t value, exact_t total)
{
	const exact_t divisor = (exact_t)exact_gcd((uexact_t)value, (uexact_t)total);
	uint32_t share = 0;

	if (value >= total)
		return MILLION;
	value = exact_divide(value, (uexact_t)divisor);
	total = exact_divide(total, (uexact_t)divisor);
	for (; total >> 100; total >>= 1)
		value >>= 1;
	for (unsigned bit = 20; bit-- > 0;)
		if (value * MILLION >= total * (exact_t)(share | 1u << bit))
			share |= 1u << bit;
	return share;
}

static uint64_t mix_hash(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

uint64_t pmu_fair_signature(const struct pmu_fair_job *job)
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

static uint64_t wanted_counters(const struct pmu_fair_job *job)
{
	uint64_t counters = job->start->wanted;

	for (unsigned g = 0; g < job->n; g++)
		for (unsigned i = 0; i < job->groups[g].n; i++)
			counters |= job->groups[g].masks[i];
	return counters & bits_low(PMU_COUNTERS);
}

static void number_start(struct pmu_worth_job *job, const struct pmu_match *start)
{
	pmu_fit_begin(&job->start);
	job->start.corrupting = start->corrupting;
	job->start.extras = start->extras;
	for (uint64_t left = start->used; left; left &= left - 1)
		pmu_fit_add(&job->start, &job->rules,
			    pmu_fit_mask(&job->rules, start->masks[bits_first(left)]));
}

/* Adds group g of the job, unless it does not fit even alone. */
static void number_group(struct pmu_fair *f, const struct pmu_demand *d, unsigned g)
{
	struct pmu_worth_job *job = &f->job;
	unsigned at = job->n, n = job->first[at], nextras = job->first_extra[at];
	struct pmu_fit_group group;
	struct pmu_fit alone;

	for (unsigned i = 0; i < d->n; i++)
		job->masks[n++] = pmu_fit_mask(&job->rules, d->masks[i]);
	for (unsigned i = 0; i < d->nextras; i++)
		job->extras[nextras++] = d->extras[i];
	job->first[at + 1] = (uint16_t)n;
	job->first_extra[at + 1] = (uint16_t)nextras;
	job->corrupting |= (uint64_t)d->corrupting << at;
	group = pmu_worth_group(job, at);
	if ((d->exclusive && job->start.n) ||
	    !pmu_fit_group(&alone, &job->start, &job->rules, &group)) {
		job->corrupting &= ~(1ull << at);
		return;
	}
	job->exclusive |= (uint64_t)d->exclusive << at;
	f->group[job->n++] = (uint8_t)g;
}

bool pmu_fair_number(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	if (!pmu_fit_init(&f->job.rules, wanted_counters(job), job->limits))
		return false;
	number_start(&f->job, job->start);
	f->job.n = 0;
	f->job.corrupting = 0;
	f->job.exclusive = 0;
	f->job.first[0] = 0;
	f->job.first_extra[0] = 0;
	for (unsigned g = 0; g < job->n && !job->start->exclusive; g++)
		number_group(f, &job->groups[g], g);
	f->n = f->job.n;
	return true;
}

/*
 * Finds the scarcest counters, and the number of events that need one of them. If all groups are to
 * have the same share, their share is at most the former divided by the latter.
 */
static void find_scarce(struct pmu_fair *f)
{
	const struct pmu_worth_job *job = &f->job;
	const uint32_t taken = job->start.used;

	f->scarce = job->rules.room - job->start.n;
	f->crowd = job->first[f->n];
	if (job->rules.n > PMU_FAIR_SCARCE)
		return;
	for (unsigned set = 0; set < 1u << job->rules.n; set++)
		f->within[set] = 0;
	for (unsigned i = 0; i < job->first[f->n]; i++)
		f->within[job->masks[i]]++;
	for (unsigned c = 0; c < job->rules.n; c++)
		for (unsigned set = 0; set < 1u << job->rules.n; set++)
			if (set >> c & 1)
				f->within[set] += f->within[set ^ 1u << c];
	for (unsigned set = 1; set < 1u << job->rules.n; set++) {
		const unsigned scarce = bits_count(set);

		if (!(set & taken) && f->within[set] * f->scarce > f->crowd * scarce) {
			f->scarce = scarce;
			f->crowd = f->within[set];
		}
	}
}

/* --- The mixture --- */

/* Packs the groups into sets, one after the other, each starting with the first remaining group. */
static void start_mixture(struct pmu_fair *f)
{
	uint64_t left = bits_low(f->n);

	pmu_mixture_start(&f->mixture, f->n);
	while (left) {
		unsigned g = bits_first(left);
		uint64_t set = pmu_worth_extend(&f->job, 1ull << g, left, g);

		pmu_mixture_pack(&f->mixture, g, set);
		left &= ~set;
	}
}

/* A set of the basis, extended by all groups that fit beside it. */
static uint64_t full_set(struct pmu_fair *f, unsigned i)
{
	const uint64_t set = f->mixture.set[i];

	if (f->plain[i] != set) {
		f->plain[i] = set;
		f->full[i] = pmu_worth_extend(&f->job, set, bits_low(f->n), i);
	}
	return f->full[i];
}

/* Makes the sets of the mixture available for dealing. */
void pmu_fair_fill_sets(struct pmu_fair *f)
{
	pmu_fair_clear_sets(f);
	for (unsigned i = 0; i < f->n; i++)
		if (f->mixture.x[i])
			pmu_fair_add_set(f, full_set(f, i));
	pmu_fair_set_dues(f);
}

/*
 * Makes each group a set of its own, because there are more counters than the solver distinguishes.
 */
static void take_singles(struct pmu_fair *f, unsigned n)
{
	f->n = n;
	f->job.n = n;
	pmu_fair_clear_sets(f);
	pmu_mixture_start(&f->mixture, n);
	for (unsigned i = 0; i < n; i++) {
		f->group[i] = (uint8_t)i;
		pmu_fair_add_set(f, 1ull << i);
	}
	pmu_fair_set_dues(f);
	f->phase = PMU_FAIR_DONE;
}

static void start_job(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	f->adopted = false;
	f->steps = 0;
	f->counts = false;
	f->last = 0;
	f->optimal = f->ordered = false;
	f->searches = false;
	f->stuck = false;
	f->row = -1;
	f->left = PMU_FAIR_STEPS;
	f->bound = MILLION;
	pmu_fair_begin_dealing(f);
	for (unsigned g = 0; g < PMU_FAIR_GROUPS; g++) {
		f->gathered[g] = 0;
		f->plain[g] = 0;
	}
	f->full_sets = true;
	if (pmu_fair_recall(f, job, f->signature))
		return;
	f->full_sets = pmu_fair_number(f, job);
	if (!f->full_sets) {
		take_singles(f, job->n);
		return;
	}
	f->spent += 20 * f->n * f->n;
	start_mixture(f);
	find_scarce(f);
	if (f->crowd)
		f->bound = share_of((exact_t)f->scarce, (exact_t)f->crowd);
	f->phase = PMU_FAIR_IMPROVES;
	if (!f->n) {
		f->phase = PMU_FAIR_DONE;
		f->optimal = f->ordered = true;
	}
	pmu_fair_clear_sets(f);
}

/* --- Proofs --- */

/*
 * Adds up the prices that prove the mixture optimal: any set of an equally good mixture has a value
 * of exactly 1.
 */
static void gather_prices(struct pmu_fair *f)
{
	const struct pmu_mixture *m = &f->mixture;
	const unsigned bits = 64 - (unsigned)__builtin_clzll((uint64_t)m->denominator);
	const unsigned shift = bits > 32 ? bits - 32 : 0;

	for (unsigned g = 0; g < f->n; g++)
		f->gathered[g] += (m->price[g] >> shift << ONE_SHIFT) / (m->denominator >> shift);
}

static void conclude_optimal(struct pmu_fair *f)
{
	f->optimal = true;
	gather_prices(f);
	pmu_mixture_limit(&f->mixture);
	f->phase = PMU_FAIR_RAISES;
}

/* True where the scarce counters are always in use: no mixture is better. */
static bool is_packed(const struct pmu_fair *f)
{
	return f->mixture.total * f->scarce <= (exact_t)f->mixture.denominator * f->crowd;
}

/* Groups that need only scarce counters cannot have more. */
static void conclude_packed(struct pmu_fair *f)
{
	f->optimal = true;
	if (f->crowd < f->job.first[f->n])
		return;
	for (unsigned g = 0; g < f->n; g++)
		f->gathered[g] = f->job.first[g + 1] - f->job.first[g];
	f->mixture.limited = bits_low(f->n);
	f->phase = PMU_FAIR_RAISES;
}

static void begin_search(struct pmu_fair *f, const int64_t *price, int64_t goal)
{
	pmu_worth_begin(&f->search, &f->job, price, goal);
	f->searches = true;
	f->quick = f->n * f->n / 10; /* as many steps as a step of the simplex method costs */
}

static bool has_steps(struct pmu_fair *f)
{
	return f->left && f->steps <= 16 * f->n + 64;
}

static void finish(struct pmu_fair *f)
{
	f->phase = PMU_FAIR_DONE;
	f->searches = false;
	pmu_fair_fill_sets(f);
	pmu_fair_keep(f);
}

/* --- The share of the worst group --- */

/* Ends the search: no better mixture can be found. */
static void give_up(struct pmu_fair *f)
{
	const uint32_t bound = share_of(pmu_worth_bound(&f->search, &f->job), f->mixture.total);

	f->bound = bound < f->bound ? bound : f->bound;
	finish(f);
}

/* Brings the more valuable set into the mixture. */
static void improve(struct pmu_fair *f)
{
	f->steps++;
	if (pmu_mixture_enter(&f->mixture, f->search.found)) {
		f->searches = f->stuck = false;
		f->nsets = 0;
		return;
	}
	/* Another set may work; if none does, the search proves a bound. */
	f->stuck = true;
}

static void work_on_worst(struct pmu_fair *f)
{
	enum pmu_worth_step step;

	if (!f->searches && !f->optimal && is_packed(f)) {
		conclude_packed(f);
		return;
	}
	if (!f->searches)
		begin_search(f, f->mixture.price, f->mixture.denominator + 1);
	if (!has_steps(f)) {
		give_up(f);
		return;
	}
	f->left--;
	step = pmu_worth_step(&f->search, &f->job);
	if (step == PMU_WORTH_FOUND && !f->stuck)
		f->search.goal = f->search.value + 1;
	if (step == PMU_WORTH_FOUND && f->stuck)
		improve(f);
	else if (f->search.found && !f->stuck && (step == PMU_WORTH_OVER || !f->quick--))
		improve(f);
	else if (step == PMU_WORTH_OVER && f->stuck)
		give_up(f);
	else if (step == PMU_WORTH_OVER) {
		f->searches = false;
		conclude_optimal(f);
	}
}

/* --- The shares of the other groups --- */

static void finish_raising(struct pmu_fair *f, bool ordered)
{
	f->ordered = ordered;
	finish(f);
}

/* The groups that gain at least `gain` in a set that replaces `row`. */
static uint64_t gainers(const struct pmu_fair *f, int64_t gain)
{
	uint64_t groups = 0;

	for (unsigned g = 0; g < f->n; g++)
		if (pmu_mixture_gain(&f->mixture, (unsigned)f->row, 1ull << g) >= gain)
			groups |= 1ull << g;
	return groups;
}

/*
 * Extends `set` by all groups that fit without a loss, and begins the search for a better set.
 * Small sets would also work at first, but lead to cycles.
 */
static bool look_for_better(struct pmu_fair *f, uint64_t set)
{
	int64_t price[PMU_FAIR_GROUPS], goal;

	set = pmu_worth_extend(&f->job, set, gainers(f, 1), f->steps % f->n);
	f->better = pmu_worth_extend(&f->job, set, gainers(f, 0), f->steps % f->n);
	if (!pmu_mixture_offer(&f->mixture, (unsigned)f->row, f->better, price, &goal))
		return false;
	begin_search(f, price, goal + 1);
	return true;
}

/* Raises the needs of groups to the next limit, and begins the search there. */
static bool begin_raising(struct pmu_fair *f)
{
	struct pmu_mixture *m = &f->mixture;
	uint64_t set = 0, best = 0;
	int64_t lack = 0;

	f->row = pmu_mixture_raise(m);
	if (f->row < 0)
		return false;
	for (unsigned g = 0; g < f->n; g++) {
		int64_t gain = pmu_mixture_gain(m, (unsigned)f->row, 1ull << g);

		if (gain > 0 && (!best || exact_less(m->denominator - m->price[g], (uint64_t)gain,
						     lack, best))) {
			best = (uint64_t)gain;
			lack = m->denominator - m->price[g];
			set = 1ull << g;
		}
	}
	return set && look_for_better(f, set);
}

static void work_on_others(struct pmu_fair *f)
{
	enum pmu_worth_step step;

	if (!(bits_low(f->n) & ~f->mixture.limited)) {
		finish_raising(f, true);
		return;
	}
	if (!has_steps(f) || (!f->searches && !begin_raising(f))) {
		finish_raising(f, false);
		return;
	}
	f->left--;
	step = pmu_worth_step(&f->search, &f->job);
	if (step == PMU_WORTH_FOUND) {
		if (!look_for_better(f, f->search.found))
			finish_raising(f, false);
	} else if (step == PMU_WORTH_OVER) {
		f->searches = false;
		f->steps++;
		if (!pmu_mixture_replace(&f->mixture, (unsigned)f->row, f->better)) {
			finish_raising(f, false);
			return;
		}
		gather_prices(f);
		pmu_mixture_limit(&f->mixture);
	}
}

/* Does a part of the work. Returns the approximate number of instructions. */
static unsigned work_a_part(struct pmu_fair *f)
{
	const unsigned steps = f->steps;

	if (f->phase == PMU_FAIR_IMPROVES)
		work_on_worst(f);
	else
		work_on_others(f);
	return PER_STEP + (f->steps - steps) * 40 * f->n * f->n;
}

void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job)
{
	uint64_t signature = pmu_fair_signature(job);

	if (f->describes) {
		pmu_fair_describe(job, f->describes);
		f->n = 0;
		return;
	}
	if (f->signature != signature || f->njob != job->n) {
		f->signature = signature;
		f->njob = job->n;
		start_job(f, job);
	}
	while ((f->spent < PMU_FAIR_AT_ONCE || f->at_once) && f->phase != PMU_FAIR_DONE)
		f->spent += work_a_part(f);
	if (f->at_once)
		f->spent = 0;
	if (!f->nsets && f->n)
		pmu_fair_fill_sets(f);
}

/* The worst group is one with the least need. */
uint32_t pmu_fair_share(const struct pmu_fair *f)
{
	const struct pmu_mixture *m = &f->mixture;
	uint64_t least = UINT64_MAX;

	if (f->adopted)
		return f->share;
	for (unsigned g = 0; g < f->n; g++)
		least = m->need[g] < least ? m->need[g] : least;
	return f->n ? share_of((exact_t)m->denominator * (int64_t)least, m->total) : MILLION;
}

uint32_t pmu_fair_bound(const struct pmu_fair *f)
{
	return f->optimal ? pmu_fair_share(f) : f->bound;
}
