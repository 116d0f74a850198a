// SPDX-License-Identifier: BSD-2-Clause
/* exits.c - two tables: the handler of each exit, and the intercepts of each kind of run.
 * vpmu_exit() connects them. It is the hypervisor's loop after launch. */
#include "vpmu/svm/exits.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "vpmu/svm/control_registers.h"
#include "vpmu/svm/count/branch_trace.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/count/last_branches.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/count/quick_exit.h"
#include "vpmu/svm/debug_registers.h"
#include "vpmu/svm/emulate.h"
#include "vpmu/svm/guest_interrupts.h"
#include "vpmu/svm/msr_exit.h"
#include "vpmu/svm/nested_paging.h"
#include "vpmu/svm/port_io.h"
#include "vpmu/svm/program_cpuid.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/stop/pebs_record.h"
#include "vpmu/svm/stop/plugin_stop.h"
#include "vpmu/svm/stop/single_step.h"
#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/ring_switch.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define CPUID_LENGTH  2
#define RDPMC_LENGTH  2
#define RDTSC_LENGTH  2
#define RDTSCP_LENGTH 3
#define HLT_LENGTH    1

#define CPUID_1_ECX_OSXSAVE (1u << 27)
#define CPUID_7_ECX_OSPKE   (1u << 4)

_Static_assert(VPMU_CPUID_ROWLESS_KINDS == EVENTS_ROWLESS_KINDS, "both have the same mnemonics");
_Static_assert(EVENTS_MNEMONIC == sizeof(struct cpuid_regs), "a subleaf has a mnemonic");

/* --- The handlers --- */

#define ALL_BUT_NMI (~(1u << VECTOR_NMI))

/* Faults. They exit while the plugin counts, because vpmu must report each instruction that does
 * not complete. */
#define FAULTS                                                                                     \
	(1u << VECTOR_DE | 1u << VECTOR_UD | 1u << VECTOR_NM | 1u << VECTOR_TS | 1u << VECTOR_NP | \
	 1u << VECTOR_SS | 1u << VECTOR_GP | 1u << VECTOR_PF | 1u << VECTOR_MF | 1u << VECTOR_AC | \
	 1u << VECTOR_XM)

static void on_intr(struct vpmu_cpu *cpu)
{
	cpu->interrupts.is_due = true;
}

static void vpmu_leaf(struct vpmu_cpu *cpu, uint32_t subleaf, struct cpuid_regs *r)
{
	uint64_t first = 0, second = 0;

	switch (subleaf) {
	case VPMU_CPUID_INSTRUCTIONS:
		first = cpu->clock.total[VPMU_OS];
		second = cpu->clock.total[VPMU_USR];
		break;
	case VPMU_CPUID_EXITS:
		first = cpu->vmrun.exits;
		second = cpu->interrupts.pmis;
		break;
	case VPMU_CPUID_BEGIN:
		vpmu_clock_measures(cpu);
		vpmu_model_begin(&cpu->model);
		vpmu_events_begin(cpu);
		vpmu_quick_forget(cpu);
		break;
	case VPMU_CPUID_ALIGN:
		vpmu_rests_forget(&cpu->model);
		break;
	case VPMU_CPUID_CLOCK:
		first = vpmu_clock_kind(cpu);
		break;
	case VPMU_CPUID_SKID:
		first = vpmu_shared_skid() | cpu->timer.spurious << 32;
		break;
	}
	r->eax = (uint32_t)first;
	r->ebx = (uint32_t)(first >> 32);
	r->ecx = (uint32_t)second;
	r->edx = (uint32_t)(second >> 32);
}

