// SPDX-License-Identifier: BSD-2-Clause
/* explain.c - see explain.h. */
#include "pmu/explain.h"

#include "lib/printf.h"
#include "pmu/bits.h"

#include <stddef.h>

/* A sentence as it grows. */
struct text {
	char *to;
	size_t size, n;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
	va_list args;

	if (t->n + 1 >= t->size)
		return;
	va_start(args, format);
	t->n += (size_t)fmt_vprint(t->to + t->n, t->size - t->n, format, args);
	va_end(args);
	if (t->n >= t->size)
		t->n = t->size - 1;
}

const char *pmu_counter_name(unsigned counter, char *text)
{
	struct text t = {.to = text, .size = 16};

	if (counter < PMU_FIRST_FIXED)
		add(&t, "PMC%u", counter);
	else
		add(&t, "FIXED%u", counter - PMU_FIRST_FIXED);
	return text;
}

/* "PMC0-3, FIXED1" */
static void add_counters(struct text *t, uint64_t counters)
{
	const char *comma = "";
	char name[16];

	while (counters) {
		unsigned first = bits_first(counters), last = first;

		while (last + 1 < PMU_COUNTERS && last + 1 != PMU_FIRST_FIXED &&
		       counters >> (last + 1) & 1)
			last++;
		add(t, "%s%s", comma, pmu_counter_name(first, name));
		if (last > first)
			add(t, "-%u", last < PMU_FIRST_FIXED ? last : last - PMU_FIRST_FIXED);
		counters &= ~bits_low(last + 1);
		comma = ", ";
	}
}

static const char *leader_name(const struct pmu_tick_group *g)
{
	return g->events->name ? g->events->name : "another group";
}

/* A name for each counter in the mask that is in use. */
static void add_holders(struct text *t, const struct pmu_tick *tick, uint64_t counters)
{
	const char *comma = "";
	char name[16];

	for (unsigned i = 0; i < tick->n; i++) {
		const struct pmu_tick_event *e = tick->running[i];

		if (!(counters >> e->counter & 1))
			continue;
		add(t, "%s%s on %s", comma, e->name ? e->name : "?",
		    pmu_counter_name(e->counter, name));
		comma = ", ";
	}
}

/* Which restrictions are taken away. */
struct leave {
	bool limits, sibling, taken, running;
};

static uint64_t counters_without(const struct pmu_tick *t, const struct pmu_tick_event *e,
				 const struct leave *leave)
{
	uint64_t counters = e->constraint.counters & t->counters;

	if (!leave->taken)
		counters &= ~t->taken;
	if (!leave->sibling)
		counters &= ~t->sibling_corrupting & ~(e->corrupting ? t->sibling_busy : 0);
	return counters;
}

/* Adds the event; false: it does not fit. */
static bool add_event(struct pmu_match *m, const struct pmu_tick *t, const struct pmu_tick_event *e,
		      const struct leave *leave)
{
	m->corrupting |= e->corrupting;
	return pmu_match_add(m, counters_without(t, e, leave), 0, 0);
}

/* Adds the events of the group that take part; false: one did not fit, `*culprit`. */
static bool add_group(struct pmu_match *m, const struct pmu_tick *t, const struct pmu_tick_group *g,
		      const struct leave *leave, const struct pmu_tick_event **culprit)
{
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		*culprit = e;
		if (!add_event(m, t, e, leave))
			return false;
	}
	return true;
}

static bool would_fit(const struct pmu_tick *t, const struct pmu_tick_group *g,
		      const struct leave *leave, const struct pmu_tick_event **culprit)
{
	struct pmu_match m;
	unsigned general;

	pmu_match_init(&m);
	for (unsigned i = 0; i < t->n && !leave->running; i++)
		add_event(&m, t, t->running[i], leave);
	if (!add_group(&m, t, g, leave, culprit))
		return false;
	general = bits_count(m.used & PMU_GENERAL_MASK);
	return leave->limits || (general <= t->limits.general && m.n <= t->limits.total &&
				 (!m.corrupting || general <= t->limits.general_corrupting));
}

