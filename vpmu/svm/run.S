/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.S - the loop around the guest's runs.
 *
 *	 vpmu_enter                      vpmu_loop
 *	     |                               |
 *	 save the caller, which wakes    the guest runs, until an exit is not over at once: vmrun.S
 *	 up as guest at `resume`         vpmu_run_slow: save registers
 *	 vpmu_host_enter()               vpmu_exit(): handle it, prepare the next run
 *	     |                               |
 *	     +------------------------------>+--> again
 */
#include "vpmu/svm/run.h"

#define CPU(field) vpmu_cpu + field(%rip)

	.text

	/* void vpmu_enter(void): returns as a guest. */
	.globl vpmu_enter
	.hidden vpmu_enter
vpmu_enter:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	pushfq
	cli
	lea vpmu_vmcb(%rip), %rax
	mov (%rsp), %rcx
	mov %rcx, VMCB_RFLAGS(%rax)
	mov %rsp, VMCB_RSP(%rax)
	lea resume(%rip), %rcx
	mov %rcx, VMCB_RIP(%rax)
	mov %cr3, %rcx
	mov %rcx, VMCB_CR3(%rax)
	lea vpmu_host_stack + HOST_STACK_SIZE(%rip), %rsp
	xor %ebp, %ebp
	call vpmu_host_enter
	.globl vpmu_loop
	.hidden vpmu_loop
vpmu_loop:
	lea vpmu_run_guest(%rip), %rax
load_registers:					/* RAX: where it goes on, in vmrun.S */
	mov CPU(CPU_RBX), %rbx
	mov CPU(CPU_RCX), %rcx
	mov CPU(CPU_RSI), %rsi
	mov CPU(CPU_RDI), %rdi
	mov CPU(CPU_RBP), %rbp
	mov CPU(CPU_R8), %r8
	mov CPU(CPU_R9), %r9
	mov CPU(CPU_R10), %r10
	mov CPU(CPU_R11), %r11
	mov CPU(CPU_R12), %r12
	mov CPU(CPU_R13), %r13
	mov CPU(CPU_R14), %r14
	mov CPU(CPU_R15), %r15
	jmp *%rax

	.globl vpmu_run_slow
	.hidden vpmu_run_slow
vpmu_run_slow:
	mov %rbx, CPU(CPU_RBX)
	mov %rcx, CPU(CPU_RCX)
	mov %rsi, CPU(CPU_RSI)
	mov %rdi, CPU(CPU_RDI)
	mov %rbp, CPU(CPU_RBP)
	mov %r8, CPU(CPU_R8)
	mov %r9, CPU(CPU_R9)
	mov %r10, CPU(CPU_R10)
	mov %r11, CPU(CPU_R11)
	mov %r12, CPU(CPU_R12)
	mov %r13, CPU(CPU_R13)
	mov %r14, CPU(CPU_R14)
	mov %r15, CPU(CPU_R15)
	xor %ebp, %ebp
	cld
	call vpmu_exit
	jmp load_registers

	/* The guest's first instruction. */
resume:
	popfq
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

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
	 * void vpmu_ring_bell(void): QEMU's plugin knows the instruction by its bytes and its place
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
