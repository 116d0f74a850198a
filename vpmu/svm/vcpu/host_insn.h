/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_insn.h - instructions of the host that C cannot express (host_insn.S): descriptor tables,
 * GIF, the bell of QEMU's plugin, XMM registers.
 */
#ifndef VPMU_SVM_VCPU_HOST_INSN_H
#define VPMU_SVM_VCPU_HOST_INSN_H

#include "vpmu/model/model.h"
#include "vpmu/svm/vcpu/asm_layout.h"

#include <stddef.h>
#include <stdint.h>

/* The operand of LGDT and LIDT. */
struct vpmu_table {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

struct vpmu_tables {
	struct vpmu_table gdtr, idtr;
	uint16_t es, cs, ss, ds;
} __attribute__((packed));
_Static_assert(offsetof(struct vpmu_tables, idtr) == TABLES_IDTR, "asm_layout.h disagrees");
_Static_assert(offsetof(struct vpmu_tables, es) == TABLES_SELECTORS, "asm_layout.h disagrees");

/*
 * vpmu_store_tables() - stores GDTR, IDTR, ES, CS, SS and DS. Any context.
 * vpmu_load_tables() - loads them; CS by a far return. GIF or IF is clear.
 * vpmu_load_idt() - loads IDTR alone. IF is clear.
 */
void vpmu_store_tables(struct vpmu_tables *tables);
void vpmu_load_tables(const struct vpmu_tables *tables);
void vpmu_load_idt(const struct vpmu_table *idtr);

#define VPMU_GATE_TYPE 0x8eull /* present, ring 0, interrupt gate */

/* vpmu_set_gate() - fills a gate of a 64-bit IDT: two words. */
static inline void vpmu_set_gate(uint64_t gate[2], const void *handler, uint16_t cs)
{
	uint64_t to = (uint64_t)handler;

	gate[0] = (to & 0xffff) | (uint64_t)cs << 16 | VPMU_GATE_TYPE << 40 |
		  (to >> 16 & 0xffff) << 48;
	gate[1] = to >> 32;
}

/* vpmu_clear_gif() - CLGI: holds back interrupts, NMIs and INIT. EFER.SVME is set. */
void vpmu_clear_gif(void);

/*
 * vpmu_ring_bell() - executes the instruction that QEMU's plugin knows by its bytes and its address
 * (include/perf0/events_page.h). The plugin then reads and writes this CPU's part of the page.
 */
void vpmu_ring_bell(void);

/* vpmu_store_xmms() - stores XMM0 to XMM15; CR0 and CR4 must allow it. */
void vpmu_store_xmms(uint64_t xmm[VPMU_XMMS][2]);

#endif
