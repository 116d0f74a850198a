// SPDX-License-Identifier: BSD-2-Clause
/*
 * emulate.c - the ways between the rings that SVM cannot intercept and let go on: SYSCALL and
 * SYSRET, which become #UD while the real EFER.SCE is off, and INTn; and SYSENTER and SYSEXIT,
 * which an Intel has in long mode, too. FS, GS, and the MSRs behind
 * SYSCALL are the guest's own, since the host does not switch them.
 * AMD APM vol. 3, "SYSCALL", "SYSRET", "INT".
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vpmu.h"

#define SYSCALL_LENGTH 2 /* without prefixes */

/* Of two bytes, the second one. */
#define OPCODE_SYSCALL  0x05
#define OPCODE_SYSRET   0x07
#define OPCODE_SYSENTER 0x34
#define OPCODE_SYSEXIT  0x35

#define STAR_SYSCALL_SHIFT 32
#define STAR_SYSRET_SHIFT  48
#define SELECTOR_RPL       3u

/* Attributes of the flat segments that SYSCALL and SYSRET load without looking at a table. */
#define CODE64_RING0 0x0a9bu
#define CODE64_RING3 0x0afbu
#define CODE32_RING3 0x0cfbu
#define STACK_RING0  0x0c93u
#define STACK_RING3  0x0cf3u

#define SYSRET_RFLAGS 0x3c7fd7ull

#define OPCODE_INT3 0xcc
#define OPCODE_INT  0xcd
#define OPCODE_INTO 0xce
#define VECTOR_BP   3
#define VECTOR_OF   4

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

static void skip(unsigned length)
{
	vpmu_vmcb.rip += length;
	if (!vpmu_guest_64bit())
		vpmu_vmcb.rip = (uint32_t)vpmu_vmcb.rip;
	vpmu_vmcb.int_state &= ~INT_STATE_SHADOW;
}

