// SPDX-License-Identifier: BSD-2-Clause
/* timeline.c - see timeline.h. */
#include "tools/stream/timeline.h"

#include <string.h>

/* The head of a sorted item, which the record follows. */
struct item {
	uint64_t time, order;
};

static int compare_moments(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void timeline_make(struct timeline *timeline, const struct stream_command *command,
		   const struct record_format *format)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	struct buf bytes = {0};
	struct item item = {0};

	*timeline = (struct timeline){.sorter = {.compare = compare_moments}};
	while ((record = stream_next_record(command, &cursor))) {
		uint64_t time;

		if (record_time(format, record, &time))
			item.time = time;
		bytes.size = 0;
		buf_add(&bytes, &item, sizeof(item));
		buf_add(&bytes, record, record->size);
		sorter_add(&timeline->sorter, bytes.data, bytes.size);
		item.order++;
	}
	stream_cursor_free(&cursor);
	buf_free(&bytes);
}

const struct timeline_entry *timeline_next(struct timeline *timeline)
{
	size_t n;
	const struct item *item = sorter_next(&timeline->sorter, &n);

	if (!item)
		return NULL;
	timeline->entry =
		(struct timeline_entry){item->time, item->order, (const void *)(item + 1)};
	return &timeline->entry;
}

void timeline_free(struct timeline *timeline)
{
	sorter_free(&timeline->sorter);
	*timeline = (struct timeline){0};
}
