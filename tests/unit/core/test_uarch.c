// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch.c - the rows of pmu/uarch/: that each can be reached, fits its machine and says who
 * says so; that each says something that the parent does not; that every CPU is one
 * microarchitecture at most; and facts by hand for each of them.
 */
#include "lib/bits.h"
#include "pmu/uarch/uarch.h"
#include "vpmu/model/model.h"

#include <perfmon/pfmlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOR_EACH(u)                                      \
	for (size_t u##_i = 0; u##_i < count(); u##_i++) \
		for (const struct uarch *u = uarch_list(u##_i), *once = u; once; once = NULL)

static size_t count(void)
{
	size_t n = 0;

	while (uarch_list(n))
		n++;
	return n;
}

/* --- The rows that hold --- */

struct rows {
	const struct uarch_constraint *row[128];
	size_t n;
};

static struct rows rows_of(const struct uarch *u)
{
	struct rows rows = {.n = 0};

	while ((rows.row[rows.n] = uarch_constraint_row(u, rows.n)))
		assert_true(++rows.n < UARCH_COUNT(rows.row));
	return rows;
}

static bool shadows(const struct uarch_constraint *first, const struct uarch_constraint *row)
{
	return (first->mask & ~row->mask) == 0 && (row->match & first->mask) == first->match &&
	       first->since <= row->since &&
	       (!first->until || (row->until && row->until <= first->until));
}

static void test_no_row_is_shadowed(void **state)
{
	(void)state;
	FOR_EACH(u)
	{
		const struct rows rows = rows_of(u);

		for (size_t i = 0; i < rows.n; i++)
			for (size_t k = 0; k < i; k++)
				if (shadows(rows.row[k], rows.row[i]))
					fail_msg("%s: '%s' is never reached, '%s' comes first",
						 u->name, rows.row[i]->name, rows.row[k]->name);
	}
}

/* An event select that gets there: what the row leaves open is tried out. */
static bool reaches(const struct uarch *u, const struct uarch_constraint *row, uint32_t version)
{
	for (unsigned umask = 0; umask < 256; umask++) {
		uint64_t open = UARCH_SELECT(0, umask) & ~row->mask;

		if (uarch_constraint(u, row->match | open, version) == row)
			return true;
	}
	/* A class of AMD's codes. */
	for (uint64_t code = 0; code < 0x1000; code++) {
		uint64_t open = UARCH_AMD_SELECT(code, 0) & ~row->mask;

		if (uarch_constraint(u, row->match | open, version) == row)
			return true;
	}
	return false;
}

static void test_every_row_is_found(void **state)
{
	(void)state;
	FOR_EACH(u)
	for (size_t i = 0; uarch_constraint_row(u, i); i++) {
		const struct uarch_constraint *row = uarch_constraint_row(u, i);
		uint32_t version = row->until ? row->until - 1 : UARCH_NOW;

		if (!reaches(u, row, version))
			fail_msg("%s: no event leads to '%s'", u->name, row->name);
	}
}

static void test_rows_are_whole(void **state)
{
	(void)state;
	FOR_EACH(u)
	for (size_t i = 0; uarch_constraint_row(u, i); i++) {
		const struct uarch_constraint *row = uarch_constraint_row(u, i);
		uint64_t machine = uarch_machine_counters(u, false) | UARCH_GENERAL;

		if (row->match & ~row->mask)
			fail_msg("%s: '%s' can not match", u->name, row->name);
		if (row->counters & ~machine)
			fail_msg("%s: '%s' is on counters that are not there", u->name, row->name);
		if (!row->name || !*row->name || row->source >= UARCH_NSOURCES)
			fail_msg("%s: row %zu has no name or no source", u->name, i);
		/* A pair is an even counter and the one above it. */
		if (row->flags & UARCH_PAIR &&
		    (row->counters & 0xaaaaaaaa || !row->counters ||
		     row->counters << 1 & ~uarch_machine_counters(u, false)))
			fail_msg("%s: '%s' is on half a pair", u->name, row->name);
		if (row->until && (row->source != UARCH_FIELD || row->until <= row->since))
			fail_msg("%s: '%s' ends, but is no story of Linux", u->name, row->name);
	}
}

/* A row that allows all general counters is there to be an exception from a later one. */
static void test_rows_say_something(void **state)
{
	(void)state;
	FOR_EACH(u)
	{
		const struct rows rows = rows_of(u);

		for (size_t i = 0; i < rows.n; i++) {
			const struct uarch_constraint *row = rows.row[i];
			bool says =
				row->flags ||
				~row->counters & uarch_machine_counters(u, false) & UARCH_GENERAL ||
				row->counters & ~UARCH_GENERAL;

			for (size_t k = i + 1; k < rows.n; k++)
				says |= (row->match & rows.row[k]->mask) == rows.row[k]->match;
			if (!says)
				fail_msg("%s: '%s' allows all counters", u->name, row->name);
		}
	}
}

/* Overlap is a property of the masks: computed here, stated there. */
static void test_overlap_flags(void **state)
{
	(void)state;
	FOR_EACH(u)
	{
		const struct rows rows = rows_of(u);

		for (size_t i = 0; i < rows.n; i++) {
			const struct uarch_constraint *row = rows.row[i];
			bool overlaps = false;

			for (size_t k = 0; k < rows.n; k++) {
				uint64_t other = rows.row[k]->counters;

				overlaps |= other & row->counters && row->counters & ~other &&
					    bits_count(other) >= bits_count(row->counters);
			}
			/* Linux marks pairs that another's choice can lock out; Intel's nest. */
			if (row->flags & UARCH_OVERLAP)
				assert_true(overlaps);
			else if (u->vendor == CPU_VENDOR_AMD && overlaps)
				fail_msg("%s: '%s' overlaps and does not say so", u->name,
					 row->name);
		}
	}
}

static void test_machines_are_whole(void **state)
{
	(void)state;
	FOR_EACH(u)
	{
		bool intel = u->vendor == CPU_VENDOR_INTEL;

		assert_true(u->models[0].family);
		assert_in_range(uarch_general(u, false), 2, 10);
		assert_true(uarch_general(u, true) <= uarch_general(u, false));
		assert_in_range(UARCH_WITH(u, width)->width, 40, 48);
		assert_int_equal(intel, UARCH_WITH(u, fixed)->fixed != 0);
		assert_int_equal(intel, UARCH_WITH(u, fixed_width)->fixed_width != 0);
		assert_int_equal(
			intel, (UARCH_WITH(u, pebs)->pebs & uarch_machine_counters(u, false)) != 0);
		assert_int_equal(intel, uarch_extra_row(u, 0) != NULL);
		assert_null(u->note);
		for (unsigned i = 0; i < PERF_COUNT_HW_CACHE_RESULT_MAX; i++)
			assert_true(uarch_cache(u, PERF_COUNT_HW_CACHE_BPU,
						PERF_COUNT_HW_CACHE_OP_READ, i));
	}
}

#define CACHE_EVENTS \
	(PERF_COUNT_HW_CACHE_MAX * PERF_COUNT_HW_CACHE_OP_MAX * PERF_COUNT_HW_CACHE_RESULT_MAX)

static uint64_t cache_event(const struct uarch *u, unsigned i)
{
	const unsigned results = PERF_COUNT_HW_CACHE_RESULT_MAX, ops = PERF_COUNT_HW_CACHE_OP_MAX;

	return uarch_cache(u, i / results / ops, i / results % ops, i % results);
}

/* Generic events can be counted on the machine as it is with hyper-threading. */
static void test_generic_events_have_counters(void **state)
{
	static const unsigned always[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
					  PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES};

	(void)state;
	FOR_EACH(u)
	{
		uint64_t machine = uarch_machine_counters(u, true);

		for (size_t i = 0; i < UARCH_COUNT(always); i++)
			assert_true(uarch_generic(u, always[i]));
		for (unsigned i = 0; i < PERF_COUNT_HW_MAX; i++)
			if (uarch_generic(u, i) &&
			    !(uarch_counters(u, uarch_generic(u, i)) & machine))
				fail_msg("%s: generic event %u has no counter", u->name, i);
		for (unsigned i = 0; i < CACHE_EVENTS; i++)
			if (cache_event(u, i) && !(uarch_counters(u, cache_event(u, i)) & machine))
				fail_msg("%s: cache event %u has no counter", u->name, i);
	}
}

/* Pairs find their place because everybody else is free to go anywhere. */
static void test_pairs_are_alone(void **state)
{
	unsigned pairs = 0;

	(void)state;
	FOR_EACH(u)
	{
		const struct rows rows = rows_of(u);

		for (size_t i = 0; i < rows.n; i++) {
			if (!(rows.row[i]->flags & UARCH_PAIR))
				continue;
			pairs++;
			for (size_t k = 0; k < rows.n; k++)
				assert_true(rows.row[k]->flags & UARCH_PAIR &&
					    rows.row[k]->counters == rows.row[i]->counters);
			assert_int_equal(UARCH_WITH(u, fixed)->fixed, 0);
		}
	}
	assert_int_equal(pairs, 5);
}

static void test_extras(void **state)
{
	(void)state;
	FOR_EACH(u)
	for (size_t i = 0; uarch_extra_row(u, i); i++) {
		const struct uarch_extra *x = uarch_extra_row(u, i), *other;
		uint64_t select = x->match;

		assert_true(x->msr && x->valid && x->name && x->source < UARCH_NSOURCES);
		if (x->reg == UARCH_LBR_SELECT) {
			/* No event leads there. */
			for (uint64_t e = 0; e < 0x10000; e++)
				assert_true(uarch_extra(u, e) != x);
			continue;
		}
		assert_ptr_equal(uarch_extra(u, select), x);
		/* There and back again, by another register. */
		other = uarch_alternative(u, &select);
		assert_int_equal(!other, !x->alternative);
		if (!other)
			continue;
		assert_true(other->msr != x->msr && other->reg != x->reg);
		assert_ptr_equal(uarch_alternative(u, &select), x);
		assert_true(select == x->match);
		/* Either way the event counts on the same counters. */
		assert_true(uarch_counters(u, x->match) == uarch_counters(u, x->alternative));
	}
}

/* --- What is stated, and what is the parent's --- */

#define DEEPEST 8

/* A parent comes first in the list, so that there is no circle; and reading ends soon. */
static void test_parents(void **state)
{
	size_t at = 0, children = 0;

	(void)state;
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
	}
	if (!differs)
		fail_msg("%s: cache event %u, %u is as the parent's", u->name, own->cache, own->op);
}

/* Every fact is in one place: no row says what the parent says, none takes away nothing. */
static void test_no_row_is_the_parents(void **state)
{
	(void)state;
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

/* Nor is a row stated twice by the same microarchitecture. */
static void test_no_row_is_there_twice(void **state)
{
	(void)state;
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
	    !IS_OWN(u, memory_names) || !IS_OWN(u, precise))
		fail_msg("%s: states a number that is the parent's", u->name);
	for (unsigned i = 0; i < PERF_COUNT_HW_MAX; i++) {
		uint64_t own = u->generic[i], was = uarch_generic(u->like, i);

		if (own && (own == UARCH_NONE ? !was : own == was))
			fail_msg("%s: generic event %u is as the parent's", u->name, i);
	}
}

static void test_no_number_is_the_parents(void **state)
{
	(void)state;
	FOR_EACH(u)
	if (u->like)
		check_numbers(u);
}

/* A family of three, which has every kind of statement. */
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

static void test_rows_of_parents(void **state)
{
	(void)state;
	/* Inherited in order, taken away, stated again. */
	assert_int_equal(uarch_counters(&youngest, UARCH_SELECT(0x10, 0x01)), 0x01);
	assert_int_equal(uarch_counters(&youngest, UARCH_SELECT(0x10, 0x02)), 0x02);
	assert_int_equal(uarch_counters(&oldest, 0x30), 0x08);
	assert_int_equal(uarch_counters(&middle, 0x30), UARCH_GENERAL);
	assert_int_equal(uarch_counters(&youngest, 0x30), 0x80);
	/* A row stands in the parent's place also where it is not in force. */
	assert_int_equal(counters_in(&oldest, 0x20, UARCH_LINUX(4, 0)), 0x04);
	assert_int_equal(counters_in(&middle, 0x20, UARCH_LINUX(4, 0)), UARCH_GENERAL);
	assert_int_equal(counters_in(&youngest, 0x20, UARCH_LINUX(4, 1)), 0x40);
	/* A modifier of any event comes before all rows for some events. */
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

static void test_registers_of_parents(void **state)
{
	(void)state;
	assert_ptr_equal(uarch_extra(&youngest, 0xb7), &old_extras[0]);
	assert_ptr_equal(uarch_extra(&oldest, 0xbb), &old_extras[1]);
	assert_null(uarch_extra(&middle, 0xbb));
	assert_null(uarch_extra(&youngest, 0xbb));
	/* Not that of branch records, which no event needs. */
	assert_int_equal(uarch_shared_registers(&oldest),
			 1u << UARCH_OFFCORE_0 | 1u << UARCH_OFFCORE_1);
	assert_int_equal(uarch_shared_registers(&youngest), 1u << UARCH_OFFCORE_0);
	assert_ptr_equal(uarch_extra_row(&youngest, 1), &old_extras[2]);
	assert_null(uarch_extra_row(&youngest, 2));
}

static void test_events_of_parents(void **state)
{
	const unsigned l1d = PERF_COUNT_HW_CACHE_L1D, ll = PERF_COUNT_HW_CACHE_LL;
	const unsigned read = PERF_COUNT_HW_CACHE_OP_READ, write = PERF_COUNT_HW_CACHE_OP_WRITE;

	(void)state;
	assert_int_equal(uarch_generic(&youngest, 0), 0x76);
	assert_int_equal(uarch_generic(&oldest, 1), 0xc0);
	assert_int_equal(uarch_generic(&youngest, 1), 0);
	assert_int_equal(uarch_generic(&youngest, 2), 0x78);
	assert_int_equal(uarch_generic(&youngest, 3), 0);
	assert_int_equal(uarch_generic(&youngest, PERF_COUNT_HW_MAX), 0);
	/* A row is whole: no part of it is the parent's. */
	assert_int_equal(uarch_cache(&oldest, l1d, read, 1), 0x12);
	assert_int_equal(uarch_cache(&youngest, l1d, read, 0), 0x21);
	assert_int_equal(uarch_cache(&youngest, l1d, read, 1), 0);
	assert_int_equal(uarch_cache(&youngest, l1d, write, 1), 0x14);
	assert_int_equal(uarch_cache(&youngest, ll, read, 0), 0);
	assert_int_equal(uarch_cache(&youngest, l1d, read, PERF_COUNT_HW_CACHE_RESULT_MAX), 0);
	assert_int_equal(uarch_cache(&youngest, PERF_COUNT_HW_CACHE_MAX, read, 0), 0);
}

static void test_numbers_of_parents(void **state)
{
	(void)state;
	assert_int_equal(uarch_general(&oldest, true), 4);
	assert_int_equal(uarch_general(&youngest, false), 8);
	assert_int_equal(uarch_general(&youngest, true), 0);
	assert_int_equal(uarch_machine_counters(&youngest, true), 0xff);
	assert_int_equal(UARCH_WITH(&middle, width)->width, 40);
	assert_int_equal(UARCH_WITH(&youngest, width)->width, 48);
	assert_ptr_equal(UARCH_WITH(&youngest, pebs), &oldest);
}

/* --- Which CPU is which --- */

static struct pmu_caps cpu(enum cpu_vendor vendor, unsigned family, unsigned model)
{
	return (struct pmu_caps){
		.vendor = vendor, .family = (uint16_t)family, .model = (uint16_t)model};
}

static size_t claims(const struct pmu_caps *caps)
{
	size_t n = 0;

	FOR_EACH(u)
	n += uarch_is(u, caps);
	return n;
}

static void check_claims(const struct pmu_caps *caps)
{
	size_t n = claims(caps);

	if (n > 1)
		fail_msg("%u/%x/%x, core %x, native %x: %zu rows claim it", caps->family,
			 caps->model, caps->stepping, caps->core_type, caps->native_model, n);
	assert_int_equal(n == 0, !strcmp(uarch_find(caps)->name, "generic"));
}

static void test_every_cpu_is_one(void **state)
{
	static const uint8_t cores[] = {0, UARCH_ATOM, UARCH_CORE};

	(void)state;
	for (unsigned v = CPU_VENDOR_INTEL; v <= CPU_VENDOR_AMD; v++)
		for (unsigned family = 5; family < 0x1c; family++)
			for (unsigned model = 0; model < 256; model++)
				for (unsigned k = 0; k < 3 * 4 * 16; k++) {
					struct pmu_caps caps = cpu(v, family, model);

					caps.core_type = cores[k % 3];
					caps.native_model = k / 3 % 4;
					caps.stepping = (uint8_t)(k / 12);
					if (k && v == CPU_VENDOR_AMD)
						break;
					check_claims(&caps);
				}
}

static void test_cpus(void **state)
{
	static const struct {
		enum cpu_vendor vendor;
		uint16_t family, model;
		uint8_t stepping, core, native;
		const char *name;
	} cpus[] = {
#define I CPU_VENDOR_INTEL, 6
#define A CPU_VENDOR_AMD
		{I, 0x1a, 5, 0, 0, "nehalem"},
		{I, 0x1e, 5, 0, 0, "nehalem"},
		{I, 0x2e, 6, 0, 0, "nehalemex"},
		{I, 0x25, 5, 0, 0, "westmere"},
		{I, 0x2c, 2, 0, 0, "westmere"},
		{I, 0x2f, 2, 0, 0, "westmereex"},
		{I, 0x2a, 7, 0, 0, "sandybridge"},
		{I, 0x2d, 7, 0, 0, "sandybridgex"},
		{I, 0x3a, 9, 0, 0, "ivybridge"},
		{I, 0x3e, 4, 0, 0, "ivybridgex"},
		{I, 0x3c, 3, 0, 0, "haswell"},
		{I, 0x45, 1, 0, 0, "haswell"},
		{I, 0x3f, 2, 0, 0, "haswellx"},
		{I, 0x3d, 4, 0, 0, "broadwell"},
		{I, 0x4f, 1, 0, 0, "broadwellx"},
		{I, 0x56, 3, 0, 0, "broadwellde"},
		{I, 0x5e, 3, 0, 0, "skylake"},
		{I, 0x9e, 10, 0, 0, "skylake"},
		{I, 0xa5, 2, 0, 0, "skylake"},
		{I, 0x55, 4, 0, 0, "skylakex"},
		{I, 0x55, 5, 0, 0, "cascadelakex"},
		{I, 0x55, 15, 0, 0, "cascadelakex"},
		{I, 0x7e, 5, 0, 0, "icelake"},
		{I, 0xa7, 1, 0, 0, "icelake"},
		{I, 0x6a, 6, 0, 0, "icelakex"},
		{I, 0x8c, 1, 0, 0, "tigerlake"},
		{I, 0x97, 2, UARCH_CORE, 1, "goldencove"},
		{I, 0x97, 2, UARCH_ATOM, 1, "gracemont"},
		{I, 0x97, 5, 0, 0, "goldencove"},
		{I, 0xb7, 1, UARCH_ATOM, 1, "gracemont"},
		{I, 0xbe, 0, UARCH_ATOM, 1, "gracemont"},
		{I, 0xbe, 0, 0, 0, "gracemont"},
		{I, 0x8f, 8, UARCH_CORE, 1, "sapphirerapids"},
		{I, 0xcf, 2, 0, 0, "emeraldrapids"},
		{I, 0xad, 1, 0, 0, "graniterapids"},
		{I, 0xae, 1, 0, 0, "graniterapids"},
		{I, 0xaa, 4, UARCH_CORE, 2, "redwoodcove"},
		{I, 0xaa, 4, UARCH_ATOM, 2, "crestmont"},
		{I, 0xbd, 1, UARCH_CORE, 3, "lioncove"},
		{I, 0xbd, 1, UARCH_ATOM, 3, "skymont"},
		{I, 0xc5, 2, UARCH_ATOM, 3, "skymont"},
		{I, 0xc5, 2, UARCH_ATOM, 2, "crestmont"},
		{I, 0xc5, 2, UARCH_ATOM, 0, "generic"},
		{I, 0xc6, 2, UARCH_CORE, 3, "lioncove"},
		{I, 0xaf, 3, UARCH_ATOM, 2, "sierraforest"},
		{I, 0xb6, 0, UARCH_ATOM, 2, "grandridge"},
		{I, 0x37, 8, 0, 0, "silvermont"},
		{I, 0x5c, 9, 0, 0, "goldmont"},
		{I, 0x7a, 1, 0, 0, "goldmontplus"},
		{I, 0x96, 1, 0, 0, "tremont"},
		{I, 0xcc, 1, UARCH_CORE, 0, "cougarcove"},
		{I, 0xcc, 1, UARCH_ATOM, 0, "darkmont"},
		{I, 0xdd, 1, UARCH_ATOM, 0, "clearwaterforest"},
		{I, 0x57, 1, 0, 0, "knightslanding"},
		{I, 0x0f, 6, 0, 0, "generic"},
		{CPU_VENDOR_INTEL, 15, 4, 1, 0, 0, "generic"},
		{A, 6, 8, 1, 0, 0, "k7"},
		{A, 0xf, 0x43, 1, 0, 0, "k8"},
		{A, 0x10, 2, 3, 0, 0, "fam10h"},
		{A, 0x11, 3, 1, 0, 0, "fam10h"},
		{A, 0x12, 1, 0, 0, 0, "fam10h"},
		{A, 0x14, 2, 0, 0, 0, "fam10h"},
		{A, 0x15, 1, 2, 0, 0, "fam15h"},
		{A, 0x15, 0x60, 1, 0, 0, "fam15h"},
		{A, 0x16, 0, 1, 0, 0, "fam16h"},
		{A, 0x17, 1, 1, 0, 0, "zen1"},
		{A, 0x17, 0x18, 1, 0, 0, "zen1"},
		{A, 0x17, 0x31, 0, 0, 0, "zen2"},
		{A, 0x17, 0x71, 0, 0, 0, "zen2"},
		{A, 0x19, 1, 1, 0, 0, "zen3"},
		{A, 0x19, 0x21, 0, 0, 0, "zen3"},
		{A, 0x19, 0x50, 0, 0, 0, "zen3"},
		{A, 0x19, 0x11, 1, 0, 0, "zen4"},
		{A, 0x19, 0x61, 2, 0, 0, "zen4"},
		{A, 0x19, 0xa0, 2, 0, 0, "zen4"},
		{A, 0x1a, 0x02, 1, 0, 0, "zen5"},
		{A, 0x1a, 0x44, 0, 0, 0, "zen5"},
		{A, 0x1b, 0, 0, 0, 0, "generic"},
		{A, 0x19, 0x90, 0, 0, 0, "generic"},
#undef I
#undef A
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(cpus); i++) {
		struct pmu_caps caps = cpu(cpus[i].vendor, cpus[i].family, cpus[i].model);
		const char *name;

		caps.stepping = cpus[i].stepping;
		caps.core_type = cpus[i].core;
		caps.native_model = cpus[i].native;
		name = uarch_find(&caps)->name;
		if (strcmp(name, cpus[i].name))
			fail_msg("%x/%x is %s, not %s", caps.family, caps.model, name,
				 cpus[i].name);
	}
	/* The vendor decides, not the numbers alone. */
	assert_ptr_equal(uarch_find(&(struct pmu_caps){
				 .vendor = CPU_VENDOR_AMD, .family = 6, .model = 0x3c}),
			 uarch_by_name("k7"));
	assert_ptr_equal(uarch_find(&(struct pmu_caps){
				 .vendor = CPU_VENDOR_OTHER, .family = 6, .model = 0x3c}),
			 &uarch_intel_generic);
}

/* --- Names --- */

static void test_names(void **state)
{
	static const char *const names[][2] = {
		{"hsw", "haswell"},
		{"HSW", "haswell"},
		{"Haswell", "haswell"},
		{"skl", "skylake"},
		{"skx", "skylakex"},
		{"clx", "cascadelakex"},
		{"icl", "icelake"},
		{"rocketlake", "icelake"},
		{"jaketown", "sandybridgex"},
		{"alderlake_goldencove", "goldencove"},
		{"adl_e", "gracemont"},
		{"adl", "goldencove"},
		{"mtl-p", "redwoodcove"},
		{"westmereep-dp", "westmere"},
		{"snowridgex", "tremont"},
		{"bobcat", "fam10h"},
		{"zen", "zen1"},
		{"zen4", "zen4"},
	};
	static const char *const none[] = {
		"", " ", "hs", "hswx", "hsw ", "hsw hsx", "generic", "p4", "haswell haswellx"};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(names); i++) {
		const struct uarch *u = uarch_by_name(names[i][0]);

		if (!u || strcmp(u->name, names[i][1]))
			fail_msg("'%s' is %s", names[i][0], u ? u->name : "nothing");
	}
	for (size_t i = 0; i < UARCH_COUNT(none); i++)
		if (uarch_by_name(none[i]))
			fail_msg("'%s' is %s", none[i], uarch_by_name(none[i])->name);
}

/* Each name and each alias leads back: nothing is named twice. */
static void test_names_are_unique(void **state)
{
	(void)state;
	FOR_EACH(u)
	{
		char words[256], *rest = words, *word;

		snprintf(words, sizeof(words), "%s %s", u->name, u->aliases);
		while ((word = strtok_r(rest, " ", &rest)))
			if (uarch_by_name(word) != u)
				fail_msg("'%s' of %s is also %s'", word, u->name,
					 uarch_by_name(word)->name);
	}
}

static bool libpfm_has(const char *name)
{
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof(info)};

		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS && !strcmp(info.name, name))
			return true;
	}
	return false;
}

