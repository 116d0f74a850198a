/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmrun.S - runs the guest, and completes quick exits: most of them read a counter, or write a stopped
 * one (quick_exit.c says when an exit may be quick). The two RDTSCs stand right beside VMRUN, so that
 * the host's share of the time between them is RUN_HOST_INSNS instructions.
 *
 *	vpmu_run_guest      RDTSC, VMRUN, RDTSC
 *	vpmu_quick          only the exit itself can keep it from being quick?   no: vpmu_run_slow
 *	check_code          the instruction has no prefixes?                     no: vpmu_run_slow
 *	quick_read, _write  the register is in a table of quick ones?            no: vpmu_run_slow
 *	owe_executed        the executed instructions may be owed?               no: vpmu_run_slow
 *	end_instruction     completes the instruction, and starts again
 *
 * The number of instructions here is the cost of an exit, so this is assembler: 58 for RDPMC, 60 for
 * RDMSR and WRMSR, and three more if the code lies in the second page that check_code searches
 * (tests/e2e/machine/costs.sh). A compiler would save more registers. RAX and RDX are free, because
 * the guest's values are in its VMCB and in vpmu_cpu. All other registers have the guest's values.
 * An exit has changed nothing when it jumps to vpmu_run_slow.
 */
#include "vpmu/model/quick_layout.h"
#include "vpmu/svm/vcpu/asm_layout.h"

#define CPU(field)       vpmu_cpu + (field)(%rip)
#define VMCB(field)      vpmu_vmcb + (field)(%rip)
#define REGISTERS(field) CPU(CPU_QUICK_REGISTERS + field)

	.text

	/* Entered after a quick exit, since which the guest's TSC has stood still. */
	.globl vpmu_run_guest_by_clock
	.hidden vpmu_run_guest_by_clock
vpmu_run_guest_by_clock:
	rdtsc					/* 1: QUICK_HOST_INSNS */
	shl $32, %rdx				/* 2 */
	or %rdx, %rax				/* 3 */
	sub CPU(CPU_EXIT_TSC), %rax		/* 4 */
	add CPU(CPU_QUICK_CLOCK), %rax		/* 5 */
	sub %rax, VMCB(VMCB_TSC_OFFSET)		/* 6 */

	.globl vpmu_run_guest
	.hidden vpmu_run_guest
vpmu_run_guest:
	rdtsc					/* 1: RUN_HOST_INSNS */
	mov %eax, CPU(CPU_ENTRY_TSC)		/* 2 */
	mov %edx, CPU(CPU_ENTRY_TSC + 4)	/* 3 */
	mov CPU(CPU_RDX), %rdx			/* 4 */
	mov CPU(CPU_VMCB), %rax			/* 5 */
	vmrun					/* 6 */
	mov %rdx, CPU(CPU_RDX)			/* 7 */
	rdtsc
	mov %eax, CPU(CPU_EXIT_TSC)
	mov %edx, CPU(CPU_EXIT_TSC + 4)

	/*
	 * RAX has RIP ^ CR3, XOR the keys of the pages before this one. The XOR with the key of the
	 * instruction's own page gives the offset in that page. With any other key the result is
	 * larger than a page.
	 */
	.macro check_code_in page, code, table, then, elsewhere
	xor CPU(\page + PAGE_KEY), %rax
	cmp $CODE_LAST, %rax
	ja \elsewhere
	mov CPU(\page + PAGE_PHYSICAL), %rdx
	cmpw $\code, (%rdx, %rax)
	lea REGISTERS(\table), %rdx
	je \then
	jmp vpmu_run_slow
	.endm

	/* Goes to `then`, with the table in RDX, if the instruction at RIP is `code` without
	 * prefixes. The two pages of the last slow exits are searched. */
	.macro check_code pages, code, table, then
	mov VMCB(VMCB_RIP), %rax
	xor VMCB(VMCB_CR3), %rax
	check_code_in \pages, \code, \table, \then, 1f
1:	check_code_in \pages+NEXT_PAGE, \code, \table, \then, vpmu_run_slow
	.endm

	/* Sets RAX to the number of instructions that the model does not know yet. They are owed from
	 * now on, and so is the one that exits. */
	.macro owe_executed too_much
	mov CPU(CPU_EXIT_TSC), %rax
	sub CPU(CPU_ENTRY_TSC), %rax
	xor %edx, %edx
	divq CPU(CPU_TICKS_PER_INSN)
	add CPU(CPU_QUICK_BESIDE), %rax
	cmp CPU(CPU_QUICK_ROOM), %rax
	jae \too_much
	lea 1 - RUN_HOST_INSNS(%rax), %rdx
	mov %rdx, CPU(CPU_QUICK_BESIDE)
	.endm

	.macro end_instruction
	pop %rsi
	incq CPU(CPU_EXITS)
	addq $QUICK_LENGTH, VMCB(VMCB_RIP)
	jmp *CPU(CPU_QUICK_AGAIN)
	.endm

	/* An exit is quick only if its instruction causes no trap, and ends no shadow and no RF. */
	.globl vpmu_quick
	.hidden vpmu_quick
