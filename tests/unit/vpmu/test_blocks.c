// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_blocks.c - blocks of code that end with taken branches, beside what a Zen 4 takes for them
 * (tests/accuracy). Figures are cycles of a block, in hundredths.
 */
#include "tests/unit/vpmu/timed_rig.h"

#include "tests/unit/test.h"

#define CODE   0x400000ull
#define ROUNDS 8
#define ZEROS  5

struct blocks_core {
	struct core_model model;
	struct core_insn zero, jump, call, ret, indirect;
	struct core *core;
};

static void describe_one(struct blocks_core *c, struct core_insn *insn, const char *hex)
{
	uint8_t code[8];
	size_t n = strlen(hex) / 2;

	for (size_t i = 0; i < n; i++)
		sscanf(hex + 2 * i, "%2hhx", &code[i]);
	assert_int_equal(core_describe(insn, &c->model, code, n), n);
}

static void begin_blocks(struct blocks_core *c)
{
	assert_true(core_model_find(&c->model, "zen4"));
	describe_one(c, &c->zero, "31c9"); /* xor ecx, ecx takes no unit */
	describe_one(c, &c->jump, "eb00");
	describe_one(c, &c->call, "e800000000");
	describe_one(c, &c->ret, "c3");
	describe_one(c, &c->indirect, "ffe0");
	c->core = calloc(1, core_bytes());
	assert_non_null(c->core);
	core_init(c->core, &c->model);
}

static uint64_t blocks_time(const struct blocks_core *c)
{
	return core_time(c->core);
}

static void step_zeros(struct blocks_core *c, uint64_t *va, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		core_step(c->core, &c->zero, *va, NULL, false, false);
		*va += c->zero.bytes;
	}
}

static void step_taken(struct blocks_core *c, const struct core_insn *insn, uint64_t va)
{
	core_step(c->core, insn, va, NULL, true, false);
}

/* Blocks of five operations and a jump, `apart` bytes, one behind the other in a mixed order. */
static void run_jumps(struct blocks_core *c, unsigned n, unsigned apart)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t va = CODE + (uint64_t)(i * 7 % n) * apart;

		step_zeros(c, &va, ZEROS);
		step_taken(c, &c->jump, va);
	}
}

static uint64_t cycles_of_jumps(unsigned n, unsigned apart)
{
	struct blocks_core c;
	uint64_t before;

	begin_blocks(&c);
	run_jumps(&c, n, apart);
	before = blocks_time(&c);
	for (unsigned i = 0; i < ROUNDS; i++)
		run_jumps(&c, n, apart);
	before = (blocks_time(&c) - before) * 100 / ROUNDS / n;
	free(c.core);
	return before;
}

/* The op cache has 768 of them, whether a line of code holds one or two. */
TEST(test_op_cache)
{
	assert_in_range(cycles_of_jumps(600, 64), 99, 105);
	assert_in_range(cycles_of_jumps(750, 32), 99, 105);
	assert_in_range(cycles_of_jumps(1201, 32), 195, 220);
	assert_in_range(cycles_of_jumps(1201, 64), 195, 230);
}

/* A call of a function of its own; both have `zeros` operations before their branch. */
static uint64_t cycles_of_calls(unsigned zeros)
{
	struct blocks_core c;
	uint64_t before = 0;

	begin_blocks(&c);
	for (unsigned i = 0; i < 2 * 4 * ROUNDS; i++) {
		uint64_t va = CODE + i % 4 * 64, function = CODE + 4096 + i % 4 * 64;

		if (i == 4 * ROUNDS)
			before = blocks_time(&c);
		step_zeros(&c, &va, zeros);
		step_taken(&c, &c.call, va);
		step_zeros(&c, &function, zeros);
		step_taken(&c, &c.ret, function);
	}
	before = (blocks_time(&c) - before) * 100 / (4 * ROUNDS);
	free(c.core);
	return before;
}

TEST(test_call_and_return)
{
	assert_in_range(cycles_of_calls(0), 390, 420);
	assert_in_range(cycles_of_calls(12), 580, 620);
	assert_in_range(cycles_of_calls(20), 780, 825);
}

/* An indirect jump to one of `n` blocks in turn, which jump back to it. */
static uint64_t cycles_of_switch(unsigned n)
{
	struct blocks_core c;
	uint64_t before = 0;

	begin_blocks(&c);
	for (unsigned i = 0; i < 2 * 16 * ROUNDS; i++) {
		uint64_t block = CODE + 64 + i % n * 64;

		if (i == 16 * ROUNDS)
			before = blocks_time(&c);
		step_taken(&c, &c.indirect, CODE);
		step_zeros(&c, &block, ZEROS);
		step_taken(&c, &c.jump, block);
	}
	before = (blocks_time(&c) - before) * 100 / (16 * ROUNDS);
	free(c.core);
	return before;
}

/* It takes a cycle more where it goes elsewhere each time. */
TEST(test_targets_that_move)
{
	assert_in_range(cycles_of_switch(1), 195, 210);
	assert_in_range(cycles_of_switch(16), 295, 330);
}
