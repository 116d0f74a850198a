// SPDX-License-Identifier: BSD-2-Clause
/* tables.c - clocks that stand still, by the firmware's ACPI tables. ACPI 6.5, chapter 5.2. */
#include "lib/string.h"
#include "tests/field/field.h"

#define PAGE          4096
#define RSDP_XSDT     24
#define TABLE_BYTES   4
#define TABLE_SUM     9
#define TABLE_HEAD    36
#define FADT_PM_TIMER 76
#define FADT_X_TIMER  208
#define GAS_BYTES     12
#define HPET_ADDRESS  44
#define HPET_PERIOD   10000000ull /* fs */
#define DEAD_PORT     0x80        /* reads the last byte of the firmware's progress */

static uint32_t read32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t read64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint8_t *find_acpi_table(const char *signature)
{
	const uint8_t *rsdp = efi_find_table(field_st, &efi_acpi20_guid);
	const uint8_t *xsdt = rsdp ? (const uint8_t *)read64(rsdp + RSDP_XSDT) : NULL;

	for (uint32_t at = TABLE_HEAD; xsdt && at < read32(xsdt + TABLE_BYTES); at += 8) {
		uint8_t *table = (uint8_t *)read64(xsdt + at);

		if (!memcmp(table, signature, 4))
			return table;
	}
	return NULL;
}

static void mend_sum(uint8_t *table)
{
	uint8_t sum = 0;

	for (uint32_t i = 0; i < read32(table + TABLE_BYTES); i++)
		sum = (uint8_t)(sum + table[i]);
	table[TABLE_SUM] = (uint8_t)(table[TABLE_SUM] - sum);
}

/* A table with that signature is none. */
static void put_no_hpet(struct field_options *options)
{
	uint8_t *hpet = find_acpi_table("HPET");

	(void)options;
	if (!hpet) {
		field_say("field: there is no HPET\n");
		return;
	}
	hpet[0] = 'X';
	mend_sum(hpet);
}

/* An HPET in memory: it has the register of capabilities, and its counter does not move. */
static void put_dead_hpet(struct field_options *options)
{
	uint8_t *hpet = find_acpi_table("HPET");
	EFI_PHYSICAL_ADDRESS page;
	uint64_t capabilities = HPET_PERIOD << 32 | 0x8086a201;

	(void)options;
	if (!hpet || field_bs->AllocatePages(AllocateAnyPages, EfiReservedMemoryType, 1, &page)) {
		field_say("field: there is no HPET\n");
		return;
	}
	memset((void *)page, 0, PAGE);
	memcpy((void *)page, &capabilities, sizeof(capabilities));
	memcpy(hpet + HPET_ADDRESS, &page, sizeof(page));
	mend_sum(hpet);
}

static void put_dead_pm_timer(struct field_options *options)
{
	const uint32_t port = DEAD_PORT;
	uint8_t *fadt = find_acpi_table("FACP");

	(void)options;
	if (!fadt) {
		field_say("field: there is no FADT\n");
		return;
	}
	memcpy(fadt + FADT_PM_TIMER, &port, sizeof(port));
	if (read32(fadt + TABLE_BYTES) >= FADT_X_TIMER + GAS_BYTES)
		memset(fadt + FADT_X_TIMER, 0, GAS_BYTES);
	mend_sum(fadt);
}

const struct field_fault field_table_faults[] = {
	{"dead-hpet", put_dead_hpet, NULL},
	{"no-hpet", put_no_hpet, NULL},
	{"dead-pm-timer", put_dead_pm_timer, NULL},
	{0},
};
