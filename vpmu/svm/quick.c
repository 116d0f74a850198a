// SPDX-License-Identifier: BSD-2-Clause
/*
 * quick.c - exits that are over at once. Most that there are read or write a counter, or another
 * register of the PMU, while all goes on as it did: nothing is due, no event waits, the run to come
 * is like the last one. Then neither the model is told what was executed, nor the run prepared
 * anew, nor the timer set: what was executed is owed, and the next exit that is not quick pays it
 * (vpmu_quick_settle()). A counter that is on is what it was, and what is owed.
 *
 * The timer was set for the guest alone, so what a quick exit takes brings it early. That is no
 * harm: it is set again then.
 *
 * Most of them are over in vmrun.S, before the guest's registers are saved: counters that are read,
 * or written while they are off. Here is what is to be known there beforehand, and what is quick,
 * but needs the registers: CPUID, and writes that reset the status.
 */
#include "vpmu/svm/vpmu.h"

/* --- Which registers --- */

void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr)
{
	vpmu_quick_add_msr(&cpu->quick.registers, &cpu->model, msr);
}

/* The core's. */
static void add_counters(struct vpmu_cpu *cpu)
{
	for (uint32_t i = 0; i < VPMU_MAX_GP; i++)
		if (!vpmu_platform_counts(cpu->model.uarch, i))
			vpmu_quick_add_rdpmc(&cpu->quick.registers, &cpu->model, i);
	for (uint32_t i = 0; i < VPMU_MAX_FIXED; i++)
		vpmu_quick_add_rdpmc(&cpu->quick.registers, &cpu->model, VPMU_RDPMC_FIXED + i);
}

void vpmu_quick_init(struct vpmu_cpu *cpu)
{
	cpu->quick.beside = -(uint64_t)RUN_HOST_INSNS;
	cpu->quick.again = vpmu_run_guest;
	cpu->quick.mask = cpu->model.counter_mask;
	vpmu_quick_registers_init(&cpu->quick.registers);
	add_counters(cpu);
}

/* --- When --- */

/* Of the run that is about to be, and of what comes behind it. */
static bool goes_on(const struct vpmu_cpu *cpu)
{
	const bool waits = cpu->nmi_pending || cpu->nmi_later_at || cpu->intr_due ||
			   cpu->interrupt || vpmu_event_set();
	const bool is_stopped = cpu->fence || cpu->stop.armed || cpu->step.once ||
				cpu->extended_apic.steps || cpu->apic_write.is_expected;

	return cpu->exact && cpu->run != RUN_STEP && !waits && !is_stopped &&
	       !vpmu_vmcb.tlb_control && !cpu->events.sums && !cpu->always_step;
}

static uint64_t quick_instructions(const struct vpmu_cpu *cpu)
{
	if (!goes_on(cpu) || !cpu->until || !vpmu_model_is_plain(&cpu->model))
		return 0;
	return (cpu->until < VPMU_PLAIN_MOST ? cpu->until : VPMU_PLAIN_MOST) - 1;
}

void vpmu_quick_expect(struct vpmu_cpu *cpu)
{
	cpu->quick.room = quick_instructions(cpu);
	cpu->quick.ring = cpu->run == RUN_TRACK_USR ? VPMU_USR : VPMU_OS;
}

/* The guest's instruction has nothing to follow it: no trap, and no shadow or RF to end. */
static bool ends_alone(void)
{
	return !(vpmu_vmcb.rflags & RFLAGS_TRAP_OR_RESUME) &&
	       !(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

/* Instructions that the guest has executed, and the model was not told of. */
static uint64_t not_told(const struct vpmu_cpu *cpu)
{
	return (cpu->exit_tsc - cpu->entry_tsc) / cpu->ticks_per_insn + cpu->quick.beside;
}

/* --- An exit --- */

bool vpmu_quick_can(const struct vpmu_cpu *cpu)
{
	return ends_alone() && not_told(cpu) < cpu->quick.room;
}

const uint8_t *vpmu_quick_end(struct vpmu_cpu *cpu)
{
	cpu->quick.beside = not_told(cpu) + 1 - RUN_HOST_INSNS;
	cpu->exits++;
	vpmu_vmcb.rip += QUICK_LENGTH;
	return cpu->quick.again;
}

bool vpmu_quick_wrmsr(struct vpmu_cpu *cpu)
{
	return vpmu_quick_reset(&cpu->quick.registers, &cpu->model, (uint32_t)cpu->rcx,
				(uint32_t)vpmu_vmcb.rax | cpu->rdx << 32);
}

uint64_t vpmu_quick_owed(const struct vpmu_cpu *cpu)
{
	return cpu->quick.beside + RUN_HOST_INSNS;
}

uint64_t vpmu_quick_settle(struct vpmu_cpu *cpu)
{
	const uint64_t n = vpmu_quick_owed(cpu);

	cpu->quick.beside = -(uint64_t)RUN_HOST_INSNS;
	cpu->until -= n;
	cpu->timer.is_early |= n != 0;
	return n;
}
