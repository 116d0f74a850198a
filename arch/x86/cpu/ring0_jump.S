/* SPDX-License-Identifier: BSD-2-Clause */
/* long lend_jump(uint64_t address, uint64_t *rsp) - stores RSP at `rsp` and calls `address`. 0: the
 * function returned. 1: a fault continued at lend_left with the stored RSP. */
	.text
	.globl	lend_jump, lend_left
	.hidden	lend_jump, lend_left
	.type	lend_jump, @function
lend_jump:
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$8, %rsp
	mov	%rsp, (%rsi)
	call	*%rdi
	xor	%eax, %eax
	jmp	1f
lend_left:
	mov	$1, %eax
1:	cld
	add	$8, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	ret
	.size	lend_jump, . - lend_jump

	.section .note.GNU-stack, "", @progbits
