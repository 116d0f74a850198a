// SPDX-License-Identifier: BSD-2-Clause
/* hot_times.c - see hot_times.h. */
#include "tools/explain/hot_times.h"

void hot_times_of(struct hot_times *times, const struct profile_file *file,
		  const struct profile *profile, const struct hot_code *hot)
{
	const struct profile_place *first = &profile->place[hot->first],
				   *last = &profile->place[hot->last];

	*times = (struct hot_times){0};
	for (uint32_t i = 0; i < file->header.ntimes; i++) {
		const struct profile_time *t = &file->time[i];

		if (!t->object || &profile->map->object[t->object - 1] != first->object ||
		    t->address < first->address || t->address > last->address)
			continue;
		if (t->width)
			times->width = t->width;
		for (unsigned k = 0; k < PROFILE_TIME_COUNTS; k++)
			times->count[k] += t->count[k];
	}
}
