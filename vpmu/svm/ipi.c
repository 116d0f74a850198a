// SPDX-License-Identifier: BSD-2-Clause
/*
 * ipi.c - watches the IPIs by which the guest starts other CPUs. INIT passes: it resets the CPU,
 * and takes it from vpmu. The SIPI after it is sent with the vector of vpmu's page below 1 MiB, and
 * the guest's vector is noted at the CPU's place. The CPU then begins at the guest's vector as a
 * guest, in the state that INIT leaves. SDM vol. 3, "Issuing Interprocessor Interrupts".
 */
#include "vpmu/svm/ipi.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/smp/trampoline.h"
#include "vpmu/svm/launch.h"
#include "vpmu/svm/secondary_cpus.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/vcpu/local_apic.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define MSR_X2APIC_ICR (MSR_X2APIC_BASE + (APIC_ICR >> X2APIC_SHIFT))

#define CPUID_1_ECX_X2APIC (1u << 21)

#define ICR_VECTOR          0xffu
#define ICR_MODE            0x700u
#define ICR_LOGICAL         (1u << 11)
#define ICR_SHORTHAND(low)  ((low) >> 18 & 3)
#define ICR_X2APIC_RESERVED 0xfff33000u /* reserved bits of the ICR's lower half */
#define XAPIC_ID_SHIFT      24
#define XAPIC_EVERY_ID      0xffu

enum { SHORTHAND_NONE, SHORTHAND_SELF };

/* Physical address of vpmu's page below 1 MiB; 0: the guest's CPUs do not come under vpmu. */
static uint64_t start_page;

void vpmu_ipi_init(const struct vpmu_config *config, uint64_t host_cr3)
{
	const struct trampoline t = {
		.at = config->start_page,
		.table = host_cr3,
		.cr4 = CR4_PAE,
		.entry = (uint64_t)vpmu_start,
	};

	start_page = config->start_page;
	if (start_page)
		trampoline_fill((uint8_t *)start_page, &t);
}

bool vpmu_ipi_watched(void)
{
	return start_page;
}

/* Every CPU is treated as a target of a logical destination. A vector that is noted at a CPU which
 * does not wait for a SIPI has no effect. */
static bool is_destination(const struct vpmu_place *place, uint32_t low, uint32_t to)
{
	if (ICR_SHORTHAND(low) != SHORTHAND_NONE)
		return ICR_SHORTHAND(low) != SHORTHAND_SELF;
	return low & ICR_LOGICAL || to == UINT32_MAX || to == place->apic_id;
}

/* INIT switches the CPU's comparator off: its NMI would wake the waiting CPU, without the host's
 * IDT. */
static void note_ipi(struct vpmu_place *place, uint32_t low)
{
	if ((low & ICR_MODE) == APIC_ICR_INIT)
		vpmu_timer_silence(vpmu_place_number(place));
	else
		place->vector = (uint8_t)low;
}

/* Notes the IPI at its destinations; false: none of them has a place. */
static bool tell_destinations(uint32_t low, uint32_t to)
{
	bool any = false;

	for (unsigned i = 0; i < vpmu_places_n; i++) {
		struct vpmu_place *const place = &vpmu_places[i];

		if (!is_destination(place, low, to))
			continue;
		note_ipi(place, low);
		any = true;
	}
	return any;
}

/* The IPI that is sent in place of the guest's. */
static uint32_t watched_ipi(uint32_t low, uint32_t to)
{
	const uint32_t mode = low & ICR_MODE;

	if ((mode != APIC_ICR_INIT && mode != APIC_ICR_STARTUP) || !tell_destinations(low, to))
		return low;
	if (mode == APIC_ICR_INIT)
		return low;
	return (low & ~ICR_VECTOR) | (uint32_t)(start_page >> TRAMPOLINE_VECTOR_SHIFT);
}

void vpmu_apic_written(uint32_t offset, uint32_t value)
{
	uint32_t to;

	if (offset == APIC_ICR) {
		to = vpmu_apic_read(APIC_ICR_HIGH) >> XAPIC_ID_SHIFT;
		value = watched_ipi(value, to == XAPIC_EVERY_ID ? UINT32_MAX : to);
	}
	vpmu_apic_write(offset, value);
}

bool vpmu_ipi_has_msr(uint32_t msr)
{
	return msr == MSR_X2APIC_ICR && vpmu_ipi_watched() &&
	       insn_cpuid(1, 0).ecx & CPUID_1_ECX_X2APIC;
}

bool vpmu_ipi_msr_faults(uint64_t v)
{
	return !vpmu_is_x2apic(rdmsr(MSR_IA32_APIC_BASE)) || v & ICR_X2APIC_RESERVED;
}

void vpmu_ipi_wrmsr(uint64_t v)
{
	const uint64_t to = v >> 32;

	wrmsr(MSR_X2APIC_ICR, to << 32 | watched_ipi((uint32_t)v, (uint32_t)to));
}

bool vpmu_ipi_rdmsr(uint64_t *v)
{
	if (!vpmu_is_x2apic(rdmsr(MSR_IA32_APIC_BASE)))
		return false;
	*v = rdmsr(MSR_X2APIC_ICR);
	return true;
}
