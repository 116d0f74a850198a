// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_bound.c - the contract of vpmu/plugin/block_bound.h: no block adds more to a count than its
 * bound, for any results of its accesses and branches. A block without accesses has a small bound.
 */
#include "tests/unit/vpmu/timed_rig.h"
#include "vpmu/plugin/block_bound.h"

#include <stdio.h>

#include "tests/unit/test.h"

#define BLOCKS     12000
#define INSNS_MOST 24
#define NEAR       (1ull << 14) /* in an address: the caches have it */

static const struct {
	const char *hex;
	uint8_t loads, stores;
} kinds[] = {
	{"4801c8", 0, 0},   {"488b03", 1, 0},     {"488b00", 1, 0}, {"488903", 0, 1},
	{"480fafc1", 0, 0}, {"48f7f1", 0, 0},     {"0f58c1", 0, 0}, {"50", 0, 1},
	{"58", 1, 0},       {"48015308", 1, 1},   {"0fa2", 0, 0},   {"66b83412", 0, 0},
	{"4839c8", 0, 0},   {"f0480fc103", 1, 1}, {"d9fe", 0, 0},   {"f20f5ec1", 0, 0},
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static uint64_t some_address(struct played_core *c)
{
	const uint64_t r = core_random(c);

	return r >> 40 & 1 ? r % NEAR : r % (1ull << 36);
}

/* The runs are of one instruction: where they are cut makes no difference. */
static void run_bounded(struct timed_rig *r, uint64_t va, unsigned kind, bool is_first,
			bool mispredicted)
{
	static struct timed_insns run[2];
	static const struct core_insn *insn[2];
	static unsigned at;

	at ^= 1;
	insn[at] = rig_insn(r, kinds[kind].hex);
	run[at] = (struct timed_insns){.va = va, .n = 1, .insns = &insn[at]};
	rig_run(r, &run[at], is_first, is_first && mispredicted);
	if (kinds[kind].loads)
		rig_access(r, 0, false, some_address(r->caches));
	if (kinds[kind].stores)
		rig_access(r, 0, true, some_address(r->caches));
}

static void bound_one(struct bound *b, const struct timed_rig *r, unsigned kind, bool is_last)
{
	const struct core_insn *timed = rig_insn(r, kinds[kind].hex);
	struct decoded d = {.accesses = kinds[kind].loads + kinds[kind].stores,
			    .branch = is_last ? BRANCH_CONDITIONAL : BRANCH_NONE};

	d.tally.n[EVENTS_INSTRUCTIONS] = 1;
	bound_add(b, &d, timed->bytes, timed);
}

/* The branch before a block is resolved in the block. */
static void check_block(struct timed_rig *r, uint64_t last)
{
	const struct geometry *g = &r->caches->geometry;
	const unsigned n = 1 + (unsigned)(core_random(r->caches) % INSNS_MOST);
	uint64_t va = some_address(r->caches), before[EVENTS_NUMBERS], ahead;
	const bool missed = micro_branch(r->caches->micro, MICRO_CONDITIONAL, last, va, last + 2,
					 core_random(r->caches) & 1);
	struct bound bound = {0};

	time_end(r->time, true, missed);
	time_publish(r->time);
	ahead = time_ahead(r->time);
	memcpy(before, r->caches->counts, sizeof(before));
	for (unsigned i = 0; i < n; i++) {
		const unsigned kind = (unsigned)(core_random(r->caches) % KINDS);

		bound_one(&bound, r, kind, i + 1 == n);
		run_bounded(r, va, kind, false, false);
		va = r->next;
	}
	rig_counts(r);
	for (unsigned i = EVENTS_UOPS; i < EVENTS_NUMBERS; i++) {
		const uint64_t most = bound_of(&bound, g, (enum events_count)i) +
				      bound_of_ahead(ahead, g, (enum events_count)i) *
					      (i == EVENTS_MISS_SLOTS ? n : 1);

		if (r->caches->counts[i] - before[i] > most)
			fail_msg("count %u: %llu is more than %llu", i,
				 (unsigned long long)(r->caches->counts[i] - before[i]),
				 (unsigned long long)most);
	}
}

TEST(test_modelled)
{
	static const char *const names[] = {"skx", "icl", "zen4", "adl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct timed_rig r;

		rig_begin(&r, names[i], 0);
		for (unsigned k = 0; k < BLOCKS; k++)
			check_block(&r, k * 16 % 4096);
		rig_end(&r);
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
	struct decoded d = {0};
	struct timed_rig r;
	struct bound b = {0};

	rig_begin(&r, "skx", 0);
	bound_add(&b, &d, 3, rig_insn(&r, "4801c8"));
	rig_end(&r);
	assert_int_equal(bound_of(&b, g, EVENTS_LLC_LOAD_MISSES), 0);
	assert_int_equal(bound_of(&b, g, EVENTS_DTLB_LOAD_WALKS), 0);
	assert_in_range(bound_of(&b, g, EVENTS_LLC_MISSES), 1, 3 + 2 * 4); /* two walks */
	assert_in_range(bound_of(&b, g, EVENTS_ITLB_WALKS), 1, 3);
	assert_in_range(bound_of(&b, g, EVENTS_MISPREDICTED), 1, 1);
}
