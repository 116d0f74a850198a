/* SPDX-License-Identifier: BSD-2-Clause */
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