static void test_libpfm_names(void **state)
{
	(void)state;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	FOR_EACH(u)
	if (*u->pfm && !libpfm_has(u->pfm))
		fail_msg("%s: libpfm4 has no '%s'", u->name, u->pfm);
}

/* --- Facts by hand --- */

#define F(n) UARCH_FIXED(n)

static void test_machines(void **state)
{
	static const struct {
		const char *name;
		uint64_t ht_on, ht_off, pebs;
		uint8_t width;
	} rows[] = {
		{"nhm", 0x70000000f, 0x70000000f, 0xf, 48},
		{"wsm", 0x70000000f, 0x70000000f, 0xf, 48},
		{"snb", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"ivb", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"hsw", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"bdw", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"skl", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"clx", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"icl", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"tgl", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"spr", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"gnr", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"lnl_p", 0xf000003ff, 0xf000003ff, 0xf000003ff, 48},
		{"lnl_e", 0x77000000ff, 0x77000000ff, 0x77000000ff, 48},
		{"adl_e", 0x70000003f, 0x70000003f, 0x70000003f, 48},
		{"mtl_e", 0x7000000ff, 0x7000000ff, 0x7000000ff, 48},
		{"ptl_p", 0xf000003ff, 0xf000003ff, 0xf000003ff, 48},
		{"cwf", 0x77000000ff, 0x77000000ff, 0x77000000ff, 48},
		{"slm", 0x700000003, 0x700000003, 0x1, 40},
		{"knl", 0x700000003, 0x700000003, 0x1, 40},
		{"glm", 0x70000000f, 0x70000000f, 0x1, 48},
		{"glp", 0x70000000f, 0x70000000f, 0x70000000f, 48},
		{"tnt", 0x70000000f, 0x70000000f, 0x70000000f, 48},
		{"k8", 0xf, 0xf, 0, 48},
		{"fam10h", 0xf, 0xf, 0, 48},
		{"fam15h", 0x3f, 0x3f, 0, 48},
		{"fam16h", 0xf, 0xf, 0, 48},
		{"zen1", 0x3f, 0x3f, 0, 48},
		{"zen5", 0x3f, 0x3f, 0, 48},
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);

		assert_non_null(u);
		if (uarch_machine_counters(u, true) != rows[i].ht_on ||
		    uarch_machine_counters(u, false) != rows[i].ht_off)
			fail_msg("%s: counters", u->name);
		assert_true((UARCH_WITH(u, pebs)->pebs & rows[i].ht_off) == rows[i].pebs);
		assert_int_equal(UARCH_WITH(u, width)->width, rows[i].width);
	}
}

