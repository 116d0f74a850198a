/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * extra.h - registers that some events need beside their counter: off-core responses to count, the
 * threshold of a load latency. Two events with equal values share a register. With different values
 * they cannot count at the same time, unless two registers serve.
 *
 * Numbers only, no hardware; any context. The caller numbers the registers. pmu_extras_fit() is
 * exact if at most two registers serve an event, and events with equal values have the same choice.
 */
#ifndef PMU_SCHED_EXTRA_H
#define PMU_SCHED_EXTRA_H

#include <stdbool.h>
#include <stdint.h>

#define PMU_EXTRAS   7 /* number of registers */
#define PMU_NO_EXTRA 0xff

/* The need of an event. */
struct pmu_extra {
	uint64_t value;
	uint8_t registers; /* mask of the registers that serve; 0: none is needed */
	uint8_t reg;       /* the one to try first: its own, or the last one used */
};

/* The values in the registers. All zeros: no register is in use. */
struct pmu_extras {
	uint8_t held;                  /* mask of the registers in use */
	uint8_t registers[PMU_EXTRAS]; /* mask of the registers that could also hold this value */
	uint64_t value[PMU_EXTRAS];
};

/* pmu_extras_hold() - marks `reg` as in use with `value`, which cannot move. */
void pmu_extras_hold(struct pmu_extras *x, unsigned reg, uint64_t value);

/*
 * pmu_extras_take() - policy perf: takes the register need->reg, else any other that serves, if it
 * is free or has the value. Values in registers do not move. Returns the register. PMU_NO_EXTRA:
 * none is available, and `x` is unchanged.
 */
unsigned pmu_extras_take(struct pmu_extras *x, const struct pmu_extra *need);

/*
 * pmu_extras_fit() - exact: shares registers where possible, and moves other values where
 * necessary. False: impossible, and `x` is unchanged.
 */
bool pmu_extras_fit(struct pmu_extras *x, const struct pmu_extra *need);

/* pmu_extras_find() - the register with the value; PMU_NO_EXTRA: no register that serves has it. */
unsigned pmu_extras_find(const struct pmu_extras *x, const struct pmu_extra *need);

#endif
