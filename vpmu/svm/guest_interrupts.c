// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_interrupts.c - delivers NMIs, PMIs by way of the local APIC's LVTPC, and interrupts that
 * the host has taken.
 *
 * QEMU's SVM does not track the guest's NMI mask, so this file does: NMIs are blocked from
 * injection until the guest's IRET has completed, and at most one is pending meanwhile. A physical
 * NMI is the host's if the fence, the plugin or the timer explains it. Otherwise it is the guest's.
 */
#include "vpmu/svm/guest_interrupts.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/host_idt.h"
#include "vpmu/svm/vcpu/local_apic.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define DELIVERY_MASK  0x700u
#define DELIVERY_FIXED 0x000u
#define DELIVERY_NMI   APIC_LVT_NMI
#define VECTOR_MASK    0xffu

static void send_self(uint32_t mode_and_vector)
{
	vpmu_apic_write(APIC_ICR, APIC_ICR_SELF | APIC_ICR_ASSERT | mode_and_vector);
}

static uint64_t executed_by(const struct vpmu_cpu *cpu)
{
	return cpu->clock.total[VPMU_OS] + cpu->clock.total[VPMU_USR];
}

/* Called before the exit is handled, because an IRET with a pending NMI is stepped. */
void vpmu_nmi_echo(struct vpmu_cpu *cpu)
{
	if (!cpu->nmi.later_at || executed_by(cpu) < cpu->nmi.later_at)
		return;
	cpu->nmi.later_at = 0;
	cpu->nmi.is_pending = true;
}

/*
 * Tests the APIC's software enable bit. QEMU 7.2 never sets APIC_BASE's enable bit again once a
 * guest has cleared it, but clears this one with it. A register of ones means that there is no
 * APIC.
 */
static bool is_apic_on(void)
{
	const uint32_t svr = vpmu_apic_read(APIC_SVR);

	return svr & APIC_SVR_ENABLE && svr != UINT32_MAX;
}

static bool is_nmi(uint32_t lvt)
{
	return (lvt & DELIVERY_MASK) == DELIVERY_NMI;
}

/* Delivers as `lvt`, an unmasked entry of the local vector table, says. */
static void deliver_interrupt(struct vpmu_cpu *cpu, uint32_t lvt)
{
	cpu->interrupts.pmis++;
	if (is_nmi(lvt))
		cpu->nmi.is_pending = true;
	else if ((lvt & DELIVERY_MASK) == DELIVERY_FIXED)
		send_self(DELIVERY_FIXED | (lvt & VECTOR_MASK));
}

/* SDM vol. 3, "Generating an Interrupt on Overflow": while LVTPC is masked the PMI is lost, and the
 * status stays. */
void vpmu_pmi(struct vpmu_cpu *cpu)
{
	uint32_t lvtpc;

	if (!is_apic_on())
		return;
	lvtpc = vpmu_apic_read(APIC_LVT_PC);
	if (lvtpc & APIC_LVT_MASKED)
		return;
	if (cpu->model.uarch->lvtpc_masks)
		vpmu_apic_write(APIC_LVT_PC, lvtpc | APIC_LVT_MASKED);
	deliver_interrupt(cpu, lvtpc);
	if (!is_nmi(lvtpc))
		return;
	cpu->nmi.extra = vpmu_faults.extranmi;
	if (vpmu_faults.latenmi)
		cpu->nmi.later_at = executed_by(cpu) + vpmu_faults.latenmi;
}

/* Uses the extended interrupt that IBS_CONTROL names. APM vol. 2, "Extended Interrupts". */
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu)
{
	const uint32_t lvt = vpmu_model_ibs_lvt(&cpu->model);

	if (is_apic_on() && !(lvt & APIC_LVT_MASKED))
		deliver_interrupt(cpu, lvt);
}

void vpmu_nmi_arrived(struct vpmu_cpu *cpu)
{
	vpmu_drain_nmi();
	if (cpu->nmi.fence) {
		cpu->nmi.fence = false;
		return;
	}
	if (cpu->stop.came || vpmu_timer_expired(cpu))
		return;
	cpu->nmi.is_pending = true;
	if (!cpu->nmi.is_blocked)
		cpu->interrupts.halted = false;
}

