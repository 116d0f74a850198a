// SPDX-License-Identifier: BSD-2-Clause
/* timeline.c - see timeline.h. */
#include "tools/timeline.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct timeline_entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void timeline_make(struct timeline *timeline, const struct stream_command *command,
		   const struct record_format *format)
{
	struct stream_cursor cursor = {0};
	struct timeline_entry next = {0};

	*timeline = (struct timeline){0};
	while ((next.record = stream_next_record(command, &cursor))) {
		uint64_t time;

		if (record_time(format, next.record, &time))
			next.time = time;
		buf_add(&timeline->sorted, &next, sizeof(next));
		next.order++;
	}
	timeline->n = next.order;
	if (timeline->n)
		qsort(timeline->sorted.data, timeline->n, sizeof(next), compare);
	timeline->entries = (const void *)timeline->sorted.data;
}

void timeline_free(struct timeline *timeline)
{
	buf_free(&timeline->sorted);
	*timeline = (struct timeline){0};
}
