/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.S - how a CPU that the guest has started comes under vpmu: by a call of vpmu_attach(). The
 * guest has mapped this one page of vpmu, and that read only; so it is a page of its own, and has the
 * address of the page tables on which there is more in it.
 *
 *	guest's page tables		save the caller, which goes on at `resume`
 *	boot CPU's of the host		one CPU at a time: vpmu_cpu_enlist() makes it its own
 *	the CPU's own			vpmu_host_attach(), then vpmu_loop
 */
#include "vpmu/svm/run.h"

#define ATTACH_STACK_SIZE 0x1000

	.text
	.balign 4096
	/* void vpmu_attach(void): returns as a guest; as before, where there is no place for it. */
	.globl vpmu_attach
	.hidden vpmu_attach
vpmu_attach:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	pushfq
	cli
	mov (%rsp), %rbx
	mov %rsp, %r12
	mov %cr3, %r13
	mov vpmu_attach_cr3(%rip), %rax
	mov %rax, %cr3
1:	lock btsl $0, attach_lock(%rip)
	jnc 2f
	pause
	jmp 1b
2:	lea attach_stack + ATTACH_STACK_SIZE(%rip), %rsp
	xor %ebp, %ebp
	call vpmu_cpu_enlist
	test %rax, %rax
	jz refused
	mov %rax, %cr3
	lea vpmu_host_stack + HOST_STACK_SIZE(%rip), %rsp
	movl $0, attach_lock(%rip)
	lea vpmu_vmcb(%rip), %rax
	mov %rbx, VMCB_RFLAGS(%rax)
	mov %r12, VMCB_RSP(%rax)
	mov %r13, VMCB_CR3(%rax)
	lea resume(%rip), %rcx
	mov %rcx, VMCB_RIP(%rax)
	call vpmu_host_attach
	jmp vpmu_loop
refused:
	movl $0, attach_lock(%rip)
	mov %r13, %cr3
	mov %r12, %rsp
resume:
	popfq
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

	/* uint64_t, written at launch, in the resident copy. */
	.balign 8
	.globl vpmu_attach_cr3
	.hidden vpmu_attach_cr3
vpmu_attach_cr3:
	.quad 0
	.balign 4096

	.bss
	.balign 16
attach_stack:
	.skip ATTACH_STACK_SIZE
attach_lock:
	.skip 4

	.section .note.GNU-stack, "", @progbits
