// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_clock.c - counts the guest's instructions. vmrun.S reads the TSC right before and right
 * after VMRUN. The difference, less the few instructions of the host in between, is the guest's.
 * The result is exact on a machine whose TSC advances by a constant per instruction. Elsewhere
 * QEMU's plugin counts the instructions of each run (plugin_page.c), and without the plugin the
 * result is an estimate.
 *
 * vpmu executes instructions, too, and the same TSC counts them. If the guest has a clock of its
 * own, its TSC does not show them: each run begins at the TSC that the guest's instructions account
 * for. Timers run on while vpmu executes, so they come early by that clock.
 *
 * Or the guest's clock goes by modelled cycles: RDTSC exits, and the TSC is that of the cycles up
 * to there.
 *
 * A halted guest executes nothing, whatever the TSC says. Its HLT is counted when it exits, and the
 * host waits in its place.
 *
 * Estimates: the overhead of a run depends on the host and on the guest's caches. A run may end
 * before its first instruction, because an interrupt was pending or the timer was early. Such a run
 * must count nothing. Otherwise its time alone might complete a period, and the PMI would cause the
 * next such run, for ever.
 */
#include "vpmu/svm/count/guest_clock.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/op_sample.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/count/quick_exit.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/ring_switch.h"
#include "vpmu/svm/vcpu/vcpu.h"

/* A longer run, in multiples of the overhead, has executed instructions even if no register has
 * changed. */
#define LONG_RUN 4

/* With -icount the plugin may miss instructions that access devices: fewer than this. */
#define SHORT_RUN 16

/* A run in which the guest did nothing corrects the overhead by one part in this many. */
#define OVERHEAD_INERTIA 8

#define RFLAGS_ZF (1ull << 6)

static void advance_clock(struct vpmu_cpu *cpu, enum vpmu_ring ring, uint64_t n,
			  const uint64_t *counts)
{
	uint64_t ticks = n * cpu->model.machine.cycles_per_instruction;
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = ticks;
	p.ref_cycles[ring] = ticks;
	p.counts[ring] = counts;
	cpu->clock.total[ring] += n;
	vpmu_shared_executed(cpu, n);
	vpmu_model_advance(&cpu->model, &p);
}

static void note_skid(struct vpmu_cpu *cpu, uint64_t n)
{
	if (!cpu->clock.exact && !vpmu_is_counted(cpu))
		return;
	if (n < cpu->run.until || n - cpu->run.until <= cpu->clock.max_skid)
		return;
	cpu->clock.max_skid = n - cpu->run.until;
	vpmu_shared_met_late(cpu, cpu->clock.max_skid);
}

static uint64_t instructions_in(const struct vpmu_cpu *cpu, uint64_t ticks)
{
	return ticks > cpu->clock.overhead
		       ? (ticks - cpu->clock.overhead) / cpu->vmrun.ticks_per_insn
		       : 0;
}

/* True where the stepped instruction did not complete, so that its counts are dropped. */
static bool is_undone(const struct vpmu_cpu *cpu)
{
	const uint64_t code = vpmu_vmcb.exit_code;

	if (cpu->run.mode != RUN_STEP ||
	    (code == VMEXIT_EXCEPTION + VECTOR_DB && vpmu_vmcb.dr6 & DR6_BS))
		return false;
	return !vpmu_completes(cpu);
}

static void sum_up_counts(struct vpmu_events *e)
{
	for (unsigned i = 0; i < EVENTS_NUMBERS; i++)
		e->sum[i] += e->more[i];
}

static const uint64_t *pending_counts(struct vpmu_cpu *cpu)
{
	const uint64_t *counts = vpmu_events_take(cpu);

	if (is_undone(cpu))
		return NULL;
	if (counts && cpu->events.sums)
		sum_up_counts(&cpu->events);
	return counts;
}

static struct vpmu_start state_now(const struct vpmu_cpu *cpu)
{
	return (struct vpmu_start){
		.gpr = cpu->gpr,
		.rip = vpmu_vmcb.rip,
		.rsp = vpmu_vmcb.rsp,
		.rax = vpmu_vmcb.rax,
		.rflags = vpmu_vmcb.rflags,
	};
}

static uint64_t ticks_executed(const struct vpmu_cpu *cpu)
{
	return (cpu->clock.total[VPMU_OS] + cpu->clock.total[VPMU_USR]) * cpu->vmrun.ticks_per_insn;
}

