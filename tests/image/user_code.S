/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_code.S - see user_code.h. RDI is the address of the code, RSI the stack's lowest address,
 * RDX an address of ring 0. A piece with other arguments says so.
 */
#include "arch/x86/vector.h"
#include <asm/unistd_64.h>

	.macro piece_at name
	.globl	\name
	.hidden	\name
\name:
	.endm

	.macro piece name
	.balign	16
	piece_at \name
	.endm

	.macro exit
	mov	$__NR_exit_group, %eax
	syscall
	ud2
	.endm

	/* Counts damaged registers: %r11d += (reg != value). Clobbers RAX and RFLAGS. */
	.macro check reg, value
	cmp	$\value, \reg
	setne	%al
	movzbl	%al, %eax
	add	%eax, %r11d
	.endm

	.macro fault_row vector, name, needs_umip=0
	.pushsection .rodata.user_faults, "a"
	.balign	4
9:	.long	8f - 9b
	.short	\vector, \needs_umip
10:	.ascii	"\name"
	.zero	24 - (. - 10b)
	.popsection
	.balign	16
8:
	.endm

	.section .rodata.user_faults, "a"
	.balign	4
	.globl	user_faults
	.hidden	user_faults
user_faults:

	.section .rodata.user_code, "a"
	piece	user_code_start

/* Called with all six arguments, in the order of a System V call. */
	piece	user_sum
	.irp	reg, rax, rbx, rcx, rdx, rbp, rsi, r8, r9, r10, r11, r12, r13, r14, r15
	add	%\reg, %rdi
	.endr
	exit

	piece	user_kept
	.irp	reg, rdi, rsi, rdx, rbx, rbp, r8, r9, r10, r12, r13, r14, r15
	mov	$0x5a5a, %\reg
	.endr
	mov	$__NR_getpid, %eax
	syscall
	xor	%r11d, %r11d
	.irp	reg, rdi, rsi, rdx, rbx, rbp, r8, r9, r10, r12, r13, r14, r15
	check	%\reg, 0x5a5a
	.endr
	mov	%r11d, %edi
	exit

	piece	user_fpu
	movq	%xmm0, %rdi
	push	$0
	stmxcsr	(%rsp)
	pop	%rax
	xor	$0x1f80, %eax
	add	%rax, %rdi
	mov	$-1, %rax
	movq	%rax, %xmm0
	push	$0x9fc0
	ldmxcsr	(%rsp)
	exit

	piece	user_spin
1:	jmp	1b

	piece	user_calls
	mov	$__NR_getpid, %eax
	syscall
	piece_at user_called
	xor	%edi, %edi
	exit

	piece	user_touch
1:	mov	%rdi, (%rsi)
	dec	%rdx
	jnz	1b
	xor	%edi, %edi
	exit

	piece	user_bases
	mov	$__NR_getpid, %eax
	syscall
	mov	%fs:0, %rdi
	add	%gs:0, %rdi
	exit

	piece	user_own_bases
	wrfsbase %rsi
	lea	8(%rsi), %rax
	wrgsbase %rax
	jmp	user_bases

	piece	user_selectors
	mov	$SEL_USER_DATA | SEL_RPL_USER, %eax
	mov	%eax, %fs
	mov	%eax, %gs
	mov	$__NR_getpid, %eax
	syscall
	mov	%fs, %edi
	mov	%gs, %ecx
	or	%ecx, %edi
	exit

	piece	user_flags
	pushfq
	orq	$RFLAGS_DF | RFLAGS_AC, (%rsp)
	popfq
	mov	$__NR_getpid, %eax
	syscall
	xor	%edi, %edi
	exit

	piece	user_flags_fault
	pushfq
	orq	$RFLAGS_DF | RFLAGS_AC, (%rsp)
	popfq
	ud2

/*
 * All ways to see TF, in STEP_FLAGS_INSTRUCTIONS; but not IRET, which QEMU 7.2 lets fault in ring 3
 * under SMAP, stepped or not.
 */
	piece	user_step_flags
	pushfq
	pop	%rdi
	pushfw
	pop	%cx
	movzwl	%cx, %ecx
	or	%rcx, %rdi
	pushfq
	popfq
	pushfq
	pop	%rcx
	or	%rcx, %rdi
	mov	%ss, %eax
	mov	%eax, %ss
	nop
	mov	$__NR_getpid, %eax
	syscall
	or	%r11, %rdi
	and	$RFLAGS_TF, %edi
	exit

/* Sets TF itself, and gets its trap behind the instruction after that. */
	piece	user_step_own
	pushfq
	orq	$RFLAGS_TF, (%rsp)
	popfq
	pushfq
	piece_at user_step_own_trapped
	ud2

	fault_row VEC_DE, "divide by zero"
	xor	%eax, %eax
	xor	%edx, %edx
	div	%eax
	exit

	fault_row VEC_DB, "trap flag"
	pushfq
	orq	$RFLAGS_TF, (%rsp)
	popfq
	nop
	exit

	fault_row VEC_BP, "int3"
	int3
	exit

	fault_row VEC_UD, "ud2"
	ud2
	exit

	fault_row VEC_GP, "hlt"
	hlt
	exit

	fault_row VEC_GP, "cli"
	cli
	exit

	fault_row VEC_GP, "in"
	in	$0x80, %al
	exit

	fault_row VEC_GP, "mov to cr3"
	mov	%rax, %cr3
	exit

	fault_row VEC_GP, "wrmsr"
	xor	%ecx, %ecx
	wrmsr
	exit

	fault_row VEC_GP, "int 0x80"
	int	$0x80
	exit

	fault_row VEC_GP, "int of the timer"
	int	$VEC_FREE
	exit

	fault_row VEC_GP, "non-canonical read"
	mov	$1, %eax
	shl	$63, %rax
	mov	(%rax), %rax
	exit

	fault_row VEC_GP, "sidt", 1
	sub	$16, %rsp
	sidt	(%rsp)
	exit

	fault_row VEC_PF, "null read"
	xor	%eax, %eax
	mov	(%rax), %rax
	exit

	fault_row VEC_PF, "write to code"
	mov	%rax, (%rdi)
	exit

	fault_row VEC_PF, "run the stack"
	jmp	*%rsi

	fault_row VEC_PF, "below the stack"
	mov	-8(%rsi), %rax
	exit

	fault_row VEC_PF, "read of ring 0"
	mov	(%rdx), %rax
	exit

	fault_row VEC_PF, "jump to ring 0"
	jmp	*%rdx

	fault_row VEC_PF, "push at null"
	xor	%esp, %esp
	mov	$8, %rsp
	push	%rax
	exit

	piece	user_code_end

	.section .rodata.user_faults, "a"
	.globl	user_faults_end
	.hidden	user_faults_end
user_faults_end:

	.section .note.GNU-stack, "", @progbits
