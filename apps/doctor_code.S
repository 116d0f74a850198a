/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_code.S - the kernels of apps/doctor/doctor.h. The counts of a turn stand in
 * apps/doctor/doctor_measure.c. RDI: turns, not 0; RSI: memory. A label NAME_turn is where a turn begins,
 * and NAME_end is behind its last instruction.
 */
	.macro kernel name
	.balign 64
	.globl doctor_\name
	.hidden doctor_\name
	.type doctor_\name, @function
doctor_\name:
	.endm

	.macro turn name
	.globl doctor_\name\()_turn
	.hidden doctor_\name\()_turn
doctor_\name\()_turn:
	.endm

	.macro turns_end name
	dec %rdi
	jnz doctor_\name\()_turn
	.globl doctor_\name\()_end
	.hidden doctor_\name\()_end
doctor_\name\()_end:
	ret
	.size doctor_\name, . - doctor_\name
	.endm

	.text
	kernel loop
	turn loop
	turns_end loop

	kernel loads
	turn loads
	mov (%rsi), %rax
	mov 8(%rsi), %rdx
	mov 16(%rsi), %rax
	mov 24(%rsi), %rdx
	turns_end loads

	kernel stores
	turn stores
	mov %rdi, (%rsi)
	mov %rdi, 8(%rsi)
	mov %rdi, 16(%rsi)
	mov %rdi, 24(%rsi)
	turns_end stores

	kernel calls
	turn calls
	call 1f
	turns_end calls
1:	ret

	/* Returns where the chain was left. */
	kernel chase
	mov %rsi, %rax
	turn chase
	mov (%rax), %rax
	turns_end chase

	/*
	 * Marsaglia's xorshift of 64 bits, by 13, 7 and 17; returns the state. Its lowest bit decides
	 * the first branch, and with it the second: one of the two NOPs is executed.
	 */
	kernel pattern
	mov %rsi, %rax
	turn pattern
	mov %rax, %rdx
	shl $13, %rdx
	xor %rdx, %rax
	mov %rax, %rdx
	shr $7, %rdx
	xor %rdx, %rax
	mov %rax, %rdx
	shl $17, %rdx
	xor %rdx, %rax
	test $1, %al
	jz 1f
	nop
1:	test $1, %al
	jnz 2f
	nop
2:	turns_end pattern

	/*
	 * The first line of the memory has the number of the last line; 2^17 lines follow. The next
	 * number comes by a linear congruence, which visits each line once in 2^17 turns. The number of
	 * instructions of a turn is odd: a period of IBS is a multiple of 16, and reaches all of them.
	 */
	kernel pairs
	mov (%rsi), %rdx
	turn pairs
	imul $1229, %edx, %edx
	add $1, %edx
	mov %edx, %ecx
	and $0x1ffff, %ecx
	shl $6, %ecx
	mov 64(%rsi, %rcx), %rax
	mov 72(%rsi, %rcx), %rax
	mov %rdx, (%rsi)
	nop
	turns_end pairs

	/* RDI: the operand of RDPMC. Returns the counter. */
	kernel slide
	mov %edi, %ecx
	lfence
	rdpmc
	turn slide
	.rept 4096
	nop
	.endr
	shl $32, %rdx
	or %rdx, %rax
	ret
	.size doctor_slide, . - doctor_slide

	.section .note.GNU-stack, "", @progbits
