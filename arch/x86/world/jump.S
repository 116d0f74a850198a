/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * world_jump(from, to) - exchanges the state that C cannot: the stack, and the tables and registers
 * that describe stack and code. Returns in `to`, from the world_jump() in which that world has
 * waited; `from` waits in this call. Interrupts are off, and so are SMEP and SMAP. SDM vol. 3,
 * "Task Management in 64-bit Mode".
 *
 * Between LGDT and LIDT the interrupt gates and the selectors do not fit together, so an NMI there
 * would be fatal: the counters' NMIs are masked, and other NMIs have only these few instructions.
 */
#include "arch/x86/world/world_layout.h"

#define TSS_BUSY_BYTE 5 /* of the descriptor, and the bit that LTR refuses */
#define TSS_BUSY      2
#define CR0_WP_BIT    16

	.text
	.globl	world_jump
	.hidden	world_jump
	.type	world_jump, @function
world_jump:
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	pushfq
	mov	%rsp, WORLD_RSP(%rdi)
	mov	WORLD_CR3(%rsi), %rax
	mov	%rax, %cr3
	mov	WORLD_RSP(%rsi), %rsp
	mov	WORLD_CR0(%rsi), %rax
	btr	$CR0_WP_BIT, %rax
	mov	%rax, %cr0
	lgdt	WORLD_GDT(%rsi)
	lidt	WORLD_IDT(%rsi)
	mov	WORLD_SS(%rsi), %ss
	mov	WORLD_DS(%rsi), %ds
	mov	WORLD_ES(%rsi), %es
	mov	WORLD_FS(%rsi), %fs
	mov	WORLD_GS(%rsi), %gs
	movzwl	WORLD_CS(%rsi), %eax
	push	%rax
	lea	1f(%rip), %rax
	push	%rax
	lretq
1:	movzwl	WORLD_TR(%rsi), %eax
	test	%eax, %eax
	jz	2f
	mov	WORLD_GDT + 2(%rsi), %rdx
	andb	$~TSS_BUSY, TSS_BUSY_BYTE(%rdx, %rax)
	ltr	%ax
2:	mov	WORLD_CR0(%rsi), %rax
	mov	%rax, %cr0
	mov	WORLD_CR4(%rsi), %rax
	mov	%rax, %cr4
	popfq
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	ret

	.section .note.GNU-stack, "", @progbits
