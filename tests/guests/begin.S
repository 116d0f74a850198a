/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * begin.S - a CPU that was started notes its state, one CPU at a time, in a page below 1 MiB
 * (struct begin_page of guest_cpus.c); then it halts.
 */
#define LOCK   0x200
#define COUNT  0x204
#define KEPT   0x208
#define NOTES  0x400 /* 64 bytes each */

	.section .rodata
	.globl guest_begin, guest_begin_end
	.hidden guest_begin, guest_begin_end
	.code16
guest_begin:
	lock btsw $0, %cs:LOCK
	jc guest_begin
	mov %ebx, %cs:KEPT
	mov %cs:COUNT, %bx
	mov %eax, %cs:NOTES(%bx)
	mov %ecx, %cs:NOTES + 8(%bx)
	mov %edx, %cs:NOTES + 12(%bx)
	mov %esi, %cs:NOTES + 16(%bx)
	mov %edi, %cs:NOTES + 20(%bx)
	mov %ebp, %cs:NOTES + 24(%bx)
	mov %esp, %cs:NOTES + 28(%bx)
	mov %cs:KEPT, %eax
	mov %eax, %cs:NOTES + 4(%bx)
	mov %cr0, %eax
	mov %eax, %cs:NOTES + 32(%bx)
	mov %cs, %ax
	mov %ax, %cs:NOTES + 36(%bx)
	mov %ds, %ax
	mov %ax, %cs:NOTES + 38(%bx)
	xor %eax, %eax
	mov %bx, %si
	cpuid
	mov %ebx, %cs:NOTES + 40(%si)	/* the vendor's first letters */
	mov $10, %eax
	cpuid
	mov %eax, %cs:NOTES + 44(%si)	/* its PMU */
	mov $1, %eax
	cpuid
	mov %eax, %cs:NOTES + 48(%si)	/* its signature */
	shr $24, %ebx
	mov %ebx, %cs:NOTES + 52(%si)	/* its APIC id */
	addw $64, %cs:COUNT
	movw $0, %cs:LOCK
1:	cli
	hlt
	jmp 1b
guest_begin_end:

	.section .note.GNU-stack, "", @progbits
