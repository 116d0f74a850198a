// SPDX-License-Identifier: BSD-2-Clause
/* explain.c - see explain.h. */
#include "pmu/sched/explain.h"

#include "lib/printf.h"
#include "lib/bits.h"
#include "pmu/uarch/uarch.h"

#include <stddef.h>

/* A sentence under construction. */
struct text {
	char *to;
	size_t size, n;
};

static void explain_in_words(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void explain_in_words(struct text *t, const char *format, ...)
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
		explain_in_words(&t, "PMC%u", counter);
	else
		explain_in_words(&t, "FIXED%u", counter - PMU_FIRST_FIXED);
	return text;
}

/* Writes "PMC0-3, FIXED1". */
static void add_counters(struct text *t, uint64_t counters)
{
	const char *comma = "";
	char name[16];

	while (counters) {
		unsigned first = bits_first(counters), last = first;

		while (last + 1 < PMU_COUNTERS && last + 1 != PMU_FIRST_FIXED &&
		       counters >> (last + 1) & 1)
			last++;
		explain_in_words(t, "%s%s", comma, pmu_counter_name(first, name));
		if (last > first)
			explain_in_words(t, "-%u",
					 last < PMU_FIRST_FIXED ? last : last - PMU_FIRST_FIXED);
		counters &= ~bits_low(last + 1);
		comma = ", ";
	}
}

static const char *event_label(const struct pmu_tick_event *e)
{
	return e->name ? e->name : "it";
}

static const char *leader_name(const struct pmu_tick_group *g)
{
	return g->events->name ? g->events->name : "another group";
}

/* Names the group in front of `g` that did not fit. It may have gone since. */
static const char *blocker_name(const struct pmu_tick_group *g)
{
	for (const struct pmu_tick_group *b = g->prev; b != g; b = b->prev)
		if (b->wait == PMU_WAIT_ROOM || b->wait == PMU_WAIT_EXCLUSIVE)
			return leader_name(b);
	return "another group";
}

/* Names the event on each counter of the mask that is in use. */
static void add_holders(struct text *t, const struct pmu_tick *tick, uint64_t counters)
{
	const char *comma = "";
	char name[16];

	for (unsigned i = 0; i < tick->n; i++) {
		const struct pmu_tick_event *e = tick->running[i];

		if (!(counters >> e->counter & (e->pair ? 3 : 1)))
			continue;
		explain_in_words(t, "%s%s on %s", comma, e->name ? e->name : "?",
				 pmu_counter_name(e->counter, name));
		if (e->pair)
			explain_in_words(t, " and %u", e->counter + 1);
		comma = ", ";
	}
}

/* --- Registers beside the counters --- */

static const char *const extra_names[PMU_EXTRAS] = {
	[UARCH_OFFCORE_0] = "MSR_OFFCORE_RSP_0",
	[UARCH_OFFCORE_1] = "MSR_OFFCORE_RSP_1",
	[UARCH_LOAD_LATENCY] = "MSR_PEBS_LD_LAT",
	[UARCH_FRONTEND] = "MSR_PEBS_FRONTEND",
	[UARCH_SNOOP_0] = "MSR_SNOOP_RSP_0",
	[UARCH_SNOOP_1] = "MSR_SNOOP_RSP_1",
	[UARCH_LBR_SELECT] = "the filter of branch records",
};

static void add_extra_names(struct text *t, unsigned registers)
{
	const char *between = "";

	for (; registers; registers &= registers - 1) {
		explain_in_words(t, "%s%s", between, extra_names[bits_first(registers)]);
		between = " or ";
	}
}