struct fact {
	const char *name;
	uint64_t select, counters; /* of the machine with hyper-threading off */
};

static const struct fact facts[] = {
	/* Fixed counters, and the plain event only. */
	{"hsw", UARCH_SELECT(0xc0, 0), F(0) | 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_CMASK(1), 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | EVTSEL_EDGE, 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | EVTSEL_ANY, F(0) | 0xff},
	{"hsw", UARCH_SELECT(0x3c, 0), F(1) | 0xff},
	{"hsw", UARCH_SELECT(0, 1), F(0)},
	{"hsw", UARCH_SELECT(0, 2) | EVTSEL_ANY, F(1)},
	{"hsw", UARCH_SELECT(0, 3), F(2)},
	{"hsw", UARCH_SELECT(0, 4), 0},
	{"hsw", UARCH_SELECT(0, 8), 0},
	{"icl", UARCH_SELECT(0, 4), F(3)},
	{"lnl_e", UARCH_SELECT(0, 4), 0},
	{"lnl_e", UARCH_SELECT(0, 5), F(4)},
	{"lnl_e", UARCH_SELECT(0, 7), F(6)},
	{"lnl_e", UARCH_SELECT(0xc2, 2), F(6) | 0xff},
	{"lnl_p", UARCH_SELECT(0, 5), 0},
	{"lnl_p", UARCH_SELECT(0xc0, 0), F(0) | 0x3ff},
	{"skl", UARCH_SELECT(0x3c, 1), 0xff},
	{"adl_p", UARCH_SELECT(0x3c, 1), F(2) | 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_IN_TX, 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_IN_TXCP, 0x4},
	{"skx", UARCH_SELECT(0x3c, 0) | UARCH_IN_TX | UARCH_IN_TXCP, 0x4},
	/* Nehalem, Westmere. */
	{"nhm", UARCH_SELECT(0x0b, 0x10), 0x8},
	{"nhm", UARCH_SELECT(0x0b, 0x01), 0xf},
	{"nhm", UARCH_SELECT(0x40, 0x01), 0x3},
	{"nhm", UARCH_SELECT(0x51, 0x01), 0x3},
	{"nhm", UARCH_SELECT(0xb7, 0x01), 0x4},
	{"wsm", UARCH_SELECT(0x40, 0x01), 0xf},
	{"wsm", UARCH_SELECT(0x60, 0x01), 0x1},
	{"wsm", UARCH_SELECT(0xb3, 0x04), 0x1},
	{"wsm", UARCH_SELECT(0xb7, 0x01), 0xf},
	{"westmereex", UARCH_SELECT(0xb7, 0x01), 0x4},
	/* Sandy Bridge to Broadwell. */
	{"snb", UARCH_SELECT(0x48, 0x01), 0x4},
	{"snb", UARCH_SELECT(0xa3, 0x02), 0x4},
	{"snb", UARCH_SELECT(0xa3, 0x04), 0xf},
	{"snb", UARCH_SELECT(0xa3, 0x06), 0x4},
	{"snb", UARCH_SELECT(0xc0, 0x01), 0x2},
	{"snb", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"snb", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"ivb", UARCH_SELECT(0x48, 0x01), 0x4},
	{"ivb", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"ivb", UARCH_SELECT(0xa3, 0x0c), 0x4},
	{"ivb", UARCH_SELECT(0x79, 0x02), 0xf},
	{"hsw", UARCH_SELECT(0x48, 0x01), 0x4},
	{"hsw", UARCH_SELECT(0x48, 0x02), 0xff},
	{"hsw", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"hsw", UARCH_SELECT(0xa3, 0x0c), 0x4},
	{"hsw", UARCH_SELECT(0xa3, 0x04), 0xf},
	{"hsw", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"hsw", UARCH_SELECT(0xd1, 0x55), 0xf},
	{"hsw", UARCH_SELECT(0x08, 0x0e), 0xff},
	{"bdw", UARCH_SELECT(0x48, 0x01), 0x4},
	{"bdw", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"bdw", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"bdw", UARCH_SELECT(0xd2, 0x01), 0xf},
	/* Skylake to Sunny Cove. */
	{"skl", UARCH_SELECT(0x48, 0x01), 0xff},
	{"skl", UARCH_SELECT(0xa3, 0x0c), 0xff},
	{"skl", UARCH_SELECT(0xc0, 0x01), 0x2},
	{"skl", UARCH_SELECT(0xc0, 0x01) | EVTSEL_INV | UARCH_CMASK(10), 0xd},
	{"skl", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"skx", UARCH_SELECT(0xc6, 0x01), 0xf},
	{"clx", UARCH_SELECT(0xcd, 0x01), 0xf},
	{"skl", UARCH_SELECT(0x49, 0x0e), 0xff},
	{"icl", UARCH_SELECT(0x08, 0x0e), 0xf},
	{"icl", UARCH_SELECT(0x49, 0x02), 0xf},
	{"icl", UARCH_SELECT(0x85, 0x0e), 0xf},
	{"icl", UARCH_SELECT(0xc4, 0x00), 0xff},
	{"icx", UARCH_SELECT(0xd1, 0x01), 0xf},
	{"tgl", UARCH_SELECT(0xd1, 0x01), 0xf},
	/* Golden Cove and later. */
	{"spr", UARCH_SELECT(0xcd, 0x01), 0xfe},
	{"spr", UARCH_SELECT(0xcd, 0x02), 0x1},
	{"spr", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"adl_p", UARCH_SELECT(0xa3, 0x06), 0xf},
	{"gnr", UARCH_SELECT(0xcd, 0x01), 0xfe},
	{"lnl_p", UARCH_SELECT(0xcd, 0x01), 0x3fc},
	{"lnl_p", UARCH_SELECT(0x2a, 0x01), 0x3ff},
	{"spr", UARCH_SELECT(0x2b, 0x01), 0xf},
	/* The small cores. */
	{"adl_e", UARCH_SELECT(0xd0, 0x05), 0x3},
	{"adl_e", UARCH_SELECT(0xd0, 0x06), 0x3f},
	{"srf", UARCH_SELECT(0xd0, 0x05), 0x3},
	{"mtl_e", UARCH_SELECT(0xd1, 0x01), 0xff},
	{"slm", UARCH_SELECT(0xb7, 0x01), 0x3},
	{"slm", UARCH_SELECT(0x3c, 0x01), 0x3},
	{"glm", UARCH_SELECT(0xd1, 0x01), 0xf},
	{"tnt", UARCH_SELECT(0x3c, 0x01), F(2) | 0xf},
	/* AMD: classes of family 15h, the northbridge, pairs. */
	{"k7", UARCH_AMD_SELECT(0x0e0, 0), 0xf},
	{"k8", UARCH_AMD_SELECT(0x0e0, 1), 0xf},
	{"fam10h", UARCH_AMD_SELECT(0x4e1, 1), 0xf},
	{"fam16h", UARCH_AMD_SELECT(0x0e0, 1), 0},
	{"fam15h", UARCH_AMD_SELECT(0x0e0, 1), 0},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x07), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x70), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x77), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x003, 0xff), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x004, 0x04), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x004, 0x06), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x005, 0x0f), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x023, 0x01), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x02d, 0x00), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x02e, 0x00), 0x09},
	{"fam15h", UARCH_AMD_SELECT(0x031, 0x10), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x031, 0x11), 0},
	{"fam15h", UARCH_AMD_SELECT(0x040, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x076, 0x00), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x07d, 0x07), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x08f, 0x00), 0x01},
	{"fam15h", UARCH_AMD_SELECT(0x0a0, 0x00), 0},
	{"fam15h", UARCH_AMD_SELECT(0x0c0, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x1c0, 0x00), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x0db, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x0d0, 0x00), 0x07},
	{"zen1", UARCH_AMD_SELECT(0x003, 0x08), 0x15},
	{"zen4", UARCH_AMD_SELECT(0x003, 0x08), 0x15},
	{"zen3", UARCH_AMD_SELECT(0x0c0, 0x00), 0x3f},
	{"zen5", UARCH_AMD_SELECT(0x076, 0x00), 0x3f},
};

