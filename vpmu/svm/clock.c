// SPDX-License-Identifier: BSD-2-Clause
/*
 * clock.c - what the guest executed. vmrun.S reads the TSC right before and right after VMRUN; what
 * lies between, less the few instructions of the host there, is the guest's. On a machine whose TSC
 * advances by a constant per instruction the result is exact. Elsewhere QEMU's plugin tells the
 * instructions of each run (events.c), and without that the result is an estimate.
 *
 * vpmu executes instructions too, of which the same clock tells. Where the guest has a clock of its
 * own its TSC does not show them: each run begins where what was executed so far says. Timers do go
 * on meanwhile, and come early by that clock.
 *
 * A halted guest executes nothing, whatever the TSC says: its HLT is counted when it exits, and
 * the host waits in its place.
 *
 * Where it is an estimate, what a run takes in which the guest does nothing depends on the host and
 * on what the guest has in its caches. A run that ends before its first instruction, because an
 * interrupt waited or the timer was early, must count nothing: else its time alone may be a
 * period, and the PMI that follows leads to the next such run, and so on for ever.
 */
#include "arch/x86/insn.h"
#include "lib/string.h"
#include "vpmu/svm/vpmu.h"

/* A run of more than so many times the overhead was of instructions, even if no register tells. */
#define LONG_RUN 4

/* Of so many instructions, with -icount, the plugin may see none: those that access devices. */
#define SHORT_RUN 16

/* Of the overhead, what each run in which the guest did nothing corrects: a part in so many. */
#define OVERHEAD_INERTIA 8

static void advance_clock(struct vpmu_cpu *cpu, enum vpmu_ring ring, uint64_t n,
			  const uint64_t *counts)
{
	uint64_t ticks = n * cpu->model.cycles_per_instruction;
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = ticks;
	p.ref_cycles[ring] = ticks;
	p.counts[ring] = counts;
	cpu->total[ring] += n;
	vpmu_shared_executed(cpu, n);
	vpmu_model_advance(&cpu->model, &p);
}

static void note_skid(struct vpmu_cpu *cpu, uint64_t n)
{
	if (!cpu->exact && !vpmu_is_counted(cpu))
		return;
	if (n < cpu->until || n - cpu->until <= cpu->max_skid)
		return;
	cpu->max_skid = n - cpu->until;
	vpmu_shared_met_late(cpu, cpu->max_skid);
}

static uint64_t instructions_in(const struct vpmu_cpu *cpu, uint64_t ticks)
{
	return ticks > cpu->overhead ? (ticks - cpu->overhead) / cpu->ticks_per_insn : 0;
}

/* A step whose instruction did not complete: what QEMU's plugin has seen of it does not count. */
static bool is_undone(const struct vpmu_cpu *cpu)
{
	const uint64_t code = vpmu_vmcb.exit_code;

	if (cpu->run != RUN_STEP ||
	    (code == VMEXIT_EXCEPTION + VECTOR_DB && vpmu_vmcb.dr6 & DR6_BS))
		return false;
	return !vpmu_completes(cpu);
}

static void sum_up_counts(struct vpmu_events *e)
{
	for (unsigned i = 0; i < EVENTS_NUMBERS; i++)
		e->sum[i] += e->more[i];
}

static const uint64_t *take_counts(struct vpmu_cpu *cpu)
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
	struct vpmu_start now = {
		.rip = vpmu_vmcb.rip,
		.rsp = vpmu_vmcb.rsp,
		.rax = vpmu_vmcb.rax,
		.rflags = vpmu_vmcb.rflags,
	};

	memcpy(now.registers, &cpu->rbx, sizeof(now.registers));
	return now;
}

static uint64_t own_clock_now(const struct vpmu_cpu *cpu)
{
	return cpu->own_clock.base +
	       (cpu->total[VPMU_OS] + cpu->total[VPMU_USR]) * cpu->ticks_per_insn;
}

void vpmu_clock_own(struct vpmu_cpu *cpu)
{
	cpu->own_clock.is_on = true;
	cpu->own_clock.base += rdtsc() - own_clock_now(cpu);
	cpu->quick.again = vpmu_run_guest_by_clock;
	cpu->quick.clock = (QUICK_HOST_INSNS + RUN_HOST_INSNS - 1) * cpu->ticks_per_insn;
}

uint64_t vpmu_clock_then(const struct vpmu_cpu *cpu)
{
	return cpu->own_clock.is_on ? own_clock_now(cpu) : cpu->exit_tsc;
}

void vpmu_clock_slept(struct vpmu_cpu *cpu, uint64_t ticks)
{
	cpu->own_clock.base += ticks;
}

/* The way to VMRUN is the same in each run, and its length known from the last one. */
static void set_own_clock(struct vpmu_cpu *cpu)
{
	struct vpmu_own_clock *c = &cpu->own_clock;
	const uint64_t to_guest = c->lead + (RUN_HOST_INSNS - 1) * cpu->ticks_per_insn;

	vpmu_vmcb.tsc_offset = cpu->thread.tsc_offset + own_clock_now(cpu) - to_guest;
	c->started = rdtsc();
	vpmu_vmcb.tsc_offset -= c->started;
}

