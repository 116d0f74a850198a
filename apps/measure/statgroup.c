// SPDX-License-Identifier: BSD-2-Clause
/* statgroup.c - see statgroup.h. */
#include "apps/measure/statgroup.h"

#include "arch/x86/smp/smp.h"
#include "lib/math.h"

#define ERROR_MAX 10000000 /* 1/100 of a percent; larger errors mean nothing */

/* The group that the line stands for, without the number of its CPUs. */
static struct stat_group group_of(const struct targets_event *target, enum stat_aggr how)
{
	struct stat_group group = {.how = how, .cpu = -1};
	const struct cpu_place *place;

	if (how == STAT_AGGR_ALL)
		return group;
	place = &smp_online((unsigned)target->cpu)->place;
	group.package = place->package;
	if (how == STAT_AGGR_SOCKET)
		return group;
	group.core = place->core;
	if (how == STAT_AGGR_NONE)
		group.cpu = target->cpu;
	return group;
}

static bool is_same(const struct stat_group *a, const struct stat_group *b)
{
	return a->package == b->package && a->core == b->core && a->cpu == b->cpu;
}

void stat_groups_make(struct stat_groups *groups, const struct evset *set, enum stat_aggr how)
{
	groups->n = 0;
	groups->how = how;
	for (unsigned t = 0; t < set->ntargets; t++) {
		const struct stat_group group = group_of(&set->target[t], how);
		unsigned g = 0;

		while (g < groups->n && !is_same(&groups->group[g], &group))
			g++;
		if (g == groups->n) {
			groups->first[g] = how == STAT_AGGR_ALL ? 0 : (uint16_t)set->target[t].cpu;
			groups->group[groups->n++] = group;
		}
		groups->group[g].ncpus++;
		groups->of[t] = (uint16_t)g;
	}
}

bool stat_groups_has(const struct stat_groups *groups, unsigned g, const struct evset *set,
		     unsigned i)
{
	bool anywhere = false;

	for (unsigned t = 0; t < set->ntargets; t++) {
		const bool is_at = evset_is_at(set, i, t);

		if (groups->of[t] == g && is_at)
			return true;
		anywhere |= is_at;
	}
	return !anywhere;
}

unsigned stat_groups_line(const struct stat_groups *groups, const struct evset *set, unsigned i,
			  unsigned g)
{
	if (groups->how == STAT_AGGR_CORE || groups->how == STAT_AGGR_SOCKET)
		return g * set->n + i;
	return i * groups->n + g;
}

uint64_t stat_scale_by_ratio(uint64_t count, uint64_t enabled, uint64_t running)
{
	return running && running < enabled ? mul_div(count, enabled, running) : count;
}

static uint64_t scaled_by_ratio(const struct pmu_value *v)
{
	return stat_scale_by_ratio(v->value, v->time_enabled, v->time_running);
}

/* The sum over CPUs of one run. */
struct sum {
	struct pmu_value raw;
	uint64_t scaled, ratio, error; /* error: 1/100 of a percent, up to ERROR_MAX */
	unsigned n;                    /* the events that counted */
	bool all_counted;
	bool unseen; /* an event's slices do not tell its error */
	enum stat_scaling scaling;
};

/* Errors of independent figures add up as squares, weighted by the figures' shares of the sum. */
static uint64_t sum_error(const struct sum *sum, uint64_t error, uint64_t value)
{
	const uint64_t whole = sum->scaled + value;
	uint64_t a, b;

	if (error >= ERROR_MAX || sum->error == ERROR_MAX)
		return ERROR_MAX;
	if (!sum->n || !whole)
		return error;
	a = mul_div(sum->error, sum->scaled, whole);
	b = mul_div(error, value, whole);
	return int_sqrt(a * a + b * b);
}

/* Reads the event's change since *before, which becomes the current value. */
static struct pmu_value read_since(struct pmu_event *e, struct pmu_value *before)
{
	struct pmu_value now = {0}, v;

	pmu_event_read(e, &now);
	v = (struct pmu_value){
		.value = now.value - before->value,
		.time_enabled = now.time_enabled - before->time_enabled,
		.time_running = now.time_running - before->time_running,
	};
	*before = now;
	return v;
}

/* Scales the count *v of an event. Slices describe a whole run. A part of a run is scaled by the
 * ratio, and its error is not known. */