static uint64_t modelled_cycles(const struct vpmu_cpu *cpu)
{
	return cpu->clock.own.slots / cpu->model.uarch->slots;
}

static uint64_t own_clock_now(const struct vpmu_cpu *cpu)
{
	return cpu->clock.own.base +
	       (cpu->clock.own.is_modelled ? modelled_cycles(cpu) : ticks_executed(cpu));
}

void vpmu_clock_own(struct vpmu_cpu *cpu)
{
	cpu->clock.own.is_on = true;
	cpu->clock.own.base += rdtsc() - own_clock_now(cpu);
	cpu->timer.tuned = 0; /* the path to the guest is another one */
	cpu->quick.again = vpmu_run_guest_by_clock;
	cpu->quick.clock = (QUICK_HOST_INSNS + RUN_HOST_INSNS - 1) * cpu->vmrun.ticks_per_insn;
}

void vpmu_clock_modelled(struct vpmu_cpu *cpu)
{
	vpmu_clock_own(cpu);
	cpu->clock.own.waits = true;
}

void vpmu_clock_measures(struct vpmu_cpu *cpu)
{
	struct vpmu_own_clock *c = &cpu->clock.own;

	if (!c->waits)
		return;
	c->slots = ticks_executed(cpu) * cpu->model.uarch->slots;
	c->waits = false;
	c->is_modelled = true;
	cpu->timer.tuned = 0; /* as in vpmu_clock_own() */
	vpmu_model_clock(&cpu->model);
}

enum vpmu_clock vpmu_clock_kind(const struct vpmu_cpu *cpu)
{
	if (cpu->clock.own.waits || cpu->clock.own.is_modelled)
		return VPMU_CLOCK_MODEL;
	return cpu->clock.exact ? VPMU_CLOCK_INSTRUCTIONS : VPMU_CLOCK_HOST;
}

uint64_t vpmu_clock_cycles(const struct vpmu_cpu *cpu, uint64_t instructions)
{
	return cpu->clock.own.is_modelled ? modelled_cycles(cpu)
					  : instructions * cpu->vmrun.ticks_per_insn;
}

uint64_t vpmu_clock_then(const struct vpmu_cpu *cpu)
{
	return cpu->clock.own.is_on ? own_clock_now(cpu) : cpu->vmrun.exit_tsc;
}

void vpmu_clock_slept(struct vpmu_cpu *cpu, uint64_t ticks)
{
	cpu->clock.own.base += ticks;
}

/* The path to VMRUN is the same in each run, so its length is that of the last run. */
static void set_own_clock(struct vpmu_cpu *cpu)
{
	struct vpmu_own_clock *c = &cpu->clock.own;
	const uint64_t to_guest = c->lead + (RUN_HOST_INSNS - 1) * cpu->vmrun.ticks_per_insn;

	vpmu_vmcb.tsc_offset = cpu->thread.tsc_offset + own_clock_now(cpu) - to_guest;
	c->started = rdtsc();
	vpmu_vmcb.tsc_offset -= c->started;
}

void vpmu_clock_start(struct vpmu_cpu *cpu)
{
	if (cpu->clock.own.is_on)
		set_own_clock(cpu);
	if (!cpu->clock.exact)
		cpu->clock.start = state_now(cpu);
}

/* True where an interrupt or NMI has ended the run before the guest's first instruction. */
static bool stood_still(const struct vpmu_cpu *cpu)
{
	const bool outside =
		vpmu_vmcb.exit_code == VMEXIT_INTR || vpmu_vmcb.exit_code == VMEXIT_NMI;
	const struct vpmu_start now = state_now(cpu);

	return outside && cpu->clock.ticks < LONG_RUN * cpu->clock.overhead &&
	       !memcmp(&now, &cpu->clock.start, sizeof(now));
}

static void correct_overhead(struct vpmu_cpu *cpu)
{
	cpu->clock.overhead += cpu->clock.ticks / OVERHEAD_INERTIA;
	cpu->clock.overhead -= cpu->clock.overhead / (OVERHEAD_INERTIA + 1);
}

/* Estimates the instructions of a run. A step executes one; a run that seems shorter than the
 * overhead counts as one, too. */
