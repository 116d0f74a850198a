// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_bound.c - the contract of vpmu/plugin/block_bound.h: no block adds more to a count than its
 * bound, for any results of its accesses and branches. A block without accesses has a small bound.
 */
#include "tests/unit/micro/core.h"

#include "vpmu/plugin/block_bound.h"

#include <stdio.h>

#include "tests/unit/test.h"

#define BLOCKS       30000
#define INSNS_MOST   24
#define NEAR         (1ull << 14) /* in an address: the caches have it */
#define LINE_OF(va)  ((va) >> 6)
#define ACCESS_BYTES 8

struct insn {
	struct decoded decoded;
	unsigned bytes;
};

static struct insn some_insn(struct core *c, bool is_last)
{
	const uint64_t r = core_random(c);
	struct insn i = {.bytes = 1 + r % 15};

	i.decoded.tally.n[EVENTS_INSTRUCTIONS] = 1;
	i.decoded.accesses = r >> 8 & 3 ? 0 : r >> 10 & 3;
	i.decoded.class =
		(uint8_t)(r >> 16 & 7 ? MICRO_CLASS_SIMPLE : (r >> 20) % MICRO_CLASS_NUMBERS);
	i.decoded.branch = is_last ? BRANCH_CONDITIONAL : BRANCH_NONE;
	return i;
}

static uint64_t some_address(struct core *c)
{
	const uint64_t r = core_random(c);

	return r >> 40 & 1 ? r % NEAR : r % (1ull << 36);
}

static void access(struct core *c)
{
	const uint64_t r = core_random(c);
	const uint32_t registers = micro_registers(r & 15, r >> 4 & 15, r >> 8 & 15);

	if (r >> 12 & 1)
		micro_store(c->micro, some_address(c), ACCESS_BYTES, c);
	else
		micro_load(c->micro, some_address(c), ACCESS_BYTES, registers, c);
}

/* Makes a run for each line, as vpmu/plugin/instrument.c does. */
static void run_by_lines(struct core *c, uint64_t va, const struct insn *insns, unsigned n)
{
	for (unsigned i = 0; i < n;) {
		struct micro_block b = {.va = va, .physical = va, .shift = 12};
		const uint64_t line = LINE_OF(va);
		unsigned end = i;

		b.physical_next = (va & ~4095ull) + 4096;
		for (; end < n && LINE_OF(va) == line; va += insns[end++].bytes) {
			const struct micro_worth worth = micro_class(
				&c->geometry, (enum micro_class)insns[end].decoded.class);

			b.bytes = (uint16_t)(b.bytes + insns[end].bytes);
			b.instructions++;
			b.uops += worth.uops;
			b.busy += worth.busy;
		}
		micro_block(c->micro, &b);
		for (; i < end; i++)
			for (unsigned a = 0; a < insns[i].decoded.accesses; a++)
				access(c);
	}
}

/* The model resolves a block's branch in the next block. */
static void check_block(struct core *c, uint64_t last)
{
	struct insn insns[INSNS_MOST];
	const unsigned n = 1 + core_random(c) % INSNS_MOST;
	const uint64_t va = some_address(c);
	uint64_t before[EVENTS_NUMBERS];
	struct bound bound = {0};

	for (unsigned i = 0; i < n; i++) {
		insns[i] = some_insn(c, i + 1 == n);
		bound_add(&bound, &insns[i].decoded, insns[i].bytes, &c->geometry);
	}
	memcpy(before, c->counts, sizeof(before));
	micro_branch(c->micro, MICRO_CONDITIONAL, last, va, last + 2, core_random(c) & 1);
	run_by_lines(c, va, insns, n);
	for (unsigned i = EVENTS_UOPS; i < EVENTS_NUMBERS; i++)
		if (c->counts[i] - before[i] > bound_of(&bound, &c->geometry, i))
			fail_msg("count %u: %llu is more than %llu", i,
				 (unsigned long long)(c->counts[i] - before[i]),
				 (unsigned long long)bound_of(&bound, &c->geometry, i));
}

TEST(test_modelled)
{
	static const char *const names[] = {"skx", "icl", "zen4", "adl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct core *c = core_named(names[i], 0);

		for (unsigned k = 0; k < BLOCKS; k++)
			check_block(c, k * 16 % 4096);
		core_free(c, true);
	}
}

TEST(test_exact)
{
	struct decoded d = {.accesses = 2, .branch = BRANCH_CONDITIONAL};
	struct bound one = {0}, most = {0};

	d.tally.n[EVENTS_INSTRUCTIONS] = 1;
	d.tally.n[EVENTS_CONDITIONAL] = 1;
	d.tally.n[EVENTS_LOCKED] = 1;
	bound_add(&one, &d, 4, NULL);
	bound_join(&most, &one);
	bound_add(&one, &d, 4, NULL);
	assert_int_equal(bound_of(&one, NULL, EVENTS_INSTRUCTIONS), 2);
	assert_int_equal(bound_of(&one, NULL, EVENTS_LOCKED), 2);
	assert_true(bound_of(&one, NULL, EVENTS_CONDITIONAL_TAKEN) >= 2);
	assert_int_equal(bound_of(&one, NULL, EVENTS_SPLIT_LOADS), 4);
	assert_int_equal(bound_of(&one, NULL, EVENTS_DIVIDES), 0);
	assert_int_equal(bound_of(&most, NULL, EVENTS_LOCKED), 1);
	bound_join(&most, &one);
	assert_int_equal(bound_of(&most, NULL, EVENTS_LOCKED), 2);
}

/* With large bounds the guest would always be near a target. */
TEST(test_no_access)
{
	const struct geometry *g = vpmu_geometry("skx");
	struct decoded d = {.class = MICRO_CLASS_SIMPLE};
	struct bound b = {0};

	bound_add(&b, &d, 4, g);
	assert_int_equal(bound_of(&b, g, EVENTS_LLC_LOAD_MISSES), 0);
	assert_int_equal(bound_of(&b, g, EVENTS_DTLB_LOAD_WALKS), 0);
	assert_in_range(bound_of(&b, g, EVENTS_LLC_MISSES), 1, 3);
	assert_in_range(bound_of(&b, g, EVENTS_MISPREDICTED), 1, 1);
}
