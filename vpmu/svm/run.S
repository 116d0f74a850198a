/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.S - the loop around the guest's runs.
 *
 *	 vpmu_enter                      vpmu_loop
 *	     |                               |
 *	 save the caller, which          vmrun.S: the guest runs, until an exit is not quick
 *	 resumes as a guest at `resume`  vpmu_run_slow: save registers
 *	 vpmu_host_enter()               vpmu_exit(): handle it, prepare the next run
 *	     |                               |
 *	     +------------------------------>+--> again
 */
#include "vpmu/svm/vcpu/asm_layout.h"

#define CPU(field) vpmu_cpu + field(%rip)

	.text

	/* void vpmu_enter(void): returns as a guest. */
	.globl vpmu_enter
	.hidden vpmu_enter
vpmu_enter:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	pushfq
	cli
	lea vpmu_vmcb(%rip), %rax
	mov (%rsp), %rcx
	mov %rcx, VMCB_RFLAGS(%rax)
	mov %rsp, VMCB_RSP(%rax)
	lea resume(%rip), %rcx
	mov %rcx, VMCB_RIP(%rax)
	mov %cr3, %rcx
	mov %rcx, VMCB_CR3(%rax)
	lea vpmu_host_stack + HOST_STACK_SIZE(%rip), %rsp
	xor %ebp, %ebp
	call vpmu_host_enter
	.globl vpmu_loop
	.hidden vpmu_loop
vpmu_loop:
	lea vpmu_run_guest(%rip), %rax
load_registers:					/* RAX: a label of vmrun.S */
	mov CPU(CPU_RBX), %rbx
	mov CPU(CPU_RCX), %rcx
	mov CPU(CPU_RSI), %rsi
	mov CPU(CPU_RDI), %rdi
	mov CPU(CPU_RBP), %rbp
	mov CPU(CPU_R8), %r8
	mov CPU(CPU_R9), %r9
	mov CPU(CPU_R10), %r10
	mov CPU(CPU_R11), %r11
	mov CPU(CPU_R12), %r12
	mov CPU(CPU_R13), %r13
	mov CPU(CPU_R14), %r14
	mov CPU(CPU_R15), %r15
	jmp *%rax

	.globl vpmu_run_slow
	.hidden vpmu_run_slow
vpmu_run_slow:
	mov %rbx, CPU(CPU_RBX)
	mov %rcx, CPU(CPU_RCX)
	mov %rsi, CPU(CPU_RSI)
	mov %rdi, CPU(CPU_RDI)
	mov %rbp, CPU(CPU_RBP)
	mov %r8, CPU(CPU_R8)
	mov %r9, CPU(CPU_R9)
	mov %r10, CPU(CPU_R10)
	mov %r11, CPU(CPU_R11)
	mov %r12, CPU(CPU_R12)
	mov %r13, CPU(CPU_R13)
	mov %r14, CPU(CPU_R14)
	mov %r15, CPU(CPU_R15)
	xor %ebp, %ebp
	cld
	call vpmu_exit
	jmp load_registers

	/* The guest begins here. */
resume:
	popfq
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

	.section .note.GNU-stack, "", @progbits
