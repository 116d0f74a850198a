// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_event_tables.c - tables of events as differences to their parents: a table states nothing
 * twice, does not repeat its parent, and removes only existing rows.
 */
#include "vpmu/model/event_table.h"
#include "vpmu/model/model.h"

#include "tests/unit/test.h"

static struct vpmu_rows rows;

/* Calls `check` for the table of each personality, and for all of its parents. */
static void each_table(void (*check)(const struct vpmu_event_table *table))
{
	size_t n;
	const struct vpmu_uarch *const *const uarchs = vpmu_uarch_list(&n);

	assert_true(n > 40);
	for (size_t i = 0; i < n; i++)
		for (const struct vpmu_event_table *t = uarchs[i]->events; t; t = t->parent)
			check(t);
}

static bool same_key(const struct vpmu_event *a, const struct vpmu_event *b)
{
	return a->code == b->code && a->umask == b->umask && a->cmask == b->cmask &&
	       a->inv == b->inv && a->edge == b->edge;
}

/* Returns the row of `table` or its parents with the key of `event`; NULL: none, or it is removed.
 */
static const struct vpmu_event *row_of(const struct vpmu_event_table *table,
				       const struct vpmu_event *event)
{
	vpmu_rows_init(&rows, table);
	for (unsigned i = 0; i < rows.nrows; i++)
		if (same_key(rows.row[i], event))
			return rows.row[i]->counters ? rows.row[i] : NULL;
	return NULL;
}

static void check_stated_once(const struct vpmu_event_table *table)
{
	for (unsigned i = 0; i < table->nrows; i++)
		for (unsigned j = 0; j < i; j++)
			assert_false(same_key(&table->rows[i], &table->rows[j]));
}

static void check_differs(const struct vpmu_event_table *table)
{
	for (unsigned i = 0; i < table->nrows; i++) {
		const struct vpmu_event *event = &table->rows[i];
		const struct vpmu_event *before = row_of(table->parent, event);

		if (!event->counters)
			assert_non_null(before);
		else if (before)
			assert_memory_not_equal(event, before, sizeof(*event));
	}
}

static void check_is_found(const struct vpmu_event_table *table)
{
	for (unsigned i = 0; i < table->nrows; i++)
		assert_ptr_equal(row_of(table, &table->rows[i]),
				 table->rows[i].counters ? &table->rows[i] : NULL);
	assert_true(rows.nrows < VPMU_MAX_EVENTS);
}

/* Every row is once in the list of its code's low byte. */
static void check_lists(const struct vpmu_event_table *table)
{
	unsigned n = 0;

	vpmu_rows_init(&rows, table);
	for (unsigned code = 0; code < 256; code++)
		for (uint16_t k = rows.first[code]; k != VPMU_NO_ROW; k = rows.next[k], n++)
			assert_int_equal(rows.row[k]->code & 0xff, code);
	assert_int_equal(n, rows.nrows);
}

static struct vpmu_event event_of(uint16_t number)
{
	return (struct vpmu_event){.code = number & 0xff, .umask = (uint8_t)(number >> 8)};
}

static void check_numbers(const struct vpmu_event_table *table, const uint16_t *list, size_t n,
			  bool precise)
{
	for (size_t i = 0; i < n; i++) {
		const struct vpmu_event event = event_of(list[i]);

		assert_true(!i || list[i - 1] < list[i]);
		assert_int_equal(vpmu_table_is_precise(table, &event), precise);
		assert_int_equal(vpmu_table_is_precise(table->parent, &event), !precise);
	}
}

static void check_precise(const struct vpmu_event_table *table)
{
	check_numbers(table, table->precise, table->nprecise, true);
	check_numbers(table, table->imprecise, table->nimprecise, false);
}

TEST(test_rows_are_stated_once)
{
	each_table(check_stated_once);
}

TEST(test_rows_differ_from_the_parents)
{
	each_table(check_differs);
}

TEST(test_rows_are_found)
{
	each_table(check_is_found);
	each_table(check_lists);
}

TEST(test_precise_events)
{
	each_table(check_precise);
}

/* Cascade Lake has all events of Skylake's server, which has the events of its parent, the client.
 */
TEST(test_parents_are_followed)
{
	const struct vpmu_event uops = {.code = 0x0e, .umask = 0x01};

	assert_ptr_equal(vpmu_table_skylakex.parent, &vpmu_table_skylake);
	assert_non_null(row_of(&vpmu_table_cascadelakex, &uops));
	vpmu_rows_init(&rows, &vpmu_table_cascadelakex);
	assert_true(rows.nrows > vpmu_table_cascadelakex.nrows + vpmu_table_skylakex.nrows);
}
