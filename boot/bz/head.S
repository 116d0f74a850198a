/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * head.S - the first page of the protected-mode part of a .bz file: the entries of 32 and of 64
 * bits, and that of the EFI handover protocol. The image's second page follows, so the address of
 * this page is that of the image. Linux, Documentation/arch/x86/boot.rst, "32-bit Boot Protocol",
 * "64-bit Boot Protocol", "EFI Handover Protocol".
 */
#include "boot/bz/bz_layout.h"

#define CR0_LONG_MODE 0x80010033 /* PG, WP, NE, ET, MP, PE; caches on */
#define CR4_PAE       0x20
#define EFER          0xc0000080
#define EFER_LME      0x100
#define TABLE_FLAGS   3    /* present, writable */
#define LARGE_FLAGS   0x83 /* the same, 2 MiB */
#define LOW_TABLES    4    /* of 1 GiB each */
#define COM1          0x3f8
#define CODE_64       0x10
#define DATA          0x18

	.section .head, "awx"
	.code32
	.globl	bz_head
bz_head:
	cld
	cli
	/* The only memory that is known to be there is that of the parameters. */
	lea	(PARAMS_SCRATCH + 4)(%esi), %esp
	call	1f
1:	pop	%ebp
	sub	$(1b - bz_head), %ebp
	mov	$0x80000000, %eax
	cpuid
	cmp	$0x80000001, %eax
	jb	no_64
	mov	$0x80000001, %eax
	cpuid
	bt	$29, %edx
	jnc	no_64

	/* bz_tables: the root, a table for it, and tables of 2 MiB pages for 4 GiB. */
	lea	bz_tables(%ebp), %edi
	mov	%edi, %edx
	xor	%eax, %eax
	mov	$(2 * BZ_PAGE / 4), %ecx
	rep stosl
	lea	(BZ_PAGE + TABLE_FLAGS)(%edx), %eax
	mov	%eax, (%edx)
	lea	BZ_PAGE(%edx), %edi
	lea	(2 * BZ_PAGE + TABLE_FLAGS)(%edx), %eax
	mov	$LOW_TABLES, %ecx
1:	mov	%eax, (%edi)
	add	$8, %edi
	add	$BZ_PAGE, %eax
	loop	1b
	lea	(2 * BZ_PAGE)(%edx), %edi
	mov	$LARGE_FLAGS, %eax
	mov	$(LOW_TABLES * 512), %ecx
1:	mov	%eax, (%edi)
	movl	$0, 4(%edi)
	add	$8, %edi
	add	$0x200000, %eax
	loop	1b

	lea	(gdt - bz_head)(%ebp), %eax
	mov	%eax, (gdt_register - bz_head + 2)(%ebp)
	lgdt	(gdt_register - bz_head)(%ebp)
	mov	%cr4, %eax
	or	$CR4_PAE, %eax
	mov	%eax, %cr4
	mov	%edx, %cr3
	mov	$EFER, %ecx
	rdmsr
	or	$EFER_LME, %eax
	wrmsr
	mov	$CR0_LONG_MODE, %eax
	mov	%eax, %cr0
	push	$CODE_64
	lea	BZ_ENTRY_64(%ebp), %eax
	push	%eax
	lret

/* The line and the first row of a screen of text get the reason. */
no_64:
	lea	(no_long_mode - bz_head)(%ebp), %esi
	mov	$0xb8000, %edi
	mov	$COM1, %edx
1:	lodsb
	test	%al, %al
	jz	2f
	out	%al, %dx
	mov	$0x07, %ah
	stosw
	jmp	1b
2:	hlt
	jmp	2b
no_long_mode:
	.asciz	"perf0: this CPU has no 64-bit mode; the machine is halted\r\n"

	.org	BZ_ENTRY_64
	.code64
	cld
	cli
	lea	bz_head(%rip), %rbx
	lea	gdt(%rip), %rax
	mov	%rax, gdt_register + 2(%rip)
	lgdt	gdt_register(%rip)
	mov	$DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%eax, %fs
	mov	%eax, %gs
	lea	(bz_stack + BZ_STACK_BYTES)(%rbx), %rsp
	push	$CODE_64
	lea	1f(%rip), %rax
	push	%rax
	lretq
1:	mov	$CR0_LONG_MODE, %eax
	mov	%rax, %cr0
	mov	%rsi, %rdi
	xor	%ebp, %ebp
	push	%rbp
	lea	bz_start(%rbx), %rax
	jmp	*%rax

	/* The firmware's CPU state, stack and tables: EFI_HANDLE, EFI_SYSTEM_TABLE, parameters. */
	.org	BZ_HANDOVER
	lea	bz_head(%rip), %rax
	add	$bz_handover, %rax
	jmp	*%rax

	.balign	8
gdt:
	.quad	0, 0
	.quad	0x00af9a000000ffff /* CODE_64 */
	.quad	0x00cf92000000ffff /* DATA */
gdt_register:
	.word	gdt_register - gdt - 1
	.quad	0

	/* struct kernel_info: "The kernel_info". */
	.balign	8
	.globl	bz_kernel_info
	.set	bz_kernel_info, kernel_info - bz_head
kernel_info:
	.ascii	"LToP"
	.long	kernel_info_end - kernel_info
	.long	kernel_info_end - kernel_info
	.long	0x7fffffff /* setup_type_max */
kernel_info_end:
	.org	BZ_PAGE
	.incbin	BZ_IMAGE
	.balign	16
bz_end:
	.globl	bz_syssize, bz_init_size
	.set	bz_syssize, (bz_end - bz_head) / 16
