// SPDX-License-Identifier: BSD-2-Clause
/* fadt.c - see fadt.h. */
#include "arch/x86/dev/fadt.h"

#include "lib/string.h"

bool fadt_find(struct fadt *fadt)
{
	const struct acpi_header *table = acpi_find("FACP", 0);

	if (!table)
		return false;
	memset(fadt, 0, sizeof(*fadt));
	memcpy(fadt, table, table->length < sizeof(*fadt) ? table->length : sizeof(*fadt));
	return true;
}

uint16_t fadt_port(uint32_t old, const struct acpi_gas *gas)
{
	if (gas->space == ACPI_SPACE_IO && gas->address && gas->address <= UINT16_MAX)
		return (uint16_t)gas->address;
	return old <= UINT16_MAX ? (uint16_t)old : 0;
}
