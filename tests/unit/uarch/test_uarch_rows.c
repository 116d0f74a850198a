// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_rows.c - each row of pmu/uarch/ can be reached, fits its machine and states its
 * source.
 */
#include "tests/unit/uarch/uarch_rows.h"

#include "tests/unit/test.h"

static bool shadows(const struct uarch_constraint *first, const struct uarch_constraint *row)
{
	return (first->mask & ~row->mask) == 0 && (row->match & first->mask) == first->match &&
	       first->since <= row->since &&
	       (!first->until || (row->until && row->until <= first->until));
}

TEST(test_no_row_is_shadowed)
{
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

/* Finds an event select for the row: tries all values of the bits that the row leaves open. */
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

TEST(test_every_row_is_found)
{
	FOR_EACH(u)
	for (size_t i = 0; uarch_constraint_row(u, i); i++) {
		const struct uarch_constraint *row = uarch_constraint_row(u, i);
		uint32_t version = row->until ? row->until - 1 : UARCH_NOW;

		if (!reaches(u, row, version))
			fail_msg("%s: no event leads to '%s'", u->name, row->name);
	}
}

TEST(test_rows_are_whole)
{
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

/* A row that allows all general counters must be an exception from a later row. */
TEST(test_rows_say_something)
{
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

/* Overlap follows from the masks: the test computes it, and compares it with the table. */
TEST(test_overlap_flags)
{
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
			/* Linux marks pairs that another event's choice can exclude. Intel's masks
			 * are nested. */
			if (row->flags & UARCH_OVERLAP)
				assert_true(overlaps);
			else if (u->vendor == CPU_VENDOR_AMD && overlaps)
				fail_msg("%s: '%s' overlaps and does not say so", u->name,
					 row->name);
		}
	}
}

TEST(test_machines_are_whole)
{
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
		/* AMD's CPUs have no registers except the filter of branch records. */
		assert_int_equal(intel, uarch_extra_row(u, 0) != NULL &&
						uarch_extra_row(u, 0)->reg != UARCH_LBR_SELECT);
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

static uint64_t cache_value(const struct uarch *u, unsigned i)
{
	const unsigned results = PERF_COUNT_HW_CACHE_RESULT_MAX, ops = PERF_COUNT_HW_CACHE_OP_MAX;

	return uarch_cache_value(u, i / results / ops, i / results % ops, i % results);
}

/* The register can hold the value of each cache event. */
TEST(test_values_of_cache_events)
{
	unsigned n = 0;

	FOR_EACH(u)
	{
		for (unsigned i = 0; i < CACHE_EVENTS; i++) {
			const struct uarch_extra *extra = uarch_extra(u, cache_event(u, i));
			const uint64_t value = cache_value(u, i);

			n += !!value;
			if (!!extra != !!value || (extra && value & ~extra->valid))
				fail_msg("%s: cache event %u: register %s, value 0x%llx", u->name,
					 i, extra ? extra->name : "none",
					 (unsigned long long)value);
		}
	}
	assert_true(n > 100);
}

/* Generic events can be counted on the machine with hyper-threading. */
TEST(test_generic_events_have_counters)
{
	static const unsigned always[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
					  PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES};

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

/* Pairs fit because all other events can use any counter. */
TEST(test_pairs_are_alone)
{
	unsigned pairs = 0;

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

TEST(test_extras)
{
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
		/* Another register, and back again. */
		other = uarch_alternative(u, &select);
		assert_int_equal(!other, !x->alternative);
		if (!other)
			continue;
		assert_true(other->msr != x->msr && other->reg != x->reg);
		assert_ptr_equal(uarch_alternative(u, &select), x);
		assert_true(select == x->match);
		/* The event counts on the same counters in both cases. */
		assert_true(uarch_counters(u, x->match) == uarch_counters(u, x->alternative));
	}
}
