// SPDX-License-Identifier: BSD-2-Clause
/* profile_times.c - see profile_times.h. The plugin's lock protects what translation writes. */
#include "vpmu/plugin/profile_times.h"

#include "vpmu/plugin/profile_pieces.h"

#define BUCKETS (1u << 17)

static uint32_t bucket[BUCKETS]; /* number of the first entry plus 1 */

bool times_are_wanted(void)
{
	return profile_file() && profile_file()->header.wants_times;
}

static struct profile_time *find_time(uint32_t first, uint64_t va, uint64_t address,
				      uint32_t object)
{
	struct profile_time *times = profile_file()->time;

	for (uint32_t i = first; i; i = times[i - 1].next)
		if (times[i - 1].va == va && times[i - 1].address == address &&
		    times[i - 1].object == object)
			return &times[i - 1];
	return NULL;
}

struct profile_time *times_of(size_t insn, uint64_t va)
{
	uint32_t *first = &bucket[va * 0x9e3779b97f4a7c15 >> 40 & (BUCKETS - 1)];
	struct profile_header *h;
	struct profile_time *found;
	uint64_t address;
	uint32_t object;

	if (!times_are_wanted() || !profile_takes(va))
		return NULL;
	h = &profile_file()->header;
	object = profile_object_of(insn, &address);
	found = find_time(*first, va, address, object);
	if (found)
		return found;
	if (h->ntimes == PROFILE_TIMES_MOST) {
		profile_is_full();
		return NULL;
	}
	found = &profile_file()->time[h->ntimes];
	*found = (struct profile_time){
		.va = va, .address = address, .object = object, .next = *first};
	*first = ++h->ntimes;
	return found;
}
