// SPDX-License-Identifier: BSD-2-Clause
/* acpi.c - see acpi.h. */
#include "arch/x86/dev/acpi.h"

#include "arch/x86/mem/paging.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

/* ACPI 6.5, "RSDP Structure". */
struct rsdp {
	char signature[8];
	uint8_t checksum; /* of the first 20 bytes */
	char oem_id[6];
	uint8_t revision;
	uint32_t rsdt;
	uint32_t length; /* revision 2 has this and what follows */
	uint64_t xsdt;
	uint8_t extended_checksum, reserved[3];
} __attribute__((packed));
_Static_assert(sizeof(struct rsdp) == 36, "ACPI: RSDP");

#define RSDP_V1_SIZE   20
#define MAX_TABLE_SIZE (16u << 20) /* a larger table is refused */

/* The root table: its entries are physical addresses of 4 (RSDT) or 8 bytes (XSDT). */
static const struct acpi_header *root;
static size_t root_entry_size;

static bool sums_to_zero(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint8_t sum = 0;

	while (n--)
		sum = (uint8_t)(sum + *p++);
	return !sum;
}

const struct acpi_header *acpi_table_at(uint64_t phys, const char *signature)
{
	const struct acpi_header *table;

	table = phys ? paging_map_firmware(phys, sizeof(*table)) : NULL;
	if (!table)
		return NULL;
	if (memcmp(table->signature, signature, sizeof(table->signature)))
		return NULL;
	if (table->length < sizeof(*table) || table->length > MAX_TABLE_SIZE)
		return NULL;
	if (!paging_map_firmware(phys, table->length) || !sums_to_zero(table, table->length))
		return NULL;
	return table;
}

static void set_root(uint64_t phys, const char *signature, size_t entry_size)
{
	root = acpi_table_at(phys, signature);
	root_entry_size = entry_size;
}

int acpi_init(uint64_t phys)
{
	const struct rsdp *rsdp;

	rsdp = phys ? paging_map_firmware(phys, sizeof(*rsdp)) : NULL;
	if (!rsdp)
		return -ENODEV;
	if (memcmp(rsdp->signature, "RSD PTR ", 8) || !sums_to_zero(rsdp, RSDP_V1_SIZE))
		return -EINVAL;
	if (rsdp->revision >= 2 && sums_to_zero(rsdp, sizeof(*rsdp)))
		set_root(rsdp->xsdt, "XSDT", sizeof(uint64_t));
	if (!root)
		set_root(rsdp->rsdt, "RSDT", sizeof(uint32_t));
	return root ? 0 : -EINVAL;
}

static uint64_t root_table_entry(size_t i)
{
	const uint8_t *entries = (const uint8_t *)(root + 1);
	uint64_t phys = 0;

	memcpy(&phys, entries + i * root_entry_size, root_entry_size);
	return phys;
}

const struct acpi_header *acpi_find(const char *signature, unsigned n)
{
	size_t count = root ? (root->length - sizeof(*root)) / root_entry_size : 0;

	for (size_t i = 0; i < count; i++) {
		const struct acpi_header *table = acpi_table_at(root_table_entry(i), signature);

		if (table && !n--)
			return table;
	}
	return NULL;
}
