// SPDX-License-Identifier: BSD-2-Clause
/* assign.c - see assign.h. */
#include "pmu/assign.h"

#include "pmu/bits.h"

#define FIXED_MASK (UINT64_MAX << 32)

/* Sorts by weight, least first, and keeps the order of equals. */
static void order_by_weight(const uint64_t *masks, unsigned n, uint8_t *order)
{
	uint8_t weight[PMU_COUNTERS];

	for (unsigned i = 0; i < n; i++) {
		unsigned w = bits_count(masks[i]), at = i;

		for (; at > 0 && weight[at - 1] > w; at--) {
			weight[at] = weight[at - 1];
			order[at] = order[at - 1];
		}
		weight[at] = (uint8_t)w;
		order[at] = (uint8_t)i;
	}
}

bool pmu_assign(const uint64_t *masks, unsigned n, uint8_t *index)
{
	uint8_t order[PMU_COUNTERS];
	uint64_t used = 0;

	if (n > PMU_COUNTERS)
		return false;
	order_by_weight(masks, n, order);
	for (unsigned k = 0; k < n; k++) {
		unsigned i = order[k];
		uint64_t free = masks[i] & ~used;

		if (!free)
			return false;
		if (free & FIXED_MASK)
			free &= FIXED_MASK;
		index[i] = (uint8_t)bits_first(free);
		used |= 1ull << index[i];
	}
	return true;
}
