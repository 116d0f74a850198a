// SPDX-License-Identifier: BSD-2-Clause
/* best_groups.c - the search of best_groups.h. */
#include "pmu/sched/best_groups.h"

#include "lib/bits.h"

struct pmu_fit_group pmu_worth_group(const struct pmu_worth_job *job, unsigned g)
{
	return (struct pmu_fit_group){
		.masks = job->masks + job->first[g],
		.n = (uint8_t)(job->first[g + 1] - job->first[g]),
		.extras = job->extras + job->first_extra[g],
		.nextras = (uint8_t)(job->first_extra[g + 1] - job->first_extra[g]),
		.corrupting = job->corrupting >> g & 1};
}

/*
 * An upper bound on the value of the groups from `k` on, as if any counter could count any event.
 */
static int64_t most_value(const struct pmu_worth *s, unsigned k, unsigned left)
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

/*
 * A tighter bound: the events of a group may count without each other, each for its part of the
 * price, the most expensive first. Stops when the sum reaches the goal, so the result may be less
 * then.
 */
static int64_t most_matched(const struct pmu_worth *s, const struct pmu_worth_job *job,
			    const struct pmu_fit *from, unsigned k, int64_t goal)
{
	struct pmu_fit fit = *from;
	int64_t sum = 0;

	for (; k < s->n && sum < goal && fit.n < job->rules.room; k++) {
		const unsigned first = job->first[s->group[k]];
		const int64_t each = (s->price[k] + s->size[k] - 1) / s->size[k];

		for (unsigned i = 0; i < s->size[k] && fit.n < job->rules.room; i++)
			if (pmu_fit_add(&fit, &job->rules, job->masks[first + i]))
				sum += each;
	}
	return sum;
}

static void sort_in(struct pmu_worth *s, unsigned g, unsigned size, int64_t price)
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

void pmu_worth_begin(struct pmu_worth *s, const struct pmu_worth_job *job, const int64_t *price,
		     int64_t goal)
{
	s->goal = goal;
	s->found = 0;
	s->value = 0;
	s->depth = 0;
	s->level[0].fit = job->start;
	s->level[0].value = 0;
	s->level[0].set = 0;
	s->level[0].next = 0;
	s->n = 0;
	for (unsigned g = 0; g < job->n; g++)
		if (price[g] > 0)
			sort_in(s, g, job->first[g + 1] - job->first[g], price[g]);
}

static unsigned room_left(const struct pmu_worth *s, const struct pmu_worth_job *job, int depth)
{
	return job->rules.room - s->level[depth].fit.n;
}

enum pmu_worth_step pmu_worth_step(struct pmu_worth *s, const struct pmu_worth_job *job)
{
	unsigned k, left, g;
	struct pmu_fit_group group;
	int d = s->depth;

	if (d < 0)
		return PMU_WORTH_OVER;
	k = s->level[d].next;
	left = room_left(s, job, d);
	if (k == s->n || s->level[d].value + most_value(s, k, left) < s->goal ||
	    s->level[d].value +
			    most_matched(s, job, &s->level[d].fit, k, s->goal - s->level[d].value) <
		    s->goal)
		return s->depth-- > 0 ? PMU_WORTH_GOES_ON : PMU_WORTH_OVER;
	s->level[d].next++;
	g = s->group[k];
	if (s->size[k] > left || (job->exclusive >> g & 1 && d))
		return PMU_WORTH_GOES_ON;
	group = pmu_worth_group(job, g);
	if (!pmu_fit_group(&s->level[d + 1].fit, &s->level[d].fit, &job->rules, &group))
		return PMU_WORTH_GOES_ON;
	s->depth = ++d;
	s->level[d].value = s->level[d - 1].value + s->price[k];
	s->level[d].set = s->level[d - 1].set | 1ull << g;
	s->level[d].next = job->exclusive >> g & 1 ? s->n : k + 1;
	if (s->level[d].value < s->goal)
		return PMU_WORTH_GOES_ON;
	s->found = s->level[d].set;
	s->value = s->level[d].value;
	return PMU_WORTH_FOUND;
}

int64_t pmu_worth_bound(const struct pmu_worth *s, const struct pmu_worth_job *job)
{
	int64_t bound = s->found && s->value > s->goal ? s->value : s->goal;

	for (int d = 0; d <= s->depth; d++) {
		int64_t most =
			s->level[d].value + most_value(s, s->level[d].next, room_left(s, job, d));

		bound = most > bound ? most : bound;
	}
	return bound;
}

uint64_t pmu_worth_take(const struct pmu_worth_job *job, const uint8_t *order, unsigned n)
{
	struct pmu_fit fits[2];
	unsigned now = 0;
	uint64_t set = 0;

	fits[0] = job->start;
	for (unsigned i = 0; i < n && fits[now].n < job->rules.room; i++) {
		const unsigned g = order[i];
		struct pmu_fit_group group = pmu_worth_group(job, g);

		if ((job->exclusive >> g & 1 && set) ||
		    !pmu_fit_group(&fits[!now], &fits[now], &job->rules, &group))
			continue;
		now = !now;
		set |= 1ull << g;
		if (job->exclusive >> g & 1)
			break;
	}
	return set;
}

uint64_t pmu_worth_extend(const struct pmu_worth_job *job, uint64_t set, uint64_t groups,
			  unsigned from)
{
	uint8_t order[PMU_WORTH_GROUPS];
	unsigned n = 0;

	if (set & job->exclusive)
		return set;
	groups &= ~job->exclusive & ~set;
	for (uint64_t left = set; left; left &= left - 1)
		order[n++] = (uint8_t)bits_first(left);
	for (unsigned i = 0; i < job->n; i++) {
		const unsigned g = (from + i) % job->n;

		if (groups >> g & 1)
			order[n++] = (uint8_t)g;
	}
	return pmu_worth_take(job, order, n);
}
