/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * acpi.h - the firmware's tables: found, checked, mapped read only, and not interpreted, except for
 * one package of the DSDT (see power.h). ACPI 6.5, "Root System Description Pointer (RSDP)" and
 * "System Description Table Header". Task context.
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

/* acpi_init() - remembers the RSDP at `rsdp`. -ENODEV: 0; -EINVAL: not one, or its sum is wrong. */
int acpi_init(uint64_t rsdp);

/*
 * acpi_find() - the n-th (from 0) table with that signature whose checksum is right; NULL: there is
 * none. `signature` has four characters.
 */
const struct acpi_header *acpi_find(const char *signature, unsigned n);

/* acpi_table_at() - the table at a physical address, checked like those of acpi_find(). */
const struct acpi_header *acpi_table_at(uint64_t phys, const char *signature);

#endif