/* The count of a mnemonic without a row, or the mnemonic. */
static void rowless_leaf(const struct vpmu_cpu *cpu, uint32_t index, struct cpuid_regs *r)
{
	const struct vpmu_timed *timed = &cpu->model.timed;
	const uint32_t kind = index / 2;

	*r = (struct cpuid_regs){0};
	if (kind >= EVENTS_ROWLESS_KINDS || !cpu->events.own)
		return;
	if (index & 1)
		memcpy(r, cpu->events.header->rowless[kind], sizeof(*r));
	else
		*r = (struct cpuid_regs){.eax = (uint32_t)timed->rowless[kind],
					 .ebx = (uint32_t)(timed->rowless[kind] >> 32),
					 .ecx = (uint32_t)timed->instructions,
					 .edx = (uint32_t)(timed->instructions >> 32)};
}

/* Two bits of CPUID mirror CR4. They follow the guest's CR4, not the host's. */
static void follow_cr4(uint32_t leaf, uint32_t subleaf, struct cpuid_regs *r)
{
	if (leaf == 1) {
		r->ecx &= ~CPUID_1_ECX_OSXSAVE;
		r->ecx |= vpmu_vmcb.cr4 & CR4_OSXSAVE ? CPUID_1_ECX_OSXSAVE : 0;
	} else if (leaf == 7 && subleaf == 0) {
		r->ecx &= ~CPUID_7_ECX_OSPKE;
		r->ecx |= vpmu_vmcb.cr4 & CR4_PKE ? CPUID_7_ECX_OSPKE : 0;
	}
}

static void ask_machine(struct vpmu_cpu *cpu, uint32_t leaf, uint32_t subleaf, struct cpuid_regs *r)
{
	if (leaf == VPMU_CPUID_LEAF) {
		if (subleaf >= VPMU_CPUID_ROWLESS)
			rowless_leaf(cpu, subleaf - VPMU_CPUID_ROWLESS, r);
		else
			vpmu_leaf(cpu, subleaf, r);
		return;
	}
	*r = insn_cpuid(leaf, subleaf);
	vpmu_model_cpuid(&cpu->model, leaf, subleaf, r);
	vpmu_faults_cpuid(&vpmu_faults, leaf, r);
	follow_cr4(leaf, subleaf, r);
	if (cpu->program_level && vpmu_guest_ring() == VPMU_USR)
		program_cpuid(cpu->program_level, leaf, subleaf, r);
}

static void answer_cpuid(struct vpmu_cpu *cpu)
{
	uint32_t leaf = (uint32_t)vpmu_vmcb.rax, subleaf = (uint32_t)cpu->gpr.rcx;
	struct cpuid_regs r;

	cpu->model.machine.estimates = !cpu->clock.exact && !vpmu_is_counted(cpu);
	if (!vpmu_model_describe(&cpu->model, leaf, subleaf, &r))
		ask_machine(cpu, leaf, subleaf, &r);
	vpmu_vmcb.rax = r.eax;
	cpu->gpr.rbx = r.ebx;
	cpu->gpr.rcx = r.ecx;
	cpu->gpr.rdx = r.edx;
}

static void on_cpuid(struct vpmu_cpu *cpu)
{
	const unsigned length = vpmu_insn_length(CPUID_LENGTH);

	answer_cpuid(cpu);
	vpmu_retire(cpu, length);
}

static void on_rdpmc(struct vpmu_cpu *cpu)
{
	bool allowed = !vpmu_vmcb.cpl || vpmu_vmcb.cr4 & CR4_PCE || !(vpmu_vmcb.cr0 & CR0_PE);
	uint64_t v;

	if (!allowed || !vpmu_read_counter(cpu, (uint32_t)cpu->gpr.rcx, &v)) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	vpmu_vmcb.rax = (uint32_t)v;
	cpu->gpr.rdx = v >> 32;
	vpmu_retire(cpu, vpmu_insn_length(RDPMC_LENGTH));
}