static void test_facts(void **state)
{
	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(facts); i++) {
		const struct uarch *u = uarch_by_name(facts[i].name);
		uint64_t got;

		assert_non_null(u);
		got = uarch_counters(u, facts[i].select) & uarch_machine_counters(u, false);
		if (got != facts[i].counters)
			fail_msg("%s: 0x%llx counts on 0x%llx, not 0x%llx", u->name,
				 (unsigned long long)facts[i].select, (unsigned long long)got,
				 (unsigned long long)facts[i].counters);
	}
}

/*
 * The emulated PMU has its own tables, made from the manuals once more: an event must count on
 * every counter on which it may be put here.
 */
static void test_emulated_pmu_agrees(void **state)
{
	size_t n, compared = 0;
	const struct vpmu_uarch *list = vpmu_uarch_list(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct uarch *u = uarch_by_name(list[i].name);

		assert_non_null(u);
		for (size_t k = 0; k < list[i].nevents; k++) {
			const struct vpmu_event *e = &list[i].events[k];
			uint64_t select = UARCH_AMD_SELECT(e->code, (uint64_t)e->umask) |
					  UARCH_CMASK(e->cmask) | (e->inv ? EVTSEL_INV : 0);
			uint64_t mine = uarch_counters(u, select) &
					uarch_machine_counters(u, false) & UARCH_GENERAL;

			compared++;
			if (mine & ~(uint64_t)e->counters)
				fail_msg("%s: %s is on 0x%llx here, on 0x%x there", u->name,
					 e->name, (unsigned long long)mine, e->counters);
		}
	}
	assert_true(compared > 100);
}

