// SPDX-License-Identifier: BSD-2-Clause
/*
 * step.c - lets the guest execute exactly one instruction: TF set, #DB intercepted, and everything
 * that could take the guest elsewhere intercepted or held back. It is how an overflow is met on its
 * very instruction, and how IRET is followed into the ring it returns to.
 *
 * The guest must not notice. Its own TF and DR6.BS are put aside; PUSHF's image of TF is corrected;
 * POPF and IRET load a TF that is the guest's own. INTn, SYSCALL and exceptions, which would save
 * TF somewhere, exit before they do. If the guest had TF set itself, it gets its #DB after the
 * step. Where the guest sits in an interrupt shadow, one step leads out of it, as VMRUN may lose
 * the shadow.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vpmu.h"

/* In instructions before an overflow: stepped from WINDOW on; the timer aims at LEAD. */
#define STEP_WINDOW 40
#define STEP_LEAD   16

#define OPCODE_PUSHF 0x9c
#define OPCODE_POPF  0x9d
#define OPCODE_IRET  0xcf

#define OPCODE_INT3     0xcc
#define OPCODE_INT      0xcd
#define OPCODE_INTO     0xce
#define OPCODE_FAR_CALL 0x9a
#define OPCODE_FAR_JUMP 0xea
#define OPCODE_GROUP_5  0xff /* far calls and jumps through memory, and others */

#define PREFIX_OPERAND 0x66
#define PREFIX_ADDRESS 0x67
#define PREFIX_REPNE   0xf2
#define PREFIX_REP     0xf3
#define PREFIX_REX     0x40 /* 0x40 ... 0x4f, in 64-bit code */
#define PREFIX_REX_W   0x08

#define RFLAGS_ZF (1ull << 6)

#define MAX_INSN 15

/*
 * Where the guest stops late, the last events before an overflow are stepped only for so long: they
 * may be rare. From then on it runs, for RUN_LATE instructions at a time, and the overflow is late.
 */
#define STEPS_LATE 500
#define RUN_LATE   5000

void vpmu_step_refill(struct vpmu_cpu *cpu)
{
	cpu->steps = STEPS_LATE;
}

static bool is_near(const struct vpmu_cpu *cpu)
{
	return (cpu->exact || vpmu_is_counted(cpu)) && cpu->until <= STEP_WINDOW;
}

void vpmu_step_count(struct vpmu_cpu *cpu)
{
	if (!is_near(cpu))
		vpmu_step_refill(cpu);
	else if (cpu->run == RUN_STEP && cpu->steps)
		cpu->steps--;
}

bool vpmu_step_wanted(const struct vpmu_cpu *cpu)
{
	if (cpu->step.impossible)
		return false;
	return cpu->always_step || cpu->step.once || cpu->extended_apic.steps ||
	       vpmu_vmcb.int_state & INT_STATE_SHADOW ||
	       (is_near(cpu) && (cpu->exact || cpu->steps));
}

uint64_t vpmu_step_from(const struct vpmu_cpu *cpu)
{
	if (cpu->exact) /* near: it is met late */
		return cpu->until > STEP_WINDOW ? cpu->until - STEP_LEAD : STEP_WINDOW;
	return is_near(cpu) && cpu->until && cpu->until < RUN_LATE ? RUN_LATE : cpu->until;
}

static bool is_legacy_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = {PREFIX_OPERAND, PREFIX_ADDRESS, PREFIX_REPNE, PREFIX_REP,
					   0xf0,           0x26,           0x2e,         0x36,
					   0x3e,           0x64,           0x65};

	for (size_t i = 0; i < sizeof(prefixes); i++)
		if (prefixes[i] == byte)
			return true;
	return false;
}

size_t vpmu_legacy_prefixes(const uint8_t *code, size_t n)
{
	size_t prefixes = 0;

	while (prefixes < n && is_legacy_prefix(code[prefixes]))
		prefixes++;
	return prefixes;
}

/*
 * Outside of long mode INTn does not exit, and tasks may be switched, by IRET where NT is set: both
 * save TF where the guest finds it.
 */