void vpmu_nmi_inject(struct vpmu_cpu *cpu)
{
	if (!cpu->nmi.is_pending || cpu->nmi.is_blocked || vpmu_event_set())
		return;
	cpu->nmi.is_pending = cpu->nmi.extra;
	cpu->nmi.extra = false;
	cpu->nmi.is_blocked = true;
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_NMI | VECTOR_NMI;
}

/* Passes on the NMIs since `nmis`, and the interrupt that the host has taken; false: none came. */
static bool pass_on_arrived(struct vpmu_cpu *cpu, uint32_t nmis)
{
	const bool nmi = vpmu_host_nmis != nmis;

	if (vpmu_host_vector)
		cpu->interrupts.vector = (uint8_t)vpmu_host_vector;
	if (nmi) {
		cpu->vmrun.exit_tsc = rdtsc();
		vpmu_nmi_arrived(cpu);
	}
	return nmi || vpmu_host_vector;
}

static bool is_c1e_on(struct vpmu_cpu *cpu)
{
	struct vpmu_platform platform;
	uint64_t halts = 0;

	vpmu_shared_lock(cpu, &platform);
	vpmu_platform_rdmsr(&platform, MSR_AMD_INT_PENDING, &halts);
	vpmu_shared_unlock(cpu);
	return halts & AMD_INT_PENDING_C1E;
}

/* VPMU_C1E_STOPS_APIC */
static void enter_c1e(struct vpmu_cpu *cpu)
{
	if (cpu->model.machine.errata & VPMU_C1E_STOPS_APIC && is_c1e_on(cpu))
		vpmu_apic_write(APIC_TIMER_INIT, 0);
}

/* An interrupt, or an NMI of the guest's own, ends its HLT. The CPU waits in the host, because QEMU
 * cannot save and restore a machine while it is in a guest. */
void vpmu_halt(struct vpmu_cpu *cpu)
{
	uint64_t since;
	uint32_t nmis;

	cpu->extended_apic.steps =
		0; /* otherwise an interrupt that waits for the steps to end would be missed */
	vpmu_timer_rest(cpu);
	enter_c1e(cpu);
	nmis = vpmu_host_nmis; /* the timer's own is drained */
	since = rdtsc();
	vpmu_wait(vpmu_vmcb.rflags & RFLAGS_IF);
	vpmu_clock_slept(cpu, rdtsc() - since);
	pass_on_arrived(cpu, nmis);
	if (vpmu_host_vector)
		cpu->interrupts.halted = false;
}

/* Steps hold interrupts back, so a pending one is taken between two steps. The few steps after a
 * RDMSR of IBS_CONTROL are an exception, because an interrupt's handler would use them up. */
bool vpmu_interrupt_take(struct vpmu_cpu *cpu)
{
	uint32_t nmis;
	bool came = false;

	if (vpmu_event_set() || !vpmu_takes_interrupts() || cpu->extended_apic.steps)
		return false;
	if (!cpu->interrupts.vector) {
		vpmu_timer_disarm(cpu);
		nmis = vpmu_host_nmis; /* the timer's own is drained */
		vpmu_take_interrupt();
		came = pass_on_arrived(cpu, nmis);
	}
	if (!cpu->interrupts.vector)
		return came;
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_INTERRUPT | cpu->interrupts.vector;
	cpu->interrupts.vector = 0;
	return true;
}

/* A run that is not a step takes the interrupt as a virtual one, at its first chance. */
void vpmu_interrupt_offer(const struct vpmu_cpu *cpu)
{
	vpmu_vmcb.int_ctl = cpu->interrupts.vector ? INT_CTL_V_IRQ | INT_CTL_V_IGN_TPR : 0;
	vpmu_vmcb.int_vector = cpu->interrupts.vector;
}

void vpmu_interrupt_taken(struct vpmu_cpu *cpu)
{
	if (!(vpmu_vmcb.int_ctl & INT_CTL_V_IRQ))
		cpu->interrupts.vector = 0;
	vpmu_vmcb.int_ctl = 0;
}

/* The host's GIF is clear, so the NMI waits until VMRUN has delivered the event. The timer is
 * switched off first, because hpet_timer.c would take this NMI for a late one of its own. */
void vpmu_fence(struct vpmu_cpu *cpu)
{
	vpmu_timer_disarm(cpu);
	cpu->nmi.fence = true;
	send_self(DELIVERY_NMI);
}
