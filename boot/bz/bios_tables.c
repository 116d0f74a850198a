// SPDX-License-Identifier: BSD-2-Clause
/* bios_tables.c - see bios_tables.h. */
#include "boot/bz/bios_tables.h"

#include "arch/x86/insn.h"
#include "lib/string.h"

#include <stdbool.h>
#include <stddef.h>

#define STEP       16u
#define EBDA_AT    0x40eu /* its segment, in the BIOS's data area */
#define EBDA_BYTES 1024u
#define EBDA_LEAST 0x80000u
#define ROM        0xe0000u
#define SMBIOS_ROM 0xf0000u
#define ROM_END    0x100000u
#define RSDP_BYTES 20u /* those of the first checksum */

static bool sums_to_0(const uint8_t *bytes, size_t n)
{
	uint8_t sum = 0;

	while (n--)
		sum = (uint8_t)(sum + *bytes++);
	return !sum;
}

static uint64_t search_rsdp(uint64_t at, uint64_t end)
{
	for (; at + RSDP_BYTES <= end; at += STEP) {
		const uint8_t *bytes = (const uint8_t *)(uintptr_t)at;

		if (!memcmp(bytes, "RSD PTR ", 8) && sums_to_0(bytes, RSDP_BYTES))
			return at;
	}
	return 0;
}

uint64_t bios_find_rsdp(void)
{
	uint64_t ebda, at = EBDA_AT;

	/* The compiler takes small constant addresses for mistakes. */
	__asm__("" : "+r"(at));
	ebda = (uint64_t)(mmio_read8(at + 1) << 8 | mmio_read8(at)) << 4;
	at = 0;

	if (ebda >= EBDA_LEAST && ebda + EBDA_BYTES <= ROM)
		at = search_rsdp(ebda, ebda + EBDA_BYTES);
	return at ? at : search_rsdp(ROM, ROM_END);
}

/* An entry point with that anchor, whose length is in the byte at `length_at`. */
static uint64_t search_entry(const char *anchor, size_t length_at)
{
	for (uint64_t at = SMBIOS_ROM; at < ROM_END; at += STEP) {
		const uint8_t *bytes = (const uint8_t *)(uintptr_t)at;

		if (!memcmp(bytes, anchor, strlen(anchor)) && bytes[length_at] &&
		    bytes[length_at] <= ROM_END - at && sums_to_0(bytes, bytes[length_at]))
			return at;
	}
	return 0;
}

uint64_t bios_find_smbios(void)
{
	const uint64_t at = search_entry("_SM3_", 6);

	return at ? at : search_entry("_SM_", 5);
}
