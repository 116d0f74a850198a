// SPDX-License-Identifier: BSD-2-Clause
/* plan.c - see plan.h. */
#include "pmu/plan/plan.h"

#include "lib/math.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/sched/explain.h"
#include "lib/reason.h"

#include <linux/errno.h>
#include <stddef.h>

#define WATCHDOG 0xff /* origin of the watchdog's event, which is in no job */

static uint8_t assign_flags(uint32_t rules)
{
	static const struct {
		uint32_t rule;
		uint8_t flag;
	} rows[] = {
		{PMU_RULE(WEIGHT), PMU_ASSIGN_BY_WEIGHT},
		{PMU_RULE(FIXED_FIRST), PMU_ASSIGN_FIXED_FIRST},
		{PMU_RULE(OVERLAP), PMU_ASSIGN_OVERLAP},
		{PMU_RULE(LEAK), PMU_ASSIGN_LEAK},
	};
	uint8_t flags = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rules & rows[i].rule)
			flags |= rows[i].flag;
	return flags;
}

/* The limits on counters with hyper-threading, by the rules of that kernel. */
static struct pmu_limits limits_of(const struct pmu_plan_job *job)
{
	struct pmu_limits l = PMU_UNLIMITED;
	uint8_t general = (uint8_t)bits_count(job->counters & PMU_GENERAL_MASK);

	/* A kernel whose backtracking leaks general counters has a limit on them at all times. */
	if (job->rules & PMU_RULE(LEAK))
		l.general = general;
	if (!job->ht || !job->ht_erratum)
		return l;
	if (job->rules & PMU_RULE(LIMIT_TOTAL))
		l.total = general / 2;
	if (job->rules & PMU_RULE(LIMIT_GENERAL))
		l.general_corrupting = general / 2;
	return l;
}

static void init_side(const struct pmu_plan_job *job, struct pmu_plan_side *s)
{
	s->tick = (struct pmu_tick){
		.counters = job->counters,
		.taken = job->rules & PMU_RULE(TFA) ? job->transactions : 0,
		.limits = limits_of(job),
		.assign = assign_flags(job->rules),
		.contexts = {&s->contexts[0], &s->contexts[1]},
	};
}

/* Adds a group. The caller then adds its events and inserts it into a list. */
static struct pmu_tick_group *add_plan_group(const struct pmu_plan_job *job,
					     struct pmu_plan_side *s,
					     const struct pmu_tick_group *like, unsigned number)
{
	struct pmu_tick_group *g = &s->groups[s->ngroups];
	bool pinned = like->pinned && !(job->rules & PMU_RULE(PINNED_LAST) && like->n > 1);

	*g = (struct pmu_tick_group){.cpu = like->cpu,
				     .pinned = pinned,
				     .exclusive = like->exclusive,
				     .enabled = like->enabled};
	s->group[s->ngroups++] = (uint8_t)number;
	return g;
}

static void insert_group(struct pmu_plan_side *s, struct pmu_tick_group *g)
{
	pmu_tick_insert(&s->contexts[g->cpu ? PMU_TICK_CPU : PMU_TICK_TASK], g);
}

static struct pmu_tick_event *add_plan_event(struct pmu_plan_side *s, struct pmu_tick_group *g,
					     const struct pmu_tick_event *like, unsigned number)
{
	struct pmu_tick_event *e = &s->events[s->nevents];

	*e = *like;
	e->counter = PMU_NO_COUNTER;
	s->origin[s->nevents++] = (uint8_t)number;
	pmu_tick_append(g, e);
	return e;
}

static void drop_event(struct pmu_plan_side *s, struct pmu_tick_group *g, struct pmu_tick_event *e)
{
	pmu_tick_unlink(g, e);
	s->nevents--;
}

/* The watchdog is a pinned event of the CPU, opened before all others. */
static void add_watchdog(const struct pmu_plan_job *job, struct pmu_plan_side *s)
{
	const struct pmu_tick_group like = {.cpu = true, .pinned = true, .enabled = true};
	const struct pmu_tick_event event = {.name = "the NMI watchdog",
					     .constraint = pmu_constraint(job->watchdog, false),
					     .hardware = true,
					     .enabled = true};

	struct pmu_tick_group *g;

	if (!job->watchdog)
		return;
	g = add_plan_group(job, s, &like, WATCHDOG);
	add_plan_event(s, g, &event, WATCHDOG);
	insert_group(s, g);
}

static bool has_hardware_before(const struct pmu_tick_group *g, const struct pmu_tick_event *last)
{
	bool any = false;

	for (const struct pmu_tick_event *e = g->events; e != last; e = e->next)
		any |= e->hardware;
	return any;
}

