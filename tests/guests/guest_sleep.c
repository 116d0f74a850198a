// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_sleep.c - the sleep states in the firmware's DSDT, and the table's checksum.
 * ACPI 6.5, "\_Sx (System States)".
 */
#include "tests/guests/guests.h"

#include "lib/string.h"

#include <stddef.h>

#define LENGTH_AT   4
#define RSDP_XSDT   24
#define HEADER      36
#define FADT_DSDT   40
#define AML_NAME    0x08
#define AML_PACKAGE 0x12

static uint64_t field(const uint8_t *table, unsigned at, unsigned bytes)
{
	uint64_t value = 0;

	memcpy(&value, table + at, bytes);
	return value;
}

static const uint8_t *find_dsdt(void)
{
	const uint8_t *const rsdp = guest_acpi();
	const uint8_t *xsdt;

	if (!rsdp)
		return NULL;
	xsdt = (const uint8_t *)field(rsdp, RSDP_XSDT, 8);
	for (unsigned i = HEADER; i < field(xsdt, LENGTH_AT, 4); i += 8) {
		const uint8_t *const table = (const uint8_t *)field(xsdt, i, 8);

		if (!memcmp(table, "FACP", 4))
			return (const uint8_t *)field(table, FADT_DSDT, 4);
	}
	return NULL;
}

static unsigned offered(const uint8_t *dsdt, char state)
{
	const uint8_t name[] = {AML_NAME, '_', 'S', (uint8_t)state, '_', AML_PACKAGE};
	unsigned n = 0;

	for (uint64_t i = HEADER; i + sizeof(name) <= field(dsdt, LENGTH_AT, 4); i++)
		n += !memcmp(dsdt + i, name, sizeof(name));
	return n;
}

void guest_sleep(void)
{
	const uint8_t *const dsdt = find_dsdt();
	uint8_t sum = 0;

	if (!dsdt) {
		guest_print("no DSDT");
		return;
	}
	for (uint64_t i = 0; i < field(dsdt, LENGTH_AT, 4); i++)
		sum = (uint8_t)(sum + dsdt[i]);
	guest_print("sum %u, S4 %u, S5 %u", sum, offered(dsdt, '4'), offered(dsdt, '5'));
	guest_print("CPU: S3 %u", offered(dsdt, '3'));
}