/* QEMU checks CR4.TSD first. It has one exit for RDTSC (0F 31) and RDTSCP (0F 01 F9). */
static void on_rdtsc(struct vpmu_cpu *cpu)
{
	const struct insn insn = vpmu_insn_at(0);
	const uint64_t tsc = vpmu_clock_then(cpu) + cpu->thread.tsc_offset;
	const bool tells_cpu = insn_is_0f(&insn, 0x01);

	vpmu_vmcb.rax = (uint32_t)tsc;
	cpu->gpr.rdx = tsc >> 32;
	if (tells_cpu)
		cpu->gpr.rcx = (uint32_t)rdmsr(MSR_TSC_AUX);
	vpmu_retire(cpu, insn.start + (tells_cpu ? RDTSCP_LENGTH : RDTSC_LENGTH));
}

static bool tracks_rings(const struct vpmu_cpu *cpu)
{
	return cpu->run.always_track || vpmu_model_asymmetric(&cpu->model) || vpmu_branches_on(cpu);
}

/*
 * Steps an IRET only if something is to be done once it has completed. Otherwise NMIs are unblocked
 * here already. Then no NMI may arrive before IRET, because it would overwrite the frame that IRET
 * is about to pop. Such an NMI may be waiting, or an overflow may cause it during the fetch of
 * IRET. If counts are not exact, one may arrive at any time.
 */
static void on_iret(struct vpmu_cpu *cpu)
{
	const bool overflowed = cpu->model.pmi.pending || vpmu_model_ibs_waits(&cpu->model) ||
				cpu->model.ibs.interrupts;

	vpmu_step_look(cpu);
	cpu->step.once = !cpu->step.impossible && (cpu->nmi.is_pending || overflowed ||
						   tracks_rings(cpu) || !cpu->clock.exact);
	if (cpu->step.once)
		return;
	cpu->nmi.ends_by_iret = cpu->nmi.is_blocked;
	cpu->nmi.is_blocked = false;
}

/* The run began with an IRET that unblocks NMIs. If the IRET has faulted, NMIs are still blocked.
 */
static void end_nmi_iret(struct vpmu_cpu *cpu)
{
	const uint64_t vector = vpmu_vmcb.exit_code - VMEXIT_EXCEPTION;

	if (cpu->nmi.ends_by_iret && vector < VMEXIT_EXCEPTION_LAST - VMEXIT_EXCEPTION &&
	    FAULTS >> vector & 1 && !cpu->clock.executed)
		cpu->nmi.is_blocked = true;
	cpu->nmi.ends_by_iret = false;
}

/* Counts HLT. vpmu_prepare() waits, unless the event that would end the wait is already pending.
 * Like QEMU, it waits even if TF is set, and no trap follows. */
static void on_hlt(struct vpmu_cpu *cpu)
{
	vpmu_pass_over(cpu, vpmu_insn_length(HLT_LENGTH));
	cpu->interrupts.halted = !vpmu_event_set() && !vpmu_interrupt_due(cpu) &&
				 !cpu->model.pmi.pending &&
				 !(cpu->nmi.is_pending && !cpu->nmi.is_blocked);
}

/* The personality does not have this instruction. */
static void on_hidden(struct vpmu_cpu *cpu)
{
	(void)cpu;
	vpmu_inject(VECTOR_UD);
}

static void on_shutdown(struct vpmu_cpu *cpu)
{
	(void)cpu;
	vpmu_reset_machine();
}

static bool pushes_error(unsigned vector)
{
	const uint32_t with_error = 1u << 8 | 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13 | 1u << 14 |
				    1u << 17 | 1u << 21;

	return with_error >> vector & 1;
}

/* The contributory exceptions of a double fault: #DE, #TS, #NP, #SS, #GP. */
static bool contributes(unsigned vector)
{
	return vector == VECTOR_DE || (vector >= VECTOR_TS && vector <= VECTOR_GP);
}

/* True where the exception was raised during the delivery of another one, and both make a double
 * fault. APM vol. 2, "#DF-Double-Fault Exception". */
