// SPDX-License-Identifier: BSD-2-Clause
/* test_walks.c - walks of page tables in time: walkers, and loads that wait for walks. */
#include "tests/unit/vpmu/timed_rig.h"

#include "tests/unit/test.h"

#define DATA  0x40000000ull
#define LOADS 1000
#define WALK  100

/* Loads run, each in a page of its own, with a walk for every `every`th; returns the cycles. */
static uint64_t run_loads(unsigned walkers, const char *hex, unsigned every,
			  struct core_walks *walks)
{
	struct core_model model;
	struct core_shape shape;
	struct core_insn insn;
	struct core *core = calloc(1, core_bytes());
	uint8_t code[3];
	uint64_t cycles;

	assert_non_null(core);
	assert_true(core_model_find(&model, "skx"));
	shape = *model.shape;
	shape.walkers = (uint8_t)walkers;
	model.shape = &shape;
	for (unsigned i = 0; i < 3; i++)
		sscanf(hex + 2 * i, "%2hhx", &code[i]);
	assert_int_equal(core_describe(&insn, &model, code, 3), 3);
	core_init(core, &model);
	for (unsigned i = 0; i < LOADS; i++) {
		struct core_access access = {
			.va = DATA + i / every * 4096ull, .bytes = 8, .walk = i % every ? 0 : WALK};

		core_step(core, &insn, RIG_CODE, &access, false, false);
	}
	core_read_walks(core, walks);
	cycles = core_time(core);
	free(core);
	return cycles;
}

/* Independent loads have as many walks at a time as there are walkers. */
TEST(test_walkers)
{
	for (unsigned walkers = 1; walkers <= 8; walkers *= 2) {
		struct core_walks walks;
		const uint64_t cycles = run_loads(walkers, "488b03", 1, &walks);

		assert_in_range(cycles, LOADS * WALK / walkers, LOADS * WALK / walkers + 200);
		assert_int_equal(walks.sum[CORE_WALK_LOAD], LOADS * WALK);
		assert_in_range(walks.active[CORE_WALK_LOAD], LOADS * WALK / walkers, cycles);
		assert_int_equal(walks.sum[CORE_WALK_STORE], 0);
	}
}

/* In a chain each load waits for its walk, and then for L1. */
TEST(test_chain)
{
	struct core_walks walks;
	const uint64_t cycles = run_loads(2, "488b00", 1, &walks);

	assert_in_range(cycles, LOADS * (WALK + 4), LOADS * (WALK + 5) + 200);
	assert_int_equal(walks.active[CORE_WALK_LOAD], LOADS * WALK);
}

/* A load of a page that another load walks for waits for that walk, and takes no walker. */
TEST(test_same_page)
{
	struct core_walks walks;
	const uint64_t cycles = run_loads(1, "488b03", 2, &walks);

	assert_in_range(cycles, LOADS / 2 * WALK, LOADS / 2 * WALK + 200);
	assert_int_equal(walks.sum[CORE_WALK_LOAD], LOADS / 2 * WALK);
}

/* --- With the caches --- */

/* A store to a page in each of many, and code in another page each: their cycles are apart. */
TEST(test_kinds)
{
	struct timed_rig r;
	const struct core_insn *insn;
	struct timed_insns run = {.va = RIG_CODE, .by_access = 1, .n = 1, .insns = &insn};
	const uint64_t *n;

	rig_begin(&r, "skx", MICRO_NO_PREFETCH);
	insn = rig_insn(&r, "488903"); /* mov [rbx], rax */
	for (unsigned i = 0; i < LOADS; i++) {
		run.va = RIG_CODE + i * 4096ull;
		rig_run(&r, &run, false, false);
		rig_access(&r, 0, true, DATA + i * 4096ull);
	}
	n = rig_counts(&r);
	assert_int_equal(n[EVENTS_WALKING_LOADS], 0);
	assert_in_range(n[EVENTS_WALKING_STORES], LOADS * 10, UINT32_MAX);
	assert_in_range(n[EVENTS_WALKING_CODE], LOADS * 10, UINT32_MAX);
	assert_in_range(n[EVENTS_WALKS_STORES], 1, n[EVENTS_WALKING_STORES]);
	assert_in_range(n[EVENTS_WALKS_CODE], 1, n[EVENTS_WALKING_CODE]);
	assert_int_equal(n[EVENTS_DTLB_STORE_WALKS], LOADS);
	rig_end(&r);
}
