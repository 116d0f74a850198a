// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hw_watchdog.c - the watchdogs of chipsets, in front of registers that the test plays: PCI
 * configuration space, ports and memory. Each access that no register of the model has fails.
 */
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/hw_watchdog_chip.h"
#include "tests/shim/ports.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

/* --- The model: a function of PCI, TCO's ports, PM registers, and memory --- */

#define PCI_ADDRESS 0xcf8
#define PCI_DATA    0xcfc
#define PM_INDEX    0xcd6
#define PM_DATA     0xcd7

#define FUNCTIONS 3
#define WORDS     4

static struct {
	struct {
		uint8_t slot, function;
		bool hidden;
		uint32_t reg[64];
	} pci[FUNCTIONS];
	uint32_t address;

	uint16_t tco_base;
	uint16_t tco[16]; /* registers of two bytes */
	bool counts;      /* TCO_RLD moves while the code waits */
	bool keeps_no_reboot;
	unsigned fed;

	uint8_t pm_index, pm[256];
	uintptr_t pm_memory;
	struct {
		uintptr_t at;
		uint32_t value;
	} word[WORDS];
	unsigned triggers;
} chip;

#define TCO(reg) chip.tco[(reg) / 2]
#define RLD      TCO(0x00)
#define STS1     TCO(0x04)
#define CNT1     TCO(0x08)
#define TMR      TCO(0x12)
#define HALT     0x800

static uint32_t *pci_register(void)
{
	const unsigned slot = chip.address >> 11 & 31, function = chip.address >> 8 & 7;

	assert_int_equal(chip.address >> 16, 0x8000);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		if (chip.pci[i].slot == slot && chip.pci[i].function == function &&
		    (!chip.pci[i].hidden || (chip.address & 0xff) == 0xe0))
			return &chip.pci[i].reg[(chip.address & 0xff) / 4];
	return NULL;
}

/* Bit 8 of register E0H hides the bridge to the sideband (D31:F1). */
static void write_pci(uint32_t value)
{
	uint32_t *reg = pci_register();

	if (!reg)
		return;
	*reg = value;
	if ((chip.address & 0x7ff) == 0x1e0)
		for (unsigned i = 0; i < FUNCTIONS; i++)
			if (chip.pci[i].slot == 31 && chip.pci[i].function == 1)
				chip.pci[i].hidden = value >> 8 & 1;
}

static uint32_t wide_in(uint16_t port, unsigned bytes)
{
	if (bytes == 4) {
		assert_int_equal(port, PCI_DATA);
		return pci_register() ? *pci_register() : UINT32_MAX;
	}
	assert_in_range(port, chip.tco_base, chip.tco_base + 0x1f);
	return TCO(port - chip.tco_base);
}

static void play_tco(unsigned reg, uint16_t value)
{
	if (reg == 0x00) {
		chip.fed++;
		RLD = TMR & 0x3ff;
	} else if (reg == 0x04 || reg == 0x06) {
		TCO(reg) &= (uint16_t)~value;
	} else if (reg == 0x08 && chip.keeps_no_reboot) {
		CNT1 = value | 1;
	} else {
		TCO(reg) = value;
	}
}

static void wide_out(uint16_t port, unsigned bytes, uint32_t value)
{
	if (port == PCI_ADDRESS) {
		chip.address = value;
	} else if (bytes == 4) {
		assert_int_equal(port, PCI_DATA);
		write_pci(value);
	} else {
		assert_in_range(port, chip.tco_base, chip.tco_base + 0x1f);
		play_tco(port - chip.tco_base, (uint16_t)value);
	}
}

static uint8_t in(uint16_t port)
{
	assert_int_equal(port, PM_DATA);
	return chip.pm[chip.pm_index];
}

static void out(uint16_t port, uint8_t value)
{
	if (port == PM_INDEX) {
		chip.pm_index = value;
		return;
	}
	assert_int_equal(port, PM_DATA);
	chip.pm[chip.pm_index] = value;
}

static uint32_t *played_word(uintptr_t at)
{
	for (unsigned i = 0; i < WORDS; i++)
		if (chip.word[i].at == at)
			return &chip.word[i].value;
	fail_msg("no register at 0x%zx", (size_t)at);
	return NULL;
}

static uint32_t play_read(uintptr_t at, unsigned bytes)
{
	if (bytes == 1) {
		assert_in_range(at, chip.pm_memory, chip.pm_memory + 0xff);
		return chip.pm[at - chip.pm_memory];
	}
	return *played_word(at);
}

/* A watchdog's control register is the first word: its bit 7 is a command, bit 1 is cleared by 1.
 */
