// SPDX-License-Identifier: BSD-2-Clause
/* event_table.c - finds the events of a core: the rows of its table, then those of its parents. */
#include "vpmu/model/event_table.h"

#include "lib/string.h"

static bool has_same_key(const struct vpmu_event *a, const struct vpmu_event *b)
{
	return a->code == b->code && a->umask == b->umask && a->cmask == b->cmask &&
	       a->inv == b->inv && a->edge == b->edge;
}

/* Appends the row to the list of its code, unless a child has a row with the same key. */
static void add_row(struct vpmu_rows *rows, const struct vpmu_event *event)
{
	uint16_t *link = &rows->first[event->code & 0xff];

	for (; *link != VPMU_NO_ROW; link = &rows->next[*link])
		if (has_same_key(rows->row[*link], event))
			return;
	if (rows->nrows == VPMU_MAX_EVENTS)
		return;
	*link = rows->nrows++;
	rows->row[*link] = event;
	rows->next[*link] = VPMU_NO_ROW;
	if (event->counters)
		rows->kinds |= (uint8_t)(1u << event->kinds);
}

void vpmu_rows_init(struct vpmu_rows *rows, const struct vpmu_event_table *table)
{
	memset(rows->first, 0xff, sizeof(rows->first)); /* VPMU_NO_ROW */
	rows->nrows = rows->kinds = 0;
	for (; table; table = table->parent)
		for (size_t i = 0; i < table->nrows; i++)
			add_row(rows, &table->rows[i]);
}

static bool has_number(const uint16_t *list, size_t n, uint16_t number)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return false;
}

bool vpmu_table_is_precise(const struct vpmu_event_table *table, const struct vpmu_event *event)
{
	const uint16_t number = (uint16_t)(event->umask << 8 | event->code);

	for (; table; table = table->parent) {
		if (has_number(table->precise, table->nprecise, number))
			return true;
		if (has_number(table->imprecise, table->nimprecise, number))
			return false;
	}
	return false;
}
