/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.S - code with a known number of instructions: some to measure the TSC, and probes that ask
 * vpmu, before and after, how many instructions ring 0 has executed. Each probe returns the
 * difference: the instructions between its two CPUIDs, including the first and excluding the
 * second.
 */
#include "vpmu/svm/probes.h"

	.macro BEGIN name
	.globl \name
	.hidden \name
\name:
	push %rbx
	mov $CHECK_LEAF, %eax
	mov $CHECK_SUBLEAF, %ecx
	cpuid				/* 1 */
	mov %eax, %esi			/* 2 */
	.endm

	.macro END
	mov $CHECK_LEAF, %eax		/* 3 */
	mov $CHECK_SUBLEAF, %ecx	/* 4: CHECK_PROBE_INSNS */
	cpuid
	sub %esi, %eax
	pop %rbx
	ret
	.endm

	.text
	/* QEMU's plugin counts the code from here to vpmu_probes_end as the guest's. */
	.globl vpmu_probes_start
	.hidden vpmu_probes_start
vpmu_probes_start:
	/* uint64_t vpmu_check_ticks_{short,long}(void): TSC ticks of CHECK_{SHORT,LONG} instructions. */
	.macro TICKS name, count
	.globl \name
	.hidden \name
\name:
	rdtsc
	mov %eax, %ecx
	mov %edx, %esi
	.rept \count
	nop
	.endr
	rdtsc
	sub %ecx, %eax
	sbb %esi, %edx
	shl $32, %rdx
	or %rdx, %rax
	ret
	.endm

	TICKS vpmu_check_ticks_short, CHECK_SHORT
	TICKS vpmu_check_ticks_long, CHECK_LONG

	/* uint64_t vpmu_check_ticks_loop(void): TSC ticks of CHECK_LOOPS times CHECK_LOOP_INSNS
	 * instructions. */
	.globl vpmu_check_ticks_loop
	.hidden vpmu_check_ticks_loop
vpmu_check_ticks_loop:
	rdtsc
	mov %eax, %r8d
	mov %edx, %r9d
	mov $CHECK_LOOPS, %ecx
1:	mov -8(%rsp), %rsi
	lea (%rsi, %rcx), %rsi
	mov %rsi, -8(%rsp)
	test %rsi, %rsi
	js 2f
	add $1, %rdi
2:	sub $1, %ecx
	jnz 1b
	rdtsc
	sub %r8d, %eax
	sbb %r9d, %edx
	shl $32, %rdx
	or %rdx, %rax
	ret

	BEGIN vpmu_check_straight
	.rept CHECK_SHORT
	nop
	.endr
	END

	/* UD2 faults and is not counted; the two instructions of its handler are. */
	BEGIN vpmu_check_ud2
	ud2
	END

	/* INT3 traps and is counted, with the handler's IRETQ. */
	BEGIN vpmu_check_int3
	int3
	END

	/* Eight instructions; RDI gets the TF that the guest sees, which must be 0. */
	BEGIN vpmu_check_flags
	pushfq
	popfq
	pushfq
	pop %rdi
	shr $8, %edi
	and $1, %edi
	mov %edi, vpmu_check_saw_tf(%rip)
	nop
	END

	/* One instruction of each kind that the plugin tells apart, and a load that faults. */
	BEGIN vpmu_check_kinds
	mov %esi, %r8d			/* 1 */
	xor %edx, %edx
	jnz 1f				/* 3: not taken */
	jz 1f				/* 4: taken */
	nop
1:	call 2f				/* 5 */
	jmp 3f				/* 7 */
2:	ret				/* 6 */
3:	lea 4f(%rip), %rdi
	call *%rdi			/* 9 */
	lea 5f(%rip), %rdi		/* 11 */
	jmp *%rdi			/* 12 */
4:	ret				/* 10 */
5:	lock incl vpmu_check_words(%rip)
	mov $7, %eax
	mov $2, %ecx
	div %ecx			/* 16 */
	lea vpmu_check_words(%rip), %rdi
	lea vpmu_check_words + 8(%rip), %rsi
	mov $3, %ecx
	rep movsb			/* 20: and CHECK_REPEATS more */
	sub $3, %rdi
	sub $3, %rsi
	mov $3, %ecx
	repe cmpsb			/* 24: likewise */
	mov $1, %edi
	ror $1, %rdi
	mov (%rdi), %edi		/* faults, not counted; the handler's three are */
	mov %r8d, %esi			/* 30 */
	END

	.globl vpmu_check_on_gp
	.hidden vpmu_check_on_gp
vpmu_check_on_gp:
	add $8, %rsp
	addq $2, (%rsp)
	iretq

	.globl vpmu_check_on_ud2
	.hidden vpmu_check_on_ud2
vpmu_check_on_ud2:
	addq $2, (%rsp)
	iretq

	.globl vpmu_check_on_int3
	.hidden vpmu_check_on_int3
vpmu_check_on_int3:
	iretq

	.globl vpmu_probes_end
	.hidden vpmu_probes_end
vpmu_probes_end:

	.section .note.GNU-stack, "", @progbits