static bool saves_tf(const uint8_t *code)
{
	const bool protected = vpmu_vmcb.cr0 & CR0_PE;
	const unsigned reg = code[1] >> 3 & 7;

	switch (code[0]) {
	case OPCODE_INT3:
	case OPCODE_INT:
	case OPCODE_INTO:
		return true;
	case OPCODE_FAR_CALL:
	case OPCODE_FAR_JUMP:
		return protected;
	case OPCODE_GROUP_5:
		return protected && (reg == 3 || reg == 5);
	case OPCODE_IRET:
		return protected && vpmu_vmcb.rflags & RFLAGS_NT;
	}
	return false;
}

void vpmu_step_look(struct vpmu_cpu *cpu)
{
	uint8_t code[MAX_INSN + 1] = {0};
	size_t n;

	cpu->step.impossible = cpu->step.switches_task = false;
	if (vpmu_guest_long_mode())
		return;
	n = vpmu_guest_code(code, MAX_INSN);
	n = vpmu_legacy_prefixes(code, n);
	cpu->step.impossible = saves_tf(code + n);
	cpu->step.switches_task = cpu->step.impossible && code[n] == OPCODE_IRET;
}

static enum vpmu_step_kind kind_of(uint8_t opcode)
{
	switch (opcode) {
	case OPCODE_PUSHF:
		return STEP_PUSHF;
	case OPCODE_POPF:
		return STEP_POPF;
	case OPCODE_IRET:
		return STEP_IRET;
	}
	return STEP_PLAIN;
}

/* PUSHF pushes 8 bytes in 64-bit code, 4 in 32-bit code; with an operand prefix 2. */
static uint8_t pushed_bytes(bool operand_prefix)
{
	if (operand_prefix)
		return 2;
	return vpmu_guest_64bit() ? 8 : 4;
}

/* INS, OUTS, MOVS, CMPS, STOS, LODS, SCAS. */
static bool is_string(uint8_t opcode)
{
	return (opcode & 0xfc) == 0x6c || (opcode & 0xfc) == 0xa4 || (opcode & 0xfe) == 0xaa ||
	       (opcode & 0xfc) == 0xac;
}

/* CMPS and SCAS, which end by ZF, too. */
static bool compares(uint8_t opcode)
{
	return (opcode & 0xfe) == 0xa6 || (opcode & 0xfe) == 0xae;
}

static bool has_byte(const uint8_t *code, size_t n, uint8_t byte)
{
	while (n && code[n - 1] != byte)
		n--;
	return n;
}

static uint8_t repeat_prefix(const uint8_t *prefixes, size_t n)
{
	if (has_byte(prefixes, n, PREFIX_REPNE))
		return PREFIX_REPNE;
	return has_byte(prefixes, n, PREFIX_REP) ? PREFIX_REP : 0;
}

static void decode_repeat(struct vpmu_step *step, uint8_t opcode, const uint8_t *prefixes, size_t n)
{
	const bool address = has_byte(prefixes, n, PREFIX_ADDRESS);

	step->repeat = is_string(opcode) ? repeat_prefix(prefixes, n) : 0;
	step->compares = compares(opcode);
	step->rounds = vpmu_guest_64bit() && !address ? UINT64_MAX : UINT32_MAX;
}

bool vpmu_step_repeats(const struct vpmu_step *step)
{
	return !step->compares || !(vpmu_vmcb.rflags & RFLAGS_ZF) == (step->repeat == PREFIX_REPNE);
}

static void decode_step(struct vpmu_step *step)
{
	uint8_t code[MAX_INSN];
	const size_t n = vpmu_guest_code(code, sizeof(code));
	const size_t prefixes = vpmu_legacy_prefixes(code, n);
	size_t i = prefixes;

	if (i < n && vpmu_guest_64bit() && (code[i] & 0xf0) == PREFIX_REX)
		i++;
	step->kind = i < n ? kind_of(code[i]) : STEP_PLAIN;
	step->operand = pushed_bytes(has_byte(code, prefixes, PREFIX_OPERAND));
	decode_repeat(step, i < n ? code[i] : 0, code, prefixes);
}

static void hold_interrupts(struct vpmu_step *step)
{
	step->priority = (uint32_t)read_cr8() & INT_CTL_V_TPR;
	vpmu_vmcb.int_ctl = INT_CTL_V_INTR_MASKING | step->priority;
}