static uint64_t estimate_executed(struct vpmu_cpu *cpu, uint64_t included)
{
	uint64_t n = instructions_in(cpu, cpu->clock.ticks);

	if (stood_still(cpu)) {
		correct_overhead(cpu);
		return 0;
	}
	return cpu->run.mode == RUN_STEP || n <= included ? 1 : n - included;
}

static uint64_t less_included(uint64_t n, uint64_t included)
{
	return n > included ? n - included : 0;
}

static bool repeats_again(const struct vpmu_step *step)
{
	return !step->compares || !(vpmu_vmcb.rflags & RFLAGS_ZF) == (step->repeat == INSN_REPNE);
}

/*
 * QEMU ends a REP string instruction by a round that finds RCX to be 0, and counts that round. If
 * the instruction is stepped without -icount, QEMU leaves the round out, so vpmu adds it. A plugin
 * whose header has `loops` adds it itself.
 */
static uint64_t last_round(const struct vpmu_cpu *cpu)
{
	const struct vpmu_step *step = &cpu->step;

	if (cpu->run.mode != RUN_STEP || cpu->events.header->loops || !step->repeat ||
	    vpmu_vmcb.rip == cpu->clock.start.rip)
		return 0;
	return cpu->clock.start.gpr.rcx & step->rounds && !(cpu->gpr.rcx & step->rounds) &&
	       repeats_again(step);
}

/* Instructions that vpmu emulates have begun in the plugin's view, and vpmu counts them itself. A
 * step that did not complete has executed nothing. */
static uint64_t plugin_executed(const struct vpmu_cpu *cpu, const uint64_t *counts)
{
	if (!counts)
		return 0;
	return less_included(counts[EVENTS_INSTRUCTIONS], vpmu_completes(cpu)) + last_round(cpu);
}

static uint64_t executed_in_run(struct vpmu_cpu *cpu, uint64_t included, const uint64_t *counts)
{
	if (cpu->clock.exact)
		return less_included(instructions_in(cpu, cpu->clock.ticks), included);
	return vpmu_is_counted(cpu) ? plugin_executed(cpu, counts)
				    : estimate_executed(cpu, included);
}

/* Whether the guest has executed something, by evidence other than the plugin's counts. */
static bool has_moved(const struct vpmu_cpu *cpu)
{
	const struct vpmu_start now = state_now(cpu);

	if (cpu->clock.exact)
		return cpu->clock.executed > SHORT_RUN;
	return memcmp(&now, &cpu->clock.start, sizeof(now));
}

/* Without counts of the model an instruction takes a cycle. */
static uint64_t run_slots(const struct vpmu_cpu *cpu, const uint64_t *counts)
{
	if (counts && cpu->clock.own.is_modelled && vpmu_models_time(&cpu->model))
		return counts[EVENTS_SLOTS];
	return cpu->clock.executed * cpu->model.uarch->slots;
}

void vpmu_clock_account(struct vpmu_cpu *cpu, uint64_t included)
{
	enum vpmu_ring ring = cpu->run.mode == RUN_FREE ? vpmu_guest_ring() : cpu->run.ring;
	const uint64_t *counts = pending_counts(cpu);

	cpu->clock.ticks = cpu->vmrun.exit_tsc - cpu->vmrun.entry_tsc;
	if (vpmu_quick_owed(cpu))
		advance_clock(cpu, ring, vpmu_quick_settle(cpu), NULL);
	else
		cpu->clock.own.lead = cpu->vmrun.entry_tsc - cpu->clock.own.started;
	cpu->clock.executed = executed_in_run(cpu, included, counts);
	cpu->clock.own.slots += run_slots(cpu, counts);
	if (counts)
		vpmu_events_compare(cpu, has_moved(cpu));
	if (!cpu->clock.executed && !counts)
		return;
	note_skid(cpu, cpu->clock.executed);
	advance_clock(cpu, ring, cpu->clock.executed, counts);
	if (!cpu->clock.executed)
		return;
	if (cpu->run.mode == RUN_STEP && cpu->clock.executed == 1)
		vpmu_sample_stepped(cpu);
	else if (cpu->run.mode != RUN_STEP && cpu->events.own && cpu->events.own->follow)
		vpmu_sample_stopped(cpu);
	else
		vpmu_sample_unseen(cpu);
}

void vpmu_clock_one(struct vpmu_cpu *cpu)
{
	advance_clock(cpu, vpmu_guest_ring(), 1, NULL);
	vpmu_sample_emulated(cpu);
}
