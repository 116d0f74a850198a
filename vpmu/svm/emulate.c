// SPDX-License-Identifier: BSD-2-Clause
/*
 * emulate.c - executes the ring switches that SVM cannot intercept and then let proceed: SYSCALL
 * and SYSRET, which raise #UD while the real EFER.SCE is off, and INTn. It executes SYSENTER and
 * SYSEXIT, too, which an Intel CPU has in long mode. The host does not switch FS, GS and the MSRs
 * of SYSCALL, so they have the guest's values. AMD APM vol. 3, "SYSCALL", "SYSRET", "INT".
 */
#include "vpmu/svm/emulate.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/count/last_branches.h"
#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/ring_switch.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define SYSCALL_LENGTH 2 /* without prefixes */

#define STAR_SYSCALL_SHIFT 32
#define STAR_SYSRET_SHIFT  48

/* Attributes of the flat segments that SYSCALL and SYSRET load without a descriptor table. */
#define CODE64_RING0 0x0a9bu
#define CODE64_RING3 0x0afbu
#define CODE32_RING3 0x0cfbu
#define STACK_RING0  0x0c93u
#define STACK_RING3  0x0cf3u

#define SYSRET_RFLAGS 0x3c7fd7ull

#define OPCODE_INT3 0xcc
#define OPCODE_INT  0xcd
#define OPCODE_INTO 0xce

#define GATE_SIZE      16
#define GATE_DPL(gate) ((gate) >> 45 & 3)
#define ERROR_IDT      2u
#define ERROR_SHIFT    3

static void load_flat(struct vmcb_segment *segment, uint16_t selector, uint16_t attributes)
{
	*segment = (struct vmcb_segment){
		.selector = selector,
		.attributes = attributes,
		.limit = UINT32_MAX,
		.base = 0,
	};
}

static void enter_ring0(uint16_t cs)
{
	load_flat(&vpmu_vmcb.cs, cs, CODE64_RING0);
	load_flat(&vpmu_vmcb.ss, cs + 8, STACK_RING0);
	vpmu_vmcb.cpl = 0;
}

static void enter_ring3(uint16_t cs, uint16_t ss, bool to_64bit)
{
	load_flat(&vpmu_vmcb.cs, cs | SELECTOR_RPL, to_64bit ? CODE64_RING3 : CODE32_RING3);
	load_flat(&vpmu_vmcb.ss, ss | SELECTOR_RPL, STACK_RING3);
	vpmu_vmcb.cpl = 3;
}

static void finish_debug_trap(bool guest_tf)
{
	if (!guest_tf)
		return;
	vpmu_vmcb.dr6 |= DR6_BS;
	vpmu_inject(VECTOR_DB);
}

static void skip_insn(unsigned length)
{
	vpmu_vmcb.rip += length;
	if (!vpmu_guest_64bit())
		vpmu_vmcb.rip = (uint32_t)vpmu_vmcb.rip;
	vpmu_vmcb.int_state &= ~INT_STATE_SHADOW;
}

void vpmu_pass_over(struct vpmu_cpu *cpu, unsigned length)
{
	vpmu_clock_one(cpu);
	cpu->delivery.from = vpmu_vmcb.rip;
	skip_insn(length);
	vpmu_vmcb.rflags &= ~RFLAGS_RF;
}