static bool is_double(unsigned vector)
{
	const uint64_t interrupted = vpmu_vmcb.exit_int_info;
	const unsigned first = interrupted & EVENT_VECTOR;

	if (!(interrupted & EVENT_VALID) || (interrupted & EVENT_TYPE) != EVENT_EXCEPTION)
		return false;
	if (first == VECTOR_PF || first == VECTOR_DF)
		return contributes(vector) || vector == VECTOR_PF;
	return contributes(first) && contributes(vector);
}

/* True for an instruction of SVM in ring 3, 0F 01 D8 to DF. The machine has SVM and raises #GP,
 * except for VMMCALL. The personality has no SVM, so it raises #UD. */
static bool is_hidden(unsigned vector)
{
	const uint8_t vmmcall = 0xd9;
	struct insn insn;

	if (vector != VECTOR_GP || vpmu_vmcb.cpl != 3)
		return false;
	insn = vpmu_insn_at(0);
	return insn_is_0f(&insn, 0x01) && (insn.modrm & 0xf8) == 0xd8 && insn.modrm != vmmcall;
}

/* If the delivery of an emulated INTn raises an exception, RIP is already after the INTn. The
 * exception is at the INTn, so RIP returns to it. */
static void return_to_intn(struct vpmu_cpu *cpu)
{
	const uint64_t software = EVENT_VALID | EVENT_SOFTWARE;

	if ((vpmu_vmcb.exit_int_info & (EVENT_VALID | EVENT_TYPE)) == software &&
	    cpu->delivery.behind == vpmu_vmcb.rip)
		vpmu_vmcb.rip = cpu->delivery.intn;
}

/* Passes the exception on to the guest. An intercepted #PF has not written CR2 yet. */
static void on_exception(struct vpmu_cpu *cpu)
{
	unsigned vector = (unsigned)(vpmu_vmcb.exit_code - VMEXIT_EXCEPTION);

	return_to_intn(cpu);
	if (vector == VECTOR_UD && vpmu_emulate_syscall(cpu))
		return;
	if (vector == VECTOR_GP && vpmu_emulate_sysenter(cpu))
		return;
	if (is_hidden(vector))
		vector = VECTOR_UD;
	if (vector == VECTOR_PF)
		vpmu_vmcb.cr2 = vpmu_vmcb.exit_info2;
	if (is_double(vector)) {
		if ((vpmu_vmcb.exit_int_info & EVENT_VECTOR) == VECTOR_DF)
			on_shutdown(cpu);
		vpmu_inject_error(VECTOR_DF, 0);
		return;
	}
	if (pushes_error(vector))
		vpmu_inject_error((uint8_t)vector, (uint32_t)vpmu_vmcb.exit_info1);
	else
		vpmu_inject((uint8_t)vector);
}

/* The handler of an exit; the number of instructions that the TSC has counted although they did not
 * complete; and whether such an exit may be quick. */
struct exit_row {
	void (*handle)(struct vpmu_cpu *cpu);
	uint8_t included;
	bool may_be_quick;
};

