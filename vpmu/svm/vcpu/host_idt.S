/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_idt.S - the host's IDT. NMIs arrive only where vpmu_drain_nmi() and vpmu_wait() let them;
 * interrupts only in vpmu_wait() and vpmu_take_interrupt(), while the guest halts or is stepped. An
 * interrupt is acknowledged here and passed on to the guest, whose handler ends it at the APIC.
 */
#include "vpmu/svm/vcpu/asm_layout.h"

#define FRAME_RIP    0 /* as the CPU pushes them */
#define FRAME_RFLAGS 16
#define RFLAGS_IF    0x200

	.text

	/* void vpmu_drain_nmi(void): takes the NMI that is pending, if one is. The NOPs give the
	 * CPU an instruction boundary at which it may arrive; vpmu_host_nmi takes it. */
	.globl vpmu_drain_nmi
	.hidden vpmu_drain_nmi
vpmu_drain_nmi:
	stgi
	nop
	nop
	clgi
	ret

	/*
	 * void vpmu_wait(bool interrupts): halts until an NMI or, if `interrupts`, an interrupt
	 * arrives; its vector is then in vpmu_host_vector. An NMI between wait_from and HLT would
	 * leave HLT waiting for a second one, so vpmu_host_nmi skips the HLT.
	 */
	.globl vpmu_wait
	.hidden vpmu_wait
vpmu_wait:
interrupts_from:
	movl $0, vpmu_host_vector(%rip)
	stgi
wait_from:
	test %dil, %dil
	jz 1f
	sti
1:	hlt
wait_to:
	cli
	clgi
	ret

	/* void vpmu_take_interrupt(void): the same without waiting, for events that are already
	 * pending. STI holds an interrupt back for one instruction. */
	.globl vpmu_take_interrupt
	.hidden vpmu_take_interrupt
vpmu_take_interrupt:
	movl $0, vpmu_host_vector(%rip)
	stgi
	sti
	nop
	nop
	cli
interrupts_to:
	clgi
	ret

	.globl vpmu_host_nmi
	.hidden vpmu_host_nmi
vpmu_host_nmi:
	incl vpmu_host_nmis(%rip)
	push %rax
	lea wait_from(%rip), %rax
	cmp %rax, 8 + FRAME_RIP(%rsp)
	jb 1f
	lea wait_to(%rip), %rax
	cmp %rax, 8 + FRAME_RIP(%rsp)
	jae 1f
	mov %rax, 8 + FRAME_RIP(%rsp)
	andq $~RFLAGS_IF, 8 + FRAME_RFLAGS(%rsp)
1:	pop %rax
	iretq

	/* The gates of vectors HOST_FAULTS to 255, HOST_GATE_SIZE bytes each. */
	.globl vpmu_host_interrupts
	.hidden vpmu_host_interrupts
	.balign HOST_GATE_SIZE
vpmu_host_interrupts:
	.set vector, HOST_FAULTS
	.rept HOST_VECTORS - HOST_FAULTS
	movl $vector, vpmu_host_vector(%rip)
	jmp interrupt_taken
	.balign HOST_GATE_SIZE
	.set vector, vector + 1
	.endr

	/* Takes no second interrupt before the guest has this one. */
interrupt_taken:
	andq $~RFLAGS_IF, FRAME_RFLAGS(%rsp)
	iretq

	/*
	 * The gates of vectors 0 to HOST_FAULTS - 1. Devices may use these vectors, too: an 8259
	 * after a reset, or as a BIOS programs it. Interrupts arrive only in vpmu_wait() and
	 * vpmu_take_interrupt(), where nothing faults. Anything else is a bug of the host. Some
	 * exceptions push an error code, so the frame is printed from the top of the stack as it
	 * is.
	 */
	.globl vpmu_host_faults
	.hidden vpmu_host_faults
	.balign HOST_GATE_SIZE
vpmu_host_faults:
	.set vector, 0
	.rept HOST_FAULTS
	push $vector
	jmp fault_or_interrupt
	.balign HOST_GATE_SIZE
	.set vector, vector + 1
	.endr
fault_or_interrupt:
	push %rax
	lea interrupts_from(%rip), %rax
	cmp %rax, 16 + FRAME_RIP(%rsp)
	jb 1f
	lea interrupts_to(%rip), %rax
	cmp %rax, 16 + FRAME_RIP(%rsp)
	ja 1f
	mov 8(%rsp), %eax
	mov %eax, vpmu_host_vector(%rip)
	pop %rax
	add $8, %rsp
	jmp interrupt_taken
1:	lea 16(%rsp), %rdi
	and $-16, %rsp
	call vpmu_host_died

	.section .note.GNU-stack, "", @progbits
