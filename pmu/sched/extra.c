// SPDX-License-Identifier: BSD-2-Clause
/* extra.c - see extra.h. */
#include "pmu/sched/extra.h"

#include "lib/bits.h"

static bool is_held(const struct pmu_extras *x, unsigned reg)
{
	return x->held >> reg & 1;
}

static void hold_value(struct pmu_extras *x, unsigned reg, uint64_t value, uint8_t registers)
{
	x->held |= (uint8_t)(1u << reg);
	x->registers[reg] = registers;
	x->value[reg] = value;
}

void pmu_extras_hold(struct pmu_extras *x, unsigned reg, uint64_t value)
{
	hold_value(x, reg, value, (uint8_t)(1u << reg));
}

unsigned pmu_extras_find(const struct pmu_extras *x, const struct pmu_extra *need)
{
	for (unsigned left = need->registers & x->held; left; left &= left - 1)
		if (x->value[bits_first(left)] == need->value)
			return bits_first(left);
	return PMU_NO_EXTRA;
}

/* need->reg if it is one of `registers`, else the lowest of these. */
static unsigned prefer_register(unsigned registers, const struct pmu_extra *need)
{
	return registers >> need->reg & 1 ? need->reg : bits_first(registers);
}

unsigned pmu_extras_take(struct pmu_extras *x, const struct pmu_extra *need)
{
	for (unsigned left = need->registers; left;) {
		unsigned reg = prefer_register(left, need);

		if (!is_held(x, reg))
			hold_value(x, reg, need->value, need->registers);
		if (x->value[reg] == need->value)
			return reg;
		left &= ~(1u << reg);
	}
	return PMU_NO_EXTRA;
}

/*
 * Moves the value of one of `registers` to a free register that also serves its event; returns the
 * register that becomes free.
 */
static unsigned free_register(struct pmu_extras *x, unsigned registers)
{
	for (unsigned left = registers; left; left &= left - 1) {
		unsigned reg = bits_first(left), elsewhere = x->registers[reg] & ~x->held;

		if (!elsewhere)
			continue;
		hold_value(x, bits_first(elsewhere), x->value[reg], x->registers[reg]);
		return reg;
	}
	return PMU_NO_EXTRA;
}

bool pmu_extras_fit(struct pmu_extras *x, const struct pmu_extra *need)
{
	unsigned avail = need->registers & ~x->held;
	unsigned reg;

	if (!need->registers || pmu_extras_find(x, need) != PMU_NO_EXTRA)
		return true;
	reg = avail ? prefer_register(avail, need) : free_register(x, need->registers);
	if (reg == PMU_NO_EXTRA)
		return false;
	hold_value(x, reg, need->value, need->registers);
	return true;
}
