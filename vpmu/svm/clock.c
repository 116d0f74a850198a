// SPDX-License-Identifier: BSD-2-Clause
/*
 * clock.c - what the guest executed. run.S reads the TSC right before and right after VMRUN; what
 * lies between, less the few instructions of the host there, is the guest's. On a machine whose TSC
 * advances by a constant per instruction the result is exact, else it is an estimate.
 *
 * A halted guest executes nothing, whatever the TSC says: its HLT is counted when it exits, and
 * the host waits in its place.
 */
#include "vpmu/svm/vpmu.h"

static void advance_clock(struct vpmu_cpu *cpu, enum vpmu_ring ring, uint64_t n,
			  const uint64_t *counts)
{
	uint64_t ticks = n * cpu->ticks_per_insn;
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
	if (n >= cpu->until && n - cpu->until > cpu->max_skid)
		cpu->max_skid = n - cpu->until;
}

static enum vpmu_ring ring_of_cpl(void)
{
	return vpmu_vmcb.cpl == 3 ? VPMU_USR : VPMU_OS;
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
	return code != VMEXIT_INTN && !(code == VMEXIT_UD && vpmu_is_syscall(cpu));
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
	if (vpmu_vmcb.exit_code == VMEXIT_IRET)
		vpmu_events_forget_iret(cpu);
	if (counts && cpu->events.sums)
		sum_up_counts(&cpu->events);
	return counts;
}

/*
 * Where it is an estimate, a short run takes longer or shorter than the overhead is by chance, and
 * is taken to be of one instruction.
 */
void vpmu_clock_account(struct vpmu_cpu *cpu, uint64_t included)
{
	enum vpmu_ring ring = cpu->run == RUN_FREE ? ring_of_cpl() : cpu->ring;
	const uint64_t *counts = take_counts(cpu);

	cpu->ticks = cpu->exit_tsc - cpu->entry_tsc;
	cpu->executed = 0;
	cpu->executed = instructions_in(cpu, cpu->ticks);
	cpu->executed -= included < cpu->executed ? included : cpu->executed;
	if (!cpu->executed && !cpu->exact)
		cpu->executed = 1;
	if (!cpu->executed && !counts)
		return;
	note_skid(cpu, cpu->executed);
	advance_clock(cpu, ring, cpu->executed, counts);
	if (!cpu->executed)
		return;
	if (cpu->run == RUN_STEP && cpu->executed == 1)
		vpmu_sample_stepped(cpu);
	else
		vpmu_sample_unseen(cpu);
}

void vpmu_clock_one(struct vpmu_cpu *cpu)
{
	advance_clock(cpu, ring_of_cpl(), 1, NULL);
	vpmu_sample_emulated(cpu);
}
