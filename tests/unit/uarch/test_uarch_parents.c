// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_parents.c - each row of pmu/uarch/ states something that the parent does not.
 */
#include "tests/unit/uarch/uarch_rows.h"

#include "tests/unit/test.h"

#define DEEPEST 8

/* A parent comes first in the list, so that there is no circle. Chains of parents are short. */
TEST(test_parents)
{
	size_t at = 0, children = 0;

	FOR_EACH(u)
	{
		bool found = !u->like;
		unsigned depth = 0;

		for (size_t i = 0; i < at; i++)
			found |= uarch_list(i) == u->like;
		if (!found)
			fail_msg("%s: its parent does not come before it", u->name);
		for (const struct uarch *p = u->like; p; p = p->like)
			depth++;
		if (depth > DEEPEST)
			fail_msg("%s: %u ancestors", u->name, depth);
		if (u->like)
			assert_int_equal(u->vendor, u->like->vendor);
		children += u->like != NULL;
		at++;
	}
	assert_true(children > at / 2);
	assert_null(uarch_intel_generic.like);
	assert_null(uarch_amd_generic.like);
}

static const struct uarch_constraint *row_for(const struct uarch *u, uint64_t match, uint64_t mask)
{
	const struct uarch_constraint *row;

	for (size_t i = 0; u && (row = uarch_constraint_row(u, i)); i++)
		if (row->match == match && row->mask == mask)
			return row;
	return NULL;
}

static bool same_constraint(const struct uarch_constraint *a, const struct uarch_constraint *b)
{
	return a->counters == b->counters && !strcmp(a->name, b->name) && a->source == b->source &&
	       a->flags == b->flags && a->since == b->since && a->until == b->until;
}

static void check_constraint(const struct uarch *u, const struct uarch_constraint *own)
{
	const struct uarch_constraint *was = row_for(u->like, own->match, own->mask);

	if (!(own->flags & UARCH_GONE)) {
		if (was && same_constraint(own, was))
			fail_msg("%s: '%s' is the parent's row", u->name, own->name);
		return;
	}
	if (!was)
		fail_msg("%s: the parent has no '%s' to take away", u->name, own->name);
	if (strcmp(own->name, was->name))
		fail_msg("%s: '%s' is '%s' on the parent", u->name, own->name, was->name);
	if (row_for(u, own->match, own->mask))
		fail_msg("%s: '%s' is taken away and there", u->name, own->name);
}

static const struct uarch_extra *extra_for(const struct uarch *u, uint64_t match, uint64_t mask)
{
	const struct uarch_extra *row;

	for (size_t i = 0; u && (row = uarch_extra_row(u, i)); i++)
		if (row->match == match && row->mask == mask)
			return row;
	return NULL;
}

static bool same_extra(const struct uarch_extra *a, const struct uarch_extra *b)
{
	return a->valid == b->valid && a->alternative == b->alternative && a->msr == b->msr &&
	       a->reg == b->reg && a->shared == b->shared && a->source == b->source &&
	       !strcmp(a->name, b->name);
}

static void check_extra(const struct uarch *u, const struct uarch_extra *own)
{
	const struct uarch_extra *was = extra_for(u->like, own->match, own->mask);

	if (!own->msr && !was)
		fail_msg("%s: 0x%llx needs no register on the parent either", u->name,
			 (unsigned long long)own->match);
	if (own->msr && was && same_extra(own, was))
		fail_msg("%s: register '%s' is the parent's row", u->name, own->name);
}

static void check_cache(const struct uarch *u, const struct uarch_cache *own)
{
	bool differs = false;

	for (unsigned i = 0; i < PERF_COUNT_HW_CACHE_RESULT_MAX; i++) {
		uint64_t was = u->like ? uarch_cache(u->like, own->cache, own->op, i) : 0;

		differs |= own->select[i] != was;
		differs |= u->like &&
			   own->value[i] != uarch_cache_value(u->like, own->cache, own->op, i);
	}
	if (!differs)
		fail_msg("%s: cache event %u, %u is as the parent's", u->name, own->cache, own->op);
}

/* Every fact is stated once: no row repeats the parent, and each removal removes something. */
TEST(test_no_row_is_the_parents)
{
	FOR_EACH(u)
	{
		for (size_t i = 0; i < u->nconstraints; i++)
			check_constraint(u, &u->constraints[i]);
		for (size_t i = 0; i < u->nextras; i++)
			check_extra(u, &u->extras[i]);
		for (size_t i = 0; i < u->ncaches; i++)
			check_cache(u, &u->caches[i]);
	}
}

