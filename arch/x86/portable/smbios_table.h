/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smbios_table.h - what the firmware calls the machine: the names in the tables of SMBIOS (DMTF
 * DSP0134, System Management BIOS Reference Specification, "Table structures"). Nothing in a table
 * is believed: a structure that reaches beyond its end is the last one.
 *
 * Pure, any context.
 */
#ifndef ARCH_X86_PORTABLE_SMBIOS_TABLE_H
#define ARCH_X86_PORTABLE_SMBIOS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define SMBIOS_NAME_MAX 65 /* of characters, 64 in all tables that are right, and the end */

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

/* Plain ASCII without blanks at the ends; "" where the table says nothing. */
struct smbios {
	char name[SMBIOS_NAMES][SMBIOS_NAME_MAX];
	/* "Memory Device (Type 17)": MT/s of the slowest one that is there; 0: not told. */
	uint32_t memory_mts;
};

/* Where the structures lie. */
struct smbios_table {
	uint64_t address; /* physical */
	uint32_t bytes;   /* at most */
};

#define SMBIOS_ENTRY_MAX 32         /* bytes of an entry point that are looked at */
#define SMBIOS_TABLE_MAX (1u << 20) /* more is cut off there */

/*
 * smbios_entry() - reads the entry point in the `n` bytes at `entry` ("SMBIOS Entry Point
 * Structure", "SMBIOS 3.0 (64-bit) Entry Point Structure"). -EINVAL: it is none, or its sum is
 * wrong.
 */
int smbios_entry(const void *entry, size_t n, struct smbios_table *table);

/* smbios_read() - the names in the structures, of which there are `n` bytes. */
void smbios_read(const void *structures, size_t n, struct smbios *names);

#endif
