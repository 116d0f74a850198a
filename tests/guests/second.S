/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * second.S - the code of a CPU that starts.c has started: in real mode, in a page below 1 MiB
 * (struct second_page), until a command halts it.
 */
#define BEGUN    0x200
#define SEEN     0x204
#define TURNS    0x208
#define HALTS    0x20c
#define READS    0x210
#define COUNTS   0x214
#define NMIS     0x218
#define IDTR     0x220
#define LOADED   0x401 /* of the code that the boot CPU runs */

#define MSR_PERFEVTSEL0  0x186
#define MSR_PMC0         0x0c1
#define MSR_GLOBAL_CTRL  0x38f
#define MSR_PKG_ENERGY   0x611
#define INSTRUCTIONS     0x4300c0
#define PERIOD           1000

	.section .rodata
	.globl guest_second, guest_second_end
	.hidden guest_second, guest_second_end
	.code16
guest_second:
	lidtl %cs:IDTR
	incl %cs:BEGUN
	cmpl $0, %cs:COUNTS
	je 1f
	mov $MSR_PMC0, %ecx
	mov $-PERIOD, %eax
	xor %edx, %edx
	wrmsr
	mov $MSR_PERFEVTSEL0, %ecx
	mov $INSTRUCTIONS, %eax
	wrmsr
	mov $MSR_GLOBAL_CTRL, %ecx
	mov $1, %eax
	wrmsr
	.balign 16, 0x90
1:	mov $0x1111, %ax		/* which the boot CPU changes: guest_second_loads */
	mov %ax, %cs:SEEN
	incl %cs:LOADED			/* which the boot CPU runs */
	incl %cs:TURNS
	cmpl $0, %cs:READS
	je 2f
	mov $MSR_PKG_ENERGY, %ecx	/* of all CPUs of a package */
	rdmsr
2:	cmpl $0, %cs:HALTS
	je 1b
3:	cli
	hlt
	jmp 3b
guest_second_nmi:
	incl %cs:NMIS
	iret
guest_second_end:
	.globl guest_second_nmi
	.hidden guest_second_nmi
	.globl guest_second_loads
	.hidden guest_second_loads
	.set guest_second_loads, 1b + 1

	.section .note.GNU-stack, "", @progbits