/* What Linux took for true, and when. */
static void test_versions(void **state)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint32_t version;
		uint64_t counters;
	} rows[] = {
		{"hsw", UARCH_SELECT(0xa3, 0x01), UARCH_LINUX(3, 19), 0x4},
		{"hsw", UARCH_SELECT(0xa3, 0x04), UARCH_LINUX_RC(4, 0, 6), 0x4},
		{"hsw", UARCH_SELECT(0xa3, 0x04), UARCH_LINUX_RC(4, 0, 7), 0xf},
		{"hsw", UARCH_SELECT(0xa3, 0x01), UARCH_LINUX(4, 0), 0xff},
		{"bdw", UARCH_SELECT(0xa3, 0x0c), UARCH_LINUX(4, 2), 0x4},
		{"bdw", UARCH_SELECT(0xa3, 0x05), UARCH_LINUX_RC(4, 3, 3), 0x4},
		{"bdw", UARCH_SELECT(0xa3, 0x05), UARCH_LINUX_RC(4, 3, 4), 0xf},
		{"bdw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX_RC(4, 7, 6), 0xff},
		{"bdw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX_RC(4, 7, 7), 0xf},
		{"bdw", UARCH_SELECT(0xcd, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"skl", UARCH_SELECT(0xc6, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"skl", UARCH_SELECT(0xc6, 0x01), UARCH_LINUX(4, 7), 0xf},
		{"skl", UARCH_SELECT(0xd2, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"hsw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX(3, 10), 0xf},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX(3, 14), F(2)},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX_RC(3, 15, 6), F(2)},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX(3, 15), 0x3},
	};

	(void)state;
	assert_true(UARCH_LINUX_RC(4, 1, 1) < UARCH_LINUX_RC(4, 1, 7));
	assert_true(UARCH_LINUX_RC(4, 1, 7) < UARCH_LINUX(4, 1));
	assert_true(UARCH_LINUX(4, 1) < UARCH_LINUX_RC(4, 2, 1));
	assert_true(UARCH_LINUX(4, 19) < UARCH_LINUX(5, 0) && UARCH_LINUX(5, 3) < UARCH_NOW);
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);
		const struct uarch_constraint *row =
			uarch_constraint(u, rows[i].select, rows[i].version);
		uint64_t got =
			(row ? row->counters : UARCH_GENERAL) & uarch_machine_counters(u, false);

		if (got != rows[i].counters)
			fail_msg("row %zu: %s: 0x%llx, not 0x%llx", i, u->name,
				 (unsigned long long)got, (unsigned long long)rows[i].counters);
	}
}

/* What PEBS can record before it can record all, and what stands for generic events. */
static void test_precise(void **state)
{
	const uint64_t inv = EVTSEL_INV;
	static const uint64_t none = UINT64_MAX;
	const struct {
		const char *name;
		uint64_t select, precise;
	} rows[] = {
		{"hsw", UARCH_SELECT(0xc0, 0x00), UARCH_SELECT(0xc0, 0x01)},
		{"hsw", UARCH_SELECT(0x3c, 0x00), UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(16) | inv},
		{"skx", UARCH_SELECT(0x3c, 0x00), UARCH_SELECT(0xc0, 0x01) | UARCH_CMASK(10) | inv},
		{"skx", UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc4, 0x04)},
		{"bdx", UARCH_SELECT(0xc5, 0x00), UARCH_SELECT(0xc5, 0x04)},
		{"clx", UARCH_SELECT(0xd1, 0x80), UARCH_SELECT(0xd1, 0x80)},
		{"skx", UARCH_SELECT(0xd1, 0x80), none},
		{"skl", UARCH_SELECT(0xc0, 0x00) | UARCH_CMASK(1), none},
		{"hsw", UARCH_SELECT(0x2e, 0x41), none},
		{"icl", UARCH_SELECT(0xc0, 0x00), none}, /* all can be: no table */
		{"zen4", UARCH_SELECT(0xc0, 0x00), none},
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		uint64_t select = rows[i].select;
		bool can = uarch_precise(uarch_by_name(rows[i].name), &select);

		if (can != (rows[i].precise != none) || (can && select != rows[i].precise))
			fail_msg("row %zu: %d, 0x%llx", i, can, (unsigned long long)select);
	}
}

static void test_flags(void **state)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint8_t flags;
	} rows[] = {
		{"snb", UARCH_SELECT(0xc0, 0x01), UARCH_PEBS_ONLY | UARCH_ALONE},
		{"hsw", UARCH_SELECT(0xc0, 0x01), UARCH_PEBS_ONLY},
		{"hsw", UARCH_SELECT(0xd0, 0x81), 0},
		{"fam15h", UARCH_AMD_SELECT(0x02e, 0), UARCH_OVERLAP},
		{"fam15h", UARCH_AMD_SELECT(0x02d, 0), 0},
		{"fam10h", UARCH_AMD_SELECT(0x0e0, 7), UARCH_SHARED_NB},
		{"k8", UARCH_AMD_SELECT(0x0ff, 7), UARCH_SHARED_NB},
		{"zen2", UARCH_AMD_SELECT(0x003, 7), UARCH_PAIR},
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch_constraint *row =
			uarch_constraint(uarch_by_name(rows[i].name), rows[i].select, UARCH_NOW);

		assert_non_null(row);
		assert_int_equal(row->flags, rows[i].flags);
	}
	assert_null(
		uarch_constraint(uarch_by_name("fam10h"), UARCH_AMD_SELECT(0x0c0, 0), UARCH_NOW));
}

