/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - a CPU that the guest starts comes under vpmu. It begins in vpmu's page below 1 MiB
 * (arch/x86/smp/trampoline.S) instead of the guest's, and jumps from there to vpmu_start, on the page
 * tables of the boot CPU's host. It has no memory of its own yet, so it finds its place by its APIC id.
 *
 *	on the boot CPU's page tables		vpmu_cpu_enlist(), on the first page of its place
 *	on its own page tables			vpmu_host_start(), then vpmu_loop
 *
 * FS, GS, LDTR, TR and the MSRs are as INIT or the firmware has left them: they are the guest's.
 *
 * When the firmware wakes the boot CPU from S3, that CPU comes to vpmu_wake from another page
 * (s3_sleep.c).
 */
#include "vpmu/svm/vcpu/asm_layout.h"

	.text
	.globl vpmu_start
	.hidden vpmu_start
vpmu_start:
	mov $1, %eax
	cpuid
	shr $24, %ebx
	mov %ebx, %edi			/* the id, where there is no leaf 0BH */
	xor %eax, %eax
	cpuid
	cmp $0xb, %eax
	jb 1f
	mov $0xb, %eax
	xor %ecx, %ecx
	cpuid
	test %ebx, %ebx
	jz 1f
	mov %edx, %edi
1:	lea vpmu_places(%rip), %rbx
	mov vpmu_places_n(%rip), %ecx
2:	test %ecx, %ecx
	jz 3f
	dec %ecx
	cmp %edi, PLACE_APIC_ID(%rbx)
	je 4f
	add $PLACE_BYTES, %rbx
	jmp 2b
3:	cli				/* a CPU without a place */
	hlt
	jmp 3b
4:	mov PLACE_MEMORY(%rbx), %rsp
	add $START_STACK_SIZE, %rsp
	mov %rbx, %rdi
	xor %ebp, %ebp
	call vpmu_cpu_enlist
	mov %rax, %cr3
	lea vpmu_host_stack + HOST_STACK_SIZE(%rip), %rsp
	mov %rbx, %rdi
	call vpmu_host_start
	jmp vpmu_loop

/* The trampoline has loaded the boot CPU's own page tables. */
	.globl vpmu_wake
	.hidden vpmu_wake
vpmu_wake:
	lea vpmu_host_stack + HOST_STACK_SIZE(%rip), %rsp
	xor %ebp, %ebp
	call vpmu_host_wake
	jmp vpmu_loop

	.section .note.GNU-stack, "", @progbits
