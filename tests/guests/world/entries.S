/* SPDX-License-Identifier: BSD-2-Clause */
/* entries.S - the ways into the world and out of it. */
#include "tests/guests/function.h"

#define USER_DATA 0x23
#define USER_CODE 0x2b
#define RETURN_VECTOR 0x80

	.text

/* --- Exceptions and interrupts: RIP, CS, RFLAGS, RSP, SS above the error code and the vector --- */

	.balign 16
	.globl world_stubs
	.hidden world_stubs
world_stubs:
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
	call world_trap
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

/* --- Calls that a trap may end: world_trap() goes on at world_ended with RSP as it was kept --- */

	.macro KEEP
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	.endm

/* uint64_t world_call(uint64_t *kept_rsp, void (*code)(void)): 0; else what world_trap() has put into RAX. */
FUNCTION world_call
	KEEP
	mov %rsp, (%rdi)
	sub $8, %rsp
	call *%rsi
	add $8, %rsp
	xor %eax, %eax
FUNCTION world_ended
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

/* uint64_t world_call_ring3(uint64_t *kept_rsp, code, argument, stack): ends by a trap in any case. */
FUNCTION world_call_ring3
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

/* void world_load_code_selector(uint64_t selector) */
FUNCTION world_load_code_selector
	pop %rax
	push %rdi
	push %rax
	lretq

	.section .note.GNU-stack, "", @progbits
