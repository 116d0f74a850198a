// SPDX-License-Identifier: BSD-2-Clause
/* shared.c - see shared.h. The header is believed once, when it is found. */
#include "arch/x86/dev/shared.h"

#include "arch/x86/dev/pci.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/portable/cpuid.h"
#include "lib/string.h"

static struct {
	uint8_t *memory; /* NULL: there is none */
	struct shared_area area[SHARED_AREAS];
} shared;

static bool is_in_memory(const struct shared_area *area, uint32_t bytes)
{
	return area->bytes && area->offset <= bytes && area->bytes <= bytes - area->offset;
}

static bool take_header(const struct shared_header *header)
{
	if (memcmp(header->magic, SHARED_MAGIC, sizeof(header->magic)) ||
	    header->version != SHARED_VERSION || header->bytes != SHARED_BYTES)
		return false;
	memcpy(shared.area, header->area, sizeof(shared.area));
	for (unsigned i = 0; i < SHARED_AREAS; i++)
		if (!is_in_memory(&shared.area[i], SHARED_BYTES))
			shared.area[i].bytes = 0;
	return true;
}

void shared_init(void)
{
	struct pci_device device;
	uint64_t address;
	void *memory;

	if (!cpuid_fact(CPUID_FACT(1, 0, ECX, 31, 31)) ||
	    !pci_find(SHARED_PCI_VENDOR, SHARED_PCI_DEVICE, &device))
		return;
	address = pci_memory_bar(&device, SHARED_BAR);
	memory = address ? paging_map_shared(address, SHARED_BYTES) : NULL;
	if (memory && take_header(memory))
		shared.memory = memory;
}

void *shared_area(enum shared_purpose purpose, uint32_t *bytes)
{
	*bytes = shared.area[purpose].bytes;
	return shared.memory && *bytes ? shared.memory + shared.area[purpose].offset : NULL;
}
