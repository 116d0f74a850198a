// SPDX-License-Identifier: BSD-2-Clause
/*
 * sp5100.c - the watchdog of AMD's chipsets (see hw_watchdog.h): SP5100 and SB7x0 (SP5100 Register
 * Reference Guide, 44413, "Power Management (PM) Registers"), SB800 and Hudson (SB800 Register
 * Reference Guide, 45482, "WatchDogTimerEn"), and the chipset inside of the CPU from family 16h on
 * (BKDG 52740 and PPR 55570, "FCH::PM::DecodeEn", "Watchdog Timer (WDT) Registers"). No machine
 * that has one was ever tried.
 */
#include "arch/x86/dev/hw_watchdog_chip.h"

#include "arch/x86/dev/pci.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"

#include <linux/errno.h>
#include <stddef.h>
#include <stdint.h>

#define SLOT 20 /* the SMBus is D20:F0 */

/* --- Registers of power management: by an index and a data port, or in memory --- */

#define PM_INDEX  0xcd6
#define PM_DATA   0xcd7
#define PM_MEMORY 0xfed80300u
#define PM_BYTES  0x100

static uintptr_t pm; /* the registers in memory; 0: by ports */

static uint8_t read_pm(unsigned reg)
{
	if (pm)
		return mmio_read8(pm + reg);
	outb(PM_INDEX, (uint8_t)reg);
	return inb(PM_DATA);
}

static void write_pm(unsigned reg, unsigned value)
{
	if (pm) {
		mmio_write8(pm + reg, (uint8_t)value);
		return;
	}
	outb(PM_INDEX, (uint8_t)reg);
	outb(PM_DATA, (uint8_t)value);
}

static uint32_t read_pm_address(unsigned reg)
{
	uint32_t value = 0;

	for (unsigned i = 4; i--;)
		value = value << 8 | read_pm(reg + i);
	return value;
}

/* --- Chipsets --- */

#define CHANGES 2

/* A byte of power management that the watchdog needs otherwise than it may be. */
struct pm_change {
	uint8_t reg, clear, set;
};

/* An SMBus, by its PCI ids and revision, and what its watchdog needs. */
static const struct sp5100_row {
	uint16_t vendor, device;
	uint8_t first_revision, last_revision;
	uint8_t base; /* PM register with the address; 0: it is `address` */
	uint32_t address;
	bool in_memory;
	uint32_t decode;                  /* the bit of PCI register 40H that decodes the address */
	struct pm_change change[CHANGES]; /* seconds as unit, decoded, not disabled */
} rows[] = {
	/* SP5100, SB7x0: WatchdogTimerControl 69H, base 6CH; PCI register 41H bit 3 */
	{0x1002, 0x4385, 0, 0x3f, 0x6c, 0, false, 1u << 11, {{0x69, 0x01, 0x06}}},
	/* SB8x0, SB9x0, Hudson: WatchDogTimerEn 48H, WatchDogTimerConfig 4CH */
	{0x1002, 0x4385, 0x40, 0xff, 0x48, 0, false, 0, {{0x4c, 0, 0x03}, {0x48, 0x02, 0x01}}},
	{0x1022, 0x780b, 0, 0x40, 0x48, 0, false, 0, {{0x4c, 0, 0x03}, {0x48, 0x02, 0x01}}},
	{0x1022, 0x790b, 0, 0x48, 0x48, 0, false, 0, {{0x4c, 0, 0x03}, {0x48, 0x02, 0x01}}},
	/* Families 15h and 16h: DecodeEn 00H bit 7, 03H bits 3:2 and 1:0 */
	{0x1022,
	 0x780b,
	 0x41,
	 0xff,
	 0,
	 0xfeb00000,
	 false,
	 0,
	 {{0x03, 0x0c, 0x03}, {0x00, 0, 0x80}}},
	{0x1022,
	 0x790b,
	 0x49,
	 0x50,
	 0,
	 0xfeb00000,
	 false,
	 0,
	 {{0x03, 0x0c, 0x03}, {0x00, 0, 0x80}}},
	/* From family 17h on: the same, in memory */
	{0x1022, 0x790b, 0x51, 0xff, 0, 0xfeb00000, true, 0, {{0x03, 0x0c, 0x03}, {0x00, 0, 0x80}}},
	{0x1d94,
	 0x790b,
	 0x49,
	 0xff,
	 0,
	 0xfeb00000,
	 false,
	 0,
	 {{0x03, 0x0c, 0x03}, {0x00, 0, 0x80}}},
};
static const struct sp5100_row *row_of_smbus(uint32_t ids, uint8_t revision)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (ids == (rows[i].vendor | (uint32_t)rows[i].device << 16) &&
		    revision >= rows[i].first_revision && revision <= rows[i].last_revision)
			return &rows[i];
	return NULL;
}

