/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * legacy_code.S - out of long mode and back: 32-bit code without paging, hardware task switches, real mode
 * (legacy.c). RBX has the notes all the time; the image lies below 4 GiB, and the code of real mode in a page
 * below 1 MiB, where its notes are, too.
 */
#include "tests/guests/function.h"
#include "tests/guests/legacy.h"

#define DATA    0x10
#define CODE    0x08
#define CODE_32 0x48
#define CODE_16 0x50
#define DATA_16 0x58
#define TASK_A  0x60
#define TASK_B  0x68

#define ABSENT 0xd0000000

#define MSR_EFER 0xc0000080
#define EFER_LME 0x100
#define CR0_PE   1
#define CR0_PG   0x80000000

	.text

/* void guest_legacy_run(struct legacy *): calls its code32 in 32-bit protected mode */
FUNCTION guest_legacy_run
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rdi, %rbx
	mov %rsp, LEGACY_RSP(%rbx)
	sidt LEGACY_IDT_LONG(%rbx)
	push $CODE_32
	lea 1f(%rip), %rax
	push %rax
	lretq
	.code32
1:	mov $DATA, %eax
	mov %eax, %ss
	mov %eax, %ds
	mov %eax, %es
	mov %cr0, %eax
	and $~CR0_PG, %eax
	mov %eax, %cr0
	mov $MSR_EFER, %ecx
	rdmsr
	and $~EFER_LME, %eax
	wrmsr
	lidt LEGACY_IDT_32(%ebx)
	call *LEGACY_CODE32(%ebx)
	mov $MSR_EFER, %ecx
	rdmsr
	or $EFER_LME, %eax
	wrmsr
	mov %cr0, %eax
	or $CR0_PG, %eax
	mov %eax, %cr0
	call 2f
2:	pop %eax
	add $3f - 2b, %eax
	push $CODE
	push %eax
	lretl
	.code64
3:	lidt LEGACY_IDT_LONG(%rbx)
	mov LEGACY_RSP(%rbx), %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

/* --- Task switches: this is task A --- */

	.code32
	.macro NOTE at, value
	mov \value, LEGACY_NOTES + \at(%ebx)
	.endm

FUNCTION guest_legacy_tasks
	mov $TASK_A, %eax
	ltr %ax
	mov $0x11111111, %ecx
	mov $0x22222222, %edx
	mov $0x33333333, %esi
	ljmp $TASK_B, $0
	NOTE 0x00, %ecx
	NOTE 0x04, %edx
	NOTE 0x08, %esi
	mov %cr0, %eax
	NOTE 0x0c, %eax
	str %eax
	NOTE 0x10, %eax
	clts
	lcall $TASK_B, $0
	pushfl
	pop %eax
	NOTE 0x14, %eax
	int $0x30
	pushfl
	pop %eax
	NOTE 0x18, %eax
	clts
	ret

/* Task B: once by a jump, once by a call, once by a gate. */
FUNCTION guest_legacy_task_b
	NOTE 0x20, %eax
	NOTE 0x24, %ecx
	str %ecx
	NOTE 0x28, %ecx
	mov %cr0, %ecx
	NOTE 0x2c, %ecx
	pushfl
	pop %ecx
	NOTE 0x30, %ecx
	ljmp $TASK_A, $0
	pushfl
	pop %ecx
	NOTE 0x34, %ecx
	iretl
	pushfl
	pop %ecx
	NOTE 0x38, %ecx
	iretl

/* --- Interrupts of 32-bit code, and PUSHF behind them --- */

FUNCTION guest_legacy_interrupts
	xor %edx, %edx
	int $0x31
	pushfl
	pop %eax
	NOTE 0x00, %eax
	int3
	NOTE 0x04, %edx
	ud2
	NOTE 0x08, %edx
	pushfl
	pop %eax
	NOTE 0x0c, %eax
	xor %eax, %eax
	push %ebx
	cpuid
	mov %ebx, %eax
	pop %ebx
	mov %cr0, %eax
	NOTE 0x10, %eax
	ret
FUNCTION guest_legacy_on_int
	inc %edx
	mov 8(%esp), %eax
	NOTE 0x20, %eax
	iretl
FUNCTION guest_legacy_on_ud
	add $0x100, %edx
	addl $2, (%esp)
	mov 8(%esp), %eax
	NOTE 0x24, %eax
	iretl

/* --- Paging, by PAGED_CR3 and PAGED_CR4: interrupts, single steps, a load of an unmapped page
 * --- */

FUNCTION guest_legacy_paged
	mov %cr3, %eax
	mov %eax, LEGACY_KEPT(%ebx)
	mov %cr4, %eax
	mov %eax, LEGACY_KEPT + 4(%ebx)
	mov LEGACY_PAGED_CR4(%ebx), %eax
	mov %eax, %cr4
	mov LEGACY_PAGED_CR3(%ebx), %eax
	mov %eax, %cr3
	mov %cr0, %eax
	or $CR0_PG, %eax
	mov %eax, %cr0
	jmp 1f
