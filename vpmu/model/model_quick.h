/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_quick.h - the registers that can be read and written without that the model is brought up
 * to date before, or anything follows: counters, where it is known how much was executed since the
 * last vpmu_model_advance(); registers that are what was written; and counters that are off.
 *
 * Only while vpmu_model_is_plain(), and for less than VPMU_PLAIN_MOST instructions. The accesses
 * themselves are vpmu/svm/vmrun.S and quick.c there; here are the tables by which they find a
 * register.
 */
#ifndef VPMU_MODEL_MODEL_QUICK_H
#define VPMU_MODEL_MODEL_QUICK_H

#include "vpmu/model/model.h"
#include "vpmu/model/quick_layout.h"

#define VPMU_PLAIN_MOST (1u << 24)

/* Nothing depends on what is executed but counters, none of which wraps around by so much. */
bool vpmu_model_is_plain(const struct vpmu_model *m);

/*
 * What is read, with `n` instructions executed in `ring` since vpmu_model_advance():
 *
 *	*value + (counter->rest + n * counter->each[ring]) / counter->den
 *
 * A register that does not count has a counter that stands still. Value NULL: it is not quick.
 */
struct vpmu_quick_read {
	const uint64_t *value;
	const struct vpmu_counter *counter;
};

enum vpmu_quick_kind {
	VPMU_QUICK_NONE,
	VPMU_QUICK_COUNTER,
	VPMU_QUICK_COUNTER_32, /* what is written is 32 bits, which are extended by their sign */
	VPMU_QUICK_STATUS_RESET,
};

struct vpmu_quick_write {
	enum vpmu_quick_kind kind;
	struct vpmu_counter *counter;
};

#define VPMU_RDPMC_FIXED 0x40000000u /* in ECX: from here on fixed counters */

/* By an MSR, and by what RDPMC has in ECX. */
struct vpmu_quick_read vpmu_model_quick_rdmsr(struct vpmu_model *m, uint32_t msr);
struct vpmu_quick_write vpmu_model_quick_wrmsr(struct vpmu_model *m, uint32_t msr);
struct vpmu_quick_read vpmu_model_quick_rdpmc(struct vpmu_model *m, uint32_t ecx);

/* --- Tables of them --- */

/* Where register `number`, an MSR or an ECX, has its place. */
static inline unsigned vpmu_quick_place(uint32_t number)
{
	return number * VPMU_QUICK_FACTOR >> (32 - VPMU_QUICK_BITS);
}

/* An array for each member: so no address takes a multiplication. */
struct vpmu_quick_reads {
	uint32_t number[VPMU_QUICK_PLACES]; /* of the register whose place it is */
	const uint64_t *value[VPMU_QUICK_PLACES];
	const struct vpmu_counter *counter[VPMU_QUICK_PLACES];
};

struct vpmu_quick_writes {
	uint32_t number[VPMU_QUICK_PLACES];
	struct vpmu_counter *counter[VPMU_QUICK_PLACES];
};

struct vpmu_quick_registers {
	struct vpmu_quick_reads rdmsr, rdpmc;
	struct vpmu_quick_writes wrmsr, wrmsr_32; /* VPMU_QUICK_COUNTER, VPMU_QUICK_COUNTER_32 */
	uint32_t status_reset;                    /* the MSR that does that; 0: there is none */
};

#define LAYOUT_OFFSET(type, member, offset) \
	_Static_assert(offsetof(struct type, member) == (offset), "quick_layout.h disagrees")
LAYOUT_OFFSET(vpmu_counter, value, COUNTER_VALUE);
LAYOUT_OFFSET(vpmu_counter, rest, COUNTER_REST);
LAYOUT_OFFSET(vpmu_counter, written, COUNTER_WRITTEN);
LAYOUT_OFFSET(vpmu_counter, each, COUNTER_EACH);
LAYOUT_OFFSET(vpmu_counter, den, COUNTER_DEN);
LAYOUT_OFFSET(vpmu_quick_reads, number, READS_NUMBER);
LAYOUT_OFFSET(vpmu_quick_reads, value, READS_VALUE);
LAYOUT_OFFSET(vpmu_quick_reads, counter, READS_COUNTER);
LAYOUT_OFFSET(vpmu_quick_writes, number, WRITES_NUMBER);
LAYOUT_OFFSET(vpmu_quick_writes, counter, WRITES_COUNTER);
LAYOUT_OFFSET(vpmu_quick_registers, rdmsr, REGISTERS_RDMSR);
LAYOUT_OFFSET(vpmu_quick_registers, rdpmc, REGISTERS_RDPMC);
LAYOUT_OFFSET(vpmu_quick_registers, wrmsr, REGISTERS_WRMSR);
LAYOUT_OFFSET(vpmu_quick_registers, wrmsr_32, REGISTERS_WRMSR_32);
#undef LAYOUT_OFFSET
_Static_assert((uint64_t)COUNTER_STILL == VPMU_COUNTER_STILL, "quick_layout.h disagrees");

/*
 * vpmu_quick_registers_init() - there are none. vpmu_quick_add_msr(), vpmu_quick_add_rdpmc():
 * `msr`, or that counter, is there as far as it is quick. What they tell of lies in `m`.
 */
void vpmu_quick_registers_init(struct vpmu_quick_registers *registers);
void vpmu_quick_add_msr(struct vpmu_quick_registers *registers, struct vpmu_model *m, uint32_t msr);
void vpmu_quick_add_rdpmc(struct vpmu_quick_registers *registers, struct vpmu_model *m,
			  uint32_t ecx);

/* `msr` is quick when it is read, or written. */
bool vpmu_quick_reads_msr(const struct vpmu_quick_registers *registers, uint32_t msr);
bool vpmu_quick_writes_msr(const struct vpmu_quick_registers *registers, uint32_t msr);

/* --- Writes --- */

static inline void vpmu_counter_set(struct vpmu_counter *c, uint64_t value)
{
	c->value = c->written = value;
}

/*
 * vpmu_quick_reset() - `v` to `msr`. False: it is not the register that resets the status, or more
 * follows from it than that overflows are forgotten.
 */
bool vpmu_quick_reset(const struct vpmu_quick_registers *registers, struct vpmu_model *m,
		      uint32_t msr, uint64_t v);

#endif