static const struct exit_row exits[VMEXIT_COUNT] = {
	[VMEXIT_CR3_WRITE] = {vpmu_emulate_cr3_write, 0},
	[VMEXIT_CR4_WRITE] = {vpmu_check_control_write, 0},
	[VMEXIT_DR4_READ] = {vpmu_emulate_dr6_read, 0},
	[VMEXIT_DR6_READ] = {vpmu_emulate_dr6_read, 0},
	[VMEXIT_DR4_WRITE] = {vpmu_emulate_dr6_write, 0},
	[VMEXIT_DR6_WRITE] = {vpmu_emulate_dr6_write, 0},
	[VMEXIT_EXCEPTION... VMEXIT_UD - 1] = {on_exception, 0},
	[VMEXIT_UD] = {on_exception, 1},
	[VMEXIT_UD + 1 ... VMEXIT_EXCEPTION_LAST] = {on_exception, 0},
	[VMEXIT_INTR] = {on_intr, 0},
	[VMEXIT_NMI] = {vpmu_nmi_arrived, 0},
	[VMEXIT_CR0_SEL] = {vpmu_check_control_write, 0},
	[VMEXIT_RDTSC] = {on_rdtsc, 0},
	[VMEXIT_RDTSCP] = {on_rdtsc, 0},
	[VMEXIT_RDPMC] = {on_rdpmc, 0, true},
	[VMEXIT_CPUID] = {on_cpuid, 0, true},
	[VMEXIT_IRET] = {on_iret, 0},
	[VMEXIT_INTN] = {vpmu_emulate_intn, 1},
	[VMEXIT_HLT] = {on_hlt, 0},
	[VMEXIT_INVLPGA] = {on_hidden, 0},
	[VMEXIT_IOIO] = {vpmu_emulate_io, 0},
	[VMEXIT_MSR] = {vpmu_emulate_msr, 0, true},
	[VMEXIT_SHUTDOWN] = {on_shutdown, 0},
	[VMEXIT_VMRUN... VMEXIT_SKINIT] = {on_hidden, 0},
	[VMEXIT_MONITOR] = {on_hidden, 0},
	[VMEXIT_MWAIT] = {on_hidden, 0},
};

/* --- The runs --- */

/* #UD exits in every run, because the TSC has counted the instruction that raised it. #GP exits,
 * because the personality may hide the instruction. */
#define EVERY_RUN_EXCEPTIONS (1u << VECTOR_UD | 1u << VECTOR_GP)
static const struct run_row {
	uint32_t exceptions;
	uint32_t more; /* intercepts beyond EVERY_RUN_MISC1 */
	bool hide_syscall;
} runs[] = {
	[RUN_FREE] = {EVERY_RUN_EXCEPTIONS, 0, false},
	[RUN_TRACK_OS] = {EVERY_RUN_EXCEPTIONS, INTERCEPT_IRET, true},
	[RUN_TRACK_USR] = {ALL_BUT_NMI, INTERCEPT_INTR | INTERCEPT_INTN, true},
	[RUN_STEP] = {ALL_BUT_NMI, INTERCEPT_INTN, true},
};

#define EVERY_RUN_MISC1                                                                          \
	(INTERCEPT_NMI | INTERCEPT_CR0_SEL | INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_HLT | \
	 INTERCEPT_INVLPGA | INTERCEPT_MSR | INTERCEPT_SHUTDOWN)
#define EVERY_RUN_MISC2                                                              \
	(INTERCEPT_VMRUN | INTERCEPT_VMMCALL | INTERCEPT_VMLOAD | INTERCEPT_VMSAVE | \
	 INTERCEPT_STGI | INTERCEPT_CLGI | INTERCEPT_SKINIT | INTERCEPT_MONITOR | INTERCEPT_MWAIT)

/*
 * Interrupts and exceptions change RIP without a branch, so they exit while branches are recorded.
 * They do not exit in a run that delivers a due interrupt which could not be set as an event. In
 * such a run, deliveries in the handler before its IRET are missed.
 */
static bool sees_deliveries(const struct vpmu_cpu *cpu)
{
	return vpmu_branches_on(cpu) && cpu->run.mode == RUN_TRACK_OS && !cpu->interrupts.is_due;
}

/* True where the set event is an exception or an INTn, whose delivery may raise another exception.
 * Only by an exit vpmu can recognize a double fault, and the instruction that raised it. */
static bool may_fail(void)
{
	const uint64_t type = vpmu_vmcb.event_inj & EVENT_TYPE;

	return vpmu_event_set() && (type == EVENT_EXCEPTION || type == EVENT_SOFTWARE);
}

static uint32_t wanted_exceptions(const struct vpmu_cpu *cpu)
{
	const bool faults = vpmu_events_used(cpu) || may_fail() || cpu->nmi.ends_by_iret;

	return runs[cpu->run.mode].exceptions | (faults ? FAULTS : 0);
}

