// SPDX-License-Identifier: BSD-2-Clause
/* maps.c - see maps.h. */
#include "tools/out/maps.h"

#include <stddef.h>

static size_t count_ranges(const struct buf *level)
{
	return level->size / sizeof(struct map_range);
}

static void emit_range(struct buf *out, const struct map_range *range)
{
	buf_add(out, range, sizeof(*range));
}

/* Emits the part of `range` that ends before `end`. */
static void emit_before(struct buf *out, const struct map_range *range, uint64_t end)
{
	struct map_range piece = *range;

	if (piece.start >= end)
		return;
	piece.last = end - 1;
	emit_range(out, &piece);
}

/* Removes the part of `range` up to `last`, which is below the range's own last address. */
static void cut_front(struct map_range *range, uint64_t last)
{
	range->offset += last + 1 - range->start;
	range->start = last + 1;
}

static bool is_before(const struct map_range *a, const struct map_range *b)
{
	return a->pid != b->pid ? a->pid < b->pid : a->last < b->start;
}

static bool reaches_range(const struct map_range *a, const struct map_range *b)
{
	return a->pid == b->pid && a->start <= b->last;
}

/*
 * Emits the newer ranges that begin and end inside of `old`, and the parts of `old` around them. A
 * newer range that reaches the end of `old` may cover more, so it comes next. Returns its number.
 */
static size_t cover_range(struct buf *out, struct map_range old, const struct map_range *newer,
			  size_t at, size_t n)
{
	for (; at < n && reaches_range(&newer[at], &old); at++) {
		emit_before(out, &old, newer[at].start);
		if (newer[at].last >= old.last)
			return at;
		emit_range(out, &newer[at]);
		cut_front(&old, newer[at].last);
	}
	emit_range(out, &old);
	return at;
}

/* Merges both lists in linear time. */
static struct buf merge_levels(const struct buf *newer, const struct buf *older)
{
	const struct map_range *a = (const void *)newer->data, *b = (const void *)older->data;
	size_t n = count_ranges(newer), at = 0;
	struct buf out = {0};

	for (size_t i = 0; i < count_ranges(older); i++) {
		while (at < n && is_before(&a[at], &b[i]))
			emit_range(&out, &a[at++]);
		at = cover_range(&out, b[i], a, at, n);
	}
	while (at < n)
		emit_range(&out, &a[at++]);
	return out;
}

void maps_add(struct maps *maps, const struct map_range *range)
{
	struct buf newest = {0};
	unsigned i;

	emit_range(&newest, range);
	for (i = 0; i + 1 < MAPS_LEVELS && maps->levels[i].size; i++) {
		struct buf both = merge_levels(&newest, &maps->levels[i]);

		buf_free(&newest);
		buf_free(&maps->levels[i]);
		newest = both;
	}
	maps->levels[i] = newest;
}

/* Returns the last range that begins at or before the address, if it contains the address. */
static const struct map_range *find_in_level(const struct buf *level, uint32_t pid,
					     uint64_t address)
{
	const struct map_range *ranges = (const void *)level->data, *at;
	size_t low = 0, high = count_ranges(level);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		at = &ranges[middle];
		if (at->pid < pid || (at->pid == pid && at->start <= address))
			low = middle + 1;
		else
			high = middle;
	}
	at = low ? &ranges[low - 1] : NULL;
	return at && at->pid == pid && address <= at->last ? at : NULL;
}

const struct map_range *maps_find(const struct maps *maps, uint32_t pid, uint64_t address)
{
	const struct map_range *found = NULL;

	for (unsigned i = 0; i < MAPS_LEVELS && !found; i++)
		found = find_in_level(&maps->levels[i], pid, address);
	return found;
}

void maps_free(struct maps *maps)
{
	for (unsigned i = 0; i < MAPS_LEVELS; i++)
		buf_free(&maps->levels[i]);
}
