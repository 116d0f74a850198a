/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls32.S - a program of 32 bits that does 1000 system calls by the kernel's own way (AT_SYSINFO of
 * its auxiliary vector): SYSENTER on Intel's CPUs, SYSCALL on AMD's. Ring 3 has some 13 instructions
 * for each, and ring 0 hundreds.
 */
#define AT_SYSINFO 32

/* From <asm/unistd_32.h>, which a 64-bit compiler does not find with -m32. */
#define NR_EXIT   1
#define NR_GETPID 20

	.text
	.globl _start
_start:
	mov %esp, %ebx
	mov (%ebx), %ecx		/* of the arguments */
	lea 8(%ebx, %ecx, 4), %ebx	/* the environment */
skip_environment:
	mov (%ebx), %eax
	add $4, %ebx
	test %eax, %eax
	jnz skip_environment
find_sysinfo:
	mov (%ebx), %eax
	mov 4(%ebx), %esi
	add $8, %ebx
	cmp $AT_SYSINFO, %eax
	je call_kernel
	test %eax, %eax
	jnz find_sysinfo
	mov $1, %ebx			/* there is none */
	jmp end
call_kernel:
	mov $1000, %edi
next_call:
	mov $NR_GETPID, %eax
	call *%esi
	dec %edi
	jnz next_call
	xor %ebx, %ebx
end:
	mov $NR_EXIT, %eax
	int $0x80

	.section .note.GNU-stack, "", @progbits