/* True where the last event added can be opened. */
static bool can_open(const struct pmu_plan_job *job, const struct pmu_plan_side *s,
		     const struct pmu_tick_group *g, const struct pmu_tick_event *last,
		     struct reason *why)
{
	if ((job->rules & PMU_RULE(SOFT_SIBLING)) && last != g->events && !last->hardware &&
	    !g->events->hardware && has_hardware_before(g, last)) {
		refuse(why, EINVAL,
		       "before 4.18 no software event joins a software leader that has hardware "
		       "siblings");
		return false;
	}
	if (last->hardware && !pmu_tick_fits(&s->tick, g)) {
		pmu_explain_misfit(&s->tick, g, why);
		return false;
	}
	return true;
}

/* A sibling that is opened disabled is checked alone. */
static bool can_open_disabled(const struct pmu_plan_side *s, const struct pmu_tick_event *e,
			      struct reason *why)
{
	struct pmu_tick_group g = {.n = 0};
	struct pmu_tick_event alone = *e;

	pmu_tick_append(&g, &alone);
	if (!e->hardware || e->enabled || pmu_tick_fits(&s->tick, &g))
		return true;
	pmu_explain_misfit(&s->tick, &g, why);
	return false;
}

/* Opens a group and writes the refusals to `results` (NULL: not wanted). Returns their number. */
static unsigned open_group(const struct pmu_plan_job *job, struct pmu_plan_side *s,
			   const struct pmu_tick_group *from, unsigned number, unsigned first,
			   struct pmu_plan_event *results)
{
	struct pmu_tick_group *g = add_plan_group(job, s, from, number);
	unsigned refused = 0, i = first;

	for (const struct pmu_tick_event *like = from->events; like; like = like->next, i++) {
		struct reason why = {""};
		bool leaderless = like != from->events && !g->n;
		struct pmu_tick_event *e = add_plan_event(s, g, like, i);

		if (leaderless)
			refuse(&why, EINVAL, "the leader of its group was refused");
		if (!leaderless && can_open_disabled(s, e, &why) && can_open(job, s, g, e, &why))
			continue;
		drop_event(s, g, e);
		refused++;
		if (results) {
			results[i].status = PMU_PLAN_NOT_SUPPORTED;
			results[i].why = why;
		}
	}
	if (g->n)
		insert_group(s, g);
	else
		s->ngroups--;
	return refused;
}

/* Events `first` to `end` - 1 are a group with refused events: the others are not read. */
static void tell_incomplete(const struct pmu_tick_group *g, struct pmu_plan_event *events,
			    unsigned first, unsigned end)
{
	const struct pmu_tick_event *refused = g->events;

	for (unsigned i = first; events[i].status != PMU_PLAN_NOT_SUPPORTED; i++)
		refused = refused->next;
	for (unsigned i = first; i < end; i++)
		if (events[i].status != PMU_PLAN_NOT_SUPPORTED)
			refuse(&events[i].why, EINVAL, "its group is not complete: %s was refused",
			       refused->name ? refused->name : "an event");
}

static void open_groups(const struct pmu_plan_job *job, struct pmu_plan *plan)
{
	unsigned first = 0;

	for (unsigned g = 0; g < job->ngroups; g++) {
		unsigned n = job->groups[g].n, refused;

		for (unsigned i = first; i < first + n; i++)
			plan->events[i].status = PMU_PLAN_NOT_COUNTED;
		refused = open_group(job, &plan->own, &job->groups[g], g, first, plan->events);
		for (unsigned i = first; i < first + n; i++)
			plan->events[i].has_percent =
				!refused && plan->events[i].status != PMU_PLAN_NOT_SUPPORTED;
		if (refused)
			tell_incomplete(&job->groups[g], plan->events, first, first + n);
		first += n;
	}
	plan->nevents = first;
	for (unsigned g = 0; g < job->nsibling; g++)
		open_group(job, &plan->sibling, &job->sibling[g], g, 0, NULL);
}

/*
 * Copies the state of the other hyper-thread, or of another core of the node, that restricts this
 * one.
 */
static void look_over(const struct pmu_plan_job *job, struct pmu_plan_side *s,
		      const struct pmu_plan_side *other)
{
	if (job->node) {
		s->tick.node_busy = other->tick.northbridge;
		return;
	}
	s->tick.others = other->tick.extras;
	s->tick.others.held &= job->shared;
	if (!job->ht || !job->ht_erratum || !(job->rules & PMU_RULE(SIBLING)))
		return;
	s->tick.sibling_corrupting = other->tick.corrupted;
	s->tick.sibling_busy = other->tick.used;
}

