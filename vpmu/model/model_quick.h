/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_quick.h - the registers that can be read and written without that the model is brought up
 * to date before, or anything follows: counters, where it is known how much was executed since the
 * last vpmu_model_advance(); registers that are what was written; and counters that are off.
 *
 * Only while vpmu_model_is_plain(), and for less than VPMU_PLAIN_MOST instructions.
 */
#ifndef VPMU_MODEL_MODEL_QUICK_H
#define VPMU_MODEL_MODEL_QUICK_H

#include "vpmu/model/model.h"

#define VPMU_PLAIN_MOST (1u << 24)

/* Nothing depends on what is executed but counters, none of which wraps around by so much. */
bool vpmu_model_is_plain(const struct vpmu_model *m);

enum vpmu_quick_kind {
	VPMU_QUICK_NONE,
	VPMU_QUICK_COUNTER,
	VPMU_QUICK_COUNTER_32, /* what is written is 32 bits, which are extended by their sign */
	VPMU_QUICK_VALUE,
	VPMU_QUICK_STATUS_RESET,
};

/* What an MSR is when it is read, or written. */
struct vpmu_quick_place {
	enum vpmu_quick_kind kind;
	struct vpmu_counter *counter;
	uint64_t *value;
};

struct vpmu_quick_place vpmu_model_quick_rdmsr(struct vpmu_model *m, uint32_t msr);
struct vpmu_quick_place vpmu_model_quick_wrmsr(struct vpmu_model *m, uint32_t msr);

/* vpmu_counter_now() - with `n` instructions executed in `ring` since vpmu_model_advance(). */
static inline uint64_t vpmu_counter_now(const struct vpmu_counter *c, enum vpmu_ring ring,
					uint64_t n)
{
	const uint64_t each = c->each[ring];

	return __builtin_expect(!!each, 1) ? c->value + (c->rest + n * each) / c->den : c->value;
}

/* A counter that only counts is never set so near to its overflow. */
static inline void vpmu_counter_set(const struct vpmu_model *m, struct vpmu_counter *c,
				    uint64_t value)
{
	const uint64_t left = m->counter_mask - value;

	c->value = value;
	c->overflows_soon = left < m->soon;
	c->is_alarm = c->overflows_soon && left >= VPMU_COUNTER_LONG;
}

/* vpmu_quick_write_counter() - false: it is on, or `v` is not what it takes. */
static inline bool vpmu_quick_write_counter(const struct vpmu_model *m, struct vpmu_counter *c,
					    uint64_t v)
{
	if (c->each[VPMU_OS] | c->each[VPMU_USR] || v > m->counter_mask)
		return false;
	vpmu_counter_set(m, c, v);
	return true;
}

/* vpmu_quick_reset_status() - false: `v` does more than to forget overflows. */
static inline bool vpmu_quick_reset_status(struct vpmu_model *m, uint64_t v)
{
	if (v & ~m->counters)
		return false;
	m->global_status &= ~v;
	return true;
}

#endif