/* --- Registers and errata --- */

static void test_registers(void **state)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint32_t msr;
		uint64_t valid;
		bool shared;
		uint64_t alternative;
	} rows[] = {
		{"nhm", UARCH_SELECT(0xb7, 1), 0x1a6, 0xffff, true, 0},
		{"wsm", UARCH_SELECT(0xb7, 1), 0x1a6, 0xffff, true, UARCH_SELECT(0xbb, 1)},
		{"nhm", UARCH_SELECT(0x0b, 0x10), 0x3f6, 0xffff, true, 0},
		{"ivb", UARCH_SELECT(0xb7, 1), 0x1a6, 0x3f807f8fff, false, UARCH_SELECT(0xbb, 1)},
		{"ivb", UARCH_SELECT(0xbb, 1), 0x1a7, 0x3f807f8fff, false, UARCH_SELECT(0xb7, 1)},
		{"hsx", UARCH_SELECT(0xbb, 1), 0x1a7, 0x3fffff8fff, false, UARCH_SELECT(0xb7, 1)},
		{"hsw", UARCH_SELECT(0xcd, 1), 0x3f6, 0xffff, false, 0},
		{"skl", UARCH_SELECT(0xc6, 1), 0x3f7, 0x7fff17, false, 0},
		{"spr", UARCH_SELECT(0x2a, 1), 0x1a6, 0x3fffffffff, false, UARCH_SELECT(0x2b, 1)},
		{"spr", UARCH_SELECT(0xad, 0x40), 0x3f7, 0x7, false, 0},
		{"gnr", UARCH_SELECT(0xc6, 3), 0x3f7, 0x7fff1f, false, 0},
		{"slm", UARCH_SELECT(0xb7, 2), 0x1a7, 0x368005ffff, false, UARCH_SELECT(0xb7, 1)},
		{"adl_e", UARCH_SELECT(0xd0, 5), 0x3f6, 0xffff, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);
		const struct uarch_extra *x = uarch_extra(u, rows[i].select);

		assert_non_null(x);
		assert_int_equal(x->msr, rows[i].msr);
		assert_true(x->valid == rows[i].valid);
		assert_int_equal(x->shared, rows[i].shared);
		assert_true(x->alternative == rows[i].alternative);
	}
	assert_null(uarch_extra(uarch_by_name("hsw"), UARCH_SELECT(0xc0, 0)));
	assert_null(uarch_extra(uarch_by_name("nhm"), UARCH_SELECT(0xbb, 1)));
	assert_null(uarch_extra(uarch_by_name("zen4"), UARCH_SELECT(0xb7, 1)));
}

