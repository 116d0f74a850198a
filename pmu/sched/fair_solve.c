// SPDX-License-Identifier: BSD-2-Clause
/* fair_solve.c - see fair_solve.h. */
#include "pmu/sched/fair_solve.h"

#include "lib/bits.h"
#include "lib/string.h"

#define MILLION 1000000u

_Static_assert(FAIR_GROUPS == PMU_FAIR_GROUPS && FAIR_EVENTS == PMU_WORTH_EVENTS &&
		       FAIR_EXTRAS <= PMU_WORTH_EXTRAS && FAIR_SETS == PMU_FAIR_SETS &&
		       FAIR_COUNTERS == PMU_COUNTERS && FAIR_SHARED >= PMU_EXTRAS,
	       "a problem has what a job has");

/* --- A job as a problem --- */

static void describe_start(const struct pmu_match *start, struct fair_problem *p)
{
	p->start_used = start->used;
	p->start_wanted = start->wanted;
	p->start_corrupting = start->corrupting;
	p->start_held = start->extras.held;
	for (uint64_t left = start->used; left; left &= left - 1)
		p->start_mask[bits_first(left)] = start->masks[bits_first(left)];
	for (unsigned left = start->extras.held; left; left &= left - 1) {
		p->start_registers[bits_first(left)] = start->extras.registers[bits_first(left)];
		p->start_value[bits_first(left)] = start->extras.value[bits_first(left)];
	}
}

void pmu_fair_describe(const struct pmu_fair_job *job, struct fair_problem *p)
{
	unsigned n = 0, nextras = 0;

	memset(p, 0, sizeof(*p));
	p->key = pmu_fair_signature(job);
	p->groups = job->start->exclusive ? 0 : job->n;
	p->general = job->limits->general;
	p->general_corrupting = job->limits->general_corrupting;
	p->total = job->limits->total;
	describe_start(job->start, p);
	for (unsigned g = 0; g < p->groups; g++) {
		const struct pmu_demand *d = &job->groups[g];

		p->group[g] = (struct fair_group){d->n, d->nextras, d->corrupting, d->exclusive};
		for (unsigned i = 0; i < d->n; i++)
			p->mask[n++] = d->masks[i];
		for (unsigned i = 0; i < d->nextras; i++)
			p->extra[nextras++] = (struct fair_extra){
				d->extras[i].value, d->extras[i].registers, d->extras[i].reg};
	}
}

/* --- A problem as a job --- */

struct described {
	struct pmu_fair_job job;
	struct pmu_match start;
	struct pmu_limits limits;
	struct pmu_demand groups[FAIR_GROUPS];
	struct pmu_extra extras[FAIR_EXTRAS];
};

static bool is_start_sound(const struct fair_problem *p)
{
	if (p->start_used >> FAIR_COUNTERS)
		return false;
	for (uint64_t left = p->start_used; left; left &= left - 1)
		if (!(p->start_mask[bits_first(left)] >> bits_first(left) & 1))
			return false;
	for (unsigned left = p->start_held; left; left &= left - 1)
		if (bits_first(left) >= PMU_EXTRAS ||
		    !(p->start_registers[bits_first(left)] >> bits_first(left) & 1))
			return false;
	return p->start_corrupting <= 1;
}

/* Events of a group have to find counters; registers have to be those that there are. */
static bool are_groups_sound(const struct fair_problem *p)
{
	unsigned n = 0, nextras = 0;

	if (!p->groups || p->groups > FAIR_GROUPS)
		return false;
	for (unsigned g = 0; g < p->groups; g++) {
		const struct fair_group *group = &p->group[g];

		n += group->events;
		nextras += group->extras;
		if (!group->events || group->events > FAIR_COUNTERS || group->corrupting > 1 ||
		    group->exclusive > 1)
			return false;
	}
	if (n > FAIR_EVENTS || nextras > FAIR_EXTRAS)
		return false;
	for (unsigned i = 0; i < nextras; i++)
		if (!p->extra[i].registers || p->extra[i].registers >> PMU_EXTRAS ||
		    p->extra[i].first >= PMU_EXTRAS)
			return false;
	return true;
}

static void read_start(struct pmu_match *start, const struct fair_problem *p)
{
	memset(start, 0, sizeof(*start));
	start->used = p->start_used;
	start->wanted = p->start_wanted;
	start->n = (uint8_t)bits_count(p->start_used);
	start->corrupting = p->start_corrupting;
	start->extras.held = p->start_held;
	for (unsigned i = 0; i < FAIR_COUNTERS; i++)
		start->masks[i] = p->start_mask[i];
	for (unsigned i = 0; i < PMU_EXTRAS; i++) {
		start->extras.registers[i] = p->start_registers[i];
		start->extras.value[i] = p->start_value[i];
	}
}

