// SPDX-License-Identifier: BSD-2-Clause
/*
 * single_step.c - lets the guest execute exactly one instruction: TF is set, #DB is intercepted,
 * and everything that could take the guest elsewhere is intercepted or held back. So vpmu meets an
 * overflow on its very instruction, and follows an IRET into the ring to which it returns.
 *
 * The guest must not notice. Its own TF and DR6.BS are saved and restored. TF is removed from the
 * flags that PUSHF pushes; POPF and IRET load a TF that is the guest's own. INTn, SYSCALL and
 * exceptions, which would save TF, exit before they do. If the guest has set TF itself, it gets its
 * #DB after the step. A step in an interrupt shadow leads out of it, because VMRUN may lose the
 * shadow.
 */
#include "vpmu/svm/stop/single_step.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/op_sample.h"
#include "vpmu/svm/stop/data_breakpoint.h"
#include "vpmu/svm/stop/extended_apic.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

/* Distances to an overflow, in instructions: steps begin at WINDOW, and the timer aims at LEAD,
 * until it is known to be right. */
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

#define SHADOWS_MAX 3 /* consecutive */

/* On machines where the guest stops late, the last events before an overflow may be rare. So only
 * STEPS_LATE instructions are stepped. Then the guest runs RUN_LATE instructions at a time, and the
 * overflow is met late. */
#define STEPS_LATE 500
#define RUN_LATE   5000

void vpmu_step_refill(struct vpmu_cpu *cpu)
{
	cpu->step.left = STEPS_LATE;
}

/* Where the timer stops the guest at the very instruction, or a few before it, fewer are near. But
 * those around one that may be sampled are stepped. */
static uint64_t step_window(const struct vpmu_cpu *cpu)
{
	const bool by_timer = cpu->clock.exact && !vpmu_model_samples(&cpu->model);
	const uint64_t early = by_timer ? vpmu_timer_early(cpu) : UINT64_MAX;

	return early < STEP_WINDOW ? early : STEP_WINDOW;
}

static bool is_near(const struct vpmu_cpu *cpu)
{
	return (cpu->clock.exact || vpmu_is_counted(cpu)) && cpu->run.until <= step_window(cpu);
}

void vpmu_step_count(struct vpmu_cpu *cpu)
{
	if (!is_near(cpu))
		vpmu_step_refill(cpu);
	else if (cpu->run.mode == RUN_STEP && cpu->step.left)
		cpu->step.left--;
}

bool vpmu_step_wanted(const struct vpmu_cpu *cpu)
{
	if (cpu->step.impossible)
		return false;
	return cpu->run.always_step || cpu->step.once || cpu->extended_apic.steps ||
	       vpmu_vmcb.int_state & INT_STATE_SHADOW ||
	       (is_near(cpu) && (cpu->clock.exact || cpu->step.left));
}

uint64_t vpmu_step_from(const struct vpmu_cpu *cpu)
{
	const uint64_t window = step_window(cpu);

	if (cpu->clock.exact && cpu->run.until <= window) /* the overflow is met late */
		return STEP_WINDOW;
	if (cpu->clock.exact)
		return cpu->run.until - (window < STEP_WINDOW ? 0 : STEP_LEAD);
	return is_near(cpu) && cpu->run.until && cpu->run.until < RUN_LATE ? RUN_LATE
									   : cpu->run.until;
}

/* The last instruction of a step. After STI and MOV to SS, TCG's TF traps only after the next
 * instruction. `ahead`: its distance from RIP, in bytes. */
static struct insn last_of_step(uint64_t *ahead)
{
	struct insn insn = vpmu_insn_at(0);

	*ahead = 0;
	for (unsigned i = 0; i < SHADOWS_MAX && vpmu_insn_shadow(&insn); i++) {
		*ahead += vpmu_insn_shadow(&insn);
		insn = vpmu_insn_at(*ahead);
	}
	return insn;
}

/* True where the instruction saves TF in memory of the guest. Outside of long mode INTn does not
 * exit, and tasks may be switched, also by IRET if NT is set. */