/* No microarchitecture states a row twice. */
TEST(test_no_row_is_there_twice)
{
	FOR_EACH(u)
	{
		for (size_t i = 0; i < u->nextras; i++)
			for (size_t k = 0; k < i; k++)
				assert_false(u->extras[i].match == u->extras[k].match &&
					     u->extras[i].mask == u->extras[k].mask);
		for (size_t i = 0; i < u->ncaches; i++)
			for (size_t k = 0; k < i; k++)
				assert_false(u->caches[i].cache == u->caches[k].cache &&
					     u->caches[i].op == u->caches[k].op);
	}
}

#define IS_OWN(u, member) (!(u)->member || (u)->member != UARCH_WITH((u)->like, member)->member)

static void check_numbers(const struct uarch *u)
{
	if (u->gp ? u->gp == uarch_general(u->like, false) &&
			    u->gp_ht == uarch_general(u->like, true)
		  : u->gp_ht)
		fail_msg("%s: general counters as the parent's, or half given", u->name);
	if (!IS_OWN(u, fixed) || !IS_OWN(u, width) || !IS_OWN(u, fixed_width) || !IS_OWN(u, pebs) ||
	    !IS_OWN(u, memory) || !IS_OWN(u, precise) || !IS_OWN(u, settings) ||
	    !IS_OWN(u, latency_aux) || !IS_OWN(u, sources))
		fail_msg("%s: states a number that is the parent's", u->name);
	for (unsigned i = 0; i < PERF_COUNT_HW_MAX; i++) {
		uint64_t own = u->generic[i], was = uarch_generic(u->like, i);

		if (own && (own == UARCH_NONE ? !was : own == was))
			fail_msg("%s: generic event %u is as the parent's", u->name, i);
	}
}

TEST(test_no_number_is_the_parents)
{
	FOR_EACH(u)
	if (u->like)
		check_numbers(u);
}

/* A family of three microarchitectures, with every kind of statement. */
static const struct uarch_constraint old_rows[] = {
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x10, "any", UARCH_SDM),
	UARCH_EVENT(0x10, 0x01, 0x01, "A"),
	UARCH_EVENTS(0x10, 0x02, "B"),
	UARCH_EVENTS(0x20, 0x04, "C"),
	UARCH_EVENTS(0x30, 0x08, "D"),
};

static const struct uarch_extra old_extras[] = {
	{.match = 0xb7, .mask = UARCH_EXACT, .msr = 1, .reg = UARCH_OFFCORE_0, .shared = true},
	{.match = 0xbb, .mask = UARCH_EXACT, .msr = 2, .reg = UARCH_OFFCORE_1, .shared = true},
	{.match = 1, .mask = 0, .msr = 3, .reg = UARCH_LBR_SELECT, .shared = true},
};

static const struct uarch_cache old_caches[] = {
	UARCH_CACHE(L1D, READ, 0x11, 0x12),
	UARCH_CACHE(L1D, WRITE, 0x13, 0x14),
	UARCH_CACHE(LL, READ, 0x15, 0x16),
};

static const struct uarch oldest = {
	.name = "oldest",
	.vendor = CPU_VENDOR_AMD,
	.gp = 8,
	.gp_ht = 4,
	.width = 40,
	.generic = {[0] = 0x76, [1] = 0xc0, [2] = 0x77},
	UARCH_CONSTRAINTS(old_rows),
	UARCH_EXTRAS(old_extras),
	UARCH_CACHES(old_caches),
};

/* 0x20 since Linux 4.1 only, and no longer 0x30; without hyper-threading. */
static const struct uarch_constraint middle_rows[] = {
	UARCH_NOT_EVENTS(0x30, "D"),
	UARCH_EVENTS(0x20, 0x40, "C", .since = UARCH_LINUX(4, 1)),
};

static const struct uarch_extra middle_extras[] = {
	{.match = 0xbb, .mask = UARCH_EXACT},
};

static const struct uarch_cache middle_caches[] = {
	UARCH_NO_CACHE(LL, READ),
	UARCH_CACHE(L1D, READ, 0x21, 0),
};

static const struct uarch middle = {
	.name = "middle",
	.vendor = CPU_VENDOR_AMD,
	.like = &oldest,
	.gp = 8,
	.gp_ht = 0,
	.generic = {[1] = UARCH_NONE, [2] = 0x78},
	UARCH_CONSTRAINTS(middle_rows),
	UARCH_EXTRAS(middle_extras),
	UARCH_CACHES(middle_caches),
};

/* 0x30 again. */
static const struct uarch_constraint young_rows[] = {
	UARCH_EVENTS(0x30, 0x80, "D again", .flags = UARCH_OVERLAP),
};

static const struct uarch youngest = {
	.name = "youngest",
	.vendor = CPU_VENDOR_AMD,
	.like = &middle,
	.width = 48,
	UARCH_CONSTRAINTS(young_rows),
};

static uint64_t counters_in(const struct uarch *u, uint64_t select, uint32_t version)
{
	const struct uarch_constraint *row = uarch_constraint(u, select, version);

	return row ? row->counters : UARCH_GENERAL;
}