/* --- The watchdog's registers --- */

#define WDT_CONTROL 0x00
#define WDT_COUNT   0x04
#define WDT_BYTES   0x08

#define CONTROL_RUN      (1u << 0)
#define CONTROL_FIRED    (1u << 1) /* cleared by a one */
#define CONTROL_NO_RESET (1u << 2) /* it turns the machine off in place of a reset */
#define CONTROL_DISABLED (1u << 3)
#define CONTROL_TRIGGER  (1u << 7) /* a one begins the count anew */

#define PCI_MISC 0x40

static const struct pci_device smbus = {SLOT, 0, 0};
static const struct sp5100_row *row;
static uintptr_t wdt;
static uint8_t found[CHANGES]; /* bytes of power management, as they were */
static uint32_t found_misc, found_control, found_count;

static bool is_changed(const struct pm_change *change)
{
	return change->clear | change->set;
}

static void change_pm(void)
{
	for (unsigned i = 0; i < CHANGES; i++) {
		const struct pm_change *change = &row->change[i];

		if (!is_changed(change))
			continue;
		found[i] = read_pm(change->reg);
		write_pm(change->reg, (found[i] & ~(unsigned)change->clear) | change->set);
	}
	if (row->decode) {
		found_misc = pci_read(&smbus, PCI_MISC);
		pci_write(&smbus, PCI_MISC, found_misc | row->decode);
	}
}

static void put_pm_back(void)
{
	for (unsigned i = CHANGES; i--;)
		if (is_changed(&row->change[i]))
			write_pm(row->change[i].reg, found[i]);
	if (row->decode)
		pci_write(&smbus, PCI_MISC, found_misc);
}

static int find_sp5100(const char **reason)
{
	uint32_t address;

	row = row_of_smbus(pci_ids(&smbus), pci_revision(&smbus));
	if (!row)
		return -ENODEV;
	pm = row->in_memory ? (uintptr_t)paging_map_mmio(PM_MEMORY, PM_BYTES) : 0;
	address = row->base ? read_pm_address(row->base) & ~7u : row->address;
	*reason = "SP5100: the firmware has set no address for its registers";
	if (!address || address == (UINT32_MAX & ~7u))
		return -EIO;
	wdt = (uintptr_t)paging_map_mmio(address, WDT_BYTES);
	*reason = "SP5100: no memory for a page table";
	return wdt && (pm || !row->in_memory) ? 0 : -EIO;
}

static uint32_t read_control(void)
{
	return mmio_read32(wdt + WDT_CONTROL);
}

/* The status is kept, and no count begins. */
static uint32_t control_bits(void)
{
	return read_control() & ~(CONTROL_FIRED | CONTROL_TRIGGER);
}

static void feed_sp5100(void)
{
	mmio_write32(wdt + WDT_CONTROL, control_bits() | CONTROL_TRIGGER);
}

static void stop_sp5100(void)
{
	mmio_write32(wdt + WDT_CONTROL, control_bits() & ~CONTROL_RUN);
	mmio_write32(wdt + WDT_COUNT, found_count);
	mmio_write32(wdt + WDT_CONTROL, found_control);
	put_pm_back();
}

static const char *run_sp5100(unsigned seconds)
{
	const uint32_t control = read_control();

	if (control == UINT32_MAX || control & CONTROL_DISABLED)
		return "SP5100: the firmware has disabled it";
	if (control & CONTROL_RUN)
		return HW_WATCHDOG_IS_FIRMWARE;
	found_control = control & ~(CONTROL_FIRED | CONTROL_TRIGGER);
	found_count = mmio_read32(wdt + WDT_COUNT);
	mmio_write32(wdt + WDT_COUNT, seconds);
	mmio_write32(wdt + WDT_CONTROL,
		     (found_control & ~CONTROL_NO_RESET) | CONTROL_FIRED | CONTROL_RUN);
	feed_sp5100();
	if (read_control() & CONTROL_RUN)
		return NULL;
	mmio_write32(wdt + WDT_CONTROL, found_control);
	return "SP5100: its registers do not keep what is written";
}

/* A register that is not decoded reads as ones, and one that is decoded may run already. */
static bool start_sp5100(unsigned seconds, const char **reason)
{
	const char *lacks;

	change_pm();
	lacks = run_sp5100(seconds);
	if (!lacks)
		return true;
	put_pm_back();
	*reason = lacks;
	return false;
}

const struct hw_watchdog_chip hw_watchdog_sp5100 = {"sp5100", find_sp5100, start_sp5100,
						    feed_sp5100, stop_sp5100};