static void set_intercepts(const struct vpmu_cpu *cpu)
{
	const struct run_row *row = &runs[cpu->run.mode];
	bool need_iret = cpu->nmi.is_blocked && cpu->run.mode != RUN_STEP;

	vpmu_vmcb.intercept_exceptions = wanted_exceptions(cpu);
	vpmu_vmcb.intercept_misc1 = EVERY_RUN_MISC1 | row->more | vpmu_io_intercept(cpu);
	if (sees_deliveries(cpu)) {
		vpmu_vmcb.intercept_exceptions |= runs[RUN_TRACK_USR].exceptions;
		vpmu_vmcb.intercept_misc1 |= runs[RUN_TRACK_USR].more;
	}
	vpmu_vmcb.intercept_misc1 |= need_iret ? INTERCEPT_IRET : 0;
	/* An IRET that switches tasks cannot be stepped, so it must not exit again. */
	vpmu_vmcb.intercept_misc1 &= cpu->step.switches_task ? ~INTERCEPT_IRET : ~0u;
	/* vpmu emulates INTn by the gates of long mode only. */
	vpmu_vmcb.intercept_misc1 &= vpmu_guest_long_mode() ? ~0u : ~INTERCEPT_INTN;
	vpmu_vmcb.intercept_misc2 = EVERY_RUN_MISC2;
	if (cpu->clock.own.is_modelled) {
		vpmu_vmcb.intercept_misc1 |= INTERCEPT_RDTSC;
		vpmu_vmcb.intercept_misc2 |= INTERCEPT_RDTSCP;
	}
	vpmu_vmcb.intercept_misc1 &= cpu->step.writes_control ? ~INTERCEPT_CR0_SEL : ~0u;
	vpmu_vmcb.intercept_cr = vpmu_control_intercepts(cpu);
	vpmu_vmcb.intercept_dr = cpu->run.mode == RUN_STEP ? INTERCEPT_DR6 : 0;
	if (cpu->switches.sce && !row->hide_syscall)
		vpmu_vmcb.efer |= EFER_SCE;
	else
		vpmu_vmcb.efer &= ~EFER_SCE;
}

/* The delivery of an event takes the guest to ring 0 before its first instruction. */
static enum vpmu_ring next_ring(const struct vpmu_cpu *cpu)
{
	bool delivers = vpmu_event_set() || cpu->interrupts.is_due || vpmu_interrupt_due(cpu);

	return vpmu_vmcb.cpl == 3 && !delivers ? VPMU_USR : VPMU_OS;
}

static enum vpmu_run_mode next_run(const struct vpmu_cpu *cpu, bool step)
{
	if (step)
		return RUN_STEP;
	if (!tracks_rings(cpu))
		return RUN_FREE;
	return cpu->run.ring == VPMU_USR ? RUN_TRACK_USR : RUN_TRACK_OS;
}

/* True where a due interrupt has to become an event, so that no other interrupt is delivered unseen
 * after it in the same run. */
static bool is_followed(const struct vpmu_cpu *cpu)
{
	return cpu->interrupts.is_due && vpmu_branches_on(cpu);
}

/* An interrupt in ring 3 may end a task's time slice. The system then stops the counter, and the
 * record of the next instruction would be lost. In ring 0 the task continues after the handler. */
static bool loses_record(const struct vpmu_cpu *cpu)
{
	return cpu->run.ring == VPMU_USR && vpmu_model_record_is_next(&cpu->model, VPMU_USR);
}

/* The guest takes pending interrupts between two steps. */
static bool may_be_interrupted(const struct vpmu_cpu *cpu, bool step)
{
	return is_followed(cpu) || (step && !loses_record(cpu));
}

/* Steps and fences end by themselves. */
static bool needs_timer(const struct vpmu_cpu *cpu)
{
	return cpu->run.until != UINT64_MAX && cpu->run.mode != RUN_STEP && !cpu->nmi.fence;
}

