// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_extra.c - resources that events need beside a counter: registers with values, the counter
 * above, priority in the northbridge. Decisions are compared with a model and with searches of all
 * assignments.
 */
#include "lib/bits.h"
#include "pmu/sched/extra.h"
#include "pmu/sched/tick.h"

#include <string.h>

#include "tests/unit/test.h"

#define NEEDS  6
#define VALUES 5

static uint64_t seed;

static unsigned choose_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* --- The exact solution --- */

struct load {
	unsigned n;
	struct pmu_extra needs[NEEDS];
	bool taken[PMU_EXTRAS]; /* by events outside of the load */
	uint64_t value[PMU_EXTRAS];
};

/* Is there a register for each need from number `i` on? */
static bool search(struct load *l, unsigned i)
{
	const struct pmu_extra *need = &l->needs[i];

	if (i == l->n)
		return true;
	if (!need->registers)
		return search(l, i + 1);
	for (unsigned reg = 0; reg < PMU_EXTRAS; reg++) {
		bool taken = l->taken[reg], found;

		if (!(need->registers >> reg & 1) || (taken && l->value[reg] != need->value))
			continue;
		l->taken[reg] = true;
		l->value[reg] = need->value;
		found = search(l, i + 1);
		l->taken[reg] = taken;
		if (found)
			return true;
	}
	return false;
}

/* Registers 0 and 1 can replace each other for most values; 2 and 3 have no alternative. */
static struct pmu_extra random_need(const uint8_t *pairs)
{
	struct pmu_extra need = {.value = choose_below(VALUES),
				 .reg = (uint8_t)choose_below(PMU_EXTRAS)};
	unsigned kind = choose_below(8);

	need.registers = kind < 5 ? pairs[need.value] : kind == 7 ? 0 : (uint8_t)(4u << (kind - 5));
	return need;
}

TEST(test_exact)
{
	static const uint8_t choices[] = {3, 3, 3, 1, 2};
	unsigned refused = 0, moved = 0;

	for (seed = 1; seed < 20000; seed++) {
		struct pmu_extras x = {0};
		struct load l = {.n = 0};
		uint8_t pairs[VALUES];
		uint64_t keep = seed;

		for (unsigned v = 0; v < VALUES; v++)
			pairs[v] = choices[choose_below(5)];
		if (choose_below(3) == 0) {
			unsigned reg = choose_below(PMU_EXTRAS);

			l.taken[reg] = true;
			l.value[reg] = choose_below(VALUES);
			pmu_extras_hold(&x, reg, l.value[reg]);
		}
		while (l.n < NEEDS) {
			const struct pmu_extras before = x;
			bool possible;

			l.needs[l.n++] = random_need(pairs);
			possible = search(&l, 0);
			assert_int_equal(pmu_extras_fit(&x, &l.needs[l.n - 1]), possible);
			if (!possible) {
				assert_memory_equal(&x, &before, sizeof(x));
				l.n--;
				refused++;
				break;
			}
			/* Checks that each earlier need still has its value in a register. */
			for (unsigned i = 0; i < l.n; i++)
				if (l.needs[i].registers)
					assert_int_not_equal(pmu_extras_find(&x, &l.needs[i]),
							     PMU_NO_EXTRA);
			moved += before.held & 1 && before.value[0] != x.value[0];
		}
		seed = keep;
	}
	assert_true(refused > 1000 && moved > 100);
}

/* --- Policy perf --- */

TEST(test_greedy)
{
	const struct pmu_extra a0 = {10, 3, 0}, a1 = {10, 3, 1}, b0 = {20, 3, 0}, b1 = {20, 3, 1};
	const struct pmu_extra c0 = {30, 3, 0}, only_0 = {40, 1, 0};
	struct pmu_extras x = {0};

	assert_int_equal(pmu_extras_take(&x, &a0), 0);
	assert_int_equal(pmu_extras_take(&x, &a0), 0);
	/* The first register is taken: the event gets the other one. */
	assert_int_equal(pmu_extras_take(&x, &b0), 1);
	assert_int_equal(pmu_extras_take(&x, &b1), 1);
	/* Two events share the alternative if another value has their own register. */
	assert_int_equal(pmu_extras_take(&x, &a1), 0);
	assert_int_equal(pmu_extras_take(&x, &c0), PMU_NO_EXTRA);
	assert_int_equal(x.held, 3);

	/* A need gets its own register even where the other one has the value already: no room is
	 * left for another value. */
	x = (struct pmu_extras){0};
	assert_int_equal(pmu_extras_take(&x, &a0), 0);
	assert_int_equal(pmu_extras_take(&x, &a1), 1);
	assert_int_equal(pmu_extras_take(&x, &b0), PMU_NO_EXTRA);

	/* pmu_extras_take() moves no value to make room; pmu_extras_fit() does. */
	x = (struct pmu_extras){0};
	assert_int_equal(pmu_extras_take(&x, &a0), 0);
	assert_int_equal(pmu_extras_take(&x, &only_0), PMU_NO_EXTRA);
	assert_true(pmu_extras_fit(&x, &only_0));
	assert_int_equal(pmu_extras_find(&x, &a0), 1);
}

