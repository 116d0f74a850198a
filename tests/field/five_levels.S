/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * five_levels.S - void field_five_levels(uint64_t root): goes from 4-level paging to 5-level paging with CR3 = `root`.
 * CR4.LA57 can be changed only while paging is off, which 64-bit code cannot do: 32-bit code does it. Code, stack and
 * `root` lie below 4 GiB, at equal virtual and physical addresses. Interrupts are off. SDM vol. 3, "Switching Out of
 * IA-32e Mode".
 */
#define CODE32   0x08
#define CODE64   0x10
#define DATA     0x18
#define CR4_LA57 (1 << 12)
#define CR0_PG   (1 << 31)

	.text
	.globl	field_five_levels
	.hidden	field_five_levels
	.code64
field_five_levels:
	push	%rbx
	push	%rbp
	mov	%rsp, %rbp
	sub	$32, %rsp
	sgdt	(%rsp)
	mov	%cs, %eax
	mov	%eax, 16(%rsp)
	mov	%ss, %eax
	mov	%eax, 20(%rsp)
	mov	%edi, %esi		/* root */
	lea	gdt(%rip), %rax
	mov	%rax, gdtr+2(%rip)
	lgdt	gdtr(%rip)
	lea	back(%rip), %edi
	lea	low(%rip), %rax
	push	$CODE32
	push	%rax
	lretq

	.code32
low:
	mov	$DATA, %eax
	mov	%eax, %ss
	mov	%eax, %ds
	mov	%eax, %es
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	mov	%cr4, %edx
	or	$CR4_LA57, %edx
	mov	%edx, %cr4
	mov	%esi, %cr3
	or	$CR0_PG, %eax
	mov	%eax, %cr0
	push	$CODE64
	push	%edi
	lret

	.code64
back:
	mov	%ebp, %ebp		/* clears the upper half */
	lea	-32(%rbp), %rsp
	lgdt	(%rsp)
	mov	20(%rsp), %eax
	mov	%eax, %ss
	mov	%eax, %ds
	mov	%eax, %es
	mov	16(%rsp), %eax
	lea	1f(%rip), %rcx
	push	%rax
	push	%rcx
	lretq
1:	mov	%rbp, %rsp
	pop	%rbp
	pop	%rbx
	ret

	.data
	.balign	8
gdt:	.quad	0
	.quad	0x00cf9a000000ffff	/* 32-bit code */
	.quad	0x00af9a000000ffff	/* 64-bit code */
	.quad	0x00cf92000000ffff	/* data */
gdtr:	.word	. - gdt - 1
	.quad	0

	.section .note.GNU-stack, "", @progbits
