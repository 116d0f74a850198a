/* SPDX-License-Identifier: BSD-2-Clause */
/* host_insn.S - instructions of the host that C cannot express (host_insn.h). */
#include "vpmu/svm/vcpu/asm_layout.h"

	.text
	/* void vpmu_store_tables(struct vpmu_tables *): GDTR, IDTR, then ES, CS, SS, DS. */
	.globl vpmu_store_tables
	.hidden vpmu_store_tables
vpmu_store_tables:
	sgdt TABLES_GDTR(%rdi)
	sidt TABLES_IDTR(%rdi)
	mov %es, TABLES_SELECTORS(%rdi)
	mov %cs, TABLES_SELECTORS + 2(%rdi)
	mov %ss, TABLES_SELECTORS + 4(%rdi)
	mov %ds, TABLES_SELECTORS + 6(%rdi)
	ret

	/* void vpmu_load_tables(const struct vpmu_tables *): GDTR and IDTR, then all four segments. */
	.globl vpmu_load_tables
	.hidden vpmu_load_tables
vpmu_load_tables:
	lgdt TABLES_GDTR(%rdi)
	lidt TABLES_IDTR(%rdi)
	mov TABLES_SELECTORS(%rdi), %es
	mov TABLES_SELECTORS + 4(%rdi), %ss
	mov TABLES_SELECTORS + 6(%rdi), %ds
	movzwl TABLES_SELECTORS + 2(%rdi), %eax
	push %rax
	lea 1f(%rip), %rax
	push %rax
	lretq
1:	ret

	/* void vpmu_load_idt(const struct vpmu_table *) */
	.globl vpmu_load_idt
	.hidden vpmu_load_idt
vpmu_load_idt:
	lidt (%rdi)
	ret

	/*
	 * void vpmu_ring_bell(void): QEMU's plugin knows the instruction by its bytes and its address
	 * (include/perf0/events_page.h).
	 */
	.globl vpmu_ring_bell
	.hidden vpmu_ring_bell
	.globl vpmu_bell_rings
	.hidden vpmu_bell_rings
vpmu_ring_bell:
vpmu_bell_rings:
	nopl EVENTS_BELL_MARK(%rax,%rax,1)
	ret

	/* void vpmu_clear_gif(void) */
	.globl vpmu_clear_gif
	.hidden vpmu_clear_gif
vpmu_clear_gif:
	clgi
	ret

	/* void vpmu_store_xmms(uint64_t xmm[16][2]) */
	.globl vpmu_store_xmms
	.hidden vpmu_store_xmms
vpmu_store_xmms:
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	movups %xmm\n, \n * 16(%rdi)
	.endr
	ret

	.section .note.GNU-stack, "", @progbits