static void play_write(uintptr_t at, unsigned bytes, uint32_t value)
{
	if (bytes == 1) {
		assert_in_range(at, chip.pm_memory, chip.pm_memory + 0xff);
		chip.pm[at - chip.pm_memory] = (uint8_t)value;
		return;
	}
	if (at != chip.word[0].at) {
		*played_word(at) = value | (chip.keeps_no_reboot ? 0x20 : 0);
		return;
	}
	chip.triggers += value >> 7 & 1;
	chip.word[0].value = (value & ~0x82u) | (chip.word[0].value & ~value & 0x02);
}

static void play_wait(uint64_t ns)
{
	assert_true(ns > 600000000);
	if (chip.counts)
		RLD--;
}

static void play_no_chip(void)
{
	memset(&chip, 0, sizeof(chip));
	for (unsigned i = 0; i < FUNCTIONS; i++)
		chip.pci[i].slot = 99;
	shim_ports = (struct shim_ports){.in = in,
					 .out = out,
					 .wide_in = wide_in,
					 .wide_out = wide_out,
					 .read = play_read,
					 .write = play_write,
					 .spin = play_wait};
}

static uint32_t *add_pci(unsigned i, uint8_t slot, uint8_t function, uint32_t ids)
{
	chip.pci[i].slot = slot;
	chip.pci[i].function = function;
	chip.pci[i].reg[0] = ids;
	return chip.pci[i].reg;
}

/* --- Intel's --- */

#define GCS 0xfed1f410

/* q35: TCO at 660H, GCS at FED1F410H. */
static void begin_ich9(void)
{
	uint32_t *lpc;

	play_no_chip();
	lpc = add_pci(0, 31, 0, 0x29188086);
	lpc[0x40 / 4] = 0x601;
	lpc[0x44 / 4] = 0x80;
	lpc[0xf0 / 4] = 0xfed1c001;
	chip.tco_base = 0x660;
	chip.word[1].at = GCS;
	chip.word[1].value = 0x21;
	CNT1 = 0x0200;
	TMR = 0x1004;
}

static int find_tco(const char **reason)
{
	*reason = "";
	return hw_watchdog_tco.find(reason);
}

TEST(test_tco_runs)
{
	const char *reason;

	begin_ich9();
	assert_int_equal(find_tco(&reason), 0);
	assert_int_equal(chip.word[1].value, 0x21); /* looking changes nothing */
	assert_int_equal(CNT1, 0x0200);
	assert_true(hw_watchdog_tco.start(60, &reason));
	assert_in_range((TMR & 0x3ff) * 2 * 6, 600, 620); /* tenths of seconds, counted twice */
	assert_int_equal(TMR & ~0x3ff, 0x1000);
	assert_int_equal(CNT1, 0x0200);
	assert_int_equal(chip.word[1].value, 0x01);
	assert_int_equal(RLD, TMR & 0x3ff);

	RLD = 7;
	STS1 = 8;
	hw_watchdog_tco.feed();
	assert_int_equal(RLD, TMR & 0x3ff);
	assert_int_equal(STS1, 0);

	hw_watchdog_tco.stop();
	assert_int_equal(CNT1, 0x0200 | HALT);
	assert_int_equal(TMR, 0x1004);
	assert_int_equal(chip.word[1].value, 0x21);
}

/* The least and the most seconds are times that the register can have. */
TEST(test_tco_times)
{
	const char *reason;

	for (unsigned s = HW_WATCHDOG_SECONDS_LEAST; s <= HW_WATCHDOG_SECONDS_MOST; s++) {
		begin_ich9();
		assert_int_equal(find_tco(&reason), 0);
		assert_true(hw_watchdog_tco.start(s, &reason));
		assert_in_range(TMR & 0x3ff, 4, 0x3ff);
		assert_in_range((TMR & 0x3ff) * 12, s * 10, s * 10 + 12);
	}
}

TEST(test_tco_is_the_firmware_s)
{
	const char *reason = NULL;

	begin_ich9();
	assert_int_equal(find_tco(&reason), 0);
	chip.counts = true;
	RLD = 100;
	assert_false(hw_watchdog_tco.start(60, &reason));
	assert_string_equal(reason, HW_WATCHDOG_IS_FIRMWARE);
	assert_int_equal(chip.fed, 0);
	assert_int_equal(TMR, 0x1004);
	assert_int_equal(CNT1, 0x0200);
	assert_int_equal(chip.word[1].value, 0x21);

	CNT1 |= HALT; /* a halted timer is no watchdog, whatever its count is */
	assert_true(hw_watchdog_tco.start(60, &reason));
}

