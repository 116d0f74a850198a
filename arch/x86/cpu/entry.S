/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - the ways into ring 0 and out of it. An entry makes a struct trap_frame, calls C with a
 * pointer to it, and undoes it; nothing else. The stack, upwards:
 *
 *	%rsp at the call -> r15 r14 r13 r12 rbx rbp   C keeps these
 *	                    r11 r10 r9 r8 rax rcx rdx rsi rdi
 *	                    vector, error code        pushed by the stub, or error by the CPU
 *	                    rip cs rflags rsp ss      pushed by the CPU on 16 aligned bytes
 *
 * %rbp is still that of the interrupted code when C is called, so chains of frame pointers run on
 * through an interrupt. Which stack this happens on: see trap.c.
 */
#include "arch/x86/vector.h"

#include <asm/errno.h>

	.macro push_registers
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%rax
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	.endm

	.macro save_registers
	push_registers
	cld
	mov	%rsp, %rdi
	.endm

	.macro restore_kept
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	.endm

	.macro restore_clobbered
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rax
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	.endm

/* The short way back, for handlers that change nothing in the frame: C keeps six registers itself. */
	.macro return_to_interrupted
	add	$FRAME_CLOBBERED, %rsp
	restore_clobbered
	add	$16, %rsp
	iretq
	.endm

/* Counts the time in system calls. RAX and RDX are kept; RCX and R11 are not. */
	.macro count_ticks how
	mov	%rax, %rcx
	mov	%rdx, %r11
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	\how	%rax, user_syscall_ticks(%rip)
	mov	%r11, %rdx
	mov	%rcx, %rax
	.endm

	.macro global name
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.endm

	.text

/* 256 stubs of 16 bytes. The CPU pushes an error code for 8, 10 to 14, 17, 21, 29 and 30. */
#define VECTORS_WITH_ERROR 0x60227d00
	.macro stub with_error, entry
	.balign	16
	.if	!(\with_error)
	push	$0
	.endif
	push	$vector
	jmp	\entry
	.set	vector, vector + 1
	.endm

	.balign	16
	global	trap_stubs
	.set	vector, 0
	.rept	VEC_NEXCEPT
	stub	VECTORS_WITH_ERROR >> vector & 1, exception_entry
	.endr
	.rept	TRAP_NVECTORS - VEC_NEXCEPT
	stub	0, irq_entry
	.endr

exception_entry:
	save_registers
exception_call:
	call	trap_exception
	test	%al, %al
	jnz	return_into_nmi
	restore_kept
	restore_clobbered
	add	$16, %rsp
	iretq

/*
 * IRET would unblock NMIs while the NMI handler that was interrupted still runs on the NMI stack:
 * this returns to ring 0 without it. RFLAGS and RIP go onto the interrupted stack, right below what
 * lay there (the end of this very frame, which is not needed any more), and %rsp is restored from
 * the frame's vector field.
 */
return_into_nmi:
	mov	FRAME_RSP(%rsp), %rax
	mov	FRAME_RIP(%rsp), %rcx
	mov	FRAME_RFLAGS(%rsp), %rdx
	mov	%rcx, -8(%rax)
	mov	%rdx, -16(%rax)
	sub	$16, %rax
	mov	%rax, FRAME_VECTOR(%rsp)
	restore_kept
	restore_clobbered
	pop	%rsp
	popfq
	ret

irq_entry:
	save_registers
	call	trap_irq
	return_to_interrupted

	global	trap_nmi_entry
	push	$0
	push	$VEC_NMI
	save_registers
	call	trap_nmi
	return_to_interrupted

/* A #DB of ring 3 leaves its IST stack at once: the frame moves to the task's stack. */
	global	trap_debug_entry
	push	$0
	push	$VEC_DB
	save_registers
	testb	$SEL_RPL_USER, FRAME_CS(%rsp)
	jz	exception_call
	mov	%rsp, %rsi
	mov	trap_tss + TSS_RSP0(%rip), %rsp
	sub	$FRAME_SIZE, %rsp
	mov	%rsp, %rdi
	mov	$FRAME_SIZE / 8, %ecx
	rep movsq
	mov	%rsp, %rdi
	jmp	exception_call

/* trap_load_segments() - makes the CPU use the selectors of the GDT just loaded. */
	global	trap_load_segments
	mov	$SEL_KERNEL_DATA, %eax
	mov	%eax, %ss
	xor	%eax, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %fs
	mov	%eax, %gs
	pop	%rax
	push	$SEL_KERNEL_CODE
	push	%rax
	lretq