static bool event_runs(const struct pmu_tick_group *g, const struct pmu_tick_event *e)
{
	return g->wait == PMU_RUNS && (e == g->events || e->enabled);
}

static unsigned origin_of(const struct pmu_plan_side *s, const struct pmu_tick_event *e)
{
	return s->origin[e - s->events];
}

/* The present counter of each event. */
struct layout {
	uint8_t watchdog;
	uint8_t counter[PMU_PLAN_EVENTS];
};

static void describe_layout(const struct pmu_plan *plan, struct layout *l)
{
	const struct pmu_plan_side *s = &plan->own;

	memset(l->counter, PMU_PLAN_WAITS, sizeof(l->counter));
	l->watchdog = PMU_NO_COUNTER;
	for (unsigned g = 0; g < s->ngroups; g++)
		pmu_tick_each_event (e, &s->groups[g]) {
			unsigned origin = origin_of(s, e);

			if (origin == WATCHDOG)
				l->watchdog = e->counter;
			else if (event_runs(&s->groups[g], e))
				l->counter[origin] = e->hardware ? e->counter : PMU_PLAN_SOFTWARE;
		}
}

/* The configuration equal to the present one, or a new one; NULL: no room for a new one. */
static struct pmu_plan_config *find_config(struct pmu_plan *plan, const struct layout *now)
{
	struct pmu_plan_config *c = plan->configs;

	for (; c < plan->configs + plan->nconfigs; c++)
		if (c->watchdog == now->watchdog &&
		    !memcmp(c->counter, now->counter, sizeof(now->counter)))
			return c;
	if (plan->nconfigs == plan->max_configs)
		return NULL;
	plan->nconfigs++;
	memset(c, 0, sizeof(*c));
	c->watchdog = now->watchdog;
	memcpy(c->counter, now->counter, sizeof(now->counter));
	return c;
}

/* Records the reasons of waiting groups: in `config`, and for their events without a reason. */
static void put_reasons(struct pmu_plan *plan, struct pmu_plan_config *config)
{
	struct pmu_plan_side *s = &plan->own;

	for (unsigned g = 0; g < s->ngroups; g++) {
		const struct pmu_tick_group *group = &s->groups[g];
		struct reason why;

		if (group->wait == PMU_RUNS || s->group[g] == WATCHDOG)
			continue;
		pmu_tick_explain(&s->tick, group, &why);
		if (config)
			config->why[s->group[g]] = why;
		pmu_tick_each_event (event, group) {
			struct pmu_plan_event *e = &plan->events[origin_of(s, event)];

			if (!e->why.text[0])
				e->why = why;
		}
	}
}

static void record_config(struct pmu_plan *plan)
{
	struct pmu_plan_config *config;
	struct layout now;

	describe_layout(plan, &now);
	config = find_config(plan, &now);
	if (!config)
		plan->other_ticks++;
	if (!config || !config->ticks++)
		put_reasons(plan, config);
	if (plan->watch) {
		const struct pmu_plan_slice slice = {now.watchdog, now.counter, config};

		plan->watch->slice(plan->watch->ctx, &slice);
	}
}

/*
 * Adds `task_us` to the times of the task's groups and `cpu_us` to those of the CPU's. With
 * PMU_RULE_TIME_STANDS, an event that counts now gets all of its enabled time as running time, and
 * any other event none.
 */
static void account_times(const struct pmu_plan_job *job, struct pmu_plan *plan, uint64_t task_us,
			  uint64_t cpu_us)
{
	bool stands = job->rules & PMU_RULE(TIME_STANDS);
	struct pmu_plan_side *s = &plan->own;

	for (unsigned g = 0; g < s->ngroups; g++) {
		const struct pmu_tick_group *group = &s->groups[g];
		uint64_t us = group->cpu ? cpu_us : task_us;

		if (s->group[g] == WATCHDOG)
			continue;
		pmu_tick_each_event (e, group) {
			struct pmu_plan_event *to = &plan->events[origin_of(s, e)];

			if (group->enabled && (e == group->events || e->enabled))
				to->enabled_us += us;
			if (stands)
				to->running_us = event_runs(group, e) ? to->enabled_us : 0;
			else if (event_runs(group, e))
				to->running_us += us;
		}
	}
}

static bool any_of_cpu(const struct pmu_plan_job *job)
{
	bool any = false;

	for (unsigned g = 0; g < job->ngroups; g++)
		any |= job->groups[g].cpu;
	return any;
}