/* Names the events, or the other hyper-thread, that hold one of the registers. */
static void add_extra_holders(struct text *t, const struct pmu_tick *tick, unsigned registers)
{
	const unsigned others = registers & tick->others.held;

	for (unsigned i = 0; i < PMU_NEEDS * tick->n; i++) {
		const struct pmu_tick_event *e = tick->running[i / PMU_NEEDS];
		const struct pmu_extra *x = i % PMU_NEEDS ? &e->branches : &e->extra;

		if (!(x->registers & registers) || !(registers >> x->reg & 1))
			continue;
		registers &= ~(1u << x->reg);
		explain_in_words(t, "; %s has 0x%llx in %s", event_label(e),
				 (unsigned long long)x->value, extra_names[x->reg]);
	}
	for (unsigned left = others & registers; left; left &= left - 1)
		explain_in_words(t, "; the other hyper-thread has 0x%llx in %s",
				 (unsigned long long)tick->others.value[bits_first(left)],
				 extra_names[bits_first(left)]);
}

/* --- Lifting restrictions --- */

enum leave {
	LEAVE_LIMITS = 1 << 0,  /* limits on the number of counters in use */
	LEAVE_SIBLING = 1 << 1, /* counters closed by the other hyper-thread */
	LEAVE_NODE = 1 << 2,    /* counters closed by another core of the node */
	LEAVE_TAKEN = 1 << 3,   /* counters used by transactions */
	LEAVE_EXTRAS = 1 << 4,  /* registers beside the counters */
	LEAVE_RUNNING = 1 << 5, /* running events, and the other hyper-thread's registers */
};
#define ON_IDLE (LEAVE_LIMITS | LEAVE_SIBLING | LEAVE_NODE | LEAVE_RUNNING)

static uint64_t counters_without(const struct pmu_tick *t, const struct pmu_tick_event *e,
				 unsigned leave)
{
	uint64_t counters = e->constraint.counters & t->counters;

	if (!(leave & LEAVE_TAKEN))
		counters &= ~t->taken;
	if (!(leave & LEAVE_SIBLING))
		counters &= ~t->sibling_corrupting & ~(e->corrupting ? t->sibling_busy : 0);
	if (!(leave & LEAVE_NODE) && e->northbridge)
		counters &= ~t->node_busy;
	if (e->pair)
		counters &= t->counters >> 1;
	return counters;
}

/* Adds the event; false: it does not fit. */
static bool match_event(struct pmu_match *m, const struct pmu_tick *t,
			const struct pmu_tick_event *e, unsigned leave)
{
	uint64_t counters = counters_without(t, e, leave);

	m->corrupting |= e->corrupting;
	return pmu_match_add(m, counters, 0, 0) &&
	       (!e->pair || pmu_match_add(m, counters << 1, 0, 0)) &&
	       ((leave & LEAVE_EXTRAS) || (pmu_extras_fit(&m->extras, &e->extra) &&
					   pmu_extras_fit(&m->extras, &e->branches)));
}

/* Adds the participating events of the group; false: `*culprit` did not fit. */
static bool match_group(struct pmu_match *m, const struct pmu_tick *t,
			const struct pmu_tick_group *g, unsigned leave,
			const struct pmu_tick_event **culprit)
{
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		*culprit = e;
		if (!match_event(m, t, e, leave))
			return false;
	}
	return true;
}

static bool would_fit(const struct pmu_tick *t, const struct pmu_tick_group *g, unsigned leave,
		      const struct pmu_tick_event **culprit)
{
	struct pmu_match m;
	unsigned general;

	pmu_match_init(&m);
	if (!(leave & LEAVE_RUNNING))
		m.extras = t->others;
	for (unsigned i = 0; i < t->n && !(leave & LEAVE_RUNNING); i++)
		match_event(&m, t, t->running[i], leave);
	if (!match_group(&m, t, g, leave, culprit))
		return false;
	general = bits_count(m.used & PMU_GENERAL_MASK);
	return (leave & LEAVE_LIMITS) ||
	       (general <= t->limits.general && m.n <= t->limits.total &&
		(!m.corrupting || general <= t->limits.general_corrupting));
}

