/* SPDX-License-Identifier: BSD-2-Clause */
/* smp_entry() - still runs on the boot CPU's map, whose PERCPU variables are another CPU's. It
 * reads only the place of this CPU's map and stack (struct smp_boot). */
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
