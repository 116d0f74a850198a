/* SPDX-License-Identifier: BSD-2-Clause */
/* changing.S - functions that change themselves, copied to writable memory by guest_code.c. Each returns a number. */
	.section .rodata
	.macro BEGIN name
	.globl guest_\name, guest_\name\()_end
	.hidden guest_\name, guest_\name\()_end
guest_\name:
	.endm
	.macro END name
guest_\name\()_end:
	.endm

/* The code overwrites the next instruction: RDI is the value that it loads. */
BEGIN changes_next
	mov %edi, 1f + 1(%rip)
1:	mov $0, %eax
	ret
END changes_next

/* Each of RDI turns adds one more than the last one: 0 + 1 + 2 + ... */
BEGIN changes_loop
	xor %eax, %eax
1:	add $0x11111111, %eax
	incl 1b + 1(%rip)
	dec %edi
	jnz 1b
	ret
END changes_loop

/* REP STOS overwrites RDI bytes of the code that follows with NOPs; the other instructions go on
 * counting. */
BEGIN changes_by_stos
	mov %edi, %ecx
	lea 1f(%rip), %rdi
	mov $0x90, %al
	rep stosb
	xor %eax, %eax
1:	.rept 8
	inc %eax
	.endr
	ret
END changes_by_stos

/* Two NOPs become CPUID: RAX is EBX of leaf 0. */
BEGIN changes_to_cpuid
	push %rbx
	xor %eax, %eax
	xor %ebx, %ebx
	movw $0xa20f, 1f(%rip)
1:	nop
	nop
	mov %ebx, %eax
	pop %rbx
	ret
END changes_to_cpuid

	.section .note.GNU-stack, "", @progbits
