/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * acpi.h - finds and checks the firmware's tables, and maps them read only. It does not interpret
 * them; power.h reads one package of the DSDT. ACPI 6.5, "Root System Description Pointer (RSDP)"
 * and "System Description Table Header". Task context.
 */
#ifndef ARCH_X86_DEV_ACPI_H
#define ARCH_X86_DEV_ACPI_H

#include <stddef.h>
#include <stdint.h>

struct acpi_header {
	char signature[4];
	uint32_t length; /* bytes, this header included */
	uint8_t revision, checksum;
	char oem_id[6], oem_table_id[8];
	uint32_t oem_revision, creator_id, creator_revision;
};
_Static_assert(sizeof(struct acpi_header) == 36, "ACPI: table header");

/* acpi_init() - remembers the RSDP at `rsdp`. -ENODEV: `rsdp` is 0; -EINVAL: no RSDP is there, its
 * checksum is wrong, or it names no valid root table. */
int acpi_init(uint64_t rsdp);

/*
 * acpi_find() - the n-th (from 0) table with this signature and a right checksum; NULL: no such
 * table. `signature` has four characters.
 */
const struct acpi_header *acpi_find(const char *signature, unsigned n);

/* acpi_table_at() - the table at a physical address, if its signature and checksum are right; else
 * NULL. */
const struct acpi_header *acpi_table_at(uint64_t phys, const char *signature);

#endif
