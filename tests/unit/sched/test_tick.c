// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tick.c - policy perf slice after slice, compared with an independent model of Linux: four
 * lists of group numbers, walked and rotated as in its source, and an assignment that looks for the
 * next event by weight each time. The model shares only the input with pmu/.
 */
#include "lib/bits.h"
#include "pmu/sched/tick.h"

#include <string.h>

#include "tests/unit/test.h"

#define GROUPS 12
#define EVENTS 4
#define SLICES 40

struct load {
	unsigned n;
	struct pmu_tick_event events[GROUPS][EVENTS];
	struct pmu_tick_group groups[GROUPS];
	struct pmu_tick_context contexts[PMU_TICK_CONTEXTS];
	struct pmu_tick tick;
};

static uint64_t seed;

static unsigned random_less_than(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* In the model, as in Linux, a metric is an ordinary event with a counter that only it can use. For
 * the tick a metric has no counter. */
#define SLOTS          (8ull << 32)
#define METRICS        8
#define MODEL_COUNTERS (PMU_COUNTERS + METRICS)

static bool is_slots_share(const struct pmu_tick_event *e)
{
	return e->constraint.counters >> PMU_COUNTERS;
}

/* The events of a group become slots and metrics of it, each another one. */
static void make_topdown(struct pmu_tick_event *events, unsigned n)
{
	const unsigned first = random_less_than(METRICS - EVENTS);

	events[0].hardware = true;
	events[0].constraint = pmu_constraint(SLOTS, false);
	for (unsigned i = 1; i < n; i++) {
		if (events[i].hardware && random_less_than(4) == 0)
			continue;
		events[i].hardware = events[i].corrupting = false;
		events[i].constraint = pmu_constraint(1ull << (PMU_COUNTERS + first + i), false);
	}
}

static void random_load(struct load *l, uint64_t number)
{
	static const uint64_t masks[] = {0x4, 0x2, 0xf, 0xff, 0xff | 1ull << 32, 0xff | 2ull << 32};

	memset(l, 0, sizeof(*l));
	seed = number;
	l->n = 1 + random_less_than(GROUPS);
	l->tick = (struct pmu_tick){.counters = bits_low(random_less_than(2) ? 4 : 8) | 3ull << 32 |
						SLOTS,
				    .taken = random_less_than(5) ? 0 : 0x8,
				    .sibling_corrupting = random_less_than(4) ? 0 : 0x1,
				    .sibling_busy = random_less_than(4) ? 0 : 0x3,
				    .limits = PMU_UNLIMITED,
				    .assign = PMU_ASSIGN_DEFAULT,
				    .contexts = {&l->contexts[0], &l->contexts[1]}};
	if (random_less_than(3) == 0)
		l->tick.limits.general_corrupting = 2;
	for (unsigned g = 0; g < l->n; g++) {
		struct pmu_tick_group *group = &l->groups[g];

		unsigned n = 1 + random_less_than(EVENTS);

		*group = (struct pmu_tick_group){.cpu = random_less_than(3) == 0,
						 .pinned = random_less_than(4) == 0,
						 .enabled = random_less_than(8) != 0};
		for (unsigned i = 0; i < n; i++)
			l->events[g][i] = (struct pmu_tick_event){
				.constraint = pmu_constraint(masks[random_less_than(6)], false),
				.hardware = random_less_than(6) != 0,
				.enabled = random_less_than(8) != 0,
				.corrupting = random_less_than(6) == 0,
				.counter = PMU_NO_COUNTER};
		if (random_less_than(4) == 0)
			make_topdown(l->events[g], n);
		for (unsigned i = 0; i < n; i++)
			pmu_tick_append(group, &l->events[g][i]);
		pmu_tick_insert(&l->contexts[group->cpu ? PMU_TICK_CPU : PMU_TICK_TASK], group);
	}
}

/* The model: the groups that count, and the order in which they are tried. */
struct model {
	unsigned order[GROUPS];
	bool error[GROUPS], runs[GROUPS];
	bool waits[2]; /* by context: a flexible group had to */
	const struct pmu_tick_event *accepted[GROUPS * EVENTS];
	unsigned naccepted;
};

static uint64_t model_mask(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	uint64_t mask = 0;

	if (is_slots_share(e))
		return e->constraint.counters;
	for (unsigned c = 0; c < PMU_COUNTERS; c++)
		if (e->constraint.counters >> c & 1 && t->counters >> c & 1 &&
		    !(t->taken >> c & 1) && !(t->sibling_corrupting >> c & 1) &&
		    !(e->corrupting && t->sibling_busy >> c & 1))
			mask |= 1ull << c;
	return mask;
}

static bool model_counts(const struct pmu_tick_group *g, unsigned i)
{
	const struct pmu_tick_event *e = &g->events[i];

	return (e->hardware || is_slots_share(e)) && (i == 0 || e->enabled);
}

static bool model_assign(const struct pmu_tick *t, const struct pmu_tick_event *const *events,
			 unsigned n)
{
	unsigned general = 0, max = 32;
	bool used[MODEL_COUNTERS] = {false};

	for (unsigned i = 0; i < n; i++)
		if (events[i]->corrupting && t->limits.general_corrupting < max)
			max = t->limits.general_corrupting;
	for (unsigned weight = 0; weight <= PMU_COUNTERS; weight++)
		for (unsigned i = 0; i < n; i++) {
			uint64_t mask = model_mask(t, events[i]);
			unsigned c = 32;

			if (bits_count(mask) != weight)
				continue;
			while (c < MODEL_COUNTERS && (!(mask >> c & 1) || used[c]))
				c++;
			if (c == MODEL_COUNTERS)
				for (c = 0; c < 32 && (!(mask >> c & 1) || used[c]); c++)
					;
			if (c == 32 && (!(mask >> 32 & 1) || used[32]))
				return false;
			if (c < 32 && ++general > max)
				return false;
			used[c] = true;
		}
	return true;
}

static bool model_accept(struct model *m, const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	unsigned n = m->naccepted;

	for (unsigned i = 0; i < g->n; i++)
		if (model_counts(g, i))
			m->accepted[n++] = &g->events[i];
	if (!model_assign(t, m->accepted, n))
		return false;
	m->naccepted = n;
	return true;
}

/* Also one that is disabled: its group is not purely of software. */
static bool model_has_hardware(const struct load *l, unsigned number)
{
	bool any = false;

	for (unsigned i = 0; i < l->groups[number].n; i++)
		any |= l->events[number][i].hardware;
	return any;
}

static void model_list(struct model *m, const struct load *l, bool cpu, bool pinned)
{
	bool failed = false;

	for (unsigned k = 0; k < l->n; k++) {
		unsigned number = m->order[k];
		const struct pmu_tick_group *g = &l->groups[number];

		if (g->cpu != cpu || g->pinned != pinned || !g->enabled || m->error[number])
			continue;
		if (!cpu && !l->tick.contexts[PMU_TICK_TASK])
			continue;
		if (!model_has_hardware(l, number)) {
			m->runs[number] = true;
			continue;
		}
		if (!failed && model_accept(m, &l->tick, g)) {
			m->runs[number] = true;
			continue;
		}
		failed = true;
		if (pinned)
			m->error[number] = true;
		else
			m->waits[cpu] = true;
	}
}

static void model_tick(struct model *m, const struct load *l)
{
	memset(m->runs, 0, sizeof(m->runs));
	m->waits[0] = m->waits[1] = false;
	m->naccepted = 0;
	model_list(m, l, true, true);
	model_list(m, l, false, true);
	model_list(m, l, true, false);
	model_list(m, l, false, false);
}

/* Software events have their own context, which does not rotate. Disabled groups do not rotate
 * either. */
static bool model_turns(const struct load *l, unsigned number, bool cpu)
{
	const struct pmu_tick_group *g = &l->groups[number];

	return g->cpu == cpu && !g->pinned && g->enabled && model_has_hardware(l, number);
}

/* The last of the groups that take turns moves before the first one. */
static void model_rotate(struct model *m, const struct load *l, bool cpu)
{
	unsigned mine[GROUPS], n = 0;

	for (unsigned k = 0; k < l->n; k++)
		if (model_turns(l, m->order[k], cpu))
			mine[n++] = m->order[k];
	for (unsigned k = 0, at = 0; k < l->n; k++)
		if (model_turns(l, m->order[k], cpu)) {
			m->order[k] = mine[(at + n - 1) % n];
			at++;
		}
}

static void check_slice(const struct load *l, const struct model *m, unsigned number,
			unsigned slice)
{
	uint64_t used = 0;

	for (unsigned g = 0; g < l->n; g++) {
		if ((l->groups[g].wait == PMU_RUNS) != m->runs[g] ||
		    l->groups[g].error != m->error[g])
			fail_msg("load %u, slice %u: group %u waits for %u", number, slice, g,
				 l->groups[g].wait);
		for (unsigned i = 0; i < l->groups[g].n; i++) {
			const struct pmu_tick_event *e = &l->events[g][i];

			if (!m->runs[g] || !model_counts(&l->groups[g], i) || is_slots_share(e)) {
				assert_int_equal(e->counter, PMU_NO_COUNTER);
				continue;
			}
			assert_true(model_mask(&l->tick, e) >> e->counter & 1);
			assert_false(used >> e->counter & 1);
			used |= 1ull << e->counter;
		}
	}
	assert_true(l->tick.used == used);
	if (l->tick.contexts[PMU_TICK_TASK])
		assert_int_equal(l->contexts[PMU_TICK_TASK].multiplex, m->waits[0]);
	assert_int_equal(l->contexts[PMU_TICK_CPU].multiplex, m->waits[1]);
}

static void set_asleep(struct load *l, bool asleep)
{
	l->tick.contexts[PMU_TICK_TASK] = asleep ? NULL : &l->contexts[PMU_TICK_TASK];
	for (unsigned g = 0; asleep && g < l->n; g++)
		if (!l->groups[g].cpu)
			l->groups[g].wait = PMU_WAIT_ASLEEP;
}

TEST(test_model)
{
	static struct load l;
	unsigned waited = 0;

	for (unsigned number = 1; number <= 2000; number++) {
		struct model m = {.naccepted = 0};

		random_load(&l, number);
		for (unsigned g = 0; g < l.n; g++)
			m.order[g] = g;
		for (unsigned slice = 0; slice < SLICES; slice++) {
			set_asleep(&l, slice % 16 == 15);
			/* No counter of the slice before: the model does not know where events
			 * were. */
			for (unsigned g = 0; g < l.n; g++)
				for (unsigned i = 0; i < l.groups[g].n; i++)
					l.events[g][i].counter = PMU_NO_COUNTER;
			pmu_tick(&l.tick);
			model_tick(&m, &l);
			check_slice(&l, &m, number, slice);
			waited += m.waits[0] || m.waits[1];
			pmu_tick_next(&l.tick);
			if (m.waits[1])
				model_rotate(&m, &l, true);
			if (m.waits[0] && l.tick.contexts[PMU_TICK_TASK])
				model_rotate(&m, &l, false);
		}
	}
	assert_true(waited > 10000);
}

/* Each event is on its first counter as long as all events can be. */
TEST(test_keeps_counters)
{
	static struct load l;

	memset(&l, 0, sizeof(l));
	l.tick = (struct pmu_tick){.counters = 0xf,
				   .limits = PMU_UNLIMITED,
				   .assign = PMU_ASSIGN_DEFAULT,
				   .contexts = {&l.contexts[0], &l.contexts[1]}};
	for (unsigned g = 0; g < 2; g++) {
		l.groups[g].enabled = true;
		l.events[g][0] = (struct pmu_tick_event){.constraint = pmu_constraint(0xf, false),
							 .hardware = true,
							 .enabled = true,
							 .counter = PMU_NO_COUNTER,
							 .first_counter = (uint8_t)(4 - g)};
		pmu_tick_append(&l.groups[g], &l.events[g][0]);
		pmu_tick_insert(&l.contexts[PMU_TICK_TASK], &l.groups[g]);
	}
	pmu_tick(&l.tick);
	assert_int_equal(l.events[0][0].counter, 3);
	assert_int_equal(l.events[1][0].counter, 2);
	l.tick.taken = 0x8;
	pmu_tick(&l.tick);
	assert_int_equal(l.events[0][0].counter, 0);
	assert_int_equal(l.events[1][0].counter, 1);
}

/* `n` groups of one event that can use any of four counters. */
static void alike_load(struct load *l, unsigned n)
{
	memset(l, 0, sizeof(*l));
	l->tick = (struct pmu_tick){.counters = 0xf,
				    .limits = PMU_UNLIMITED,
				    .assign = PMU_ASSIGN_DEFAULT,
				    .contexts = {&l->contexts[0], &l->contexts[1]}};
	for (unsigned g = 0; g < n; g++) {
		l->groups[g].enabled = true;
		l->events[g][0] = (struct pmu_tick_event){.constraint = pmu_constraint(0xf, false),
							  .hardware = true,
							  .enabled = true,
							  .counter = PMU_NO_COUNTER};
		pmu_tick_append(&l->groups[g], &l->events[g][0]);
		pmu_tick_insert(&l->contexts[PMU_TICK_TASK], &l->groups[g]);
	}
}

/*
 * Once each event had its first counter, the same events are always on the same counters. Of the
 * events that neither start nor stop, at most one moves, and none if the number of events is a
 * multiple of the number of counters.
 */
TEST(test_first_counters)
{
	static struct load l;

	for (unsigned n = 5; n <= GROUPS; n++) {
		uint8_t seen[GROUPS][GROUPS], last[GROUPS];

		alike_load(&l, n);
		for (unsigned slice = 0; slice < 4 * n; slice++) {
			unsigned moved = 0;

			pmu_tick(&l.tick);
			for (unsigned g = 0; g < n; g++) {
				uint8_t counter = l.events[g][0].counter;

				if (slice < n)
					seen[slice][g] = counter;
				assert_int_equal(counter, seen[slice % n][g]);
				moved += slice && counter != last[g];
				last[g] = counter;
			}
			if (n % 4 == 0 && slice)
				assert_int_equal(moved, 2);
			assert_in_range(moved, slice ? 2 : 0, 3);
			pmu_tick_next(&l.tick);
		}
	}
}

/* Another user takes a counter while equal groups take turns: no event counts there afterwards. */
TEST(test_taken_counter_is_left)
{
	static struct load l;

	alike_load(&l, 5);
	for (unsigned slice = 0; slice < 20; slice++) {
		if (slice >= 10)
			l.tick.taken = 0x8;
		pmu_tick(&l.tick);
		for (unsigned g = 0; g < 5 && l.tick.taken; g++)
			assert_int_not_equal(l.events[g][0].counter, 3);
		pmu_tick_next(&l.tick);
	}
}

/* Groups between two events on one counter, by the reason why the group does not count. */
enum bystander { SOFTWARE, OFF, ASLEEP, IN_ERROR, BYSTANDERS };

static void add_bystander(struct load *l, unsigned g, enum bystander kind)
{
	l->groups[g].enabled = kind != OFF;
	l->groups[g].asleep = kind == ASLEEP;
	l->groups[g].error = kind == IN_ERROR;
	l->events[g][0] = (struct pmu_tick_event){.constraint = pmu_constraint(0xf, false),
						  .hardware = kind != SOFTWARE,
						  .enabled = kind != OFF,
						  .counter = PMU_NO_COUNTER};
}

static void add_rival(struct load *l, unsigned g)
{
	l->groups[g].enabled = true;
	l->events[g][0] = (struct pmu_tick_event){.constraint = pmu_constraint(0x4, false),
						  .hardware = true,
						  .enabled = true,
						  .counter = PMU_NO_COUNTER};
}

/*
 * Two events on one counter have half of the slices each, beside three groups that wait for no
 * counter, in any position.
 */
TEST(test_bystanders_have_no_turn)
{
	static struct load l;

	for (unsigned row = 0; row < 2 * BYSTANDERS * 32; row++) {
		const enum bystander kind = row / 2 % BYSTANDERS;
		const unsigned rivals = row / 2 / BYSTANDERS;
		unsigned slices[5] = {0};

		if (bits_count(rivals) != 2)
			continue;
		memset(&l, 0, sizeof(l));
		l.tick = (struct pmu_tick){.counters = 0xf,
					   .limits = PMU_UNLIMITED,
					   .assign = PMU_ASSIGN_DEFAULT,
					   .contexts = {&l.contexts[0], &l.contexts[1]}};
		for (unsigned g = 0; g < 5; g++) {
			if (rivals >> g & 1)
				add_rival(&l, g);
			else
				add_bystander(&l, g, kind);
			l.groups[g].cpu = row % 2;
			pmu_tick_append(&l.groups[g], &l.events[g][0]);
			pmu_tick_insert(&l.contexts[row % 2 ? PMU_TICK_CPU : PMU_TICK_TASK],
					&l.groups[g]);
		}
		for (unsigned slice = 0; slice < 20; slice++) {
			pmu_tick(&l.tick);
			assert_true(pmu_tick_multiplexes(&l.tick));
			for (unsigned g = 0; g < 5; g++)
				slices[g] += l.groups[g].wait == PMU_RUNS;
			pmu_tick_next(&l.tick);
		}
		for (unsigned g = 0; g < 5; g++)
			assert_int_equal(slices[g], rivals >> g & 1    ? 10
						    : kind == SOFTWARE ? 20
								       : 0);
	}
}

/* All groups that could take turns were disabled after the decision: the list does not change. */
TEST(test_nobody_takes_turns)
{
	static struct load l;

	alike_load(&l, 5);
	pmu_tick(&l.tick);
	assert_true(pmu_tick_multiplexes(&l.tick));
	for (unsigned g = 0; g < 5; g++) {
		l.groups[g].enabled = false;
		pmu_tick_group_update(&l.groups[g]);
	}
	pmu_tick_next(&l.tick);
	assert_ptr_equal(l.contexts[PMU_TICK_TASK].flexible, &l.groups[0]);
}