void vpmu_retire(struct vpmu_cpu *cpu, unsigned length)
{
	vpmu_pass_over(cpu, length);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

static void do_syscall(struct vpmu_cpu *cpu)
{
	const uint64_t from = vpmu_vmcb.rip;
	uint64_t star = rdmsr(MSR_STAR), flags = vpmu_vmcb.rflags & ~RFLAGS_RF;
	uint16_t cs = (uint16_t)(star >> STAR_SYSCALL_SHIFT) & ~SELECTOR_RPL;

	vpmu_clock_one(cpu);
	cpu->gpr.rcx = vpmu_vmcb.rip + vpmu_insn_length(SYSCALL_LENGTH);
	cpu->gpr.r11 = flags;
	vpmu_vmcb.rip = rdmsr(vpmu_guest_64bit() ? MSR_LSTAR : MSR_CSTAR);
	enter_ring0(cs);
	vpmu_vmcb.rflags = (flags & ~rdmsr(MSR_SFMASK)) | RFLAGS_FIXED;
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

static void do_sysret(struct vpmu_cpu *cpu, bool to_64bit)
{
	const uint64_t from = vpmu_vmcb.rip;
	uint16_t base = (uint16_t)(rdmsr(MSR_STAR) >> STAR_SYSRET_SHIFT);

	vpmu_clock_one(cpu);
	enter_ring3(base + (to_64bit ? 16 : 0), base + 8, to_64bit);
	vpmu_vmcb.rip = to_64bit ? cpu->gpr.rcx : (uint32_t)cpu->gpr.rcx;
	vpmu_vmcb.rflags = (cpu->gpr.r11 & SYSRET_RFLAGS) | RFLAGS_FIXED;
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

/*
 * SDM vol. 2, "SYSENTER", "SYSEXIT". The machine's CPU is AMD's, which has neither in long mode.
 * Their MSRs have the guest's values, too.
 */
/* TCG has SYSENTER in compatibility mode for CPUs of any vendor, and it does not exit. With a
 * selector of 0 it raises #GP, which exits. So tracked runs hide the selector. */
void vpmu_sysenter_hide(struct vpmu_cpu *cpu, bool hide)
{
	if (cpu->switches.sysenter_is_hidden == hide)
		return;
	cpu->switches.sysenter_is_hidden = hide;
	wrmsr(MSR_IA32_SYSENTER_CS, hide ? 0 : cpu->switches.sysenter_cs);
}

void vpmu_sysenter_set(struct vpmu_cpu *cpu, uint64_t v)
{
	cpu->switches.sysenter_cs = (uint16_t)v;
	if (!cpu->switches.sysenter_is_hidden)
		wrmsr(MSR_IA32_SYSENTER_CS, cpu->switches.sysenter_cs);
}

static void do_sysenter(struct vpmu_cpu *cpu)
{
	const uint64_t from = vpmu_vmcb.rip;
	const bool guest_tf = vpmu_vmcb.rflags & RFLAGS_TF;

	vpmu_clock_one(cpu);
	enter_ring0(vpmu_sysenter_cs(cpu));
	vpmu_vmcb.rip = rdmsr(MSR_IA32_SYSENTER_EIP);
	vpmu_vmcb.rsp = rdmsr(MSR_IA32_SYSENTER_ESP);
	vpmu_vmcb.rflags &= ~(RFLAGS_IF | RFLAGS_RF);
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(guest_tf);
}

static void do_sysexit(struct vpmu_cpu *cpu, bool to_64bit)
{
	const uint64_t from = vpmu_vmcb.rip;
	const uint16_t cs = vpmu_sysenter_cs(cpu) + (to_64bit ? 32 : 16);

	vpmu_clock_one(cpu);
	enter_ring3(cs, cs + 8, to_64bit);
	vpmu_vmcb.rip = to_64bit ? cpu->gpr.rdx : (uint32_t)cpu->gpr.rdx;
	vpmu_vmcb.rsp = to_64bit ? cpu->gpr.rcx : (uint32_t)cpu->gpr.rcx;
	vpmu_vmcb.rflags &= ~RFLAGS_RF;
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

bool vpmu_emulate_sysenter(struct vpmu_cpu *cpu)
{
	return vpmu_is_hidden_sysenter(cpu) && vpmu_emulate_syscall(cpu);
}

bool vpmu_emulate_syscall(struct vpmu_cpu *cpu)
{
	const enum vpmu_ring_switch which = vpmu_ring_switch_at_rip(cpu);

	switch (which) {
	case SWITCH_NONE:
		return false;
	case SWITCH_SYSRET_REFUSED:
	case SWITCH_SYSENTER_REFUSED:
		vpmu_inject_error(VECTOR_GP, 0);
		return true;
	case SWITCH_SYSCALL:
		do_syscall(cpu);
		break;
	case SWITCH_SYSRET32:
	case SWITCH_SYSRET64:
		do_sysret(cpu, which == SWITCH_SYSRET64);
		break;
	case SWITCH_SYSENTER:
		do_sysenter(cpu);
		break;
	case SWITCH_SYSEXIT32:
	case SWITCH_SYSEXIT64:
		do_sysexit(cpu, which == SWITCH_SYSEXIT64);
		break;
	}
	vpmu_vmcb.int_state &= ~INT_STATE_SHADOW;
	return true;
}

/* The vector of the INTn at RIP, and the instruction's length; -1: another instruction. */
static int intn_vector(unsigned *length)
{
	const struct insn insn = vpmu_insn_at(0);

	*length = insn.length;
	switch (insn_one_byte(&insn)) {
	case OPCODE_INT3:
		return VECTOR_BP;
	case OPCODE_INTO:
		return VECTOR_OF;
	case OPCODE_INT:
		return (int)insn.immediate;
	}
	return -1;
}

static bool gate_open(unsigned vector)
{
	uint64_t gate, offset = (uint64_t)vector * GATE_SIZE;

	if (offset + GATE_SIZE - 1 > vpmu_vmcb.idtr.limit)
		return false;
	/* An unmapped gate causes a fault in the delivery itself. */
	return vpmu_guest_read(vpmu_vmcb.idtr.base + offset, &gate, sizeof(gate)) != sizeof(gate) ||
	       GATE_DPL(gate) >= vpmu_vmcb.cpl;
}

void vpmu_emulate_intn(struct vpmu_cpu *cpu)
{
	unsigned length;
	int vector = intn_vector(&length);

	if (vector < 0)
		vpmu_die("INTn exit, but no INTn at RIP");
	if (!gate_open((unsigned)vector)) {
		vpmu_inject_error(VECTOR_GP, (unsigned)vector << ERROR_SHIFT | ERROR_IDT);
		return;
	}
	vpmu_clock_one(cpu);
	cpu->delivery.intn = cpu->delivery.from = vpmu_vmcb.rip;
	skip_insn(length);
	cpu->delivery.behind = vpmu_vmcb.rip;
	vpmu_inject_software((uint8_t)vector);
}