void vpmu_pass_over(struct vpmu_cpu *cpu, unsigned length)
{
	vpmu_clock_one(cpu);
	cpu->delivers_from = vpmu_vmcb.rip;
	skip(length);
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
	cpu->rcx = vpmu_vmcb.rip + vpmu_insn_length(SYSCALL_LENGTH);
	cpu->r11 = flags;
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
	vpmu_vmcb.rip = to_64bit ? cpu->rcx : (uint32_t)cpu->rcx;
	vpmu_vmcb.rflags = (cpu->r11 & SYSRET_RFLAGS) | RFLAGS_FIXED;
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

/*
 * SDM vol. 2, "SYSENTER", "SYSEXIT": the CPU below is AMD's, which has neither in long mode. The
 * registers behind them are the guest's own, too.
 */
static uint16_t sysenter_cs(const struct vpmu_cpu *cpu)
{
	return cpu->sysenter.cs & ~SELECTOR_RPL;
}

/*
 * TCG has SYSENTER in compatibility mode, whatever the CPU's vendor, and does not exit there. With
 * a selector of 0 it is #GP, which does: in runs that end where ring 3 does.
 */
void vpmu_sysenter_hide(struct vpmu_cpu *cpu, bool hide)
{
	if (cpu->sysenter.is_hidden == hide)
		return;
	cpu->sysenter.is_hidden = hide;
	wrmsr(MSR_IA32_SYSENTER_CS, hide ? 0 : cpu->sysenter.cs);
}

void vpmu_sysenter_set(struct vpmu_cpu *cpu, uint64_t v)
{
	cpu->sysenter.cs = (uint16_t)v;
	if (!cpu->sysenter.is_hidden)
		wrmsr(MSR_IA32_SYSENTER_CS, cpu->sysenter.cs);
}

static void do_sysenter(struct vpmu_cpu *cpu)
{
	const uint64_t from = vpmu_vmcb.rip;
	const bool guest_tf = vpmu_vmcb.rflags & RFLAGS_TF;

	vpmu_clock_one(cpu);
	enter_ring0(sysenter_cs(cpu));
	vpmu_vmcb.rip = rdmsr(MSR_IA32_SYSENTER_EIP);
	vpmu_vmcb.rsp = rdmsr(MSR_IA32_SYSENTER_ESP);
	vpmu_vmcb.rflags &= ~(RFLAGS_IF | RFLAGS_RF);
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(guest_tf);
}

static void do_sysexit(struct vpmu_cpu *cpu, bool to_64bit)
{
	const uint64_t from = vpmu_vmcb.rip;
	const uint16_t cs = sysenter_cs(cpu) + (to_64bit ? 32 : 16);

	vpmu_clock_one(cpu);
	enter_ring3(cs, cs + 8, to_64bit);
	vpmu_vmcb.rip = to_64bit ? cpu->rdx : (uint32_t)cpu->rdx;
	vpmu_vmcb.rsp = to_64bit ? cpu->rcx : (uint32_t)cpu->rcx;
	vpmu_vmcb.rflags &= ~RFLAGS_RF;
	vpmu_branch_emulated(cpu, from);
	finish_debug_trap(vpmu_vmcb.rflags & RFLAGS_TF);
}

/* Those that are refused are #GP. */
enum transition {
	NO_TRANSITION,
	SYSCALL,
	SYSRET32,
	SYSRET64,
	SYSRET_REFUSED,
	SYSENTER,
	SYSEXIT32,
	SYSEXIT64,
	SYSENTER_REFUSED,
};

static enum transition with_sce(const struct vpmu_cpu *cpu, uint8_t opcode, bool rex_w)
{
	if (!cpu->sce)
		return NO_TRANSITION;
	if (opcode == OPCODE_SYSCALL)
		return SYSCALL;
	if (vpmu_vmcb.cpl)
		return SYSRET_REFUSED;
	return rex_w ? SYSRET64 : SYSRET32;
}

static enum transition of_intels(const struct vpmu_cpu *cpu, uint8_t opcode, bool rex_w)
{
	if (cpu->model.uarch->vendor != VPMU_INTEL && vpmu_guest_64bit())
		return NO_TRANSITION;
	if (!sysenter_cs(cpu) || (opcode == OPCODE_SYSEXIT && vpmu_vmcb.cpl))
		return SYSENTER_REFUSED;
	if (opcode == OPCODE_SYSENTER)
		return SYSENTER;
	return rex_w ? SYSEXIT64 : SYSEXIT32;
}

/* What stands at RIP, if the guest's own registers let it work. */
static enum transition transition_at_rip(const struct vpmu_cpu *cpu)
{
	struct insn insn;
	bool rex_w;

	if (!vpmu_guest_long_mode())
		return NO_TRANSITION;
	insn = vpmu_insn_at(0);
	rex_w = insn.rex & INSN_REX_W;
	if (insn.opcode_bytes != 2)
		return NO_TRANSITION;
	switch (insn.opcode) {
	case OPCODE_SYSCALL:
	case OPCODE_SYSRET:
		return with_sce(cpu, insn.opcode, rex_w);
	case OPCODE_SYSENTER:
	case OPCODE_SYSEXIT:
		return of_intels(cpu, insn.opcode, rex_w);
	}
	return NO_TRANSITION;
}

bool vpmu_is_syscall(const struct vpmu_cpu *cpu)
{
	const enum transition which = transition_at_rip(cpu);

	return which != NO_TRANSITION && which < SYSENTER;
}

static bool is_hidden_sysenter(const struct vpmu_cpu *cpu)
{
	return vpmu_vmcb.exit_code == VMEXIT_EXCEPTION + VECTOR_GP && cpu->sysenter.is_hidden &&
	       transition_at_rip(cpu) == SYSENTER;
}

bool vpmu_completes(const struct vpmu_cpu *cpu)
{
	enum transition which;

	if (is_hidden_sysenter(cpu))
		return true;
	if (vpmu_vmcb.exit_code != VMEXIT_UD)
		return vpmu_vmcb.exit_code == VMEXIT_INTN;
	which = transition_at_rip(cpu);
	return which != NO_TRANSITION && which != SYSRET_REFUSED && which != SYSENTER_REFUSED;
}

bool vpmu_emulate_sysenter(struct vpmu_cpu *cpu)
{
	return is_hidden_sysenter(cpu) && vpmu_emulate_syscall(cpu);
}

bool vpmu_emulate_syscall(struct vpmu_cpu *cpu)
{
	const enum transition which = transition_at_rip(cpu);

	switch (which) {
	case NO_TRANSITION:
		return false;
	case SYSRET_REFUSED:
	case SYSENTER_REFUSED:
		vpmu_inject_error(VECTOR_GP, 0);
		return true;
	case SYSCALL:
		do_syscall(cpu);
		break;
	case SYSRET32:
	case SYSRET64:
		do_sysret(cpu, which == SYSRET64);
		break;
	case SYSENTER:
		do_sysenter(cpu);
		break;
	case SYSEXIT32:
	case SYSEXIT64:
		do_sysexit(cpu, which == SYSEXIT64);
		break;
	}
	vpmu_vmcb.int_state &= ~INT_STATE_SHADOW;
	return true;
}

/* The vector of the INTn at RIP, and its length; -1 when it is not one. */
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
	/* A gate that cannot be read faults in the delivery itself. */
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
	cpu->intn.rip = cpu->delivers_from = vpmu_vmcb.rip;
	skip(length);
	cpu->intn.next = vpmu_vmcb.rip;
	vpmu_inject_software((uint8_t)vector);
}
