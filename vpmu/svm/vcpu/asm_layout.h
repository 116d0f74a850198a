/* SPDX-License-Identifier: BSD-2-Clause */
/* asm_layout.h - offsets and values that assembler and C share. Offsets are into struct vpmu_cpu
 * and struct vmcb. vcpu.h asserts them, and the values that hardware defines. */
#ifndef VPMU_SVM_VCPU_ASM_LAYOUT_H
#define VPMU_SVM_VCPU_ASM_LAYOUT_H

#define CPU_RBX             0x00
#define CPU_RCX             0x08
#define CPU_RDX             0x10
#define CPU_RSI             0x18
#define CPU_RDI             0x20
#define CPU_RBP             0x28
#define CPU_R8              0x30
#define CPU_R9              0x38
#define CPU_R10             0x40
#define CPU_R11             0x48
#define CPU_R12             0x50
#define CPU_R13             0x58
#define CPU_R14             0x60
#define CPU_R15             0x68
#define CPU_ENTRY_TSC       0x70
#define CPU_EXIT_TSC        0x78
#define CPU_VMCB            0x80
#define CPU_TICKS_PER_INSN  0x88
#define CPU_EXITS           0x90
#define CPU_QUICK_ROOM      0x98
#define CPU_QUICK_BESIDE    0xa0
#define CPU_QUICK_AGAIN     0xa8
#define CPU_QUICK_CLOCK     0xb0
#define CPU_QUICK_RING      0xb8
#define CPU_QUICK_MASK      0xc0
#define CPU_PAGES_RDPMC     0xc8
#define CPU_PAGES_RDMSR     0xe8
#define CPU_PAGES_WRMSR     0x108
#define CPU_QUICK_REGISTERS 0x148

/* struct vpmu_quick_page */
#define PAGE_KEY      0
#define PAGE_PHYSICAL 8
#define NEXT_PAGE     16

/* struct vpmu_tables */
#define TABLES_GDTR      0
#define TABLES_IDTR      10
#define TABLES_SELECTORS 20

#define VMCB_TSC_OFFSET 0x50
#define VMCB_INT_STATE  0x68
#define VMCB_EXIT_CODE  0x70
#define VMCB_EXIT_INFO1 0x78
#define VMCB_CPL        0x4cb
#define VMCB_CR4        0x548
#define VMCB_CR3        0x550
#define VMCB_RFLAGS     0x570
#define VMCB_RIP        0x578
#define VMCB_RSP        0x5d8
#define VMCB_RAX        0x5f8

#define RFLAGS_TRAP_OR_RESUME 0x10100 /* TF, RF */
#define SHADOW_BIT            0x1     /* of VMCB_INT_STATE */
#define CR4_PCE_BIT           0x100
#define EXIT_RDPMC            0x6f
#define EXIT_MSR              0x7c
#define MSR_IS_WRITTEN        0x1 /* in VMCB_EXIT_INFO1 */

/*
 * Instructions as 16-bit words of memory, and the last offset in a page at which one fits.
 */
#define CODE_RDPMC   0x330f
#define CODE_RDMSR   0x320f
#define CODE_WRMSR   0x300f
#define CODE_CPUID   0xa20f
#define QUICK_LENGTH 2 /* bytes of each */
#define CODE_LAST    (4096 - QUICK_LENGTH)

/* Instructions of the host from vmrun.S's first RDTSC, included, to its second one, excluded. VMRUN
 * is one of them. This is the length of a run in which the guest executes nothing. */
#define RUN_HOST_INSNS 7

/* The same after a quick exit, from the RDTSC there to the first one. */
#define QUICK_HOST_INSNS 6

#define HOST_STACK_SIZE  0x8000
#define START_STACK_SIZE 0x1000

/* struct vpmu_place */
#define PLACE_APIC_ID 0
#define PLACE_MEMORY  8
#define PLACE_BYTES   24

/* EVENTS_BELL_MARK of include/perf0/events_page.h, which assembler cannot include. */
#ifdef __ASSEMBLER__
#define EVENTS_BELL_MARK 0x66307270
#endif

/* The host's IDT: exceptions and NMI come first, then interrupts of devices and CPUs. */
#define HOST_FAULTS    32
#define HOST_VECTORS   256
#define HOST_GATE_SIZE 16 /* bytes of code */

#endif