static void add_limit(struct text *s, const struct pmu_tick *t)
{
	const struct pmu_limits *l = &t->limits;

	if (l->total != PMU_NO_LIMIT)
		add(s, "with hyper-threading on at most %u counters may be in use", l->total);
	else if (l->general_corrupting != PMU_NO_LIMIT)
		add(s,
		    "with hyper-threading on at most %u general counters may be in use beside a "
		    "corrupting event",
		    l->general_corrupting);
	else
		add(s, "at most %u general counters may be in use", l->general);
}

static void add_room(struct text *s, const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct leave none = {0}, limits = {.limits = true};
	const struct leave sibling = {.limits = true, .sibling = true};
	const struct leave taken = {.limits = true, .sibling = true, .taken = true};
	const struct pmu_tick_event *culprit = g->events, *ignored;
	uint64_t could;

	if (would_fit(t, g, &none, &culprit)) {
		add(s, "there are counters for it, but not in the order in which the policy takes "
		       "them");
		return;
	}
	if (would_fit(t, g, &limits, &ignored)) {
		add_limit(s, t);
		return;
	}
	could = culprit->constraint.counters & t->counters;
	add(s, "%s needs ", culprit->name ? culprit->name : "it");
	add_counters(s, could);
	if (would_fit(t, g, &sibling, &ignored)) {
		add(s, "; the other hyper-thread's events exclude it from ");
		add_counters(s, could & ~counters_without(t, culprit, &none));
	} else if (would_fit(t, g, &taken, &ignored)) {
		add(s, "; transactions use ");
		add_counters(s, could & t->taken);
	} else if (could & t->used) {
		add(s, "; held by ");
		add_holders(s, t, could);
	} else {
		add(s, ", which its own group uses");
	}
}

void pmu_tick_explain(const struct pmu_tick *t, const struct pmu_tick_group *g,
		      struct pmu_reason *why)
{
	struct text s = {.to = why->text, .size = sizeof(why->text)};

	why->text[0] = '\0';
	switch (g->wait) {
	case PMU_RUNS:
		break;
	case PMU_WAIT_OFF:
		add(&s, "it is disabled");
		break;
	case PMU_WAIT_ERROR:
		add(&s, "it is pinned and found no counters: in error until it is enabled again");
		break;
	case PMU_WAIT_ASLEEP:
		add(&s, "its task does not run");
		break;
	case PMU_WAIT_ROOM:
		add_room(&s, t, g);
		break;
	case PMU_WAIT_BLOCKED:
		add(&s, "the group of %s before it did not fit", leader_name(g->blocker));
		break;
	case PMU_WAIT_EXCLUSIVE:
		if (g->blocker)
			add(&s, "the exclusive group of %s has the PMU", leader_name(g->blocker));
		else
			add(&s, "it is exclusive, and others have counters");
		break;
	}
}

void pmu_explain_misfit(const struct pmu_tick *t, const struct pmu_tick_group *g,
			struct pmu_reason *why)
{
	const struct leave idle = {.limits = true, .sibling = true, .running = true};
	const struct leave taken = {
		.limits = true, .sibling = true, .running = true, .taken = true};
	struct text s = {.to = why->text, .size = sizeof(why->text)};
	const struct pmu_tick_event *culprit = g->events, *ignored;
	uint64_t could;

	why->text[0] = '\0';
	if (would_fit(t, g, &idle, &culprit)) {
		add(&s,
		    "there are counters for its group, but not in the order in which the policy "
		    "takes them");
		return;
	}
	could = culprit->constraint.counters & t->counters;
	add(&s, "%s ", culprit->name ? culprit->name : "it");
	if (!could) {
		add(&s, "cannot count on any counter of this PMU");
		return;
	}
	add(&s, "needs ");
	add_counters(&s, could);
	if (would_fit(t, g, &taken, &ignored)) {
		add(&s, "; transactions use ");
		add_counters(&s, could & t->taken);
	} else {
		add(&s, ", and the events of its group before it need those");
	}
}
