// SPDX-License-Identifier: BSD-2-Clause
/*
 * inject.c - events for the guest: exceptions, its NMIs and their blocking, and PMIs by way of the
 * local APIC's LVTPC.
 *
 * NMIs: SVM here does not keep track of the guest's NMI mask, so we do: blocked from the injection
 * until the guest's IRET has completed, and at most one pending meanwhile. A physical NMI is ours
 * when the fence or the timer explains it, else it is the guest's.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vpmu.h"

/* The local APIC's registers (SDM vol. 3, "Local Vector Table"), by their offset in the page. */
#define APIC_ICR   0x300u
#define APIC_LVTPC 0x340u

#define APIC_PAGE_MASK      (~0xfffull)
#define APIC_X2_SHIFT       4
#define APIC_DELIVERY_MASK  0x700u
#define APIC_DELIVERY_FIXED 0x000u
#define APIC_DELIVERY_NMI   0x400u
#define APIC_VECTOR_MASK    0xffu
#define APIC_LVT_MASKED     (1u << 16)
#define APIC_ICR_ASSERT     (1u << 14)
#define APIC_ICR_SELF       (1u << 18)

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

static bool is_x2apic(uint64_t base)
{
	return base & APIC_BASE_EXTD;
}

static volatile uint32_t *apic_register(uint64_t base, uint32_t offset)
{
	return (volatile uint32_t *)((base & APIC_PAGE_MASK) + offset);
}

static uint32_t apic_read(uint32_t offset)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (is_x2apic(base))
		return (uint32_t)rdmsr(MSR_X2APIC_BASE + (offset >> APIC_X2_SHIFT));
	return *apic_register(base, offset);
}

static void apic_write(uint32_t offset, uint32_t value)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (is_x2apic(base))
		wrmsr(MSR_X2APIC_BASE + (offset >> APIC_X2_SHIFT), value);
	else
		*apic_register(base, offset) = value;
}

static void send_self(uint32_t mode_and_vector)
{
	apic_write(APIC_ICR, APIC_ICR_SELF | APIC_ICR_ASSERT | mode_and_vector);
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

/* SDM vol. 3, "Generating an Interrupt on Overflow": masked, the PMI is lost; the status stays. */
void vpmu_pmi(struct vpmu_cpu *cpu)
{
	uint32_t lvtpc;

	if (!(rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EN))
		return;
	lvtpc = apic_read(APIC_LVTPC);
	if (lvtpc & APIC_LVT_MASKED)
		return;
	cpu->pmis++;
	if (cpu->model.uarch->lvtpc_masks)
		apic_write(APIC_LVTPC, lvtpc | APIC_LVT_MASKED);
	if ((lvtpc & APIC_DELIVERY_MASK) == APIC_DELIVERY_NMI) {
		cpu->nmi_pending = true;
		cpu->nmi_extra = vpmu_faults.extranmi;
		if (vpmu_faults.latenmi)
			cpu->nmi_later_at = executed_by(cpu) + vpmu_faults.latenmi;
	} else if ((lvtpc & APIC_DELIVERY_MASK) == APIC_DELIVERY_FIXED)
		send_self(APIC_DELIVERY_FIXED | (lvtpc & APIC_VECTOR_MASK));
}

/*
 * By the extended interrupt that IBS_CONTROL names (APM vol. 2, "Extended Interrupts"). The APIC
 * below has no such registers, and the guest's writes to them cannot be seen: it is taken to be an
 * NMI and not masked, which is what every system makes it.
 */
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu)
{
	if (!(rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EN))
		return;
	cpu->pmis++;
	cpu->nmi_pending = true;
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

/*
 * The guest's HLT is over by an interrupt, or by an NMI that is its own. It waits in the host, not
 * in a VMRUN: a CPU can be saved and restored there, and not inside of a guest.
 */
void vpmu_halt(struct vpmu_cpu *cpu)
{
	const uint32_t nmis = vpmu_host_nmis;

	vpmu_timer_rest(cpu);
	vpmu_wait(vpmu_vmcb.rflags & RFLAGS_IF);
	if (vpmu_host_nmis != nmis) {
		cpu->exit_tsc = rdtsc();
		vpmu_nmi_arrived(cpu);
	}
	if (vpmu_host_vector) {
		cpu->interrupt = (uint8_t)vpmu_host_vector;
		cpu->halted = false;
	}
}

bool vpmu_interrupt_due(const struct vpmu_cpu *cpu)
{
	return cpu->interrupt && vpmu_vmcb.rflags & RFLAGS_IF &&
	       !(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

/*
 * As a virtual interrupt, which needs no moment of its own: EVENT_INJ would have to be right now,
 * and QEMU 7.2 delivers an interrupt that stands there twice.
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

/* The host's GIF is clear: the NMI waits until VMRUN has delivered the event, and comes then. */
void vpmu_fence(struct vpmu_cpu *cpu)
{
	cpu->fence = true;
	send_self(APIC_DELIVERY_NMI);
}
