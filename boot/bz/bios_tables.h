/* SPDX-License-Identifier: BSD-2-Clause */
/* bios_tables.h - tables that a BIOS leaves below 1 MiB, where no loader names them. */
#ifndef BOOT_BZ_BIOS_TABLES_H
#define BOOT_BZ_BIOS_TABLES_H

#include <stdint.h>

/* bios_find_rsdp() - ACPI 6.5, "Finding the RSDP on IA-PC Systems". bios_find_smbios() - SMBIOS
 * 3.6, "Table Conventions". 0: it is not there. */
uint64_t bios_find_rsdp(void);
uint64_t bios_find_smbios(void);

#endif
