/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * monitor.S - virtual-8086 mode (virtual.c): a monitor of 32-bit protected mode, which notes each event with its
 * vector, IP and flags, and what it runs, in a page below 1 MiB. EBP has the notes all the time, for CPUID changes
 * EBX, and ESI how many bytes of them there are.
 */
#include "tests/guests/function.h"
#include "tests/guests/legacy.h"

#define DATA    0x10
#define TASK_A  0x60

#define OPCODE_INT 0xcd
#define OPCODE_HLT 0xf4

	.text
	.code32

FUNCTION guest_virtual_run
	mov $TASK_A, %eax
	ltr %ax
	mov %esp, LEGACY_KEPT(%ebx)
	mov %ebx, %ebp
	xor %esi, %esi
	mov LEGACY_PAGE(%ebx), %eax
	shr $4, %eax
	push %eax			/* GS, FS, DS, ES */
	push %eax
	push %eax
	push %eax
	push %eax			/* SS */
	push $0x1000
	push LEGACY_FLAGS(%ebx)
	push %eax			/* CS */
	push $0
	iretl

/* Behind it: no error code at the top of the stack. */
	.macro NOTE_EVENT vector
	push %eax
	mov 4(%esp), %eax
	and $0xffff, %eax
	or $(\vector << 16), %eax
	mov %eax, LEGACY_NOTES(%ebp, %esi)
	mov 12(%esp), %eax
	mov %eax, LEGACY_NOTES + 4(%ebp, %esi)
	add $8, %esi
	pop %eax
	.endm

FUNCTION guest_virtual_on_int
	NOTE_EVENT 0x40
	iretl
FUNCTION guest_virtual_on_int3
	NOTE_EVENT 3
	iretl
FUNCTION guest_virtual_on_debug
	NOTE_EVENT 1
	iretl
FUNCTION guest_virtual_on_ud
	NOTE_EVENT 6
	addl $2, (%esp)
	iretl

/* Skips the instruction that raised #GP, two bytes of INT n or one byte of any other; HLT ends
 * the run. */
FUNCTION guest_virtual_on_gp
	add $4, %esp
	NOTE_EVENT 13
	push %eax
	mov 8(%esp), %eax
	shl $4, %eax
	add 4(%esp), %eax
	mov %ss:(%eax), %al
	cmp $OPCODE_HLT, %al
	je 2f
	cmp $OPCODE_INT, %al
	jne 1f
	incl 4(%esp)
1:	incl 4(%esp)
	pop %eax
	iretl
2:	mov $DATA, %eax
	mov %eax, %ds
	mov %eax, %es
	mov %eax, %fs
	mov %eax, %gs
	mov %ebp, %ebx
	mov LEGACY_KEPT(%ebx), %esp
	mov %edx, LEGACY_FLAGS(%ebx)	/* what the code has found */
	ret

/* In the page. EDX: instructions of it that did as they should. */
	.code16
	.globl guest_virtual_page, guest_virtual_page_end
	.hidden guest_virtual_page, guest_virtual_page_end
guest_virtual_page:
	xor %edx, %edx
	pushf
	cli
	sti
	nop
	int $0x40
	inc %edx
	int3
	inc %edx
	push %ebx
	push %edx
	xor %eax, %eax
	cpuid
	pop %edx
	pop %ebx
	inc %edx
	ud2
	inc %edx
	mov %ss, %ax
	mov %ax, %ss
	int $0x40
	inc %edx
	smsw %ax
	and $1, %eax
	add %eax, %edx
	push %ds
	pop %es
	mov $0x900, %di
	mov $3, %cx
	rep stosb
	add %di, %dx
	pushf				/* IOPL 3 alone leaves these as they are */
	pop %ax
	push $0x7302
	popf				/* single steps, from behind the next one on */
	nop
	push %ebx
	push %edx
	xor %eax, %eax
	cpuid
	pop %edx
	pop %ebx
	int $0x40
	push $0x7202
	popf
	nop
	hlt
guest_virtual_page_end:

	.section .note.GNU-stack, "", @progbits