static void deliver_due(struct vpmu_cpu *cpu)
{
	if (vpmu_model_deliver(&cpu->model)) {
		vpmu_pmi(cpu);
		vpmu_step_refill(cpu);
	}
	if (vpmu_model_ibs_deliver(&cpu->model))
		vpmu_ibs_interrupt(cpu);
	vpmu_nmi_inject(cpu);
}

static void wait_while_halted(struct vpmu_cpu *cpu)
{
	while (cpu->interrupts.halted && !vpmu_event_set()) {
		vpmu_halt(cpu);
		deliver_due(cpu);
	}
	cpu->interrupts.halted = false;
}

/*
 * QEMU delivers an interrupt of EVENT_INJ at VMRUN, and again when it next checks its own events,
 * unless an exit or interrupt comes first. The fence is such an exit, before the first instruction.
 */
static bool is_delivered_twice(void)
{
	return vpmu_event_set() && (vpmu_vmcb.event_inj & EVENT_TYPE) == EVENT_INTERRUPT;
}

static bool wants_fence(const struct vpmu_cpu *cpu, bool step)
{
	return is_delivered_twice() ||
	       (vpmu_event_set() && (step || (cpu->nmi.is_pending && !cpu->nmi.is_blocked)));
}

static bool choose_step(struct vpmu_cpu *cpu)
{
	cpu->run.ring = next_ring(cpu);
	cpu->run.until =
		cpu->timer.trial ? cpu->timer.trial : vpmu_model_until(&cpu->model, cpu->run.ring);
	return vpmu_step_wanted(cpu);
}

/* VMRUN and #VMEXIT change CR4, and where a bit of paging differs, TCG flushes its TLB once more
 * each time. The host takes these bits over; its own page tables have no user pages. */
static void take_paging_bits(void)
{
	const uint64_t bits = CR4_PSE | CR4_PGE | CR4_SMEP | CR4_SMAP;
	const uint64_t differ = (read_cr4() ^ vpmu_vmcb.cr4) & bits;

	if (differ)
		write_cr4(read_cr4() ^ differ);
}

void vpmu_prepare(struct vpmu_cpu *cpu)
{
	bool step;

	if (cpu->model.derived.needed >= EVENTS_LEVEL_CACHES)
		vpmu_clock_measures(cpu);
	vpmu_trace_control(cpu);
	deliver_due(cpu);
	wait_while_halted(cpu);
	vpmu_step_look(cpu);
	step = choose_step(cpu);
	if (may_be_interrupted(cpu, step) && vpmu_interrupt_take(cpu)) {
		cpu->interrupts.is_due = false;
		deliver_due(cpu);
		step = choose_step(cpu);
	}
	if (wants_fence(cpu, step)) {
		vpmu_fence(cpu);
		step = false;
	}
	cpu->run.mode = next_run(cpu, step);
	set_intercepts(cpu);
	vpmu_sysenter_hide(cpu, runs[cpu->run.mode].hide_syscall && vpmu_guest_long_mode());
	if (cpu->run.mode == RUN_STEP)
		vpmu_step_begin(cpu);
	else
		vpmu_interrupt_offer(cpu);
	vpmu_nested_expect(cpu);
	vpmu_events_want(cpu);
	vpmu_events_expect(cpu);
	vpmu_stop_expect(cpu);
	vpmu_branches_expect(cpu);
	vpmu_quick_expect(cpu);
	take_paging_bits();
	/* The timer comes last: it relies on a constant path from here to the guest, and the calls
	 * above take varying time. */
	if (needs_timer(cpu))
		vpmu_timer_arm(cpu, vpmu_step_from(cpu));
	else
		vpmu_timer_disarm(cpu);
	vpmu_clock_start(cpu);
}

