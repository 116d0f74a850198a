/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampoline.S - from the start of a CPU, in real mode in a page below 1 MiB, to the runtime. The
 * page is read only by then, and its numbers (trampoline.h) are filled in: it is the same for all
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
	mov	%ebx, %ebx /* whatever the upper half was */
	jmp	*TRAMPOLINE_ENTRY(%rbx)
smp_trampoline_end:

/*
 * smp_entry() - still on the boot CPU's map, whose PERCPU variables are not ours: nothing is touched
 * but what says where this CPU's map and stack are (struct smp_boot).
 */
	.text
	.globl	smp_entry
	.hidden	smp_entry
	.type	smp_entry, @function
smp_entry:
	mov	smp_boot(%rip), %rax
	mov	smp_boot + 8(%rip), %rsp
	mov	%rax, %cr3
	xor	%ebp, %ebp
	call	smp_begin
	ud2

	.section .note.GNU-stack, "", @progbits
