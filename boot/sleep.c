// SPDX-License-Identifier: BSD-2-Clause
/* sleep.c - see sleep.h. */
#include "boot/sleep.h"

#include "lib/string.h"

#include <stddef.h>
#include <stdint.h>

/* ACPI 6.5, "System Description Table Header"; the other fields are read by these offsets. */
struct table {
	char signature[4];
	uint32_t length;
	uint8_t revision, checksum;
	uint8_t more[26];
};
_Static_assert(sizeof(struct table) == 36, "ACPI: table header");

#define RSDP_REVISION  15
#define RSDP_RSDT      16
#define RSDP_XSDT      24
#define FADT_FACS      36
#define FADT_DSDT      40
#define FADT_PM1A_CNT  64
#define FADT_X_FACS    132
#define FADT_X_DSDT    140
#define FACS_BYTES     64
#define FACS_LENGTH_AT 4

/* ACPI 6.5, "AML Byte Stream Byte Values". */
#define AML_NAME    0x08
#define AML_PACKAGE 0x12

/* An entry of the root table, of 8 bytes in an XSDT and of 4 in the RSDT of an older BIOS. */
static const struct table *entry_at(const struct table *root, size_t offset, size_t bytes)
{
	uint64_t at = 0;

	memcpy(&at, (const uint8_t *)root + offset, bytes);
	return (const struct table *)at;
}

const void *sleep_find_table(const uint8_t *rsdp, const char *signature)
{
	const bool is_new = rsdp && rsdp[RSDP_REVISION] >= 2;
	const size_t bytes = is_new ? sizeof(uint64_t) : sizeof(uint32_t);
	const struct table *root;

	if (!rsdp)
		return NULL;
	root = entry_at((const struct table *)rsdp, is_new ? RSDP_XSDT : RSDP_RSDT, bytes);
	for (size_t i = sizeof(*root); root && i + bytes <= root->length; i += bytes) {
		const struct table *table = entry_at(root, i, bytes);

		if (!memcmp(table->signature, signature, sizeof(table->signature)))
			return table;
	}
	return NULL;
}

/* A table by its 64-bit address at `wide_at`, or else by its 32-bit one. NULL: neither is set. */
static void *find_of_fadt(const struct table *fadt, size_t wide_at, size_t narrow_at)
{
	uint64_t wide = 0;
	uint32_t narrow;

	if (fadt->length >= wide_at + sizeof(wide))
		memcpy(&wide, (const uint8_t *)fadt + wide_at, sizeof(wide));
	memcpy(&narrow, (const uint8_t *)fadt + narrow_at, sizeof(narrow));
	return (void *)(wide ? wide : narrow);
}

bool sleep_find(const uint8_t *rsdp, struct vpmu_config *config)
{
	const struct table *fadt = sleep_find_table(rsdp, "FACP");
	uint32_t port, length;
	uint8_t *facs;

	if (!fadt)
		return false;
	facs = find_of_fadt(fadt, FADT_X_FACS, FADT_FACS);
	memcpy(&port, (const uint8_t *)fadt + FADT_PM1A_CNT, sizeof(port));
	if (!facs || memcmp(facs, "FACS", 4) || !port || port > UINT16_MAX)
		return false;
	memcpy(&length, facs + FACS_LENGTH_AT, sizeof(length));
	if (length < FACS_BYTES)
		return false;
	config->sleep_port = (uint16_t)port;
	config->facs = facs;
	return true;
}

/* The address of `_S3_` in `Name (_S3_, Package ...)`. */
static uint8_t *find_s3(struct table *dsdt)
{
	static const uint8_t object[] = {AML_NAME, '_', 'S', '3', '_', AML_PACKAGE};
	uint8_t *const bytes = (uint8_t *)dsdt;

	for (size_t i = sizeof(*dsdt); i + sizeof(object) <= dsdt->length; i++)
		if (!memcmp(bytes + i, object, sizeof(object)))
			return bytes + i + 1;
	return NULL;
}

void sleep_hide_s3(const uint8_t *rsdp)
{
	const struct table *fadt = sleep_find_table(rsdp, "FACP");
	struct table *dsdt = fadt ? find_of_fadt(fadt, FADT_X_DSDT, FADT_DSDT) : NULL;
	uint8_t *s3 = dsdt ? find_s3(dsdt) : NULL;

	if (!s3)
		return;
	*s3 = 'X';
	dsdt->checksum = (uint8_t)(dsdt->checksum - 'X' + '_');
}
