// SPDX-License-Identifier: BSD-2-Clause
/*
 * inject.c - events for the guest: exceptions, its NMIs and their blocking, and PMIs by way of the
 * local APIC's LVTPC.
 *
 * NMIs: SVM here does not keep track of the guest's NMI mask, so we do: blocked from the injection
 * until the guest's IRET has completed, and at most one pending meanwhile. A physical NMI is ours
 * when the fence or the timer explains it, else it is the guest's.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define DELIVERY_MASK  0x700u
#define DELIVERY_FIXED 0x000u
#define DELIVERY_NMI   APIC_LVT_NMI
#define VECTOR_MASK    0xffu

bool vpmu_event_set(void)
{
	return vpmu_vmcb.event_inj & EVENT_VALID;
}

void vpmu_inject(uint8_t vector)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_EXCEPTION | vector;
}

void vpmu_inject_error(uint8_t vector, uint32_t error)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_EXCEPTION | EVENT_HAS_ERROR | vector |
			      (uint64_t)error << EVENT_ERROR_SHIFT;
}

void vpmu_inject_software(uint8_t vector)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_SOFTWARE | vector;
}

static void send_self(uint32_t mode_and_vector)
{
	vpmu_apic_write(APIC_ICR, APIC_ICR_SELF | APIC_ICR_ASSERT | mode_and_vector);
}

static uint64_t executed_by(const struct vpmu_cpu *cpu)
{
	return cpu->total[VPMU_OS] + cpu->total[VPMU_USR];
}

/* Before the exit is handled: an IRET with an NMI pending is stepped. */
void vpmu_nmi_echo(struct vpmu_cpu *cpu)
{
	if (!cpu->nmi_later_at || executed_by(cpu) < cpu->nmi_later_at)
		return;
	cpu->nmi_later_at = 0;
	cpu->nmi_pending = true;
}

/*
 * By its own bit: APIC_BASE's that a guest has cleared QEMU 7.2 never sets again, but clears this
 * one with it. A page of ones is that of no APIC.
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

/* As an entry of the local vector table says, which is not masked. */
static void deliver_interrupt(struct vpmu_cpu *cpu, uint32_t lvt)
{
	cpu->pmis++;
	if (is_nmi(lvt))
		cpu->nmi_pending = true;
	else if ((lvt & DELIVERY_MASK) == DELIVERY_FIXED)
		send_self(DELIVERY_FIXED | (lvt & VECTOR_MASK));
}

/* SDM vol. 3, "Generating an Interrupt on Overflow": masked, the PMI is lost; the status stays. */
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
	cpu->nmi_extra = vpmu_faults.extranmi;
	if (vpmu_faults.latenmi)
		cpu->nmi_later_at = executed_by(cpu) + vpmu_faults.latenmi;
}

/* By the extended interrupt that IBS_CONTROL names (APM vol. 2, "Extended Interrupts"). */
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu)
{
	const uint32_t lvt = vpmu_model_ibs_lvt(&cpu->model);

	if (is_apic_on() && !(lvt & APIC_LVT_MASKED))
		deliver_interrupt(cpu, lvt);
}

void vpmu_nmi_arrived(struct vpmu_cpu *cpu)
{
	vpmu_drain_nmi();
	if (cpu->fence) {
		cpu->fence = false;
		return;
	}
	if (cpu->stop.came || vpmu_timer_expired(cpu))
		return;
	cpu->nmi_pending = true;
	if (!cpu->nmi_blocked)
		cpu->halted = false;
}

void vpmu_nmi_inject(struct vpmu_cpu *cpu)
{
	if (!cpu->nmi_pending || cpu->nmi_blocked || vpmu_event_set())
		return;
	cpu->nmi_pending = cpu->nmi_extra;
	cpu->nmi_extra = false;
	cpu->nmi_blocked = true;
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_NMI | VECTOR_NMI;
}

/* What has come to the host since it had taken `nmis`; false: nothing. */
static bool pass_on_arrived(struct vpmu_cpu *cpu, uint32_t nmis)
{
	const bool nmi = vpmu_host_nmis != nmis;

	if (vpmu_host_vector)
		cpu->interrupt = (uint8_t)vpmu_host_vector;
	if (nmi) {
		cpu->exit_tsc = rdtsc();
		vpmu_nmi_arrived(cpu);
	}
	return nmi || vpmu_host_vector;
}

/*
 * The guest's HLT is over by an interrupt, or by an NMI that is its own. It waits in the host, not
 * in a VMRUN: a CPU can be saved and restored there, and not inside of a guest.
 */
void vpmu_halt(struct vpmu_cpu *cpu)
{
	const uint32_t nmis = vpmu_host_nmis;
	uint64_t since;

	cpu->extended_apic.steps = 0; /* an interrupt that waits for them to end would be missed */
	vpmu_timer_rest(cpu);
	since = rdtsc();
	vpmu_wait(vpmu_vmcb.rflags & RFLAGS_IF);
	vpmu_clock_slept(cpu, rdtsc() - since);
	pass_on_arrived(cpu, nmis);
	if (vpmu_host_vector)
		cpu->halted = false;
}

static bool takes_interrupts(void)
{
	return vpmu_vmcb.rflags & RFLAGS_IF && !(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

bool vpmu_interrupt_due(const struct vpmu_cpu *cpu)
{
	return cpu->interrupt && takes_interrupts();
}

/* Steps hold interrupts back, so what is pending is taken between two of them; but not in the few
 * instructions behind a RDMSR of IBS_CONTROL, which an interrupt's handler would use up. */
bool vpmu_interrupt_take(struct vpmu_cpu *cpu)
{
	const uint32_t nmis = vpmu_host_nmis;
	bool came = false;

	if (vpmu_event_set() || !takes_interrupts() || cpu->extended_apic.steps)
		return false;
	if (!cpu->interrupt) {
		vpmu_take_interrupt();
		came = pass_on_arrived(cpu, nmis);
	}
	if (!cpu->interrupt)
		return came;
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_INTERRUPT | cpu->interrupt;
	cpu->interrupt = 0;
	return true;
}

/*
 * In a run that is no step, as a virtual interrupt, which needs no moment of its own.
 */
void vpmu_interrupt_offer(const struct vpmu_cpu *cpu)
{
	vpmu_vmcb.int_ctl = cpu->interrupt ? INT_CTL_V_IRQ | INT_CTL_V_IGN_TPR : 0;
	vpmu_vmcb.int_vector = cpu->interrupt;
}

void vpmu_interrupt_taken(struct vpmu_cpu *cpu)
{
	if (!(vpmu_vmcb.int_ctl & INT_CTL_V_IRQ))
		cpu->interrupt = 0;
	vpmu_vmcb.int_ctl = 0;
}

/* The host's GIF is clear: the NMI waits until VMRUN has delivered the event, and comes then. The
 * timer is off before it, for it would take this NMI for one of its own that has come too late. */
void vpmu_fence(struct vpmu_cpu *cpu)
{
	vpmu_timer_disarm(cpu);
	cpu->fence = true;
	send_self(DELIVERY_NMI);
}
