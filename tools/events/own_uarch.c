// SPDX-License-Identifier: BSD-2-Clause
/* own_uarch.c - see own_uarch.h. SDM vol. 2, "CPUID - CPU Identification". */
#include "tools/events/own_uarch.h"

#include <cpuid.h>

#include "tools/events/events.h"

static enum cpu_vendor own_vendor(void)
{
	unsigned eax, ebx, ecx, edx;

	__cpuid(0, eax, ebx, ecx, edx);
	if (ebx == signature_INTEL_ebx)
		return CPU_VENDOR_INTEL;
	return ebx == signature_AMD_ebx ? CPU_VENDOR_AMD : CPU_VENDOR_OTHER;
}

struct guest_uarch uarch_of_host(void)
{
	struct pmu_caps caps = {.vendor = own_vendor()};
	unsigned eax, ebx, ecx, edx, family;

	__cpuid(1, eax, ebx, ecx, edx);
	family = eax >> 8 & 0xf;
	caps.signature = eax;
	caps.stepping = eax & 0xf;
	caps.family = (uint16_t)(family + (family == 0xf ? eax >> 20 & 0xff : 0));
	caps.model = (uint16_t)((eax >> 4 & 0xf) | (eax >> 12 & 0xf0));
	return guest_of(uarch_find(&caps));
}