TEST(test_rows_of_parents)
{
	/* Rows are inherited in order, removed, and stated again. */
	assert_int_equal(uarch_counters(&youngest, UARCH_SELECT(0x10, 0x01)), 0x01);
	assert_int_equal(uarch_counters(&youngest, UARCH_SELECT(0x10, 0x02)), 0x02);
	assert_int_equal(uarch_counters(&oldest, 0x30), 0x08);
	assert_int_equal(uarch_counters(&middle, 0x30), UARCH_GENERAL);
	assert_int_equal(uarch_counters(&youngest, 0x30), 0x80);
	/* A row replaces the parent's, even where it is not in force. */
	assert_int_equal(counters_in(&oldest, 0x20, UARCH_LINUX(4, 0)), 0x04);
	assert_int_equal(counters_in(&middle, 0x20, UARCH_LINUX(4, 0)), UARCH_GENERAL);
	assert_int_equal(counters_in(&youngest, 0x20, UARCH_LINUX(4, 1)), 0x40);
	/* A modifier for any event comes before all rows for particular events. */
	assert_int_equal(uarch_counters(&youngest, UARCH_SELECT(0x30, 0) | UARCH_IN_TXCP), 0x10);
	assert_int_equal(rows_of(&oldest).n, 5);
	assert_int_equal(rows_of(&middle).n, 4);
	assert_int_equal(rows_of(&youngest).n, 5);
	assert_string_equal(rows_of(&youngest).row[0]->name, "any");
	assert_string_equal(rows_of(&youngest).row[1]->name, "D again");
	assert_ptr_equal(rows_of(&youngest).row[4], &old_rows[2]);
	assert_int_equal(uarch_flags(&middle), 0);
	assert_int_equal(uarch_flags(&youngest), UARCH_OVERLAP);
}

TEST(test_registers_of_parents)
{
	assert_ptr_equal(uarch_extra(&youngest, 0xb7), &old_extras[0]);
	assert_ptr_equal(uarch_extra(&oldest, 0xbb), &old_extras[1]);
	assert_null(uarch_extra(&middle, 0xbb));
	assert_null(uarch_extra(&youngest, 0xbb));
	/* The register of branch records is not among them, because no event needs it. */
	assert_int_equal(uarch_shared_registers(&oldest),
			 1u << UARCH_OFFCORE_0 | 1u << UARCH_OFFCORE_1);
	assert_int_equal(uarch_shared_registers(&youngest), 1u << UARCH_OFFCORE_0);
	assert_ptr_equal(uarch_extra_row(&youngest, 1), &old_extras[2]);
	assert_null(uarch_extra_row(&youngest, 2));
}

TEST(test_events_of_parents)
{
	const unsigned l1d = PERF_COUNT_HW_CACHE_L1D, ll = PERF_COUNT_HW_CACHE_LL;
	const unsigned read = PERF_COUNT_HW_CACHE_OP_READ, write = PERF_COUNT_HW_CACHE_OP_WRITE;

	assert_int_equal(uarch_generic(&youngest, 0), 0x76);
	assert_int_equal(uarch_generic(&oldest, 1), 0xc0);
	assert_int_equal(uarch_generic(&youngest, 1), 0);
	assert_int_equal(uarch_generic(&youngest, 2), 0x78);
	assert_int_equal(uarch_generic(&youngest, 3), 0);
	assert_int_equal(uarch_generic(&youngest, PERF_COUNT_HW_MAX), 0);
	/* A row is replaced as a whole: no part of it comes from the parent. */
	assert_int_equal(uarch_cache(&oldest, l1d, read, 1), 0x12);
	assert_int_equal(uarch_cache(&youngest, l1d, read, 0), 0x21);
	assert_int_equal(uarch_cache(&youngest, l1d, read, 1), 0);
	assert_int_equal(uarch_cache(&youngest, l1d, write, 1), 0x14);
	assert_int_equal(uarch_cache(&youngest, ll, read, 0), 0);
	assert_int_equal(uarch_cache(&youngest, l1d, read, PERF_COUNT_HW_CACHE_RESULT_MAX), 0);
	assert_int_equal(uarch_cache(&youngest, PERF_COUNT_HW_CACHE_MAX, read, 0), 0);
}

TEST(test_numbers_of_parents)
{
	assert_int_equal(uarch_general(&oldest, true), 4);
	assert_int_equal(uarch_general(&youngest, false), 8);
	assert_int_equal(uarch_general(&youngest, true), 0);
	assert_int_equal(uarch_machine_counters(&youngest, true), 0xff);
	assert_int_equal(UARCH_WITH(&middle, width)->width, 40);
	assert_int_equal(UARCH_WITH(&youngest, width)->width, 48);
	assert_ptr_equal(UARCH_WITH(&youngest, pebs), &oldest);
}