static void next_interval(struct pmu_plan_side *s)
{
	if (s->tick.fair || pmu_tick_multiplexes(&s->tick))
		pmu_tick_next(&s->tick);
}

static void put_to_sleep(struct pmu_plan_side *s)
{
	s->tick.contexts[PMU_TICK_TASK] = NULL;
	for (unsigned g = 0; g < s->ngroups; g++)
		if (!s->groups[g].cpu && s->groups[g].enabled && !s->groups[g].error)
			s->groups[g].wait = PMU_WAIT_ASLEEP;
}

static void simulate_ticks(const struct pmu_plan_job *job, struct pmu_plan *plan)
{
	struct pmu_tick *tick = &plan->own.tick;
	uint64_t left = job->sleep_after_us ? job->sleep_after_us : UINT64_MAX;
	bool cpu = any_of_cpu(job);

	for (uint32_t i = 0; i < job->ticks && (left || cpu); i++) {
		uint64_t us = left < job->interval_us ? left : job->interval_us;

		look_over(job, &plan->sibling, &plan->own);
		pmu_tick(&plan->sibling.tick);
		look_over(job, &plan->own, &plan->sibling);
		pmu_tick(tick);
		plan->multiplexed |= pmu_tick_multiplexes(tick);
		record_config(plan);
		account_times(job, plan, us, job->interval_us);
		left -= us;
		/* The groups of a task that sleeps when the timer expires are not rotated. */
		if (!left)
			put_to_sleep(&plan->own);
		next_interval(&plan->own);
		next_interval(&plan->sibling);
	}
}

/* An event in the error state has no value, even if it counted before. */
static void forget_failed_event(struct pmu_plan_event *e)
{
	const struct reason cause = e->why;

	e->has_percent = false;
	refuse(&e->why, EINVAL, "it is pinned and found no counters: %s", cause.text);
}

static void forget_failed(struct pmu_plan *plan)
{
	const struct pmu_plan_side *s = &plan->own;

	for (unsigned g = 0; g < s->ngroups; g++)
		if (s->groups[g].error && s->group[g] != WATCHDOG)
			pmu_tick_each_event (e, &s->groups[g])
				forget_failed_event(&plan->events[origin_of(s, e)]);
}

static void conclude_plan(struct pmu_plan *plan)
{
	forget_failed(plan);
	for (unsigned i = 0; i < plan->nevents; i++) {
		struct pmu_plan_event *e = &plan->events[i];

		if (!e->has_percent)
			continue;
		if (e->running_us)
			e->status = PMU_PLAN_COUNTED;
		if (e->enabled_us)
			e->percent =
				(uint32_t)((mul_div(e->running_us, 20000, e->enabled_us) + 1) / 2);
	}
}

static unsigned count_events(const struct pmu_tick_group *groups, unsigned n)
{
	unsigned events = 0;

	for (unsigned g = 0; g < n; g++)
		events += groups[g].n;
	return events;
}

static int check_job(const struct pmu_plan_job *job, struct reason *why)
{
	unsigned own = count_events(job->groups, job->ngroups);
	unsigned sibling = count_events(job->sibling, job->nsibling);

	if (own > PMU_PLAN_EVENTS || sibling > PMU_PLAN_EVENTS)
		return refuse(why, EINVAL, "%u events are too many for a plan, which has up to %u",
			      own > sibling ? own : sibling, PMU_PLAN_EVENTS);
	if (job->ngroups > PMU_PLAN_GROUPS || job->nsibling > PMU_PLAN_GROUPS)
		return refuse(why, EINVAL, "there are more than %u groups", PMU_PLAN_GROUPS);
	if (!job->ticks || !job->interval_us)
		return refuse(why, EINVAL, "a plan needs at least one slice of at least 1 us");
	for (unsigned g = 0; g < job->ngroups; g++)
		if (!job->groups[g].n)
			return refuse(why, EINVAL, "group %u has no events", g + 1);
	return 0;
}

int pmu_plan(const struct pmu_plan_job *job, struct pmu_plan *plan, struct reason *why)
{
	int err = check_job(job, why);

	if (err)
		return err;
	init_side(job, &plan->own);
	init_side(job, &plan->sibling);
	plan->own.tick.fair = job->fair;
	add_watchdog(job, &plan->own);
	open_groups(job, plan);
	if (plan->watch)
		plan->watch->begin(plan->watch->ctx);
	simulate_ticks(job, plan);
	conclude_plan(plan);
	return 0;
}
