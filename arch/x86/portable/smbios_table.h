/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smbios_table.h - the firmware's names for the machine, from the SMBIOS tables (DMTF DSP0134,
 * System Management BIOS Reference Specification, "Table structures"). Tables are untrusted: a
 * structure that exceeds the table ends the reading.
 *
 * Pure, any context.
 */
#ifndef ARCH_X86_PORTABLE_SMBIOS_TABLE_H
#define ARCH_X86_PORTABLE_SMBIOS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define SMBIOS_NAME_MAX 65 /* at most 64 characters in valid tables, and the terminator */

enum smbios_name {
	SMBIOS_MANUFACTURER, /* "System Information (Type 1)" */
	SMBIOS_PRODUCT,
	SMBIOS_VERSION,
	SMBIOS_BOARD_MANUFACTURER, /* "Baseboard Information (Type 2)", the first one */
	SMBIOS_BOARD,
	SMBIOS_FIRMWARE_VENDOR, /* "Platform Firmware Information (Type 0)" */
	SMBIOS_FIRMWARE_VERSION,
	SMBIOS_FIRMWARE_DATE,
	SMBIOS_NAMES,
};

/* Plain ASCII without blanks at the ends; "" if the table has no name. */
struct smbios {
	char name[SMBIOS_NAMES][SMBIOS_NAME_MAX];
	/* "Memory Device (Type 17)": MT/s of the slowest installed device; 0: not reported. */
	uint32_t memory_mts;
};

/* The place of the structures. */
struct smbios_table {
	uint64_t address; /* physical */
	uint32_t bytes;   /* at most */
};

#define SMBIOS_ENTRY_MAX 32         /* bytes of an entry point that are read */
#define SMBIOS_TABLE_MAX (1u << 20) /* bytes; the rest of a larger table is ignored */

/*
 * smbios_entry() - reads the entry point in the `n` bytes at `entry` ("SMBIOS Entry Point
 * Structure", "SMBIOS 3.0 (64-bit) Entry Point Structure"). -EINVAL: it is no entry point, or its
 * checksum is wrong.
 */
int smbios_entry(const void *entry, size_t n, struct smbios_table *table);

/* smbios_read() - reads the names from `n` bytes of structures. */
void smbios_read(const void *structures, size_t n, struct smbios *names);

#endif
