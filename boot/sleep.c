// SPDX-License-Identifier: BSD-2-Clause
/* sleep.c - see sleep.h. */
#include "boot/sleep.h"

#include "boot/efi.h"
#include "lib/string.h"

#include <stddef.h>
#include <stdint.h>

/* ACPI 6.5, "System Description Table Header"; what else is used lies at these offsets. */
struct table {
	char signature[4];
	uint32_t length;
	uint8_t revision, checksum;
	uint8_t more[26];
};
_Static_assert(sizeof(struct table) == 36, "ACPI: table header");

#define RSDP_XSDT   24
#define FADT_DSDT   40
#define FADT_X_DSDT 140

/* ACPI 6.5, "AML Byte Stream Byte Values". */
#define AML_NAME    0x08
#define AML_PACKAGE 0x12

static const struct table *find_fadt(const uint8_t *rsdp)
{
	const struct table *xsdt, *table;
	uint64_t at;

	memcpy(&at, rsdp + RSDP_XSDT, sizeof(at));
	xsdt = (const struct table *)at;
	for (size_t i = sizeof(*xsdt); xsdt && i + sizeof(at) <= xsdt->length; i += sizeof(at)) {
		memcpy(&at, (const uint8_t *)xsdt + i, sizeof(at));
		table = (const struct table *)at;
		if (!memcmp(table->signature, "FACP", sizeof(table->signature)))
			return table;
	}
	return NULL;
}

static struct table *find_dsdt(const struct table *fadt)
{
	uint64_t wide = 0;
	uint32_t narrow;

	if (fadt->length >= FADT_X_DSDT + sizeof(wide))
		memcpy(&wide, (const uint8_t *)fadt + FADT_X_DSDT, sizeof(wide));
	memcpy(&narrow, (const uint8_t *)fadt + FADT_DSDT, sizeof(narrow));
	return (struct table *)(wide ? wide : narrow);
}

/* Where `_S3_` stands in `Name (_S3_, Package ...)`. */
static uint8_t *find_s3(struct table *dsdt)
{
	static const uint8_t object[] = {AML_NAME, '_', 'S', '3', '_', AML_PACKAGE};
	uint8_t *const bytes = (uint8_t *)dsdt;

	for (size_t i = sizeof(*dsdt); i + sizeof(object) <= dsdt->length; i++)
		if (!memcmp(bytes + i, object, sizeof(object)))
			return bytes + i + 1;
	return NULL;
}

void sleep_hide_s3(EFI_SYSTEM_TABLE *st)
{
	const uint8_t *rsdp = efi_find_table(st, &efi_acpi20_guid);
	const struct table *fadt = rsdp ? find_fadt(rsdp) : NULL;
	struct table *dsdt = fadt ? find_dsdt(fadt) : NULL;
	uint8_t *s3 = dsdt ? find_s3(dsdt) : NULL;

	if (!s3)
		return;
	*s3 = 'X';
	dsdt->checksum = (uint8_t)(dsdt->checksum - 'X' + '_');
}
