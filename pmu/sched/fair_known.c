// SPDX-License-Identifier: BSD-2-Clause
/*
 * fair_known.c - the results of earlier jobs, and those that the host tool has sent: see fair.h. A
 * job is known by its signature and its number of groups. Should two jobs have the same, a set may
 * not fit: policy_fair.c then leaves out the groups that find no counter.
 */
#include "pmu/sched/fair.h"

#include <stddef.h>

static struct pmu_fair_known *find_known(struct pmu_fair *f, uint64_t signature, unsigned njob)
{
	for (unsigned i = 0; i < PMU_FAIR_KEPT; i++)
		if (f->known[i].njob && f->known[i].njob == njob &&
		    f->known[i].signature == signature)
			return &f->known[i];
	return NULL;
}

bool pmu_fair_knows(const struct pmu_fair *f, uint64_t key, unsigned groups)
{
	return find_known((struct pmu_fair *)f, key, groups);
}

/* The entry for a job: its own, a free one, or the one that was not used for the longest time. */
static struct pmu_fair_known *take_known(struct pmu_fair *f, uint64_t signature, unsigned njob)
{
	struct pmu_fair_known *k = find_known(f, signature, njob);

	if (!k) {
		k = &f->known[0];
		for (unsigned i = 1; i < PMU_FAIR_KEPT; i++)
			if (f->known[i].used < k->used)
				k = &f->known[i];
	}
	k->signature = signature;
	k->njob = njob;
	k->used = ++f->clock;
	return k;
}

/* --- Few groups: the basis --- */

static void keep_basis(struct fair_basis *to, const struct pmu_fair *f)
{
	const struct pmu_mixture *m = &f->mixture;

	to->n = f->n;
	to->denominator = m->denominator;
	to->unit = m->unit;
	to->limited = m->limited;
	for (unsigned i = 0; i < f->n; i++) {
		to->set[i] = m->set[i];
		to->need[i] = m->need[i];
		to->gathered[i] = f->gathered[i];
		for (unsigned g = 0; g < f->n; g++)
			to->inverse[i][g] = m->inverse[i][g];
	}
}

static bool take_basis(struct pmu_fair *f, const struct pmu_fair_job *job,
		       const struct fair_basis *from)
{
	struct pmu_mixture *m = &f->mixture;

	if (!pmu_fair_number(f, job) || f->n != from->n)
		return false;
	m->n = from->n;
	m->denominator = from->denominator;
	m->unit = from->unit;
	m->limited = from->limited;
	m->turns = 0;
	for (unsigned i = 0; i < f->n; i++) {
		m->set[i] = from->set[i];
		m->need[i] = from->need[i];
		f->gathered[i] = from->gathered[i];
		for (unsigned g = 0; g < f->n; g++)
			m->inverse[i][g] = from->inverse[i][g];
	}
	pmu_mixture_restore(m);
	return true;
}

/* --- Many groups: the sets --- */

static void keep_sets(struct pmu_fair_known *to, const struct pmu_fair *f)
{
	to->nsets = f->nsets;
	for (unsigned i = 0; i < f->nsets; i++)
		to->sets[i] = pmu_fair_by_job(f, f->sets[i]);
	for (unsigned g = 0; g < f->njob; g++)
		to->due[g] = 0;
	for (unsigned g = 0; g < f->n; g++)
		to->due[f->group[g]] = f->due[g].share;
}

static void take_sets(struct pmu_fair *f, const struct pmu_fair_known *from)
{
	f->n = from->njob;
	f->nsets = from->nsets;
	for (unsigned i = 0; i < from->nsets; i++)
		f->sets[i] = from->sets[i];
	for (unsigned g = 0; g < from->njob; g++) {
		f->group[g] = (uint8_t)g;
		f->due[g].share = from->due[g];
	}
	f->share = from->share;
	f->adopted = true;
}

/* --- Results --- */

void pmu_fair_keep(struct pmu_fair *f)
{
	struct pmu_fair_known *k = take_known(f, f->signature, f->njob);

	k->optimal = f->optimal;
	k->ordered = f->ordered;
	k->bound = f->bound;
	k->share = pmu_fair_share(f);
	if (f->njob <= PMU_FAIR_FEW)
		keep_basis(&k->basis, f);
	else
		keep_sets(k, f);
}

bool pmu_fair_recall(struct pmu_fair *f, const struct pmu_fair_job *job, uint64_t signature)
{
	struct pmu_fair_known *k = find_known(f, signature, job->n);

	pmu_fair_clear_sets(f);
	if (!k || (job->n <= PMU_FAIR_FEW && !take_basis(f, job, &k->basis)))
		return false;
	k->used = ++f->clock;
	f->optimal = k->optimal;
	f->ordered = k->ordered;
	f->bound = k->bound;
	f->phase = PMU_FAIR_DONE;
	if (job->n > PMU_FAIR_FEW)
		take_sets(f, k);
	else
		pmu_fair_fill_sets(f);
	return true;
}

void pmu_fair_know(struct pmu_fair *f, const struct fair_solution *solution)
{
	struct pmu_fair_known *k;

	if (solution->groups <= PMU_FAIR_FEW)
		return;
	if (f->njob == solution->groups && f->signature == solution->key &&
	    f->phase != PMU_FAIR_DONE)
		f->njob = 0; /* the next decision takes the result instead of searching on */
	k = take_known(f, solution->key, solution->groups);
	k->optimal = solution->optimal;
	k->ordered = solution->ordered;
	k->share = solution->share;
	k->bound = solution->bound;
	k->nsets = solution->sets;
	for (unsigned i = 0; i < solution->sets; i++)
		k->sets[i] = solution->set[i];
	for (unsigned g = 0; g < solution->groups; g++)
		k->due[g] = solution->due[g];
}