/* Under V_INTR_MASKING the guest's CR8 is V_TPR; what it wrote there becomes real now. What it
 * wrote to the APIC's own register is that already. */
static void release_interrupts(const struct vpmu_step *step)
{
	const uint32_t priority = vpmu_vmcb.int_ctl & INT_CTL_V_TPR;

	if (priority != step->priority)
		write_cr8(priority);
	vpmu_vmcb.int_ctl = 0;
}

/* It may be sampled. How far the plugin's targets are vpmu does not know before the step. */
static bool is_looked_at(const struct vpmu_cpu *cpu)
{
	return cpu->until <= 1 || cpu->extended_apic.steps ||
	       vpmu_model_targets_record(&cpu->model);
}

void vpmu_step_begin(struct vpmu_cpu *cpu)
{
	struct vpmu_step *step = &cpu->step;

	decode_step(step);
	if (is_looked_at(cpu))
		vpmu_sample_before(cpu);
	vpmu_extended_apic_before(cpu);
	vpmu_forget_hits();
	step->guest_tf = vpmu_vmcb.rflags & RFLAGS_TF;
	step->guest_dr6 = vpmu_vmcb.dr6;
	vpmu_vmcb.rflags |= RFLAGS_TF;
	vpmu_vmcb.dr6 &= ~DR6_BS;
	hold_interrupts(step);
}

static void restore_tf(const struct vpmu_step *step)
{
	if (!step->guest_tf)
		vpmu_vmcb.rflags &= ~RFLAGS_TF;
}

static uint64_t top_of_stack(void)
{
	const bool wide = vpmu_vmcb.ss.attributes & SEGMENT_32;

	if (vpmu_guest_64bit())
		return vpmu_vmcb.rsp;
	return vpmu_vmcb.ss.base + (wide ? (uint32_t)vpmu_vmcb.rsp : (uint16_t)vpmu_vmcb.rsp);
}

/* TF is in the lower two bytes, whatever it pushes. */
static void correct_pushed_flags(const struct vpmu_step *step)
{
	const uint64_t rsp = top_of_stack();
	uint64_t flags = 0;

	if (step->guest_tf || vpmu_guest_read(rsp, &flags, step->operand) != step->operand)
		return;
	flags &= ~RFLAGS_TF;
	vpmu_guest_write(rsp, &flags, step->operand);
}

static void complete_step(struct vpmu_cpu *cpu)
{
	struct vpmu_step *step = &cpu->step;

	switch (step->kind) {
	case STEP_PLAIN:
		restore_tf(step);
		break;
	case STEP_PUSHF:
		restore_tf(step);
		correct_pushed_flags(step);
		break;
	case STEP_IRET:
		cpu->nmi_blocked = false;
		break;
	case STEP_POPF:
		break;
	}
}

/*
 * Breakpoints that this very step hit. None by IRET, which ends the handler of a breakpoint: TCG
 * reports a hit on the instruction to come whatever RF says.
 */
static uint64_t step_breakpoints(const struct vpmu_step *step)
{
	uint64_t hits = vpmu_vmcb.dr6 & ~step->guest_dr6 & ~DR6_BS;

	return step->kind == STEP_IRET ? hits & ~DR6_BREAKPOINTS : hits;
}

/* A breakpoint of the guest's own, or its own TF: the #DB is not all ours. */
static void pass_on_db(const struct vpmu_step *step)
{
	uint64_t hits = step_breakpoints(step);

	vpmu_vmcb.dr6 = step->guest_dr6 | hits | (step->guest_tf ? DR6_BS : 0);
	if (hits || step->guest_tf)
		vpmu_inject(VECTOR_DB);
}

bool vpmu_step_end(struct vpmu_cpu *cpu)
{
	struct vpmu_step *step = &cpu->step;

	release_interrupts(step);
	if (vpmu_vmcb.exit_code == VMEXIT_EXCEPTION + VECTOR_DB && vpmu_vmcb.dr6 & DR6_BS) {
		complete_step(cpu);
		vpmu_extended_apic_after(cpu);
		pass_on_db(step);
		return true;
	}
	restore_tf(step);
	vpmu_vmcb.dr6 |= step->guest_dr6 & DR6_BS;
	return false;
}