TEST(test_others)
{
	const struct pmu_extra a = {10, 1, 0}, b = {20, 1, 0};
	struct pmu_extras x = {0};

	pmu_extras_hold(&x, 0, 10);
	assert_int_equal(pmu_extras_take(&x, &b), PMU_NO_EXTRA);
	assert_false(pmu_extras_fit(&x, &b));
	assert_int_equal(pmu_extras_take(&x, &a), 0);
	assert_true(pmu_extras_fit(&x, &a));
}

/* --- Decisions --- */

#define GROUPS 7
#define EVENTS 3
#define SLICES 24

/* Draws groups for one of three machines: with registers, with pairs, with a northbridge. */
struct groups {
	struct pmu_tick tick;
	struct pmu_tick_context task;
	struct pmu_fair fair;
	unsigned n;
	struct pmu_tick_group groups[GROUPS];
	struct pmu_tick_event events[GROUPS][EVENTS];
};

enum machine { REGISTERS, PAIRS, NORTHBRIDGE, MACHINES };

static struct pmu_tick_event random_event(enum machine machine)
{
	static const uint64_t masks[] = {0xf, 0xf, 0x3, 0x4};
	static const uint8_t pairs[VALUES] = {3, 3, 3, 3, 1};
	struct pmu_tick_event e = {.hardware = true, .enabled = true, .counter = PMU_NO_COUNTER};

	switch (machine) {
	case REGISTERS:
		e.constraint = pmu_constraint(masks[choose_below(4)], false);
		if (choose_below(3))
			e.extra = random_need(pairs);
		break;
	case PAIRS:
		e.pair = choose_below(3) == 0;
		e.constraint = pmu_constraint(e.pair ? 0x15 : 0x3f, false);
		break;
	default:
		e.northbridge = choose_below(2);
		e.constraint = pmu_constraint(0xf, false);
	}
	return e;
}

static void random_groups(struct groups *l, uint64_t number, bool fair)
{
	enum machine machine = number % MACHINES;

	memset(l, 0, sizeof(*l));
	seed = number;
	l->tick = (struct pmu_tick){.counters = machine == PAIRS ? 0x3f & ~(1u << choose_below(9))
								 : 0xf,
				    .node_busy = choose_below(16),
				    .limits = PMU_UNLIMITED,
				    .assign = PMU_ASSIGN_DEFAULT,
				    .contexts = {[PMU_TICK_TASK] = &l->task},
				    .fair = fair ? &l->fair : NULL};
	for (unsigned left = choose_below(2) ? 0 : choose_below(1u << PMU_EXTRAS); left;
	     left &= left - 1)
		pmu_extras_hold(&l->tick.others, bits_first(left), choose_below(VALUES));
	l->n = 2 + choose_below(GROUPS - 1);
	for (unsigned g = 0; g < l->n; g++) {
		l->groups[g] = (struct pmu_tick_group){.enabled = true};
		for (unsigned i = choose_below(EVENTS) + 1; i--;) {
			l->events[g][i] = random_event(machine);
			pmu_tick_append(&l->groups[g], &l->events[g][i]);
		}
		pmu_tick_insert(&l->task, &l->groups[g]);
	}
}

/* The used counters and registers, in the model and in the searches. */
struct holdings {
	uint64_t used;
	bool taken[PMU_EXTRAS];
	uint64_t value[PMU_EXTRAS];
};

static struct holdings of_others(const struct pmu_tick *t)
{
	struct holdings h = {.used = ~t->counters};