static void add_limit(struct text *s, const struct pmu_tick *t)
{
	const struct pmu_limits *l = &t->limits;

	if (l->total != PMU_NO_LIMIT)
		explain_in_words(s, "with hyper-threading on at most %u counters may be in use",
				 l->total);
	else if (l->general_corrupting != PMU_NO_LIMIT)
		explain_in_words(
			s,
			"with hyper-threading on at most %u general counters may be in use beside a "
			"corrupting event",
			l->general_corrupting);
	else
		explain_in_words(s, "at most %u general counters may be in use", l->general);
}

static bool finds_no_register(struct pmu_extras *x, const struct pmu_extra *need)
{
	return need->registers && pmu_extras_take(x, need) == PMU_NO_EXTRA;
}

/*
 * The first event of the group that finds no free register, and the need that fails; NULL: all find
 * one.
 */
static const struct pmu_tick_event *without_extra(struct pmu_extras taken,
						  const struct pmu_tick_group *g,
						  const struct pmu_extra **need)
{
	pmu_tick_each_event (e, g) {
		if (!pmu_tick_participates(g, e))
			continue;
		*need = finds_no_register(&taken, &e->extra)      ? &e->extra
			: finds_no_register(&taken, &e->branches) ? &e->branches
								  : NULL;
		if (*need)
			return e;
	}
	return NULL;
}

static struct pmu_extras taken_extras(const struct pmu_tick *t)
{
	struct pmu_extras x = t->others;

	for (unsigned left = t->extras.held; left; left &= left - 1)
		pmu_extras_hold(&x, bits_first(left), t->extras.value[bits_first(left)]);
	return x;
}

static void add_extra(struct text *s, const struct pmu_tick_event *e, const struct pmu_extra *need)
{
	explain_in_words(s, "%s needs 0x%llx in ", event_label(e), (unsigned long long)need->value);
	add_extra_names(s, need->registers);
}

/* The group waits although counters are free: for a register, or because of the policy's order. */
static void add_no_extra(struct text *s, const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct pmu_extra *need = NULL;
	const struct pmu_tick_event *culprit = without_extra(taken_extras(t), g, &need);

	if (culprit) {
		add_extra(s, culprit, need);
		add_extra_holders(s, t, need->registers);
	} else {
		explain_in_words(
			s,
			"there are counters for it, but not in the order in which the policy takes "
			"them");
	}
}

/* Writes "... needs PMC2" or "... needs PMC0, PMC2 with the counter above". */
static void add_choice(struct text *s, const struct pmu_tick_event *e, uint64_t could)
{
	explain_in_words(s, "%s needs ", event_label(e));
	add_counters(s, could);
	if (e->pair)
		explain_in_words(s, " with the counter above");
}

static uint64_t with_upper(const struct pmu_tick_event *e, uint64_t counters)
{
	return e->pair ? counters | counters << 1 : counters;
}

/* Reasons, beside events on this CPU, that close counters to an event. */
static const struct {
	unsigned leave; /* the restriction */
	const char *sentence;
} exclusions[] = {
	{LEAVE_SIBLING, "the other hyper-thread's events exclude it from"},
	{LEAVE_NODE, "another core of the node has northbridge events on"},
	{LEAVE_TAKEN, "transactions use"},
};
#define ALL_EXCLUSIONS (LEAVE_SIBLING | LEAVE_NODE | LEAVE_TAKEN)

/* Names these reasons one by one; returns the event's counters that remain. */
static uint64_t add_exclusions(struct text *s, const struct pmu_tick *t,
			       const struct pmu_tick_event *e)
{
	const uint64_t all = counters_without(t, e, ALL_EXCLUSIONS);

	for (size_t i = 0; i < sizeof(exclusions) / sizeof(exclusions[0]); i++) {
		uint64_t lost =
			all & ~counters_without(t, e, ALL_EXCLUSIONS & ~exclusions[i].leave);

		if (!lost)
			continue;
		explain_in_words(s, "; %s ", exclusions[i].sentence);
		add_counters(s, lost);
	}
	return counters_without(t, e, 0);
}

