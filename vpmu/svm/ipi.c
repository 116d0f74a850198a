// SPDX-License-Identifier: BSD-2-Clause
/*
 * ipi.c - the local APIC, and what the guest sends by it to start other CPUs. INIT goes through: it
 * resets a CPU, and takes it from vpmu. The SIPI behind it goes on with another vector, that of
 * vpmu's page below 1 MiB, and the guest's is noted at the CPU's place: there it begins as a guest,
 * in the state that INIT leaves. SDM vol. 3, "Issuing Interprocessor Interrupts".
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/smp/trampoline.h"
#include "vpmu/svm/vpmu.h"

#define APIC_PAGE_MASK (~0xfffull)
#define X2APIC_SHIFT   4
#define MSR_X2APIC_ICR (MSR_X2APIC_BASE + (APIC_ICR >> X2APIC_SHIFT))

#define VERSION_KIND       0xf0u
#define VERSION_INTEGRATED 0x10u

#define CPUID_1_ECX_X2APIC (1u << 21)

#define ICR_VECTOR          0xffu
#define ICR_MODE            0x700u
#define ICR_LOGICAL         (1u << 11)
#define ICR_SHORTHAND(low)  ((low) >> 18 & 3)
#define ICR_X2APIC_RESERVED 0xfff33000u /* of the lower half */
#define XAPIC_ID_SHIFT      24
#define XAPIC_EVERY_ID      0xffu

enum { SHORTHAND_NONE, SHORTHAND_SELF };

/* Its physical address; 0: there is none, and other CPUs are not taken. */
static uint64_t start_page;

static bool is_x2apic(uint64_t base)
{
	return base & APIC_BASE_EXTD;
}

static volatile uint32_t *register_at(uint64_t page, uint32_t offset)
{
	return (volatile uint32_t *)(page + offset);
}

/* SDM vol. 3, "Local APIC Version Register". */
static bool is_apic_at(uint64_t page)
{
	const uint32_t version = *register_at(page, APIC_VERSION);

	return version != UINT32_MAX && (version & VERSION_KIND) == VERSION_INTEGRATED;
}

/* QEMU's stay where they are, whatever the guest has written to their base. */
uint64_t vpmu_apic_page(uint64_t base)
{
	const uint64_t page = base & APIC_PAGE_MASK;

	return page != APIC_DEFAULT_PAGE && is_apic_at(APIC_DEFAULT_PAGE) ? APIC_DEFAULT_PAGE
									  : page;
}

static volatile uint32_t *xapic_register(uint64_t base, uint32_t offset)
{
	return register_at(vpmu_apic_page(base), offset);
}

uint32_t vpmu_apic_read(uint32_t offset)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (is_x2apic(base))
		return (uint32_t)rdmsr(MSR_X2APIC_BASE + (offset >> X2APIC_SHIFT));
	return *xapic_register(base, offset);
}

void vpmu_apic_write(uint32_t offset, uint32_t value)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (is_x2apic(base))
		wrmsr(MSR_X2APIC_BASE + (offset >> X2APIC_SHIFT), value);
	else
		*xapic_register(base, offset) = value;
}

/* --- What starts CPUs --- */

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

/*
 * Of which CPUs a logical destination speaks is not looked up. What is noted for one that does not
 * wait for a SIPI is of no use to it.
 */
static bool is_destination(const struct vpmu_place *place, uint32_t low, uint32_t to)
{
	if (ICR_SHORTHAND(low) != SHORTHAND_NONE)
		return ICR_SHORTHAND(low) != SHORTHAND_SELF;
	return low & ICR_LOGICAL || to == UINT32_MAX || to == place->apic_id;
}

/* A CPU that waits for a SIPI would be woken up by its comparator, without the host's IDT. */
static void note_ipi(struct vpmu_place *place, uint32_t low)
{
	if ((low & ICR_MODE) == APIC_ICR_INIT)
		vpmu_timer_silence(vpmu_place_number(place));
	else
		place->vector = (uint8_t)low;
}

/* False: for none of the CPUs that have a place. */
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

/* What the guest sends so becomes that. */
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
	return !is_x2apic(rdmsr(MSR_IA32_APIC_BASE)) || v & ICR_X2APIC_RESERVED;
}

void vpmu_ipi_wrmsr(uint64_t v)
{
	const uint64_t to = v >> 32;

	wrmsr(MSR_X2APIC_ICR, to << 32 | watched_ipi((uint32_t)v, (uint32_t)to));
}

bool vpmu_ipi_rdmsr(uint64_t *v)
{
	if (!is_x2apic(rdmsr(MSR_IA32_APIC_BASE)))
		return false;
	*v = rdmsr(MSR_X2APIC_ICR);
	return true;
}