	for (unsigned r = 0; r < PMU_EXTRAS; r++) {
		h.taken[r] = t->others.held >> r & 1;
		h.value[r] = t->others.value[r];
	}
	return h;
}

static bool take_register(struct holdings *h, unsigned reg, uint64_t value)
{
	if (h->taken[reg] && h->value[reg] != value)
		return false;
	h->taken[reg] = true;
	h->value[reg] = value;
	return true;
}

static uint64_t choice(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return e->constraint.counters & ~(e->northbridge ? t->node_busy : 0);
}

static bool take_counter(struct holdings *h, const struct pmu_tick_event *e, unsigned counter)
{
	uint64_t bits = (e->pair ? 3ull : 1ull) << counter;

	if (h->used & bits)
		return false;
	h->used |= bits;
	return true;
}

/* Can all `n` events count? */
static bool possible(const struct pmu_tick *t, const struct pmu_tick_event *const *e, unsigned n,
		     const struct holdings *h)
{
	if (!n)
		return true;
	for (uint64_t left = choice(t, *e); left; left &= left - 1) {
		struct holdings with = *h;

		if (!take_counter(&with, *e, bits_first(left)))
			continue;
		if (!(*e)->extra.registers && possible(t, e + 1, n - 1, &with))
			return true;
		for (unsigned r = 0; r < PMU_EXTRAS; r++) {
			struct holdings and = with;

			if ((*e)->extra.registers >> r & 1 &&
			    take_register(&and, r, (*e)->extra.value) &&
			    possible(t, e + 1, n - 1, &and))
				return true;
		}
	}
	return false;
}

/* As in Linux: each event takes its register, or else the alternative, or fails. Then events with
 * the least choice come first, and take the lowest free counter. */
static bool greedy(const struct pmu_tick *t, const struct pmu_tick_event *const *e, unsigned n)
{
	struct holdings h = of_others(t);

	for (unsigned i = 0; i < n; i++) {
		const struct pmu_extra *x = &e[i]->extra;
		unsigned reg = 0;

		if (!x->registers ||
		    (x->registers >> x->reg & 1 && take_register(&h, x->reg, x->value)))
			continue;
		while (reg < PMU_EXTRAS &&
		       (!(x->registers >> reg & 1) || !take_register(&h, reg, x->value)))
			reg++;
		if (reg == PMU_EXTRAS)
			return false;
	}
	for (unsigned weight = 0; weight <= 6; weight++)
		for (unsigned i = 0; i < n; i++) {
			uint64_t left = choice(t, e[i]);

			if (bits_count(left) != weight)
				continue;
			while (left && !take_counter(&h, e[i], bits_first(left)))
				left &= left - 1;
			if (!left)
				return false;
		}
	return true;
}

static unsigned add_events(const struct pmu_tick_group *g, const struct pmu_tick_event **e,
			   unsigned n)
{
	pmu_tick_each_event (at, g)
		e[n++] = at;
	return n;
}

/* Each counting event has its resources, no counter has two events, no register two values. */
static void check_holdings(const struct groups *l)
{
	const struct pmu_tick *t = &l->tick;
	struct holdings h = of_others(t);
	uint64_t northbridge = 0;
	unsigned extras = 0;

	for (unsigned g = 0; g < l->n; g++)
		pmu_tick_each_event (e, &l->groups[g]) {
			if (l->groups[g].wait != PMU_RUNS) {
				assert_int_equal(e->counter, PMU_NO_COUNTER);
				continue;
			}
			assert_true(choice(t, e) >> e->counter & 1);
			assert_true(take_counter(&h, e, e->counter));
			northbridge |= e->northbridge ? 1ull << e->counter : 0;
			if (!e->extra.registers)
				continue;
			assert_true(e->extra.registers >> e->extra.reg & 1);
			assert_true(take_register(&h, e->extra.reg, e->extra.value));
			extras |= 1u << e->extra.reg;
		}
	assert_true((h.used & t->counters) == t->used);
	assert_true(northbridge == t->northbridge);
	assert_int_equal(extras, t->extras.held);
}

