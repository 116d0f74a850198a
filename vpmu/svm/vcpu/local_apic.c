// SPDX-License-Identifier: BSD-2-Clause
/* local_apic.c - accesses the local APIC, in the mode that it is in. */
#include "vpmu/svm/vcpu/local_apic.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define APIC_PAGE_MASK (~0xfffull)

#define VERSION_KIND       0xf0u
#define VERSION_INTEGRATED 0x10u

bool vpmu_is_x2apic(uint64_t base)
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

/* QEMU's APICs stay at the default address, whatever base the guest has written. */
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

	if (vpmu_is_x2apic(base))
		return (uint32_t)rdmsr(MSR_X2APIC_BASE + (offset >> X2APIC_SHIFT));
	return *xapic_register(base, offset);
}

void vpmu_apic_write(uint32_t offset, uint32_t value)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (vpmu_is_x2apic(base))
		wrmsr(MSR_X2APIC_BASE + (offset >> X2APIC_SHIFT), value);
	else
		*xapic_register(base, offset) = value;
}
