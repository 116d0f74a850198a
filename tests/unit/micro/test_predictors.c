// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_predictors.c - branches whose mispredictions follow from the predictor's sizes: loops and
 * histories, calls and the return stack, patterns of targets; and unpredictable branches.
 */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define IP 0x401000ull

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

static bool conditional(struct played_core *c, uint64_t ip, bool taken)
{
	return micro_branch(c->micro, MICRO_CONDITIONAL, ip, ip - 64, ip + 2, taken);
}

/* A loop of `period` iterations, `times` times. */
static uint64_t loop(struct played_core *c, unsigned period, unsigned times)
{
	uint64_t missed = 0;

	for (unsigned i = 0; i < times; i++)
		for (unsigned j = 1; j <= period; j++)
			missed += conditional(c, IP, j < period);
	return missed;
}

/* The end of a loop is predicted if the longest history holds a whole iteration. */
TEST(test_periods)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct geometry_branches *b = &vpmu_geometry(personalities[i])->branches;
		const unsigned longest = b->history[b->tables - 1];

		for (unsigned period = 2; period <= 2 * longest; period += 1 + period / 8) {
			struct played_core *c = core_named(personalities[i], 0);

			loop(c, period, 400);
			if (period <= longest)
				assert_int_equal(loop(c, period, 100), 0);
			else if (period > longest + 1)
				assert_int_equal(loop(c, period, 100), 100);
			core_free(c, true);
		}
	}
}

/* A branch that always goes one way is mispredicted once, if it is taken. */
TEST(test_one_way)
{
	struct played_core *c = core_named("skx", 0);
	uint64_t missed = 0;

	for (unsigned i = 0; i < 1000; i++)
		missed += conditional(c, IP, true) + conditional(c, IP + 16, false);
	assert_int_equal(missed, 1);
	assert_int_equal(c->counts[EVENTS_MISPREDICTED], 1);
	assert_int_equal(c->counts[EVENTS_MISPREDICTED_CONDITIONAL], 1);
	core_free(c, true);
}

/* Random branches are unpredictable. */
TEST(test_random)
{
	const unsigned n = 100000;

	for (size_t i = 0; i < NAMES; i++) {
		struct played_core *c = core_named(personalities[i], 0);
		uint64_t missed = 0;

		for (unsigned j = 0; j < n; j++)
			missed += conditional(c, IP, core_random(c) >> 20 & 1);
		assert_in_range(missed, n * 47 / 100, n * 53 / 100);
		core_free(c, true);
	}
}

/* A branch with the same outcome as another branch five branches before. */
TEST(test_correlated)
{
	struct played_core *c = core_named("hsw", 0);
	uint64_t missed = 0;

	for (unsigned i = 0; i < 20000; i++) {
		const bool coin = core_random(c) >> 20 & 1;

		conditional(c, IP, coin);
		for (unsigned j = 0; j < 4; j++)
			conditional(c, IP + 16 * (j + 1), true);
		if (conditional(c, IP + 160, coin) && i >= 10000)
			missed++;
	}
	assert_in_range(missed, 0, 10);
	core_free(c, true);
}

/* --- Returns --- */

static uint64_t recurse(struct played_core *c, unsigned depth)
{
	const uint64_t next = IP + 8 * depth;
	uint64_t missed;

	if (!depth)
		return 0;
	micro_branch(c->micro, MICRO_CALL, next - 5, 0x500000, next, true);
	missed = recurse(c, depth - 1);
	return missed + micro_branch(c->micro, MICRO_RETURN, 0x500010, next, 0x500011, true);
}

TEST(test_returns)
{
	for (size_t i = 0; i < NAMES; i++) {
		const unsigned entries = vpmu_geometry(personalities[i])->branches.returns;

		for (unsigned depth = 1; depth <= 3 * entries; depth++) {
			struct played_core *c = core_named(personalities[i], 0);
			const uint64_t missed = recurse(c, depth);

			assert_int_equal(missed, depth > entries ? depth - entries : 0);
			assert_int_equal(c->counts[EVENTS_MISPREDICTED_RETURNS], missed);
			core_free(c, true);
		}
	}
}

/* A loop that is longer than any history is mispredicted once, at its end, however long earlier
 * runs of it were. */
TEST(test_streaks)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct played_core *c = core_named(personalities[i], 0);

		loop(c, 2000, 20);
		assert_int_equal(loop(c, 2000, 50), 50);
		loop(c, 3, 200); /* and a short one at its place is learnt */
		assert_int_equal(loop(c, 3, 100), 0);
		core_free(c, true);
	}
}

/* --- Indirect branches --- */

static uint64_t dispatch(struct played_core *c, unsigned targets, unsigned times)
{
	uint64_t missed = 0;

	for (unsigned i = 0; i < times; i++)
		missed += micro_branch(c->micro, MICRO_JUMP_INDIRECT, IP,
				       0x500000 + i % targets * 48, IP + 3, true);
	return missed;
}

TEST(test_targets)
{
	for (size_t i = 0; i < NAMES; i++)
		for (unsigned targets = 1; targets <= 16; targets++) {
			struct played_core *c = core_named(personalities[i], 0);

			dispatch(c, targets, 200 * targets);
			assert_int_equal(dispatch(c, targets, 20 * targets), 0);
			core_free(c, true);
		}
}

TEST(test_random_targets)
{
	struct played_core *c = core_named("adl", 0);
	const unsigned n = 20000, targets = 8;
	uint64_t missed = 0;

	for (unsigned i = 0; i < n; i++)
		missed += micro_branch(c->micro, MICRO_CALL_INDIRECT, IP,
				       0x500000 + core_random(c) % targets * 48, IP + 3, true);
	assert_in_range(missed, n * 84 / 100, n * 90 / 100); /* 7 in 8 */
	assert_int_equal(c->counts[EVENTS_MISPREDICTED_INDIRECT], missed);
	core_free(c, true);
}

/* Direct jumps and calls, and far branches, are not mispredicted. */
TEST(test_never)
{
	struct played_core *c = core_named("skx", 0);

	assert_false(micro_branch(c->micro, MICRO_JUMP, IP, IP + 100, IP + 5, true));
	assert_false(micro_branch(c->micro, MICRO_CALL, IP, IP + 100, IP + 5, true));
	assert_false(micro_branch(c->micro, MICRO_FAR, IP, IP + 100, IP + 5, true));
	assert_int_equal(c->counts[EVENTS_MISPREDICTED], 0);
	core_free(c, true);
}

/* A branch that went one way for very long is as one that tables look up: it changes its way, and
 * is then predicted by its history. */
TEST(test_steady_and_back)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct played_core *c = core_named(personalities[i], 0);
		uint64_t missed = 0;

		for (unsigned taken = 0; taken < 2; taken++) {
			for (unsigned n = 0; n < 1000; n++)
				missed += conditional(c, IP, taken);
			assert_true(!conditional(c, IP, taken));
		}
		assert_in_range(missed, 1, 4);
		loop(c, 4, 400);
		assert_int_equal(loop(c, 4, 100), 0);
		core_free(c, true);
	}
}

/* Each personality has tables that the predictor has look-ups for, or core_named() would end. */
TEST(test_all_personalities)
{
	static const char *const others[] = {"spr", "slm", "glm", "nhm", "zen1", "kvm_intel"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct played_core *c = core_named(others[i], 0);

		assert_int_equal(loop(c, 3, 400) > 0, true);
		assert_int_equal(loop(c, 3, 100), 0);
		core_free(c, true);
	}
}
