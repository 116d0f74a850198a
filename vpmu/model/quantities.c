// SPDX-License-Identifier: BSD-2-Clause
/* quantities.c - the macros that the rows of quantities.h use. */
#include "vpmu/model/quantities.h"

#define RATIO(src, n, d) .source = (src), .num = (n), .den = (d)
#define INSNS(n, d)      RATIO(VPMU_SRC_INSTRUCTIONS, n, d)
#define CYCLES(n, d)     RATIO(VPMU_SRC_CYCLES, n, d)
#define REF_CYCLES(n, d) RATIO(VPMU_SRC_REF_CYCLES, n, d)
#define SLOTS(n, d)      RATIO(VPMU_SRC_SLOTS, n, d)

#define RATIO_L1       INSNS(1, 80)
#define RATIO_L2       INSNS(1, 400)
#define RATIO_LLC      INSNS(1, 2000)
#define RATIO_WALKS    INSNS(1, 4000)
#define RATIO_WALKS_4K INSNS(1, 5000)
#define RATIO_STLB     INSNS(1, 1000)

/* The sum of counts that replaces a ratio. */
#define PLUS(count)  (EVENTS_##count + 1)
#define MINUS(count) (-(EVENTS_##count + 1))
#define SUM(...)     .sum.term = {__VA_ARGS__}
#define MOST(n)      .sum.most = (n)
/* Cycles; the slots of that many cycles; slots, converted to cycles. */
#define TIME(...)      SUM(__VA_ARGS__), MOST(VPMU_MOST_CYCLES)
#define LOST(...)      SUM(__VA_ARGS__), MOST(VPMU_MOST_SLOTS)
#define SLOT_TIME(...) SUM(__VA_ARGS__), MOST(VPMU_MOST_SLOTS), .sum.unit = VPMU_PER_WIDTH
/* Requests for lines: of an access, of prefetches, of code, and of walks for them. */
#define REQUESTS(...) SUM(__VA_ARGS__), MOST(28)
/* Each event is an instruction, and a multiply-add counts twice. */
#define FP_OF(...) INSNS(1, 50), SUM(__VA_ARGS__), MOST(2)

#define QUANTITY(name, ...) [VPMU_COUNTS_##name] = {__VA_ARGS__},

const struct vpmu_quantity vpmu_quantities[VPMU_COUNTS_NUMBERS] = {VPMU_QUANTITIES(QUANTITY)};