TEST(test_tco_is_off)
{
	const char *reason;

	begin_ich9();
	chip.pci[0].reg[0x44 / 4] = 0;
	assert_int_equal(find_tco(&reason), -EIO);
	assert_string_equal(reason, "TCO: the firmware has not enabled its ports");
	begin_ich9();
	chip.pci[0].reg[0xf0 / 4] &= ~1u;
	assert_int_equal(find_tco(&reason), -EIO);
	assert_non_null(strstr(reason, "RCBA"));
	begin_ich9();
	chip.keeps_no_reboot = true;
	assert_int_equal(find_tco(&reason), -EIO);
	assert_non_null(strstr(reason, "NO_REBOOT"));
	play_no_chip();
	assert_int_equal(find_tco(&reason), -ENODEV);
	add_pci(0, 31, 0, 0x70008086); /* PIIX */
	assert_int_equal(find_tco(&reason), -ENODEV);
}

/* 300 series: NO_REBOOT is in TCO1_CNT, and a strap may keep it set. */
static void begin_pch(uint16_t device)
{
	uint32_t *smbus;

	play_no_chip();
	add_pci(0, 31, 0, 0xa3058086);
	smbus = add_pci(1, 31, 4, (uint32_t)device << 16 | 0x8086);
	smbus[0x50 / 4] = 0x401;
	smbus[0x54 / 4] = 0x100;
	chip.tco_base = 0x400;
	CNT1 = HALT | 1;
	TMR = 4;
}

TEST(test_no_reboot_of_300_series)
{
	const char *reason;

	begin_pch(0xa323);
	assert_int_equal(find_tco(&reason), 0);
	assert_true(hw_watchdog_tco.start(60, &reason));
	assert_int_equal(CNT1, 0);
	hw_watchdog_tco.stop();
	assert_int_equal(CNT1, HALT | 1);

	begin_pch(0xa323);
	chip.keeps_no_reboot = true;
	assert_int_equal(find_tco(&reason), -EIO);
	assert_non_null(strstr(reason, "NO_REBOOT"));

	begin_pch(0xa323);
	chip.pci[1].reg[0x54 / 4] = 0;
	assert_int_equal(find_tco(&reason), -EIO);
}

/* 100 series: in a register behind a bridge that the firmware hides. */
TEST(test_no_reboot_of_100_series)
{
	const char *reason;
	uint32_t *p2sb;

	begin_pch(0xa123);
	CNT1 = HALT;
	p2sb = add_pci(2, 31, 1, 0xa1208086);
	p2sb[0x10 / 4] = 0xfd000004;
	chip.pci[2].hidden = true;
	chip.word[1].at = 0xfdc6000c;
	chip.word[1].value = 0x02;
	assert_int_equal(find_tco(&reason), 0);
	assert_true(chip.pci[2].hidden);
	assert_int_equal(chip.word[1].value, 0x02);
	assert_true(hw_watchdog_tco.start(60, &reason));
	assert_int_equal(chip.word[1].value, 0);
	hw_watchdog_tco.stop();
	assert_int_equal(chip.word[1].value, 0x02);

	begin_pch(0xa123); /* no bridge at all */
	assert_int_equal(find_tco(&reason), -EIO);
	assert_non_null(strstr(reason, "P2SB"));
}

/* --- AMD's --- */

#define RUN      0x01u
#define FIRED    0x02u
#define NO_RESET 0x04u
#define DISABLED 0x08u

static void begin_fch(uint16_t vendor, uint16_t device, uint8_t revision, uintptr_t base)
{
	play_no_chip();
	add_pci(0, 20, 0, (uint32_t)device << 16 | vendor)[2] = 0x0c050000u | revision;
	chip.word[0].at = base;
	chip.word[1].at = base + 4;
	chip.word[0].value = FIRED | NO_RESET;
	chip.word[1].value = 1234;
	memset(chip.pm, 0xf0, sizeof(chip.pm));
}

static void set_pm_address(unsigned reg, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		chip.pm[reg + i] = (uint8_t)(value >> 8 * i);
}

static void run_fch(void)
{
	const char *reason = "";

	assert_int_equal(hw_watchdog_sp5100.find(&reason), 0);
	assert_int_equal(chip.word[0].value, FIRED | NO_RESET);
	assert_true(hw_watchdog_sp5100.start(60, &reason));
	assert_int_equal(chip.word[0].value, RUN);
	assert_int_equal(chip.word[1].value, 60);
	assert_int_equal(chip.triggers, 1);
	hw_watchdog_sp5100.feed();
	assert_int_equal(chip.triggers, 2);
	assert_int_equal(chip.word[0].value, RUN);
}

static void stop_fch(void)
{
	hw_watchdog_sp5100.stop();
	assert_int_equal(chip.word[0].value, NO_RESET);
	assert_int_equal(chip.word[1].value, 1234);
}