/* The rest of the select survives the change of register. */
static void test_alternative_keeps_the_rest(void **state)
{
	uint64_t select = UARCH_SELECT(0xb7, 1) | EVTSEL_EDGE | UARCH_CMASK(3);

	(void)state;
	assert_non_null(uarch_alternative(uarch_by_name("hsw"), &select));
	assert_true(select == (UARCH_SELECT(0xbb, 1) | EVTSEL_EDGE | UARCH_CMASK(3)));
	select = UARCH_SELECT(0xcd, 1);
	assert_null(uarch_alternative(uarch_by_name("hsw"), &select));
	assert_true(select == UARCH_SELECT(0xcd, 1));
}

static bool has_trouble(const char *name, enum uarch_trouble trouble, uint64_t select,
			uint32_t version)
{
	return uarch_erratum(uarch_by_name(name), trouble, select, version) != NULL;
}

static void test_errata(void **state)
{
	static const char *const leaky[] = {"snb", "snbx", "ivb", "ivbx", "hsw", "hsx"};
	static const char *const tight[] = {"nhm", "wsm", "bdw", "skl",
					    "icl", "spr", "slm", "zen4"};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(leaky); i++) {
		for (uint64_t code = 0xcc; code < 0xd8; code++)
			assert_int_equal(has_trouble(leaky[i], UARCH_HT_EXCLUSIVE,
						     UARCH_SELECT(code, 0x81), UARCH_NOW),
					 code >= 0xd0 && code <= 0xd3);
		assert_true(has_trouble(leaky[i], UARCH_HT_LIMIT, 0xc0, UARCH_NOW));
		assert_false(has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_NOW));
		assert_false(has_trouble(leaky[i], UARCH_HT_EXCLUSIVE, 0xd0, UARCH_LINUX(4, 0)));
		assert_true(
			has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_LINUX_RC(4, 1, 6)));
		assert_false(has_trouble(leaky[i], UARCH_HT_LIMIT, 0xc0, UARCH_LINUX_RC(4, 1, 6)));
		assert_false(
			has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_LINUX_RC(4, 1, 7)));
	}
	for (size_t i = 0; i < UARCH_COUNT(tight); i++)
		assert_false(has_trouble(tight[i], UARCH_HT_EXCLUSIVE, 0xd0, UARCH_NOW));

	/* Forbidden on Ivy Bridge for two years. */
	assert_true(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX_RC(3, 10, 1)));
	assert_true(has_trouble("ivbx", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(4, 0)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(3, 9)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX_RC(4, 1, 1)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xc0, UARCH_LINUX(4, 0)));
	assert_false(has_trouble("hsw", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(4, 0)));

	assert_int_equal(
		uarch_erratum(uarch_by_name("skx"), UARCH_TSX_TAKES, 0, UARCH_NOW)->counters, 0x8);
	assert_false(has_trouble("skl", UARCH_TSX_TAKES, 0, UARCH_LINUX(5, 0)));
	assert_true(has_trouble("skl", UARCH_TSX_TAKES, 0, UARCH_LINUX_RC(5, 1, 1)));
	assert_false(has_trouble("icl", UARCH_TSX_TAKES, 0, UARCH_NOW));
}

