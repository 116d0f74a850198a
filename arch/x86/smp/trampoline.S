/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampoline.S - from the start of a CPU, in real mode in a page below 1 MiB, to 64-bit code. The page
 * is only read by then, and its numbers are filled in (trampoline_fill()): it is the same for all
 * CPUs. %ebx is its address throughout. SDM vol. 3, "Switching to Protected Mode", "Initializing
 * IA-32e Mode".
 */
#include "arch/x86/smp/trampoline.h"

#define EFER          0xc0000080
#define EFER_LME_NXE  0x900
#define CR0_PE_ET     0x11
#define CR0_LONG_MODE 0x80010033 /* PG, WP, NE, ET, MP, PE; caches on */

	.section .rodata
	.balign	16
	.globl	smp_trampoline, smp_trampoline_32, smp_trampoline_64, smp_trampoline_end
	.hidden	smp_trampoline, smp_trampoline_32, smp_trampoline_64, smp_trampoline_end
	.code16
smp_trampoline:
	cli
	cld
	xor	%ebx, %ebx
	mov	%cs, %bx
	mov	%bx, %ds
	shl	$4, %ebx
	lgdtl	TRAMPOLINE_GDTR
	mov	$CR0_PE_ET, %eax
	mov	%eax, %cr0
	ljmpl	*TRAMPOLINE_FAR32

	.code32
smp_trampoline_32:
	mov	$TRAMPOLINE_DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	TRAMPOLINE_CR4(%ebx), %eax
	mov	%eax, %cr4
	mov	TRAMPOLINE_CR3(%ebx), %eax
	mov	%eax, %cr3
	mov	$EFER, %ecx
	rdmsr
	or	$EFER_LME_NXE, %eax
	wrmsr
	mov	$CR0_LONG_MODE, %eax
	mov	%eax, %cr0
	ljmpl	*TRAMPOLINE_FAR64(%ebx)

	.code64
smp_trampoline_64:
	mov	%ebx, %ebx /* clears the upper half */
	jmp	*TRAMPOLINE_ENTRY(%rbx)
smp_trampoline_end:

	.section .note.GNU-stack, "", @progbits