vpmu_quick:
	testl $RFLAGS_TRAP_OR_RESUME, VMCB(VMCB_RFLAGS)
	jnz vpmu_run_slow
	testb $SHADOW_BIT, VMCB(VMCB_INT_STATE)
	jnz vpmu_run_slow
	cmpq $EXIT_RDPMC, VMCB(VMCB_EXIT_CODE)
	jne quick_msr
	cmpb $0, VMCB(VMCB_CPL)
	jne quick_rdpmc_of_user
quick_rdpmc:
	check_code CPU_PAGES_RDPMC, CODE_RDPMC, REGISTERS_RDPMC, quick_read

quick_rdpmc_of_user:
	testl $CR4_PCE_BIT, VMCB(VMCB_CR4)
	jnz quick_rdpmc
	jmp vpmu_run_slow

quick_msr:
	cmpq $EXIT_MSR, VMCB(VMCB_EXIT_CODE)
	jne vpmu_run_slow
	testb $MSR_IS_WRITTEN, VMCB(VMCB_EXIT_INFO1)
	jnz quick_wrmsr
	check_code CPU_PAGES_RDMSR, CODE_RDMSR, REGISTERS_RDMSR, quick_read
quick_wrmsr:
	check_code CPU_PAGES_WRMSR, CODE_WRMSR, REGISTERS_WRMSR, quick_write

	/* RDX: struct vpmu_quick_reads. */
quick_read:
	imul $VPMU_QUICK_FACTOR, %ecx, %eax
	shr $(32 - VPMU_QUICK_BITS), %eax
	cmp %ecx, READS_NUMBER(%rdx, %rax, 4)
	jne vpmu_run_slow
	push %rsi
	push READS_VALUE(%rdx, %rax, 8)
	mov READS_COUNTER(%rdx, %rax, 8), %rsi
	owe_executed quick_read_too_much

	/* The value: *value + (rest + executed * each[ring]) / den (model_quick.h). */
	mov CPU(CPU_QUICK_RING), %rdx
	imul COUNTER_EACH(%rsi, %rdx, 8), %rax
	add COUNTER_REST(%rsi), %rax
	xor %edx, %edx
	divq COUNTER_DEN(%rsi)
	pop %rdx
	add (%rdx), %rax

	mov %eax, %edx
	shr $32, %rax
	mov %rdx, VMCB(VMCB_RAX)
	mov %rax, CPU(CPU_RDX)
	end_instruction

quick_read_too_much:
	pop %rdx
	pop %rsi
	jmp vpmu_run_slow

	/* RDX: the first struct vpmu_quick_writes. */
quick_write:
	imul $VPMU_QUICK_FACTOR, %ecx, %eax
	shr $(32 - VPMU_QUICK_BITS), %eax
	cmp %ecx, WRITES_NUMBER(%rdx, %rax, 4)
	jne quick_write_32
	push %rsi
	push %rdi
	mov WRITES_COUNTER(%rdx, %rax, 8), %rsi

	/* RDI: the written value, which must fit the counter. */
	mov CPU(CPU_RDX), %rdi
	shl $32, %rdi
	mov VMCB(VMCB_RAX), %eax
	or %rax, %rdi
	cmp CPU(CPU_QUICK_MASK), %rdi
	ja quick_write_too_much

	/* RSI: the counter, which must be stopped. */
quick_set:
	cmpq $COUNTER_STILL, COUNTER_DEN(%rsi)
	jne quick_write_too_much
	owe_executed quick_write_too_much
	mov %rdi, COUNTER_VALUE(%rsi)
	mov %rdi, COUNTER_WRITTEN(%rsi)
	pop %rdi
	end_instruction

	/* Or the MSR is in the second table, at the same index. RDI: 32 bits, sign-extended. */
quick_write_32:
	add $(REGISTERS_WRMSR_32 - REGISTERS_WRMSR), %rdx
	cmp %ecx, WRITES_NUMBER(%rdx, %rax, 4)
	jne vpmu_run_slow
	push %rsi
	push %rdi
	mov WRITES_COUNTER(%rdx, %rax, 8), %rsi
	movslq VMCB(VMCB_RAX), %rdi
	and CPU(CPU_QUICK_MASK), %rdi
	jmp quick_set

quick_write_too_much:
	pop %rdi
	pop %rsi
	jmp vpmu_run_slow

	.section .note.GNU-stack, "", @progbits