1:	call guest_legacy_interrupts
	call guest_legacy_stepped
	xor %edx, %edx
	mov ABSENT, %eax
	NOTE 0x40, %edx			/* the error code */
	mov %cr2, %eax
	NOTE 0x44, %eax
	mov %cr0, %eax
	and $~CR0_PG, %eax
	mov %eax, %cr0
	mov LEGACY_KEPT + 4(%ebx), %eax
	mov %eax, %cr4
	mov LEGACY_KEPT(%ebx), %eax
	mov %eax, %cr3
	ret
FUNCTION guest_legacy_stepped
	mov $0xffff4ff0, %eax
	mov %eax, %dr6
	nop
	mov %dr6, %ecx
	NOTE 0x48, %ecx
	mov $0xffff0ff0, %eax
	mov %eax, %dr6
	push %ebx
	xor %eax, %eax
	cpuid
	mov %ebx, %edi
	xor %eax, %eax
	.byte 0x66
	cpuid				/* as long as it is */
	sub %ebx, %edi
	pop %ebx
	NOTE 0x4c, %edi
	mov %ss, %eax
	mov %eax, %ss
	pushfl
	pop %eax
	NOTE 0x50, %eax
	push %ss
	pop %ss
	pushfl
	pop %eax
	NOTE 0x54, %eax
	mov %ss, %eax
	mov %eax, %ss
	int $0x31
	xor %edx, %edx
	pushfl
	orl $0x100, (%esp)
	popfl
	nop
	pushfl
	andl $~0x100, (%esp)
	popfl
	NOTE 0x58, %edx
	ret
FUNCTION guest_legacy_on_page_fault
	pop %edx
	addl $5, (%esp)			/* behind the MOV */
	iretl
FUNCTION guest_legacy_on_debug
	inc %edx
	iretl

/* --- Real mode --- */

FUNCTION guest_legacy_real
	mov %esp, %ebp
	mov LEGACY_PAGE(%ebx), %edi
	ljmp *LEGACY_FAR_16(%ebx)
guest_legacy_back:
	mov $DATA, %eax
	mov %eax, %ss
	mov %eax, %ds
	mov %eax, %es
	lidt LEGACY_IDT_32(%ebx)
	mov %ebp, %esp
	ret

/* In the page below 1 MiB: EDI has its address. 16-bit protected mode first. */
	.code16
	.globl guest_legacy_page, guest_legacy_page_end, guest_legacy_back
	.hidden guest_legacy_page, guest_legacy_page_end, guest_legacy_back
#define AT(label) ((label) - guest_legacy_page)
#define REAL_NOTES 0x800
guest_legacy_page:
	mov $DATA_16, %ax
	mov %ax, %ss
	mov %ax, %ds
	mov %ax, %es
	mov %cr0, %eax
	and $~CR0_PE, %eax
	mov %eax, %cr0
	mov %edi, %eax
	shr $4, %eax
	mov $0x1000, %sp	/* the page above is not ours, below SP is */
	mov %ax, %ss
	push %ax
	push $AT(1f)
	lret
1:	mov %cs, %ax
	mov %ax, %ds
	mov %ax, %es
	lidtl AT(real_idtr)
	mov %cr0, %eax
	mov %eax, REAL_NOTES
	xor %edx, %edx
	int $0x40
	mov %edx, REAL_NOTES + 4
	pushf
	pop REAL_NOTES + 8
	ud2
	mov %edx, REAL_NOTES + 12
	pushfl
	popl REAL_NOTES + 16
	push %ebx
	push %edx
	xor %eax, %eax
	cpuid
	pop %edx
	pop %ebx
	lgdtl AT(world_gdtr)
	mov %cr0, %eax
	or $CR0_PE, %eax
	mov %eax, %cr0
	ljmpl *AT(far_back)
on_int:
	inc %edx
	push %bp
	mov %sp, %bp
	mov 6(%bp), %ax
	mov %ax, REAL_NOTES + 32
	pop %bp
	iret
on_ud:
	add $0x100, %edx
	push %bp
	mov %sp, %bp
	addw $2, 2(%bp)
	mov 6(%bp), %ax
	mov %ax, REAL_NOTES + 34
	pop %bp
	iret
	.balign 8
	.globl guest_legacy_real_idtr, guest_legacy_world_gdtr, guest_legacy_far_back
	.globl guest_legacy_on_real_int, guest_legacy_on_real_ud
	.hidden guest_legacy_real_idtr, guest_legacy_world_gdtr, guest_legacy_far_back
	.hidden guest_legacy_on_real_int, guest_legacy_on_real_ud
real_idtr:
guest_legacy_real_idtr:
	.skip 8
world_gdtr:
guest_legacy_world_gdtr:
	.skip 8
far_back:
guest_legacy_far_back:
	.skip 8
	.set guest_legacy_on_real_int, on_int
	.set guest_legacy_on_real_ud, on_ud
guest_legacy_page_end:

	.section .note.GNU-stack, "", @progbits
