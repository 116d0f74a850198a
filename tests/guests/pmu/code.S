/* SPDX-License-Identifier: BSD-2-Clause */
/* code.S - code whose instructions are known, and the code that measures it. */
#include "tests/guests/function.h"

	.text

/* void pmu_run(uint64_t counters, void (*code)(uint64_t), uint64_t argument), by pmu_run_by(msr, ...) */
FUNCTION pmu_run_by
	push %rbx
	push %r12
	push %r13
	mov %edi, %r12d
	mov %rdx, %rbx
	mov %rcx, %r13
	mov %r12d, %ecx
	mov %esi, %eax
	mov %rsi, %rdx
	shr $32, %rdx
	mov %r13, %rdi
	wrmsr
	call *%rbx
	mov %r12d, %ecx
	xor %eax, %eax
	xor %edx, %edx
	wrmsr
	pop %r13
	pop %r12
	pop %rbx
	ret

FUNCTION pmu_nothing
	ret

FUNCTION pmu_loop
	test %rdi, %rdi
	jz 2f
1:	dec %rdi
	.globl pmu_loop_branch
	.hidden pmu_loop_branch
pmu_loop_branch:
	jnz 1b
2:	ret

	/* Code that is repeated: DEC and JNZ are two instructions, and a branch, of each turn. */
	.macro TURNS name
FUNCTION \name
	push %rbx
	test %rdi, %rdi
	jz 2f
1:
	.endm
	.macro END_TURNS
	dec %rdi
	jnz 1b
2:	pop %rbx
	ret
	.endm

	TURNS pmu_nops			/* 100 */
	.rept 100
	nop
	.endr
	END_TURNS

	TURNS pmu_calls			/* 4, 3 of them branches */
	call 3f
	jmp 4f
3:	ret
4:	nop
	END_TURNS

	TURNS pmu_cpuids		/* 5 */
	push %rdi
	xor %eax, %eax
	xor %ecx, %ecx
	cpuid
	pop %rdi
	END_TURNS

	TURNS pmu_stack			/* 6 */
	pushfq
	popfq
	push %rax
	lock incq (%rsp)
	xchg %rax, (%rsp)
	pop %rdx
	END_TURNS

	TURNS pmu_msrs			/* 2 */
	mov $0xc0000100, %ecx
	rdmsr
	END_TURNS

	TURNS pmu_ports			/* 8: the data of a configuration cycle, and as a string */
	mov $0xcfc, %edx
	in (%dx), %eax
	in (%dx), %al
	push %rdi
	lea -64(%rsp), %rdi
	insl
	pop %rdi
	nop
	END_TURNS

	TURNS pmu_not_taken		/* 3, one of them a branch */
	xor %eax, %eax
	nop
	jnz 2f
	END_TURNS

FUNCTION pmu_lines
	mov pmu_memory(%rip), %rsi
1:	mov (%rsi), %rax
	lea 64(%rsi), %rsi
	.rept 6
	nop
	.endr
	dec %rdi
	jnz 1b
	ret

/* System calls of ring 3, and their entries: 4 instructions a turn, and 7. */
FUNCTION pmu_syscalls
1:	syscall
	dec %rdi
	jnz 1b
	ret
FUNCTION pmu_on_syscall
	sysretq
FUNCTION pmu_sysenters
	mov %rsp, %r8
	sysenter
sysenter_back:
	dec %rdi
	jnz pmu_sysenters
	ret
FUNCTION pmu_on_sysenter
	lea sysenter_back(%rip), %rdx
	mov %r8, %rcx
	sysexitq

/* One branch of each kind at least; pmu_branch_list has them in their order. */
FUNCTION pmu_branches
b0:	jmp b1
	nop
b1:	call b2
b3:	jmp t3
b2:	ret
t3:	xor %eax, %eax
b4:	jz t4
	nop
t4:	lea t5(%rip), %rax
b5:	jmp *%rax
	nop
t5:	lea b7(%rip), %rax
b6:	call *%rax
b8:	jmp t8
b7:	ret
t8:	ret

	.section .rodata
	.macro BRANCH from, to, kind
	.long \from - pmu_branches, \to - pmu_branches, \kind
	.endm
	.balign 4
	.globl pmu_branch_list, pmu_branch_list_end
	.hidden pmu_branch_list, pmu_branch_list_end
pmu_branch_list:
	BRANCH b0, b1, 5
	BRANCH b1, b2, 1
	BRANCH b2, b3, 3
	BRANCH b3, t3, 5
	BRANCH b4, t4, 0
	BRANCH b5, t5, 4
	BRANCH b6, b7, 2
	BRANCH b7, b8, 3
	BRANCH b8, t8, 5
pmu_branch_list_end:

	.section .note.GNU-stack, "", @progbits
