/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_quick.h - registers that can be accessed without an update of the model before, and without
 * consequences. These are counters, if it is known how much was executed since the last
 * vpmu_model_advance(); registers that keep what was written; and stopped counters. Valid only
 * while vpmu_model_is_plain(), and for fewer than VPMU_PLAIN_MOST instructions.
 * vpmu/svm/count/vmrun.S and quick_exit.c do the accesses; this file has the tables by which they
 * find a register.
 */
#ifndef VPMU_MODEL_MODEL_QUICK_H
#define VPMU_MODEL_MODEL_QUICK_H

#include "vpmu/model/model.h"
#include "vpmu/model/quick_layout.h"

#define VPMU_PLAIN_MOST (1u << 24)

/* Only counters depend on executed instructions, and none wraps around within VPMU_PLAIN_MOST. */
bool vpmu_model_is_plain(const struct vpmu_model *m);

/*
 * The value after `n` instructions in `ring` since vpmu_model_advance():
 *
 * *value + (counter->rest + n * counter->each[ring]) / counter->den
 *
 * A register that does not count has a stopped counter. Value NULL: the register is not quick.
 */
struct vpmu_quick_read {
	const uint64_t *value;
	const struct vpmu_counter *counter;
};

enum vpmu_quick_kind {
	VPMU_QUICK_NONE,
	VPMU_QUICK_COUNTER,
	VPMU_QUICK_COUNTER_32, /* the written 32 bits are sign-extended */
	VPMU_QUICK_STATUS_RESET,
};

struct vpmu_quick_write {
	enum vpmu_quick_kind kind;
	struct vpmu_counter *counter;
};

#define VPMU_RDPMC_FIXED 0x40000000u /* in ECX: the first fixed counter */

/* By an MSR, and by RDPMC's ECX. */
struct vpmu_quick_read vpmu_model_quick_rdmsr(struct vpmu_model *m, uint32_t msr);
struct vpmu_quick_write vpmu_model_quick_wrmsr(struct vpmu_model *m, uint32_t msr);
struct vpmu_quick_read vpmu_model_quick_rdpmc(struct vpmu_model *m, uint32_t ecx);

/* --- Tables of them --- */

/* The slot of register `number`, an MSR or an ECX. */
static inline unsigned vpmu_quick_place(uint32_t number)
{
	return number * VPMU_QUICK_FACTOR >> (32 - VPMU_QUICK_BITS);
}

/* One array for each member, so that no address needs a multiplication. */
struct vpmu_quick_reads {
	uint32_t number[VPMU_QUICK_PLACES]; /* of the register in this slot */
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
	uint32_t status_reset;                    /* the MSR that resets the status; 0: none */
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

/* vpmu_quick_registers_init() - empties the tables. vpmu_quick_add_msr(), vpmu_quick_add_rdpmc():
 * adds `msr`, or a counter, as far as it is quick. The tables point into `m`. */
void vpmu_quick_registers_init(struct vpmu_quick_registers *registers);
void vpmu_quick_add_msr(struct vpmu_quick_registers *registers, struct vpmu_model *m, uint32_t msr);
void vpmu_quick_add_rdpmc(struct vpmu_quick_registers *registers, struct vpmu_model *m,
			  uint32_t ecx);

/* Reads, or writes, of `msr` are quick. */
bool vpmu_quick_reads_msr(const struct vpmu_quick_registers *registers, uint32_t msr);
bool vpmu_quick_writes_msr(const struct vpmu_quick_registers *registers, uint32_t msr);

/* --- Writes --- */

static inline void vpmu_counter_set(struct vpmu_counter *c, uint64_t value)
{
	c->value = c->written = value;
}

/* vpmu_quick_reset() - writes `v` to `msr`. False, and nothing written: it is not the MSR that
 * resets the status, or the write does more than forget overflows. */
bool vpmu_quick_reset(const struct vpmu_quick_registers *registers, struct vpmu_model *m,
		      uint32_t msr, uint64_t v);

/* vpmu_quick_set() - writes `v` to `msr`, a counter that does not count in `ring`, where the guest
 * is. False, and nothing written: it is another register, it counts there, or `v` does not fit. */
bool vpmu_quick_set(const struct vpmu_quick_registers *registers, const struct vpmu_model *m,
		    enum vpmu_ring ring, uint32_t msr, uint64_t v);

#endif
