/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * extra.h - the registers that some events need beside their counter: what kinds of off-core
 * response to count, which latency is long. Two events that want the same value share one; with
 * different values they cannot count at the same time, unless either of two registers serves.
 *
 * Numbers only, no hardware; any context. Registers are numbered as the caller likes. The exact
 * way is exact for registers that serve in pairs at most, with the same choice for all events that
 * want the same value.
 */
#ifndef PMU_SCHED_EXTRA_H
#define PMU_SCHED_EXTRA_H

#include <stdbool.h>
#include <stdint.h>

#define PMU_EXTRAS   7 /* registers */
#define PMU_NO_EXTRA 0xff

/* What an event needs. */
struct pmu_extra {
	uint64_t value;
	uint8_t registers; /* mask: any of these will do; 0: it needs none */
	uint8_t reg;       /* of these, the one to try first: its own, or where it was last */
};

/* Which register has which value. All zeroes: no register is in use. */
struct pmu_extras {
	uint8_t held;                  /* mask: registers whose value is needed */
	uint8_t registers[PMU_EXTRAS]; /* where each value could be as well */
	uint64_t value[PMU_EXTRAS];
};

/* pmu_extras_hold() - `reg` is in use with `value`, which must stay in it. */
void pmu_extras_hold(struct pmu_extras *x, unsigned reg, uint64_t value);

/*
 * pmu_extras_take() - policy perf: the register need->reg, else any other that will do, if it is
 * free or has the value. A value that is in a register stays there. Returns the register;
 * PMU_NO_EXTRA: there is none, and `x` is as it was.
 */
unsigned pmu_extras_take(struct pmu_extras *x, const struct pmu_extra *need);

/*
 * pmu_extras_fit() - the exact way: shares where it can, and moves others where it must. False:
 * there is no way; `x` is as it was.
 */
bool pmu_extras_fit(struct pmu_extras *x, const struct pmu_extra *need);

/* pmu_extras_find() - the register with the value; PMU_NO_EXTRA: in none that would do. */
unsigned pmu_extras_find(const struct pmu_extras *x, const struct pmu_extra *need);

#endif