/* Each layout: the base address, the unit, decoding. What was written comes back. */
TEST(test_sp5100)
{
	begin_fch(0x1002, 0x4385, 0x3d, 0xfec000f0);
	set_pm_address(0x6c, 0xfec000f7);
	chip.pm[0x69] = 0xf1;
	chip.pci[0].reg[0x40 / 4] = 0x5000;
	run_fch();
	assert_int_equal(chip.pm[0x69], 0xf6);
	assert_int_equal(chip.pci[0].reg[0x40 / 4], 0x5800);
	stop_fch();
	assert_int_equal(chip.pm[0x69], 0xf1);
	assert_int_equal(chip.pci[0].reg[0x40 / 4], 0x5000);
}

TEST(test_sb800)
{
	static const struct {
		uint16_t vendor, device;
		uint8_t revision;
	} chips[] = {{0x1002, 0x4385, 0x42}, {0x1022, 0x780b, 0x16}, {0x1022, 0x790b, 0x48}};

	for (unsigned i = 0; i < 3; i++) {
		begin_fch(chips[i].vendor, chips[i].device, chips[i].revision, 0xfec000f0);
		set_pm_address(0x48, 0xfec000f2);
		run_fch();
		assert_int_equal(chip.pm[0x48], 0xf1);
		assert_int_equal(chip.pm[0x4c], 0xf3);
		stop_fch();
		assert_int_equal(chip.pm[0x48], 0xf2);
		assert_int_equal(chip.pm[0x4c], 0xf0);
	}
}

TEST(test_fch)
{
	static const struct {
		uint16_t device;
		uint8_t revision;
		bool in_memory;
	} chips[] = {{0x780b, 0x42, false}, {0x790b, 0x4a, false}, {0x790b, 0x61, true}};

	for (unsigned i = 0; i < 3; i++) {
		begin_fch(0x1022, chips[i].device, chips[i].revision, 0xfeb00000);
		if (chips[i].in_memory) {
			chip.pm_memory = 0xfed80300;
			shim_ports.in = NULL;
			shim_ports.out = NULL;
		}
		chip.pm[0x00] = 0x10;
		chip.pm[0x03] = 0x4c;
		run_fch();
		assert_int_equal(chip.pm[0x00], 0x90);
		assert_int_equal(chip.pm[0x03], 0x43);
		stop_fch();
		assert_int_equal(chip.pm[0x00], 0x10);
		assert_int_equal(chip.pm[0x03], 0x4c);
	}
}

TEST(test_sp5100_is_not_ours)
{
	const char *reason = "";

	begin_fch(0x1022, 0x790b, 0x61, 0xfeb00000);
	chip.pm_memory = 0xfed80300;
	assert_int_equal(hw_watchdog_sp5100.find(&reason), 0);
	chip.word[0].value = RUN;
	assert_false(hw_watchdog_sp5100.start(60, &reason));
	assert_string_equal(reason, HW_WATCHDOG_IS_FIRMWARE);
	assert_int_equal(chip.word[0].value, RUN);
	assert_int_equal(chip.word[1].value, 1234);
	assert_int_equal(chip.pm[0x03], 0xf0);

	chip.word[0].value = DISABLED;
	assert_false(hw_watchdog_sp5100.start(60, &reason));
	assert_non_null(strstr(reason, "disabled"));
	assert_int_equal(chip.pm[0x00], 0xf0);

	begin_fch(0x1002, 0x4385, 0x3d, 0xfec000f0);
	set_pm_address(0x6c, 0);
	assert_int_equal(hw_watchdog_sp5100.find(&reason), -EIO);
	assert_non_null(strstr(reason, "address"));
	play_no_chip();
	assert_int_equal(hw_watchdog_sp5100.find(&reason), -ENODEV);
}

/* --- The chipset's watchdog, whichever it is --- */

TEST(test_front)
{
	begin_ich9();
	hw_watchdog_feed(); /* none was looked for */
	hw_watchdog_stop();
	assert_string_equal(hw_watchdog_name(), "tco");
	assert_string_equal(hw_watchdog_reason(), "");
	hw_watchdog_feed();
	assert_int_equal(chip.fed, 0);
	assert_true(hw_watchdog_start(60));
	assert_true(hw_watchdog_start(60));
	assert_int_equal(chip.fed, 1);
	hw_watchdog_feed();
	assert_int_equal(chip.fed, 2);
	hw_watchdog_stop();
	hw_watchdog_feed();
	assert_int_equal(chip.fed, 2);
	assert_int_equal(CNT1 & HALT, HALT);
	assert_int_equal(chip.word[1].value, 0x21);

	/* One that cannot be started is none from then on. */
	CNT1 = 0;
	chip.counts = true;
	assert_false(hw_watchdog_start(60));
	assert_string_equal(hw_watchdog_name(), "none");
	assert_string_equal(hw_watchdog_reason(), HW_WATCHDOG_IS_FIRMWARE);
}
