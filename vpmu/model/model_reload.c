// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_reload.c - auto counter reload: the overflow of a counter sets others, or itself, to values
 * of theirs. Intel Architecture Instruction Set Extensions, "Auto Counter Reload"; CPUID leaf 23H,
 * subleaf 2.
 *
 * Each counter that can be reloaded has CFG_B, the counters whose overflow does it, by their bits
 * in GLOBAL_CTRL; and CFG_C, the value, of 32 bits that are sign-extended. A counter that reloads
 * itself has no overflow bit in GLOBAL_STATUS, and its PMI comes where it is enabled. Other
 * counters first count up to the very overflow.
 */
#include "vpmu/model/model_priv.h"

#define RELOAD_VALUE 0xffffffffull

/* Counters that can be reloaded, and can cause it. */
static uint64_t reloadable(const struct vpmu_model *m)
{
	return m->uarch->reloads & m->layout.counters;
}

static bool is_reloadable(const struct vpmu_model *m, unsigned bit)
{
	return reloadable(m) >> bit & 1;
}

static void gather_causes(struct vpmu_model *m)
{
	m->reload.causes = 0;
	for (unsigned bit = 0; bit < VPMU_RELOADS; bit++)
		m->reload.causes |= m->reload.counter[bit].causes;
}

static enum vpmu_access read_causes(const struct vpmu_model *m, unsigned bit, uint64_t *v)
{
	if (!is_reloadable(m, bit))
		return VPMU_GP;
	*v = m->reload.counter[bit].causes;
	return VPMU_DONE;
}

static enum vpmu_access write_causes(struct vpmu_model *m, unsigned bit, uint64_t v)
{
	if (!is_reloadable(m, bit) || v & ~reloadable(m))
		return VPMU_GP;
	m->reload.counter[bit].causes = v;
	gather_causes(m);
	return VPMU_DONE;
}

static enum vpmu_access read_value(const struct vpmu_model *m, unsigned bit, uint64_t *v)
{
	if (!is_reloadable(m, bit))
		return VPMU_GP;
	*v = m->reload.counter[bit].value;
	return VPMU_DONE;
}

static enum vpmu_access write_value(struct vpmu_model *m, unsigned bit, uint64_t v)
{
	if (!is_reloadable(m, bit) || v & ~RELOAD_VALUE)
		return VPMU_GP;
	m->reload.counter[bit].value = (uint32_t)v;
	return VPMU_DONE;
}

enum vpmu_access vpmu_rd_gp_causes(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return read_causes(m, i, v);
}

enum vpmu_access vpmu_wr_gp_causes(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return write_causes(m, i, v);
}

enum vpmu_access vpmu_rd_gp_reload(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return read_value(m, i, v);
}

enum vpmu_access vpmu_wr_gp_reload(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return write_value(m, i, v);
}

enum vpmu_access vpmu_rd_fixed_causes(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return read_causes(m, GLOBAL_FIXED_SHIFT + i, v);
}

enum vpmu_access vpmu_wr_fixed_causes(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return write_causes(m, GLOBAL_FIXED_SHIFT + i, v);
}

enum vpmu_access vpmu_rd_fixed_reload(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return read_value(m, GLOBAL_FIXED_SHIFT + i, v);
}

enum vpmu_access vpmu_wr_fixed_reload(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return write_value(m, GLOBAL_FIXED_SHIFT + i, v);
}

void vpmu_reload_cpuid(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const uint32_t general = (uint32_t)reloadable(m),
		       fixed = (uint32_t)(reloadable(m) >> GLOBAL_FIXED_SHIFT);

	*r = (struct cpuid_regs){.eax = general, .ebx = fixed, .ecx = general, .edx = fixed};
}

bool vpmu_reload_is_own(const struct vpmu_model *m, uint64_t bit)
{
	return m->reload.counter[__builtin_ctzll(bit)].causes & bit;
}

void vpmu_reload_counters(struct vpmu_model *m)
{
	for (uint64_t left = reloadable(m); left; left &= left - 1) {
		const unsigned bit = (unsigned)__builtin_ctzll(left);
		struct vpmu_counter *c = bit < VPMU_MAX_GP
						 ? &m->regs.gp[bit]
						 : &m->regs.fixed[bit - GLOBAL_FIXED_SHIFT];

		if (!(m->reload.counter[bit].causes & m->reload.due))
			continue;
		c->value = (uint64_t)(int64_t)(int32_t)m->reload.counter[bit].value &
			   m->layout.counter_mask;
		c->rest = 0;
	}
	m->reload.due = 0;
}
