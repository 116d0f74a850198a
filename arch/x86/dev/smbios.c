// SPDX-License-Identifier: BSD-2-Clause
/* smbios.c - see smbios.h. */
#include "arch/x86/dev/smbios.h"

#include "arch/x86/mem/paging.h"

static struct smbios names;

void smbios_init(uint64_t phys)
{
	const void *entry = phys ? paging_map_firmware(phys, SMBIOS_ENTRY_MAX) : NULL;
	struct smbios_table table;
	const void *structures;

	if (!entry || smbios_entry(entry, SMBIOS_ENTRY_MAX, &table) || !table.bytes)
		return;
	structures = paging_map_firmware(table.address, table.bytes);
	if (structures)
		smbios_read(structures, table.bytes, &names);
}

const struct smbios *smbios_names(void)
{
	return &names;
}