static struct pmu_estimate estimate(const struct sum *sum, const struct pmu_event *e,
				    const struct pmu_value *v, bool part)
{
	struct pmu_estimate to = {.count = v->value, .error = 0};

	if (v->time_running >= v->time_enabled)
		return to;
	if (!part && sum->scaling != STAT_UNSCALED) {
		pmu_event_estimate(e,
				   sum->scaling == STAT_BY_RATIO ? PMU_ESTIMATE_RATIO
								 : PMU_ESTIMATE_INTERPOLATED,
				   &to);
		return to;
	}
	if (sum->scaling != STAT_UNSCALED)
		to.count = scaled_by_ratio(v);
	to.error = ERROR_MAX;
	return to;
}

static void add_target(struct sum *sum, struct pmu_event *e, struct pmu_value *before)
{
	struct pmu_value none = {0};
	const struct pmu_value v = read_since(e, before ? before : &none);
	const struct pmu_estimate whole = estimate(sum, e, &v, before);
	const bool unseen = v.time_running && whole.error == PMU_ERROR_UNKNOWN;

	sum->all_counted &= v.time_running || !v.time_enabled;
	/* A count of 0 has no relative error. Beside other counts it adds none. */
	if (v.time_running && (whole.count || !unseen))
		sum->error = sum_error(sum, whole.error, whole.count);
	sum->unseen |= unseen;
	sum->n += v.time_running != 0;
	sum->scaled += whole.count;
	sum->ratio += scaled_by_ratio(&v);
	sum->raw.value += v.value;
	sum->raw.time_enabled += v.time_enabled;
	sum->raw.time_running += v.time_running;
}

static void note_error(struct stat_series *s, uint64_t error)
{
	s->squares += error * error;
	s->unsure |= error == ERROR_MAX;
}

/* A target that never counted is assumed to be like the others. */
static void scale_sum(struct sum *sum)
{
	sum->error = ERROR_MAX;
	sum->ratio = scaled_by_ratio(&sum->raw);
	sum->scaled = sum->scaling == STAT_UNSCALED ? sum->raw.value : sum->ratio;
}

void stat_series_add(struct stat_series *s, const struct evset *set, unsigned i,
		     const struct stat_groups *groups, unsigned g, enum stat_scaling scaling,
		     struct pmu_value *before)
{
	struct sum sum = {.all_counted = true, .scaling = scaling};

	for (unsigned t = 0; t < set->ntargets; t++)
		if (groups->of[t] == g && evset_is_at(set, i, t))
			add_target(&sum, evset_event(set, i, t),
				   before ? before + evset_index(set, i, t) : NULL);
	s->enabled += sum.raw.time_enabled;
	s->running += sum.raw.time_running;
	s->raw += sum.raw.value;
	if (!sum.raw.time_running)
		return;
	if (!sum.all_counted)
		scale_sum(&sum);
	if (sum.unseen && !sum.scaled)
		sum.error = ERROR_MAX;
	note_error(s, sum.error);
	s->unseen |= sum.unseen && sum.error >= ERROR_MAX;
	moments_add(&s->value, sum.scaled);
	moments_add(&s->ratio, sum.ratio);
}

static enum stat_state counted_state(const struct stat_series *s, const struct evset *set,
				     unsigned i, const struct stat_groups *groups, unsigned g)
{
	if (!stat_groups_has(groups, g, set, i))
		return STAT_NOT_HERE;
	if (set->entry[i].error)
		return STAT_NOT_SUPPORTED;
	return s->value.n && evset_is_whole(set, i) ? STAT_COUNTED : STAT_NOT_COUNTED;
}

struct stat_line stat_series_line(const struct stat_series *s, const struct evset *set, unsigned i,
				  const struct stat_groups *groups, unsigned g)
{
	const struct evset_entry *e = &set->entry[i];
	struct stat_line l = {
		.name = e->spec.name,
		.attr = &e->spec.attr,
		.group = &groups->group[g],
		.cgroup = evset_cgroup(set, i),
		.state = counted_state(s, set, i, groups, g),
		.mean = moments_mean(&s->value),
		.spread = moments_spread(&s->value),
		.identical = moments_identical(&s->value),
		.enabled = s->enabled,
		.running = evset_is_whole(set, i) ? s->running : s->enabled,
		.ratio = moments_mean(&s->ratio),
		.has_error = s->value.n && !s->unsure,
		.unseen = s->unseen,
		.truth = e->error ? 0 : e->truth,
		.pass = e->pass == EVSET_EACH_PASS ? STAT_EACH_PASS : e->pass,
		.event = (uint16_t)i,
	};

	if (l.has_error)
		l.error = (uint32_t)moments_error(&s->value, int_sqrt(s->squares / s->value.n));
	return l;
}