/*
 * user_enter(regs) - saves the registers that C keeps on the CPU's stack. RSP0 points below them,
 * so the next entry into ring 0 pushes its frame right there. RSP0 is set when IRET's frame lies
 * there, which makes trap_user_frame() true from then on. Interrupts are off.
 */
	.macro stack_frame_of_ring3
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$8, %rsp
	mov	%rsp, %rax
	mov	%rdi, %rsi
	sub	$FRAME_SIZE, %rsp
	mov	%rsp, %rdi
	mov	$FRAME_SIZE / 8, %ecx
	rep movsq
	mov	%rax, trap_tss + TSS_RSP0(%rip)
	.endm

	.macro enter_ring3
	xor	%eax, %eax
	mov	%eax, %ds
	mov	%eax, %es
	restore_kept
	restore_clobbered
	add	$16, %rsp
	iretq
	.endm

	global	user_enter
	stack_frame_of_ring3
	enter_ring3

/* user_enter_syscall(regs, nr) - as if ring 3 had just made that system call; afterwards ring 3
 * goes on with all of its registers. */
	global	user_enter_syscall
	mov	%rsi, %r8
	stack_frame_of_ring3
	count_ticks sub
	mov	%r8, %rdi
	mov	%rsp, %rsi
	call	*user_syscall_handler(%rip)
	mov	%rax, FRAME_RAX(%rsp)
	count_ticks add
	enter_ring3

/* user_return(code) - drops everything below user_enter()'s frame and returns from it. */
	global	user_return
	mov	%rdi, %rax
	mov	trap_tss + TSS_RSP0(%rip), %rsp
	movq	$0, trap_tss + TSS_RSP0(%rip)
	mov	$SEL_KERNEL_DATA, %ecx
	mov	%ecx, %ss
	cld
	add	$8, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	ret

/*
 * SYSCALL leaves RIP in RCX, RFLAGS in R11 and RSP as ring 3 had it; SFMASK has switched interrupts
 * and traps off, and NMI, #DB and #MC bring their own stacks, so nothing is pushed onto that RSP.
 * What an interrupt would have pushed is pushed here, so that trap_user_frame() holds in either
 * case; before user_syscall_framed RIP is in RCX alone (user_nmi()).
 *
 * A brief call (user.h) keeps all registers but RAX itself, so no other is saved for it. RCX and R11
 * are free from here to SYSRET: ring 3 gets RIP and RFLAGS in them.
 *
 * SYSRET to a non-canonical RCX would fault in ring 0 on ring 3's stack (SDM vol. 2, "SYSRET"):
 * such an address, which no code of ring 3 can have, ends the workload. Brief calls do not change it.
 */
	global	user_syscall_entry
	mov	%rsp, user_syscall_rsp(%rip)
	mov	trap_tss + TSS_RSP0(%rip), %rsp
	push	$SEL_USER_DATA | SEL_RPL_USER
	push	user_syscall_rsp(%rip)
	push	%r11
	push	$SEL_USER_CODE | SEL_RPL_USER
	push	%rcx
	.globl	user_syscall_framed
	.hidden	user_syscall_framed
user_syscall_framed:
	count_ticks sub
	cmp	$USER_BRIEF_CALLS, %rax
	jae	2f
	mov	user_brief_calls(%rip), %rcx
	mov	(%rcx, %rax, 8), %rcx
	test	%rcx, %rcx
	jz	2f
	cmpb	$0, step_on(%rip)
	jne	2f
	push	%rax
	call	*%rcx
	cmp	$USER_NOT_BRIEF, %rax
	je	1f
	count_ticks add
	mov	8(%rsp), %rcx
	mov	8 + FRAME_RFLAGS - FRAME_RIP(%rsp), %r11
	mov	8 + FRAME_RSP - FRAME_RIP(%rsp), %rsp
	sysretq
1:	pop	%rax
2:	mov	(%rsp), %rcx
	mov	FRAME_RFLAGS - FRAME_RIP(%rsp), %r11
	push	$0
	push	$0
	push_registers
	mov	%rax, %rdi
	mov	%rsp, %rsi
	cmpb	$0, step_on(%rip)
	jne	4f
	call	*user_syscall_handler(%rip)
3:	count_ticks add
	mov	FRAME_R10(%rsp), %r10
	mov	FRAME_R9(%rsp), %r9
	mov	FRAME_R8(%rsp), %r8
	mov	FRAME_RDX(%rsp), %rdx
	mov	FRAME_RSI(%rsp), %rsi
	mov	FRAME_RDI(%rsp), %rdi
	mov	FRAME_RIP(%rsp), %rcx
	mov	%rcx, %r11
	shr	$47, %r11
	jnz	5f
	mov	FRAME_RFLAGS(%rsp), %r11
	mov	FRAME_RSP(%rsp), %rsp
	sysretq
4:	call	user_stepped_syscall
	jmp	3b
5:	mov	$-EFAULT, %rdi
	jmp	user_return

	.section .percpu, "aw", @progbits
	.balign	8
user_syscall_rsp:
	.quad	0
	.globl	user_syscall_ticks
	.hidden	user_syscall_ticks
user_syscall_ticks:
	.quad	0

	.section .note.GNU-stack, "", @progbits
