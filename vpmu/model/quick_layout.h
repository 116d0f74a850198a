/* SPDX-License-Identifier: BSD-2-Clause */
/* quick_layout.h - offsets of model_quick.h's structures and of counters, for
 * vpmu/svm/count/vmrun.S. model_quick.h asserts them. */
#ifndef VPMU_MODEL_QUICK_LAYOUT_H
#define VPMU_MODEL_QUICK_LAYOUT_H

/* struct vpmu_counter */
#define COUNTER_VALUE   0x00
#define COUNTER_REST    0x08
#define COUNTER_WRITTEN 0x10
#define COUNTER_EACH    0x18
#define COUNTER_DEN     0x28
#define COUNTER_STILL   -1 /* VPMU_COUNTER_STILL, in 64 bits */

/*
 * A table has 2^VPMU_QUICK_BITS slots. The slot of a register is the upper bits of its number times
 * VPMU_QUICK_FACTOR, in 32 bits. The factor is chosen so that no two registers of a table share a
 * slot, on any personality.
 */
#define VPMU_QUICK_BITS   6
#define VPMU_QUICK_PLACES (1 << VPMU_QUICK_BITS)
#define VPMU_QUICK_FACTOR 0x63d79b13

/* struct vpmu_quick_reads */
#define READS_NUMBER  0x000
#define READS_VALUE   0x100
#define READS_COUNTER 0x300

/* struct vpmu_quick_writes */
#define WRITES_NUMBER  0x000
#define WRITES_COUNTER 0x100

/* struct vpmu_quick_registers */
#define REGISTERS_RDMSR    0x000
#define REGISTERS_RDPMC    0x500
#define REGISTERS_WRMSR    0xa00
#define REGISTERS_WRMSR_32 0xd00

#endif
