/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.S - an image that another image loads (jump.c): one page with code, data and stack. Its
 * page tables map only this page, low and high. It has no handlers: a fault resets the machine.
 */
#define STACK_END 0xe00
#define SEEN_RIP  0xe00
#define SEEN_CPU  0xe08
#define SEEN_SUM  0xe10
#define TURNS     1000

	.section .rodata
	.balign 16
	.globl guest_image, guest_image_end
	.hidden guest_image, guest_image_end

/* void guest_image(uint64_t cr3, uint64_t high): at its low address; `high` is how much higher the other one is */
guest_image:
	push %rbx
	mov %cr3, %r8
	mov %rsp, %r9
	mov %rdi, %cr3
	lea 1f(%rip), %rax
	add %rsi, %rax
	jmp *%rax
1:	lea guest_image + STACK_END(%rip), %rsp
	lea 1b(%rip), %rax
	mov %rax, guest_image + SEEN_RIP(%rip)
	xor %eax, %eax
	cpuid
	mov %ebx, guest_image + SEEN_CPU(%rip)
	mov $TURNS, %ecx
	xor %eax, %eax
2:	call 4f
	dec %ecx
	jnz 2b
	mov %rax, guest_image + SEEN_SUM(%rip)
	lea 3f(%rip), %rax
	sub %rsi, %rax
	jmp *%rax
3:	mov %r8, %cr3
	mov %r9, %rsp
	pop %rbx
	ret
4:	push %rcx
	add %rcx, %rax
	pop %rcx
	ret
guest_image_end:

	.section .note.GNU-stack, "", @progbits