static void check_perf(const struct groups *l)
{
	const struct pmu_tick_event *e[GROUPS * EVENTS];
	bool failed = false;
	unsigned n = 0;

	pmu_tick_each (g, l->task.flexible) {
		unsigned more = add_events(g, e, n);
		bool runs = !failed && greedy(&l->tick, e, more);

		if (runs != (g->wait == PMU_RUNS))
			fail_msg("a group waits for %u", g->wait);
		failed |= !runs;
		n = runs ? more : n;
	}
}

/* No group waits while it would fit. */
static void check_fair(const struct groups *l)
{
	const struct pmu_tick_event *e[GROUPS * EVENTS];
	const struct holdings h = of_others(&l->tick);
	unsigned n = 0;

	for (unsigned g = 0; g < l->n; g++)
		if (l->groups[g].wait == PMU_RUNS)
			n = add_events(&l->groups[g], e, n);
	assert_true(possible(&l->tick, e, n, &h));
	for (unsigned g = 0; g < l->n; g++)
		if (l->groups[g].wait != PMU_RUNS)
			assert_false(possible(&l->tick, e, add_events(&l->groups[g], e, n), &h));
}

/* The model does not know the counters of events; it knows the register to try first. */
static void forget_counters(struct groups *l)
{
	for (unsigned g = 0; g < l->n; g++)
		for (unsigned i = 0; i < l->groups[g].n; i++)
			l->events[g][i].counter = PMU_NO_COUNTER;
}

TEST(test_perf)
{
	static struct groups l;
	unsigned waited = 0;

	for (unsigned number = 1; number <= 3000; number++) {
		random_groups(&l, number, false);
		for (unsigned slice = 0; slice < SLICES; slice++) {
			struct pmu_extra before[GROUPS][EVENTS], after[GROUPS][EVENTS];

			forget_counters(&l);
			for (unsigned g = 0; g < l.n; g++)
				for (unsigned i = 0; i < EVENTS; i++)
					before[g][i] = l.events[g][i].extra;
			pmu_tick(&l.tick);
			check_holdings(&l);
			/* The model begins where pmu_tick() began. */
			for (unsigned g = 0; g < l.n; g++)
				for (unsigned i = 0; i < EVENTS; i++) {
					after[g][i] = l.events[g][i].extra;
					l.events[g][i].extra = before[g][i];
				}
			check_perf(&l);
			for (unsigned g = 0; g < l.n; g++)
				for (unsigned i = 0; i < EVENTS; i++)
					l.events[g][i].extra = after[g][i];
			waited += l.task.multiplex;
			pmu_tick_next(&l.tick);
		}
	}
	assert_true(waited > 10000);
}

TEST(test_fair)
{
	static struct groups l;
	unsigned waited = 0;

	for (unsigned number = 1; number <= 1500; number++) {
		random_groups(&l, number, true);
		for (unsigned slice = 0; slice < SLICES; slice++) {
			pmu_tick(&l.tick);
			check_holdings(&l);
			check_fair(&l);
			waited += l.task.multiplex;
			pmu_tick_next(&l.tick);
		}
	}
	assert_true(waited > 5000);
}

/* With n values on two registers each has 2 / n of the slices, with policy fair to within a slice.
 */
TEST(test_shares)
{
	static struct groups l;

	for (unsigned n = 3; n <= GROUPS; n++)
		for (unsigned fair = 0; fair < 2; fair++) {
			unsigned ran[GROUPS] = {0}, within = fair ? 1 : 2;

			random_groups(&l, MACHINES, fair);
			l.task.flexible = NULL;
			l.tick.others.held = 0;
			for (unsigned g = 0; g < n; g++) {
				l.groups[g] = (struct pmu_tick_group){.enabled = true};
				l.events[g][0] = (struct pmu_tick_event){
					.hardware = true,
					.constraint = pmu_constraint(0xf, false),
					.extra = {.value = g, .registers = 3},
					.counter = PMU_NO_COUNTER};
				pmu_tick_append(&l.groups[g], &l.events[g][0]);
				pmu_tick_insert(&l.task, &l.groups[g]);
			}
			for (unsigned slice = 1; slice <= 200; slice++) {
				pmu_tick(&l.tick);
				for (unsigned g = 0; g < n; g++) {
					ran[g] += l.groups[g].wait == PMU_RUNS;
					assert_in_range((ran[g] + within) * n, 2 * slice,
							2 * slice + 2 * within * n);
				}
				pmu_tick_next(&l.tick);
			}
		}
}
