/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quick_entry.S - vmrun.S for a unit test: enters it behind VMRUN, and is where it goes on.
 *
 *	bool quick_enter(uint64_t registers[14]): as they lie in struct vpmu_cpu, with the guest's
 *	going in and what is left of them coming out. Returns whether the exit was a quick one.
 *	quick_again: for struct vpmu_quick.
 */
#include "vpmu/svm/vcpu/asm_layout.h"

	.text
	.globl quick_enter
quick_enter:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	push %rdi
	mov CPU_RBX(%rdi), %rbx
	mov CPU_RCX(%rdi), %rcx
	mov CPU_RSI(%rdi), %rsi
	mov CPU_RBP(%rdi), %rbp
	mov CPU_R8(%rdi), %r8
	mov CPU_R9(%rdi), %r9
	mov CPU_R10(%rdi), %r10
	mov CPU_R11(%rdi), %r11
	mov CPU_R12(%rdi), %r12
	mov CPU_R13(%rdi), %r13
	mov CPU_R14(%rdi), %r14
	mov CPU_R15(%rdi), %r15
	mov CPU_RDI(%rdi), %rdi
	jmp vpmu_quick

	.globl vpmu_run_slow
vpmu_run_slow:
	xor %eax, %eax
	jmp leave

	.globl quick_again
quick_again:
	mov $1, %eax
leave:
	pop %rdx
	mov %rbx, CPU_RBX(%rdx)
	mov %rcx, CPU_RCX(%rdx)
	mov %rsi, CPU_RSI(%rdx)
	mov %rdi, CPU_RDI(%rdx)
	mov %rbp, CPU_RBP(%rdx)
	mov %r8, CPU_R8(%rdx)
	mov %r9, CPU_R9(%rdx)
	mov %r10, CPU_R10(%rdx)
	mov %r11, CPU_R11(%rdx)
	mov %r12, CPU_R12(%rdx)
	mov %r13, CPU_R13(%rdx)
	mov %r14, CPU_R14(%rdx)
	mov %r15, CPU_R15(%rdx)
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

	.section .note.GNU-stack, "", @progbits
