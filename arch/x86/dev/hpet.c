// SPDX-License-Identifier: BSD-2-Clause
/* hpet.c - see hpet.h. */
#include "arch/x86/dev/hpet.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/fadt.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/world/world.h"
#include "lib/bits.h"

#include <linux/errno.h>
#include <stdbool.h>

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

#define HPET_FEATURES      0x000 /* 12:8: the last comparator's number */
#define HPET_PERIOD        0x004 /* high half of the capabilities: femtoseconds */
#define HPET_CONFIG        0x010
#define HPET_COUNTER       0x0f0
#define HPET_TIMER(n)      (0x100 + 0x20 * (n)) /* configuration and capabilities */
#define HPET_COMPARATOR(n) (0x108 + 0x20 * (n)) /* old comparators have the low half only */
#define HPET_ROUTE(n)      (0x110 + 0x20 * (n)) /* FSB route: value and address of the message */
#define HPET_BYTES         0x400
#define CONFIG_ENABLE      (1u << 0)
#define TIMERS_MOST        32
#define TIMER_INTERRUPTS   (1u << 2)
#define TIMER_PERIODIC     (1u << 3)
#define TIMER_MESSAGES     (1u << 14)
#define ROUTE_MODE         (7u << 8)
#define ROUTE_NMI          (4u << 8)
#define SOON_FS            1000000000000ull /* 1 ms */
#define MAX_PERIOD_FS      100000000u       /* by the specification */

static volatile uint8_t *registers;
static uint32_t period_fs;

static volatile uint32_t *hpet_register(unsigned offset)
{
	return (volatile uint32_t *)(registers + offset);
}

/* --- A machine that is lent --- */

static uint32_t taken; /* comparators, as bits */

static bool is_clock(unsigned n)
{
	const uint32_t config = *hpet_register(HPET_TIMER(n));

	if (!(config & TIMER_INTERRUPTS))
		return false;
	return !(config & TIMER_MESSAGES) ||
	       (*hpet_register(HPET_ROUTE(n)) & ROUTE_MODE) != ROUTE_NMI;
}

void hpet_take(void)
{
	const unsigned last =
		period_fs ? *hpet_register(HPET_FEATURES) >> 8 & (TIMERS_MOST - 1) : 0;

	taken = 0;
	for (unsigned n = 0; period_fs && n <= last; n++) {
		if (!is_clock(n))
			continue;
		taken |= 1u << n;
		*hpet_register(HPET_TIMER(n)) &= ~TIMER_INTERRUPTS;
	}
}

/* Valid in all 64 bits if the counter has that many; otherwise the high half is undefined. */
static uint64_t counter_now(void)
{
	uint32_t high, low;

	do {
		high = *hpet_register(HPET_COUNTER + 4);
		low = hpet_read();
	} while (high != *hpet_register(HPET_COUNTER + 4));
	return (uint64_t)high << 32 | low;
}

static void set_comparator(unsigned n, uint64_t at)
{
	*hpet_register(HPET_COMPARATOR(n)) = (uint32_t)at;
	*hpet_register(HPET_COMPARATOR(n) + 4) = (uint32_t)(at >> 32);
}

void hpet_give(void)
{
	for (; taken; taken &= taken - 1) {
		const unsigned n = bits_first(taken);
		const uint32_t config = *hpet_register(HPET_TIMER(n));

		if (!(config & TIMER_PERIODIC))
			set_comparator(n, counter_now() + SOON_FS / period_fs);
		*hpet_register(HPET_TIMER(n)) = config | TIMER_INTERRUPTS;
	}
}

static const struct world_device lent_hpet = {hpet_give, hpet_take};

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
	if (world_is_given_back())
		hpet_take();
	world_lend_device(&lent_hpet);
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
