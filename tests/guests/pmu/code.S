/* SPDX-License-Identifier: BSD-2-Clause */
/* code.S - the world's entries, and code whose instructions are known. */
#define USER_DATA 0x1b
#define USER_CODE 0x23
#define RETURN_VECTOR 0x80

	.text
	.macro FUNCTION name
	.globl \name
	.hidden \name
	.type \name, @function
	.balign 16
\name:
	.endm

/* --- Exceptions and interrupts: RIP, CS, RFLAGS, RSP, SS above the error code and the vector --- */

	.balign 16
	.globl pmu_stubs
	.hidden pmu_stubs
pmu_stubs:
	.set vector, 0
	.rept 256
	.balign 16
	.if !(vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21)
	push $0
	.endif
	push $vector
	jmp common
	.set vector, vector + 1
	.endr

common:
	push %r15
	push %r14
	push %r13
	push %r12
	push %r11
	push %r10
	push %r9
	push %r8
	push %rbp
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %rbx
	push %rax
	mov %rsp, %rdi
	mov %rsp, %rbp
	and $-16, %rsp
	cld
	call pmu_trap
	mov %rbp, %rsp
	pop %rax
	pop %rbx
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	pop %rbp
	pop %r8
	pop %r9
	pop %r10
	pop %r11
	pop %r12
	pop %r13
	pop %r14
	pop %r15
	add $16, %rsp
	iretq

/* --- Calls that a trap may end: pmu_trap() goes on at pmu_ended with RSP as it was kept --- */

	.macro KEEP
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	.endm

/* uint64_t pmu_call(uint64_t *kept_rsp, void (*code)(void)): 0; else what pmu_trap() has put into RAX. */
FUNCTION pmu_call
	KEEP
	mov %rsp, (%rdi)
	sub $8, %rsp
	call *%rsi
	add $8, %rsp
	xor %eax, %eax
FUNCTION pmu_ended
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

/* uint64_t pmu_call_ring3(uint64_t *kept_rsp, code, argument, stack): ends by a trap in any case. */
FUNCTION pmu_call_ring3
	KEEP
	mov %rsp, (%rdi)
	mov %rdx, %rdi
	push $USER_DATA
	push %rcx
	push $2
	push $USER_CODE
	lea in_ring3(%rip), %rax
	push %rax
	iretq
in_ring3:
	call *%rsi
	int $RETURN_VECTOR

/* void pmu_load_code_selector(uint64_t selector) */
FUNCTION pmu_load_code_selector
	pop %rax
	push %rdi
	push %rax
	lretq

/* --- What is measured --- */

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

	TURNS pmu_not_taken		/* 3, one of them a branch */
	xor %eax, %eax
	nop
	jnz 2f
	END_TURNS

	.section .note.GNU-stack, "", @progbits
