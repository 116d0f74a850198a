/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * home_jump(jump) - loads the tables of struct home_jump, goes on in the lower half, and enters the
 * kernel in the state that Linux, Documentation/arch/x86/boot.rst, "64-bit Boot Protocol" asks for.
 * Interrupts are off. From the new CR3 on only the image is mapped, so no stack is used but its own.
 */
#include "rt/home/home_jump.h"

	.text
	.globl	home_jump
	.hidden	home_jump
	.type	home_jump, @function
home_jump:
	mov	HOME_ROOT(%rdi), %rax
	mov	%rax, %cr3
	mov	HOME_OFFSET(%rdi), %rcx
	lea	1f(%rip), %rdx
	sub	%rcx, %rdx
	sub	%rcx, %rdi
	jmp	*%rdx
1:	lea	home_stack_end(%rip), %rsp
	mov	HOME_CR4(%rdi), %rax
	mov	%rax, %cr4
	mov	HOME_CR0(%rdi), %rax
	mov	%rax, %cr0
	lgdt	HOME_GDT(%rdi)
	lidt	HOME_IDT(%rdi)
	mov	$HOME_DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	push	$HOME_CODE
	lea	2f(%rip), %rax
	push	%rax
	lretq
2:	mov	HOME_PARAMS(%rdi), %rsi
	mov	HOME_ENTRY(%rdi), %rax
	xor	%ebx, %ebx
	xor	%ecx, %ecx
	xor	%edx, %edx
	xor	%edi, %edi
	xor	%ebp, %ebp
	cld
	jmp	*%rax

	.bss
	.balign	16
home_stack:
	.skip	64
home_stack_end:

	.section .note.GNU-stack, "", @progbits
