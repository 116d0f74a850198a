/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.S - both sides of system calls (system.c). The code of ring 3 comes into 32-bit code by a far return,
 * and back by a far jump; all of it lies below 4 GiB.
 */
#include "tests/guests/function.h"

#define USER_32   0x1b
#define USER_DATA 0x23
#define USER_CODE 0x2b
#define RETURN    0x80

	.text

/* Stores the state at the entry, in the layout of guest_system_notes. */
	.macro NOTE
	mov %rcx, guest_system_notes(%rip)
	mov %r11, guest_system_notes + 8(%rip)
	mov %rsp, guest_system_notes + 16(%rip)
	mov %cs, %eax
	mov %eax, guest_system_notes + 24(%rip)
	mov %ss, %eax
	mov %eax, guest_system_notes + 28(%rip)
	incl guest_system_notes + 32(%rip)
	.endm

FUNCTION guest_on_syscall
	NOTE
	pushfq
	pop guest_system_notes + 40(%rip)
	sysretq
FUNCTION guest_on_syscall_32
	NOTE
	sysretl

/* SYSENTER has no way back of its own: RDX and RCX say where to. */
FUNCTION guest_on_sysenter
	NOTE
	lea sysenter_back(%rip), %rdx
	mov %r8, %rcx
	sysexitq

/* void guest_syscalls(uint64_t turns), in ring 3: two instructions and SYSCALL a turn */
FUNCTION guest_syscalls
1:	syscall
guest_behind_syscall:
	dec %rdi
	jnz 1b
	mov %cs, %eax
	mov %eax, guest_system_notes + 48(%rip)
	mov %ss, %eax
	mov %eax, guest_system_notes + 52(%rip)
	ret
	.globl guest_behind_syscall
	.hidden guest_behind_syscall

/* void guest_syscalls_32(uint64_t turns): likewise, in 32-bit code */
FUNCTION guest_syscalls_32
	mov %rsp, %r8
	push $USER_32
	lea 1f(%rip), %rax
	push %rax
	lretq
	.code32
1:	syscall
	dec %edi
	jnz 1b
	mov %cs, %ecx
	mov %ss, %edx
	call 2f
2:	pop %eax
	add $3f - 2b, %eax
	push $USER_CODE
	push %eax
	lretl
	.code64
3:	mov %ecx, guest_system_notes + 48(%rip)
	mov %edx, guest_system_notes + 52(%rip)
	mov %r8, %rsp
	ret

/* void guest_sysenter(uint64_t unused), in ring 3 */
FUNCTION guest_sysenter
	mov %rsp, %r8
	sysenter
sysenter_back:
	mov %cs, %eax
	mov %eax, guest_system_notes + 48(%rip)
	mov %ss, %eax
	mov %eax, guest_system_notes + 52(%rip)
	ret

	.section .note.GNU-stack, "", @progbits