static void test_generic_ids(void **state)
{
	static const struct {
		const char *name;
		unsigned id;
		uint64_t select;
	} rows[] = {
		{"hsw", PERF_COUNT_HW_CPU_CYCLES, 0x003c},
		{"hsw", PERF_COUNT_HW_CACHE_REFERENCES, 0x4f2e},
		{"hsw", PERF_COUNT_HW_REF_CPU_CYCLES, 0x0300},
		{"hsw", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0},
		{"snb", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x180010e},
		{"snb", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x18001b1},
		{"nhm", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x1803fb1},
		{"ivb", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0},
		{"k7", PERF_COUNT_HW_CACHE_MISSES, 0x0041},
		{"fam10h", PERF_COUNT_HW_CACHE_MISSES, 0x077e},
		{"fam15h", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x00d1},
		{"zen1", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x0287},
		{"zen2", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x00a9},
		{"zen2", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0},
		{"zen4", PERF_COUNT_HW_REF_CPU_CYCLES, 0x100000120},
		{"zen3", PERF_COUNT_HW_REF_CPU_CYCLES, 0},
	};

	(void)state;
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		uint64_t got = uarch_generic(uarch_by_name(rows[i].name), rows[i].id);

		if (got != rows[i].select)
			fail_msg("%s: event %u is 0x%llx", rows[i].name, rows[i].id,
				 (unsigned long long)got);
	}
}

static void test_sources(void **state)
{
	(void)state;
	for (uint8_t s = 0; s < UARCH_NSOURCES; s++)
		assert_true(*uarch_source_name(s));
	assert_string_equal(uarch_source_name(UARCH_NSOURCES), "nobody");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_row_is_shadowed),
		cmocka_unit_test(test_every_row_is_found),
		cmocka_unit_test(test_rows_are_whole),
		cmocka_unit_test(test_rows_say_something),
		cmocka_unit_test(test_overlap_flags),
		cmocka_unit_test(test_machines_are_whole),
		cmocka_unit_test(test_generic_events_have_counters),
		cmocka_unit_test(test_pairs_are_alone),
		cmocka_unit_test(test_extras),
		cmocka_unit_test(test_parents),
		cmocka_unit_test(test_no_row_is_the_parents),
		cmocka_unit_test(test_no_row_is_there_twice),
		cmocka_unit_test(test_no_number_is_the_parents),
		cmocka_unit_test(test_rows_of_parents),
		cmocka_unit_test(test_registers_of_parents),
		cmocka_unit_test(test_events_of_parents),
		cmocka_unit_test(test_numbers_of_parents),
		cmocka_unit_test(test_every_cpu_is_one),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_are_unique),
		cmocka_unit_test(test_libpfm_names),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_emulated_pmu_agrees),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_precise),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_alternative_keeps_the_rest),
		cmocka_unit_test(test_errata),
		cmocka_unit_test(test_generic_ids),
		cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