/* Delivers an interrupted event again, unless a newer one is set. */
static void redeliver_event(void)
{
	if (vpmu_vmcb.exit_int_info & EVENT_VALID && !vpmu_event_set())
		vpmu_vmcb.event_inj = vpmu_vmcb.exit_int_info;
}

static const struct exit_row *find_exit_row(void)
{
	static const struct exit_row nested_fault = {vpmu_nested_fault, 0, false},
				     invalid = {vpmu_on_invalid, 0, false};
	uint64_t code = vpmu_vmcb.exit_code;

	if (code == VMEXIT_NPF)
		return &nested_fault;
	if ((uint32_t)code ==
	    UINT32_MAX) /* QEMU 7.2 writes only the lower half of VMEXIT_INVALID */
		return &invalid;
	if (code >= VMEXIT_COUNT || !exits[code].handle)
		vpmu_die("unexpected exit");
	return &exits[code];
}

/* The number of counted instructions that did not complete. The TSC does not count a SYSCALL or
 * SYSRET that raises #UD. */
static uint64_t included_insns(const struct vpmu_cpu *cpu, const struct exit_row *row)
{
	return row->included && !vpmu_is_syscall(cpu) ? row->included : 0;
}

/* CPUs refuse NW without CD, and code segments marked both 64-bit and 32-bit. TCG accepts and
 * ignores both, but its VMRUN refuses them. */
static void bear_state(void)
{
	if (!(vpmu_vmcb.cr0 & CR0_CD))
		vpmu_vmcb.cr0 &= ~CR0_NW;
	if (vpmu_guest_64bit())
		vpmu_vmcb.cs.attributes &= (uint16_t)~SEGMENT_32;
}

static void handle_exit(struct vpmu_cpu *cpu)
{
	const struct exit_row *row = find_exit_row();
	bool stepped;

	cpu->vmrun.exits++;
	vpmu_vmcb.event_inj = 0;
	vpmu_vmcb.tlb_control = 0;
	vpmu_stop_end(cpu);
	vpmu_clock_account(cpu, included_insns(cpu, row));
	vpmu_stop_note(cpu);
	vpmu_nmi_echo(cpu);
	end_nmi_iret(cpu);
	cpu->interrupts.is_due = false;
	cpu->step.once = cpu->step.writes_control = cpu->step.string_io = false;
	if (cpu->run.mode != RUN_STEP)
		vpmu_interrupt_taken(cpu);
	stepped = cpu->run.mode == RUN_STEP && vpmu_step_end(cpu);
	vpmu_nested_end(cpu, stepped);
	if (row->may_be_quick)
		vpmu_quick_learn(cpu);
	if (!stepped)
		row->handle(cpu);
	vpmu_pebs(cpu);
	redeliver_event();
	bear_state();
	vpmu_prepare(cpu);
}

/* Answers CPUID. False: the exit cannot be quick, or the leaf is vpmu's own, which reports or
 * changes counts. */
static bool answer_quickly(struct vpmu_cpu *cpu)
{
	if ((uint32_t)vpmu_vmcb.rax == VPMU_CPUID_LEAF || !vpmu_quick_can(cpu, QUICK_CPUID))
		return false;
	answer_cpuid(cpu);
	return true;
}

/* Quick exits that vmrun.S leaves to C. */
static bool is_over_quickly(struct vpmu_cpu *cpu)
{
	switch (vpmu_vmcb.exit_code) {
	case VMEXIT_CPUID:
		return answer_quickly(cpu);
	case VMEXIT_MSR:
		return vpmu_vmcb.exit_info1 & MSR_IS_WRITTEN && vpmu_quick_can(cpu, QUICK_WRMSR) &&
		       vpmu_quick_wrmsr(cpu);
	default:
		return false;
	}
}

const uint8_t *vpmu_exit(void)
{
	struct vpmu_cpu *cpu = &vpmu_cpu;

	if (is_over_quickly(cpu))
		return vpmu_quick_end(cpu);
	handle_exit(cpu);
	return vpmu_run_guest;
}