static bool saves_tf(const struct insn *insn)
{
	const bool protected = vpmu_vmcb.cr0 & CR0_PE;
	const unsigned reg = insn_field(insn);

	switch (insn_one_byte(insn)) {
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
	struct insn insn;
	uint64_t ahead;

	cpu->step.impossible = cpu->step.switches_task = false;
	if (vpmu_guest_long_mode())
		return;
	insn = last_of_step(&ahead);
	cpu->step.impossible = saves_tf(&insn);
	cpu->step.switches_task = cpu->step.impossible && !ahead && insn_is(&insn, OPCODE_IRET);
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

/* PUSHF pushes 8 bytes in 64-bit code, 4 in 32-bit code, 2 with an operand prefix. */
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

/* CMPS and SCAS end by ZF, too. */
static bool compares(uint8_t opcode)
{
	return (opcode & 0xfe) == 0xa6 || (opcode & 0xfe) == 0xae;
}

static void decode_repeat(struct vpmu_step *step, const struct insn *insn)
{
	const bool address = insn->prefixes & INSN_ADDRESS_SIZE;
	const uint8_t opcode = insn_one_byte(insn);

	step->repeat = is_string(opcode) ? insn->prefixes & (INSN_REP | INSN_REPNE) : 0;
	step->compares = compares(opcode);
	step->rounds = vpmu_guest_64bit() && !address ? UINT64_MAX : UINT32_MAX;
}

static void decode_step(struct vpmu_step *step)
{
	uint64_t ahead;
	const struct insn insn = last_of_step(&ahead);

	step->kind = kind_of(insn_one_byte(&insn));
	step->kind_rip = vpmu_vmcb.rip + ahead;
	step->operand = pushed_bytes(insn.prefixes & INSN_OPERAND_SIZE);
	decode_repeat(step, &insn);
}

static void hold_interrupts(struct vpmu_step *step)
{
	step->priority = (uint32_t)read_cr8() & INT_CTL_V_TPR;
	vpmu_vmcb.int_ctl = INT_CTL_V_INTR_MASKING | step->priority;
}

/* With V_INTR_MASKING the guest's CR8 is V_TPR. A value that it has written there goes to the real
 * CR8 now. A write to the APIC's own register is already in the real one. */
static void release_interrupts(const struct vpmu_step *step)
{
	const uint32_t priority = vpmu_vmcb.int_ctl & INT_CTL_V_TPR;

	if (priority != step->priority)
		write_cr8(priority);
	vpmu_vmcb.int_ctl = 0;
}

/* True where the instruction may be sampled. With the plugin's targets the distance to the sample
 * is unknown before the step. */
static bool is_looked_at(const struct vpmu_cpu *cpu)
{
	return cpu->run.until <= 1 || cpu->extended_apic.steps ||
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

/* TF is in the lower two bytes, whatever size is pushed. */
static void correct_pushed_flags(const struct vpmu_step *step)
{
	const uint64_t rsp = top_of_stack();
	uint64_t flags = 0;

	if (step->guest_tf || vpmu_guest_read(rsp, &flags, step->operand) != step->operand)
		return;
	flags &= ~RFLAGS_TF;
	vpmu_guest_write(rsp, &flags, step->operand);
}

/*
 * If RIP is still at the instruction of that kind, the trap came before it, and it has not
 * executed.
 */
static enum vpmu_step_kind completed_kind(const struct vpmu_step *step)
{
	return vpmu_vmcb.rip == step->kind_rip ? STEP_PLAIN : step->kind;
}

static void complete_step(struct vpmu_cpu *cpu)
{
	struct vpmu_step *step = &cpu->step;

	switch (completed_kind(step)) {
	case STEP_PLAIN:
		restore_tf(step);
		break;
	case STEP_PUSHF:
		restore_tf(step);
		correct_pushed_flags(step);
		break;
	case STEP_IRET:
		cpu->nmi.is_blocked = false;
		break;
	case STEP_POPF:
		break;
	}
}

/* Breakpoints that this step has hit: a step rewrites all of these bits. An IRET ends a
 * breakpoint's handler, so its hits are ignored: TCG reports a hit on the next instruction even if
 * RF is set. */
static uint64_t step_breakpoints(const struct vpmu_step *step)
{
	return completed_kind(step) == STEP_IRET ? 0 : vpmu_vmcb.dr6 & DR6_BREAKPOINTS;
}

/* TCG also reports disabled breakpoints whose address is that of the next instruction. */
static uint64_t enabled_breakpoints(void)
{
	uint64_t enabled = 0;

	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if (vpmu_vmcb.dr7 & (DR7_ENABLE(i) | DR7_ENABLE(i) >> 1))
			enabled |= 1ull << i;
	return enabled;
}

/* Passes the #DB on if the guest's own breakpoint or TF is part of it. */
static void pass_on_db(const struct vpmu_step *step)
{
	const uint64_t hits = step_breakpoints(step);

	vpmu_vmcb.dr6 = step->guest_dr6;
	if (!step->guest_tf && !(hits & enabled_breakpoints()))
		return;
	vpmu_vmcb.dr6 = (step->guest_dr6 & ~DR6_BREAKPOINTS) | hits | (step->guest_tf ? DR6_BS : 0);
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
