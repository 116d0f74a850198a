/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assign.h - which event goes on which counter: a pure function over masks. It knows no hardware,
 * holds no state and runs in any context.
 */
#ifndef PMU_ASSIGN_H
#define PMU_ASSIGN_H

#include <stdbool.h>
#include <stdint.h>

/* Counters of one PMU: general from bit 0, fixed from bit 32. */
#define PMU_COUNTERS 48

/*
 * pmu_assign() - gives each of `n` events (at most PMU_COUNTERS) one of the counters in its mask,
 * no counter twice; `index[i]` becomes the counter of event i. False when that does not work out;
 * `index` means nothing then.
 *
 * Greedy, as the original is: least choice first, in the order given among equals; a fixed counter
 * before a general one, the lowest first. So it may fail where another order would succeed. O(n^2).
 */
bool pmu_assign(const uint64_t *masks, unsigned n, uint8_t *index);

#endif
