/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_code.S - watches a counter that only interrupts can move, and notes by how much each one
 * moved it. For apps/costs.c, which lets ring 3 use RDPMC: it is no workload.
 *
 * Takes the counter as RDPMC names it, how many moves to note, and how many turns to wait for them.
 * The moves go to WORKLOAD_HEAP, 8 bytes each; exits with the number of those that did not come.
 */
#include "include/perf0/layout.h"

#include <asm/unistd_64.h>

	.macro read_counter into
	mov %r8d, %ecx
	rdpmc
	shl $32, %rdx
	lea (%rdx, %rax), \into
	.endm

	.text
	.globl workload_watch
	.hidden workload_watch
	.type workload_watch, @function
workload_watch:
	mov %edi, %r8d
	mov %rdx, %r9
	mov $WORKLOAD_HEAP, %r10
	read_counter %r11
1:	dec %r9
	jz 2f
	read_counter %rdi
	cmp %r11, %rdi
	je 1b
	mov %rdi, %rax
	sub %r11, %rax
	mov %rdi, %r11
	mov %rax, (%r10)
	add $8, %r10
	dec %rsi
	jnz 1b
2:	mov %rsi, %rdi
	mov $__NR_exit_group, %eax
	syscall
	.size workload_watch, . - workload_watch

/* The same at the end of a chain of eight functions with frame pointers, itself among them. */
	.globl workload_watch_deep
	.hidden workload_watch_deep
	.type workload_watch_deep, @function
workload_watch_deep:
	mov $8, %eax
1:	push %rbp
	mov %rsp, %rbp
	dec %eax
	jz workload_watch
	call 1b
	.size workload_watch_deep, . - workload_watch_deep

	.section .note.GNU-stack, "", @progbits
