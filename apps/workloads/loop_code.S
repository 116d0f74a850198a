/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loop_code.S - the loop whose exact cost is known: in assembly, so that no compiler can change it.
 *
 * instructions:u of `loop N` is 2 * N + 5: two for each turn, and TEST, JZ, MOV, XOR and the SYSCALL
 * that ends it. `loop 0` therefore reads 5.
 */
#include <asm/unistd_64.h>

	.text
	.globl workload_loop
	.hidden workload_loop
	.type workload_loop, @function
	.balign 64
workload_loop:
	test %rdi, %rdi
	jz 2f
1:	dec %rdi
	jnz 1b
2:	mov $__NR_exit_group, %eax
	xor %edi, %edi
	syscall
	ud2 /* a sample on SYSCALL points here: still this function */
	.size workload_loop, . - workload_loop

	.section .note.GNU-stack, "", @progbits
