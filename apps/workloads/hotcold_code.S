/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotcold_code.S - two functions that share the instructions 3 to 1, exactly: hot executes 3 * 1000 of
 * them in a call, cold 1000. The caller adds 4 a turn and 3 at the end, which is the only blur.
 *
 * Each function: MOV, NOP, pairs of DEC and JNZ, NOP, RET.
 */
#include <asm/unistd_64.h>

#define COLD_INSTRUCTIONS 1000
#define HOT_INSTRUCTIONS  (3 * COLD_INSTRUCTIONS)

	.macro burner name, instructions
	.balign 64
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	mov $((\instructions - 4) / 2), %ecx
	nop
1:	dec %ecx
	jnz 1b
	nop
	ret
	.size \name, . - \name
	.endm

	.text
	burner hot, HOT_INSTRUCTIONS
	burner cold, COLD_INSTRUCTIONS

	.balign 64
	.globl workload_hotcold
	.hidden workload_hotcold
	.type workload_hotcold, @function
workload_hotcold:
1:	call hot
	call cold
	dec %rdi
	jnz 1b
	mov $__NR_exit_group, %eax
	xor %edi, %edi
	syscall
	ud2 /* a sample on SYSCALL points here: still this function */
	.size workload_hotcold, . - workload_hotcold

	.section .note.GNU-stack, "", @progbits