void vpmu_clock_start(struct vpmu_cpu *cpu)
{
	if (cpu->own_clock.is_on)
		set_own_clock(cpu);
	if (!cpu->exact)
		cpu->start = state_now(cpu);
}

/* The run was ended from outside before the guest's first instruction. */
static bool stood_still(const struct vpmu_cpu *cpu)
{
	const bool outside =
		vpmu_vmcb.exit_code == VMEXIT_INTR || vpmu_vmcb.exit_code == VMEXIT_NMI;
	const struct vpmu_start now = state_now(cpu);

	return outside && cpu->ticks < LONG_RUN * cpu->overhead &&
	       !memcmp(&now, &cpu->start, sizeof(now));
}

static void correct_overhead(struct vpmu_cpu *cpu)
{
	cpu->overhead += cpu->ticks / OVERHEAD_INERTIA;
	cpu->overhead -= cpu->overhead / (OVERHEAD_INERTIA + 1);
}

/*
 * Where it is an estimate: a step is of one instruction, and so is a run that seems to have been
 * shorter than the overhead.
 */
static uint64_t estimate_executed(struct vpmu_cpu *cpu, uint64_t included)
{
	uint64_t n = instructions_in(cpu, cpu->ticks);

	if (stood_still(cpu)) {
		correct_overhead(cpu);
		return 0;
	}
	return cpu->run == RUN_STEP || n <= included ? 1 : n - included;
}

static uint64_t less_included(uint64_t n, uint64_t included)
{
	return n > included ? n - included : 0;
}

/*
 * QEMU ends a REP string instruction by a round in which it finds RCX to be 0, but not where it is
 * stepped without -icount. It counts there, too. Of a QEMU that loops the plugin counts it.
 */
static uint64_t last_round(const struct vpmu_cpu *cpu)
{
	const struct vpmu_step *step = &cpu->step;

	if (cpu->run != RUN_STEP || cpu->events.header->loops || !step->repeat ||
	    vpmu_vmcb.rip == cpu->start.rip)
		return 0;
	return cpu->start.registers[START_RCX] & step->rounds && !(cpu->rcx & step->rounds) &&
	       vpmu_step_repeats(step);
}

/*
 * A step that did not complete has executed nothing. What vpmu emulates the plugin has seen begin,
 * and vpmu counts it itself.
 */
static uint64_t plugin_executed(const struct vpmu_cpu *cpu, const uint64_t *counts)
{
	if (!counts)
		return 0;
	return less_included(counts[EVENTS_INSTRUCTIONS], vpmu_completes(cpu)) + last_round(cpu);
}

static uint64_t executed_in_run(struct vpmu_cpu *cpu, uint64_t included, const uint64_t *counts)
{
	if (cpu->exact)
		return less_included(instructions_in(cpu, cpu->ticks), included);
	return vpmu_is_counted(cpu) ? plugin_executed(cpu, counts)
				    : estimate_executed(cpu, included);
}

/* By what was not taken from the plugin. */
static bool has_moved(const struct vpmu_cpu *cpu)
{
	const struct vpmu_start now = state_now(cpu);

	if (cpu->exact)
		return cpu->executed > SHORT_RUN;
	return memcmp(&now, &cpu->start, sizeof(now));
}

void vpmu_clock_account(struct vpmu_cpu *cpu, uint64_t included)
{
	enum vpmu_ring ring = cpu->run == RUN_FREE ? vpmu_guest_ring() : cpu->ring;
	const uint64_t *counts = take_counts(cpu);

	cpu->ticks = cpu->exit_tsc - cpu->entry_tsc;
	if (vpmu_quick_owed(cpu))
		advance_clock(cpu, ring, vpmu_quick_settle(cpu), NULL);
	else
		cpu->own_clock.lead = cpu->entry_tsc - cpu->own_clock.started;
	cpu->executed = executed_in_run(cpu, included, counts);
	if (counts)
		vpmu_events_compare(cpu, has_moved(cpu));
	if (!cpu->executed && !counts)
		return;
	note_skid(cpu, cpu->executed);
	advance_clock(cpu, ring, cpu->executed, counts);
	if (!cpu->executed)
		return;
	if (cpu->run == RUN_STEP && cpu->executed == 1)
		vpmu_sample_stepped(cpu);
	else if (cpu->run != RUN_STEP && cpu->events.own && cpu->events.own->follow)
		vpmu_sample_stopped(cpu);
	else
		vpmu_sample_unseen(cpu);
}

void vpmu_clock_one(struct vpmu_cpu *cpu)
{
	advance_clock(cpu, vpmu_guest_ring(), 1, NULL);
	vpmu_sample_emulated(cpu);
}