/* False: the problem is malformed. */
static bool read_problem(struct described *d, const struct fair_problem *p)
{
	unsigned n = 0, nextras = 0;

	if (!is_start_sound(p) || !are_groups_sound(p))
		return false;
	read_start(&d->start, p);
	d->limits = (struct pmu_limits){p->general, p->general_corrupting, p->total};
	for (unsigned g = 0; g < p->groups; g++) {
		const struct fair_group *group = &p->group[g];

		d->groups[g] = (struct pmu_demand){.masks = p->mask + n,
						   .extras = d->extras + nextras,
						   .n = group->events,
						   .nextras = group->extras,
						   .corrupting = group->corrupting,
						   .exclusive = group->exclusive};
		n += group->events;
		nextras += group->extras;
	}
	for (unsigned i = 0; i < nextras; i++)
		d->extras[i] = (struct pmu_extra){p->extra[i].value, (uint8_t)p->extra[i].registers,
						  (uint8_t)p->extra[i].first};
	d->job = (struct pmu_fair_job){
		.groups = d->groups, .n = p->groups, .start = &d->start, .limits = &d->limits};
	return true;
}

/* --- The solution --- */

/* The share of each set: sets of the basis may have the same extension. */
static void write_weights(const struct pmu_fair *f, struct fair_solution *s)
{
	const struct pmu_mixture *m = &f->mixture;

	for (unsigned row = 0; row < f->n; row++)
		for (unsigned i = 0; m->x[row] && i < f->nsets; i++)
			if (f->sets[i] == f->full[row])
				s->weight[i] += pmu_fair_fixed(m->x[row], m->total);
}

bool pmu_fair_solve(struct pmu_fair *f, const struct fair_problem *problem, struct fair_solution *s)
{
	static struct described d;

	if (!read_problem(&d, problem))
		return false;
	f->at_once = true;
	pmu_fair_prepare(f, &d.job);
	if (!f->full_sets || !f->n)
		return false;
	*s = (struct fair_solution){.key = problem->key,
				    .groups = problem->groups,
				    .sets = f->nsets,
				    .share = pmu_fair_share(f),
				    .bound = pmu_fair_bound(f),
				    .optimal = f->optimal,
				    .ordered = f->ordered};
	for (unsigned i = 0; i < f->nsets; i++)
		s->set[i] = pmu_fair_by_job(f, f->sets[i]);
	for (unsigned g = 0; g < f->n; g++)
		s->due[f->group[g]] = f->due[g].share;
	write_weights(f, s);
	return true;
}

/* --- The check --- */

/* The groups of `set` by their number among those that fit at all; 0: one of them never fits. */
static uint64_t by_number(const struct pmu_fair *f, uint64_t set)
{
	uint64_t found = 0;

	for (unsigned g = 0; g < f->n; g++)
		if (set >> f->group[g] & 1) {
			found |= 1ull << g;
			set &= ~(1ull << f->group[g]);
		}
	return set ? 0 : found;
}

/* True where the groups of the set fit, and no other group fits beside them. */
static bool is_full_set(const struct pmu_fair *f, uint64_t set)
{
	uint8_t order[PMU_FAIR_GROUPS];
	unsigned n = 0;

	for (uint64_t left = set; left; left &= left - 1)
		order[n++] = (uint8_t)bits_first(left);
	return set && pmu_worth_take(&f->job, order, n) == set &&
	       pmu_worth_extend(&f->job, set, bits_low(f->n), 0) == set;
}

static bool are_sets_sound(const struct pmu_fair *f, const struct fair_solution *s)
{
	uint64_t sum = 0;

	if (!s->sets || s->sets > FAIR_SETS)
		return false;
	for (unsigned i = 0; i < s->sets; i++) {
		if (s->weight[i] > FAIR_WHOLE || !is_full_set(f, by_number(f, s->set[i])))
			return false;
		sum += s->weight[i];
		if (sum > FAIR_WHOLE)
			return false;
	}
	return FAIR_WHOLE - sum <= 2 * FAIR_SETS; /* each was rounded down */
}

/* The time of all sets that have the group. */
static uint64_t time_of_group(const struct fair_solution *s, unsigned g)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < s->sets; i++)
		sum += s->set[i] >> g & 1 ? s->weight[i] : 0;
	return sum;
}

static bool are_dues_sound(const struct pmu_fair *f, const struct fair_solution *s)
{
	uint64_t least = FAIR_WHOLE, fitting = 0;

	for (unsigned i = 0; i < f->n; i++) {
		const unsigned g = f->group[i];

		fitting |= 1ull << g;
		if (!s->due[g] || s->due[g] > FAIR_WHOLE ||
		    s->due[g] > time_of_group(s, g) + 2 * FAIR_SETS)
			return false;
		least = s->due[g] < least ? s->due[g] : least;
	}
	for (unsigned g = 0; g < FAIR_GROUPS; g++)
		if (!(fitting >> g & 1) && s->due[g])
			return false;
	/* Both were rounded down, each in its own unit. */
	return s->share <= MILLION && s->share <= s->bound && s->bound <= MILLION &&
	       (least >> 20) * MILLION >> 42 <= s->share + 1 &&
	       (least >> 20) * MILLION >> 42 >= (s->share ? s->share - 1 : 0);
}

bool pmu_fair_check(struct pmu_fair *f, const struct fair_problem *problem,
		    const struct fair_solution *s)
{
	static struct described d;

	return s->key == problem->key && s->groups == problem->groups && s->optimal <= 1 &&
	       s->ordered <= 1 && read_problem(&d, problem) && pmu_fair_number(f, &d.job) && f->n &&
	       are_sets_sound(f, s) && are_dues_sound(f, s);
}
