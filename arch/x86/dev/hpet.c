// SPDX-License-Identifier: BSD-2-Clause
/* hpet.c - see hpet.h. */
#include "arch/x86/dev/hpet.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/fadt.h"
#include "arch/x86/mem/paging.h"

#include <linux/errno.h>

/* IA-PC HPET Specification, "The HPET ACPI description table". */
struct hpet_table {
	struct acpi_header header;
	uint32_t event_timer_block;
	struct acpi_gas base; /* 40 */
	uint8_t number;
	uint16_t min_tick;
	uint8_t attributes;
} __attribute__((packed));
_Static_assert(sizeof(struct hpet_table) == 56, "HPET table");

#define HPET_PERIOD   0x004 /* high half of the capabilities: femtoseconds */
#define HPET_CONFIG   0x010
#define HPET_COUNTER  0x0f0
#define HPET_BYTES    0x400
#define CONFIG_ENABLE (1u << 0)
#define MAX_PERIOD_FS 100000000u /* by the specification */

static volatile uint8_t *registers;
static uint32_t period_fs;

static volatile uint32_t *hpet_register(unsigned offset)
{
	return (volatile uint32_t *)(registers + offset);
}

int hpet_init(void)
{
	const struct hpet_table *table = (const struct hpet_table *)acpi_find("HPET", 0);

	if (!table || table->base.space != ACPI_SPACE_MEMORY || !table->base.address)
		return -ENODEV;
	registers = paging_map_mmio(table->base.address, HPET_BYTES);
	if (!registers || !*hpet_register(HPET_PERIOD) ||
	    *hpet_register(HPET_PERIOD) > MAX_PERIOD_FS)
		return -ENODEV;
	if (!(*hpet_register(HPET_CONFIG) & CONFIG_ENABLE))
		*hpet_register(HPET_CONFIG) |= CONFIG_ENABLE;
	period_fs = *hpet_register(HPET_PERIOD);
	return 0;
}

uint32_t hpet_period_fs(void)
{
	return period_fs;
}

uint32_t hpet_read(void)
{
	return *hpet_register(HPET_COUNTER);
}

void hpet_restart(void)
{
	if (!period_fs)
		return;
	*hpet_register(HPET_CONFIG) &= ~CONFIG_ENABLE;
	*hpet_register(HPET_CONFIG) |= CONFIG_ENABLE;
}
