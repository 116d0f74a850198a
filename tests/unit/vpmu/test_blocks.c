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

/* A step of a kind of code, with the figures that the test gives. */
typedef void step_fn(struct blocks_core *c, const unsigned figures[2], unsigned i);

/* The cycles of each step, once as many steps were made before. */
static uint64_t cycles_of_step(step_fn *step, unsigned first, unsigned second, unsigned steps)
{
	const unsigned figures[2] = {first, second};
	struct blocks_core c;
	uint64_t before, after;

	begin_blocks(&c);
	for (unsigned i = 0; i < steps; i++)
		step(&c, figures, i);
	before = core_time(c.core);
	for (unsigned i = 0; i < steps; i++)
		step(&c, figures, i);
	after = core_time(c.core);
	free(c.core);
	return (after - before) * 100 / steps;
}

/* Blocks of five operations and a jump, so many and so many bytes apart, in a mixed order. */
static void step_block(struct blocks_core *c, const unsigned figures[2], unsigned i)
{
	uint64_t va = CODE + (uint64_t)(i * 7 % figures[0]) * figures[1];

	step_zeros(c, &va, ZEROS);
	step_taken(c, &c->jump, va);
}

static uint64_t cycles_of_jumps(unsigned n, unsigned apart)
{
	return cycles_of_step(step_block, n, apart, ROUNDS * n);
}

/* The op cache has 768 of them, whether a line of code holds one or two. */
TEST(test_op_cache)
{
	assert_in_range(cycles_of_jumps(600, 64), 99, 105);
	assert_in_range(cycles_of_jumps(750, 32), 99, 105);
	assert_in_range(cycles_of_jumps(1201, 32), 195, 220);
	assert_in_range(cycles_of_jumps(1201, 64), 195, 230);
}

/* A call of one of four functions; both have so many operations before their branch. */
static void step_call(struct blocks_core *c, const unsigned figures[2], unsigned i)
{
	uint64_t va = CODE + i % 4 * 64, function = CODE + 4096 + i % 4 * 64;

	step_zeros(c, &va, figures[0]);
	step_taken(c, &c->call, va);
	step_zeros(c, &function, figures[0]);
	step_taken(c, &c->ret, function);
}

static uint64_t cycles_of_calls(unsigned zeros)
{
	return cycles_of_step(step_call, zeros, 0, 4 * ROUNDS);
}

TEST(test_call_and_return)
{
	assert_in_range(cycles_of_calls(0), 390, 420);
	assert_in_range(cycles_of_calls(12), 580, 620);
	assert_in_range(cycles_of_calls(20), 780, 825);
}

/* An indirect jump to one of so many blocks in turn, which jump back to it. */
static void step_switch(struct blocks_core *c, const unsigned figures[2], unsigned i)
{
	uint64_t block = CODE + 64 + i % figures[0] * 64;

	step_taken(c, &c->indirect, CODE);
	step_zeros(c, &block, ZEROS);
	step_taken(c, &c->jump, block);
}

static uint64_t cycles_of_switch(unsigned n)
{
	return cycles_of_step(step_switch, n, 0, 16 * ROUNDS);
}

/* It takes a cycle more where it goes elsewhere each time. */
TEST(test_targets_that_move)
{
	assert_in_range(cycles_of_switch(1), 195, 210);
	assert_in_range(cycles_of_switch(16), 295, 330);
}