static void add_room(struct text *s, const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct pmu_tick_event *culprit = g->events, *ignored;
	uint64_t could, left, free;

	if (would_fit(t, g, LEAVE_EXTRAS, &culprit)) {
		add_no_extra(s, t, g);
		return;
	}
	if (would_fit(t, g, LEAVE_EXTRAS | LEAVE_LIMITS, &ignored)) {
		add_limit(s, t);
		return;
	}
	could = culprit->constraint.counters & t->counters;
	add_choice(s, culprit, could);
	left = add_exclusions(s, t, culprit);
	if (with_upper(culprit, left) & t->used) {
		explain_in_words(s, "; held by ");
		add_holders(s, t, with_upper(culprit, left));
	}
	free = left & ~t->used & (culprit->pair ? ~(t->used >> 1) : UINT64_MAX);
	if (free)
		explain_in_words(s, free == could ? ", which its own group uses"
						  : "; its own group uses ");
	if (free && free != could)
		add_counters(s, with_upper(culprit, free));
}

void pmu_tick_explain(const struct pmu_tick *t, const struct pmu_tick_group *g, struct reason *why)
{
	struct text s = {.to = why->text, .size = sizeof(why->text)};

	why->text[0] = '\0';
	switch (g->wait) {
	case PMU_RUNS:
		break;
	case PMU_WAIT_OFF:
		explain_in_words(&s, "it is disabled");
		break;
	case PMU_WAIT_ERROR:
		explain_in_words(
			&s,
			"it is pinned and found no counters: in error until it is enabled again");
		break;
	case PMU_WAIT_ASLEEP:
		explain_in_words(&s, "its task does not run");
		break;
	case PMU_WAIT_ROOM:
		add_room(&s, t, g);
		break;
	case PMU_WAIT_BLOCKED:
		explain_in_words(
			&s, "policy perf tries nothing behind the group of %s, which did not fit",
			blocker_name(g));
		break;
	case PMU_WAIT_EXCLUSIVE:
		if (g->blocker)
			explain_in_words(&s, "the exclusive group of %s has the PMU",
					 leader_name(g->blocker));
		else
			explain_in_words(&s, "it is exclusive, and %s counts",
					 t->n ? event_label(t->running[0]) : "another event");
		break;
	}
}

void pmu_explain_misfit(const struct pmu_tick *t, const struct pmu_tick_group *g,
			struct reason *why)
{
	struct text s = {.to = why->text, .size = sizeof(why->text)};
	const struct pmu_tick_event *culprit = g->events, *ignored;
	const struct pmu_extra *need = NULL;
	uint64_t could;

	why->text[0] = '\0';
	if (would_fit(t, g, ON_IDLE, &culprit)) {
		explain_in_words(
			&s,
			"there are counters for its group, but not in the order in which the policy "
			"takes them");
		return;
	}
	if (would_fit(t, g, ON_IDLE | LEAVE_EXTRAS, &ignored)) {
		without_extra((struct pmu_extras){.held = 0}, g, &need);
		add_extra(&s, culprit, need ? need : &culprit->extra);
		explain_in_words(&s,
				 ", and the events of its group before it need other values there");
		return;
	}
	could = culprit->constraint.counters & t->counters;
	if (!could) {
		explain_in_words(&s, "%s cannot count on any counter of this PMU",
				 event_label(culprit));
		return;
	}
	add_choice(&s, culprit, could);
	if (could & t->taken & ~t->borrowed) {
		explain_in_words(&s, "; transactions use ");
		add_counters(&s, could & t->taken & ~t->borrowed);
	}
	if (could & t->borrowed) {
		explain_in_words(&s, "; the firmware borrowed ");
		add_counters(&s, could & t->borrowed);
	}
	if (could & ~t->taken)
		explain_in_words(&s, ", and the events of its group before it need %s",
				 could & t->taken ? "the others" : "those");
}
