// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_extra.c - registers beside the counters: the exact way against a search of all assignments,
 * the greedy one against its description.
 */
#include "pmu/extra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NEEDS  6
#define VALUES 5

static uint64_t seed;

static unsigned random_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* --- The exact way --- */

struct load {
	unsigned n;
	struct pmu_extra needs[NEEDS];
	bool taken[PMU_EXTRAS]; /* by somebody else */
	uint64_t value[PMU_EXTRAS];
};

/* Is there a register for each from number `i` on? */
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

/* Registers 0 and 1 serve in each other's place for most values, 2 and 3 stand alone. */
static struct pmu_extra random_need(const uint8_t *pairs)
{
	struct pmu_extra need = {.value = random_below(VALUES)};
	unsigned kind = random_below(8);

	need.registers = kind < 5 ? pairs[need.value] : kind == 7 ? 0 : (uint8_t)(4u << (kind - 5));
	return need;
}

static void test_exact(void **state)
{
	static const uint8_t choices[] = {3, 3, 3, 1, 2};
	unsigned refused = 0, moved = 0;

	(void)state;
	for (seed = 1; seed < 20000; seed++) {
		struct pmu_extras x = {0};
		struct load l = {.n = 0};
		uint8_t pairs[VALUES];
		uint64_t keep = seed;

		for (unsigned v = 0; v < VALUES; v++)
			pairs[v] = choices[random_below(5)];
		if (random_below(3) == 0) {
			unsigned reg = random_below(PMU_EXTRAS);

			l.taken[reg] = true;
			l.value[reg] = random_below(VALUES);
			pmu_extras_hold(&x, reg, l.value[reg]);
		}
		while (l.n < NEEDS) {
			const struct pmu_extras before = x;
			bool possible;

			l.needs[l.n++] = random_need(pairs);
			possible = search(&l, 0);
			assert_int_equal(
				pmu_extras_fit(&x, &l.needs[l.n - 1], random_below(PMU_EXTRAS + 1)),
				possible);
			if (!possible) {
				assert_memory_equal(&x, &before, sizeof(x));
				l.n--;
				refused++;
				break;
			}
			/* All who were there still have their value somewhere. */
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

static void test_greedy(void **state)
{
	const struct pmu_extra a = {10, 3}, b = {20, 3}, c = {30, 3}, only_0 = {40, 1}, none = {0};
	struct pmu_extras x = {0};

	(void)state;
	assert_int_equal(pmu_extras_take(&x, &a, 0), 0);
	assert_int_equal(pmu_extras_take(&x, &a, 0), 0);
	/* The first is taken: the other one. */
	assert_int_equal(pmu_extras_take(&x, &b, 0), 1);
	assert_int_equal(pmu_extras_take(&x, &b, 1), 1);
	/* Two share where their own is taken by another value. */
	assert_int_equal(pmu_extras_take(&x, &a, 1), 0);
	assert_int_equal(pmu_extras_take(&x, &c, 0), PMU_NO_EXTRA);
	assert_int_equal(pmu_extras_take(&x, &none, 0), PMU_NO_EXTRA);
	assert_int_equal(x.held, 3);

	/* Its own, even where the other has the value already, and so nobody is left room. */
	x = (struct pmu_extras){0};
	assert_int_equal(pmu_extras_take(&x, &a, 0), 0);
	assert_int_equal(pmu_extras_take(&x, &a, 1), 1);
	assert_int_equal(pmu_extras_take(&x, &b, 0), PMU_NO_EXTRA);

	/* Nobody moves for another. */
	x = (struct pmu_extras){0};
	assert_int_equal(pmu_extras_take(&x, &a, 0), 0);
	assert_int_equal(pmu_extras_take(&x, &only_0, 0), PMU_NO_EXTRA);
	assert_true(pmu_extras_fit(&x, &only_0, 0));
	assert_int_equal(pmu_extras_find(&x, &a), 1);
}

static void test_others(void **state)
{
	const struct pmu_extra a = {10, 1}, b = {20, 1};
	struct pmu_extras x = {0};

	(void)state;
	pmu_extras_hold(&x, 0, 10);
	assert_int_equal(pmu_extras_take(&x, &b, 0), PMU_NO_EXTRA);
	assert_false(pmu_extras_fit(&x, &b, 0));
	assert_int_equal(pmu_extras_take(&x, &a, 0), 0);
	assert_true(pmu_extras_fit(&x, &a, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_greedy),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests_name("extra", tests, NULL, NULL);
}
