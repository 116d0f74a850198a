// SPDX-License-Identifier: BSD-2-Clause
/* areas.c - see areas.h. */
#include "linux/portable/areas.h"

#include "lib/string.h"
#include "rt/base/heap.h"
#include "linux/portable/mapped.h"

#include <linux/errno.h>

#define ROOM_FIRST 16

unsigned areas_after(const struct areas *areas, uint64_t address)
{
	unsigned low = 0, high = areas->n;

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (areas->area[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool is_in(const struct areas *areas, unsigned i, uint64_t address)
{
	return i < areas->n && areas->area[i].start <= address && address < areas->area[i].end;
}

struct area *areas_at(struct areas *areas, uint64_t address)
{
	if (!is_in(areas, areas->last, address))
		areas->last = areas_after(areas, address);
	return is_in(areas, areas->last, address) ? &areas->area[areas->last] : NULL;
}

bool areas_free(const struct areas *areas, uint64_t start, uint64_t end)
{
	const unsigned i = areas_after(areas, start);

	return i == areas->n || areas->area[i].start >= end;
}

/* Makes room for `more` additional areas. */
static int reserve_areas(struct areas *areas, unsigned more)
{
	unsigned room = areas->room ? areas->room : ROOM_FIRST;
	struct area *larger;

	if (areas->n + more > AREAS_MOST)
		return -ENOMEM;
	while (room < areas->n + more)
		room *= 2;
	if (room == areas->room)
		return 0;
	larger = heap_alloc(room * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	if (areas->n)
		memcpy(larger, areas->area, areas->n * sizeof(*larger));
	heap_free(areas->area);
	areas->area = larger;
	areas->room = room;
	return 0;
}

static void open_slot(struct areas *areas, unsigned i)
{
	memmove(&areas->area[i + 1], &areas->area[i], (areas->n - i) * sizeof(areas->area[0]));
	areas->n++;
}

static void close_slots(struct areas *areas, unsigned i, unsigned n)
{
	memmove(&areas->area[i], &areas->area[i + n], (areas->n - i - n) * sizeof(areas->area[0]));
	areas->n -= n;
}

/* Are both alike and adjacent? */
static bool continues_area(const struct area *a, const struct area *b)
{
	return a->end == b->start && a->prot == b->prot && a->flags == b->flags &&
	       a->from == b->from && (!a->from || a->offset + (a->end - a->start) == b->offset);
}

/* Joins area `i` with the one before, if possible. */
static bool join_before(struct areas *areas, unsigned i)
{
	struct area *a = areas->area;

	if (!i || i >= areas->n || !continues_area(&a[i - 1], &a[i]))
		return false;
	a[i - 1].end = a[i].end;
	mapped_put(a[i].from);
	close_slots(areas, i, 1);
	return true;
}

int areas_add(struct areas *areas, const struct area *area)
{
	unsigned i = areas_after(areas, area->start);
	const int err = reserve_areas(areas, 1);

	if (err)
		return err;
	open_slot(areas, i);
	areas->area[i] = *area;
	areas->bytes += area->end - area->start;
	if (areas->bytes > areas->bytes_most)
		areas->bytes_most = areas->bytes;
	join_before(areas, i + 1);
	join_before(areas, i);
	return 0;
}

/* Splits the area at `address`, if it is within one. There is room. */
static void split_area(struct areas *areas, uint64_t address)
{
	const unsigned i = areas_after(areas, address);
	struct area *a;

	if (i == areas->n || areas->area[i].start >= address)
		return;
	open_slot(areas, i);
	a = &areas->area[i];
	mapped_get(a->from);
	a[0].end = a[1].start = address;
	a[1].offset += a->from ? address - a[0].start : 0;
}

/* Splits areas at both ends; -ENOMEM. */
static int split_range(struct areas *areas, uint64_t start, uint64_t end)
{
	const int err = reserve_areas(areas, 2);

	if (err)
		return err;
	split_area(areas, start);
	split_area(areas, end);
	return 0;
}

/* Joins areas of [from, to] where possible. */
static void join_range(struct areas *areas, unsigned from, unsigned to)
{
	for (unsigned i = to + 1; i-- > from;)
		join_before(areas, i);
}

int areas_cut(struct areas *areas, uint64_t start, uint64_t end,
	      void (*drop)(const struct area *piece, void *arg), void *arg)
{
	unsigned first, last;

	if (areas_free(areas, start, end))
		return 0;
	if (split_range(areas, start, end))
		return -ENOMEM;
	first = last = areas_after(areas, start);
	for (; last < areas->n && areas->area[last].start < end; last++) {
		const struct area *a = &areas->area[last];

		areas->bytes -= a->end - a->start;
		if (drop)
			drop(a, arg);
		else
			mapped_put(a->from);
	}
	close_slots(areas, first, last - first);
	return 0;
}

int areas_change(struct areas *areas, uint64_t start, uint64_t end,
		 void (*change)(struct area *piece, void *arg), void *arg)
{
	uint64_t at = start;
	unsigned first, i;

	if (split_range(areas, start, end))
		return -ENOMEM;
	first = i = areas_after(areas, start);
	for (; i < areas->n && areas->area[i].start < end; i++) {
		at = areas->area[i].start == at ? areas->area[i].end : at;
		change(&areas->area[i], arg);
	}
	join_range(areas, first, i);
	return at == end ? 0 : -ENOMEM;
}

static uint64_t highest_fit(uint64_t low, uint64_t high, uint64_t bytes, uint64_t align)
{
	uint64_t at;

	if (high < low || high - low < bytes)
		return 0;
	at = (high - bytes) & ~(align - 1);
	return at >= low ? at : 0;
}

uint64_t areas_gap(const struct areas *areas, uint64_t bytes, uint64_t align, uint64_t low,
		   uint64_t high)
{
	unsigned i = areas_after(areas, high - 1);

	if (i < areas->n && areas->area[i].start < high)
		high = areas->area[i].start;
	for (;;) {
		const uint64_t below = i ? areas->area[i - 1].end : 0,
			       at = highest_fit(below > low ? below : low, high, bytes, align);

		if (at || !i || below <= low)
			return at;
		high = areas->area[--i].start;
	}
}

int areas_copy(struct areas *to, const struct areas *from)
{
	const int err = reserve_areas(to, from->n);

	if (err)
		return err;
	for (unsigned i = 0; i < from->n; i++) {
		to->area[i] = from->area[i];
		mapped_get(to->area[i].from);
	}
	to->n = from->n;
	to->bytes = to->bytes_most = from->bytes;
	return 0;
}

void areas_forget(struct areas *areas)
{
	for (unsigned i = 0; i < areas->n; i++)
		mapped_put(areas->area[i].from);
	heap_free(areas->area);
	*areas = (struct areas){0};
}
