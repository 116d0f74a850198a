// SPDX-License-Identifier: BSD-2-Clause
/*
 * tco.c - the TCO timer of Intel's chipsets (see hw_watchdog.h). ICH9 to the 9 series: ICH9
 * datasheet (316972), "LPC Interface Bridge Registers (D31:F0)", "TCO Registers" and "GCS - General
 * Control and Status Register". From the 100 series on: 100 series datasheet, volume 2 (332691),
 * "SMBus Interface (D31:F4)", "TCO I/O Registers" and "SMBus PCR Registers".
 *
 * The timer counts down twice: the first time it may raise an SMI, the second time it resets the
 * machine, unless NO_REBOOT is set.
 */
#include "arch/x86/dev/hw_watchdog_chip.h"

#include "arch/x86/dev/pci.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"

#include <linux/errno.h>
#include <stddef.h>
#include <stdint.h>

#define INTEL 0x8086

/* --- Chipsets --- */

/* The place of NO_REBOOT. */
enum no_reboot {
	IN_GCS,      /* "GCS": RCBA + 3410H, bit 5 */
	IN_SIDEBAND, /* "GC" of the SMBus' private registers: offset CH, bit 1 */
	IN_TCO1_CNT, /* TCO1_CNT, bit 0: 300 series datasheet, volume 2 (337348), "TCO1_CNT" */
};

/* Ids of the LPC bridge (D31:F0), or, from the 100 series on, of the SMBus (D31:F4). */
static const struct tco_row {
	uint16_t first, last;
	uint8_t function, no_reboot;
} rows[] = {
	{0x2912, 0x2919, 0, IN_GCS},      /* ICH9; QEMU's q35 */
	{0x3a14, 0x3a1a, 0, IN_GCS},      /* ICH10 */
	{0x3b00, 0x3b1f, 0, IN_GCS},      /* 5 series, 3400 series */
	{0x1c40, 0x1c5f, 0, IN_GCS},      /* 6 series, C200 */
	{0x1d40, 0x1d41, 0, IN_GCS},      /* C600, X79 */
	{0x1e40, 0x1e5f, 0, IN_GCS},      /* 7 series, C216 */
	{0x8c40, 0x8c5f, 0, IN_GCS},      /* 8 series, C220 */
	{0x9c40, 0x9c47, 0, IN_GCS},      /* 8 series, low power */
	{0x8cc0, 0x8cdf, 0, IN_GCS},      /* 9 series */
	{0x9cc1, 0x9cc9, 0, IN_GCS},      /* 5th generation, low power */
	{0x8d40, 0x8d5f, 0, IN_GCS},      /* C610, X99 */
	{0xa123, 0xa123, 4, IN_SIDEBAND}, /* 100 series, C230 */
	{0x9d23, 0x9d23, 4, IN_SIDEBAND}, /* 100 series, low power */
	{0xa1a3, 0xa1a3, 4, IN_SIDEBAND}, /* C620 */
	{0xa223, 0xa223, 4, IN_SIDEBAND}, /* C620, super SKUs */
	{0xa2a3, 0xa2a3, 4, IN_SIDEBAND}, /* 200 series */
	{0xa3a3, 0xa3a3, 4, IN_SIDEBAND}, /* 400 series, B460 and H410 */
	{0xa323, 0xa323, 4, IN_TCO1_CNT}, /* 300 series */
	{0x9da3, 0x9da3, 4, IN_TCO1_CNT}, /* 300 series, low power */
	{0x02a3, 0x02a3, 4, IN_TCO1_CNT}, /* 400 series, low power */
	{0x06a3, 0x06a3, 4, IN_TCO1_CNT}, /* 400 series */
	{0x34a3, 0x34a3, 4, IN_TCO1_CNT}, /* 495 series */
	{0x38a3, 0x38a3, 4, IN_TCO1_CNT}, /* 495 series, N */
	{0x4da3, 0x4da3, 4, IN_TCO1_CNT}, /* Jasper Lake */
	{0x4b23, 0x4b23, 4, IN_TCO1_CNT}, /* Elkhart Lake */
	{0xa0a3, 0xa0a3, 4, IN_TCO1_CNT}, /* 500 series, low power */
	{0x43a3, 0x43a3, 4, IN_TCO1_CNT}, /* 500 series */
	{0x1bc9, 0x1bc9, 4, IN_TCO1_CNT}, /* C740 */
	{0x7aa3, 0x7aa3, 4, IN_TCO1_CNT}, /* 600 series */
	{0x51a3, 0x51a3, 4, IN_TCO1_CNT}, /* 600 series, P */
	{0x54a3, 0x54a3, 4, IN_TCO1_CNT}, /* 600 series, M and N */
	{0x7a23, 0x7a23, 4, IN_TCO1_CNT}, /* 700 series */
	{0x7e22, 0x7e22, 4, IN_TCO1_CNT}, /* Meteor Lake P */
	{0xae22, 0xae22, 4, IN_TCO1_CNT}, /* Meteor Lake S */
	{0x7f23, 0x7f23, 4, IN_TCO1_CNT}, /* 800 series */
	{0x7722, 0x7722, 4, IN_TCO1_CNT}, /* Arrow Lake H */
};

static const struct tco_row *row_of_bridge(unsigned function, uint32_t ids)
{
	if ((ids & 0xffff) != INTEL)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].function == function && ids >> 16 >= rows[i].first &&
		    ids >> 16 <= rows[i].last)
			return &rows[i];
	return NULL;
}

/* --- Registers --- */

#define SLOT 31

#define LPC_PMBASE    0x40 /* bits 15:7 */
#define LPC_ACPI_CNTL 0x44
#define ACPI_EN       (1u << 7)
#define LPC_RCBA      0xf0
#define RCBA_EN       (1u << 0)
#define RCBA_BASE     0xffffc000u
#define GCS           0x3410
#define GCS_NO_REBOOT (1u << 5)
#define PMBASE_TCO    0x60

#define SMBUS_TCOBASE 0x50 /* bits 15:5 */
#define SMBUS_TCOCTL  0x54
#define TCO_BASE_EN   (1u << 8)

/* "Primary to Sideband (P2SB) Bridge (D31:F1)". A hidden bridge reads as if it were not there. */
#define P2SB_FUNCTION   1
#define P2SB_BAR        0x10
#define P2SB_CONTROL    0xe0
#define P2SB_HIDE       (1u << 8)
#define BAR_FLAGS       0xfu
#define SIDEBAND_SMBUS  0xc6000c /* port C6H, register CH */
#define SIDEBAND_NO_REB (1u << 1)

#define TCO_RLD   0x00 /* read: the count, bits 9:0; a write loads it anew */
#define TCO1_STS  0x04
#define TCO2_STS  0x06
#define TCO1_CNT  0x08
#define TCO_TMR   0x12 /* what TCO_RLD loads, bits 9:0 */
#define TCO_COUNT 0x3ff

#define STS_TIMEOUT        (1u << 3) /* of TCO1_STS */
#define STS_SECOND         (1u << 1) /* of TCO2_STS */
#define CNT_HALT           (1u << 11)
#define CNT_NO_REBOOT      (1u << 0)
#define TICKS_IN_3S        5u /* a tick is 0.6 s */
#define COUNTDOWNS         2u
#define LONGER_THAN_A_TICK 700000000ull /* ns */

static struct {
	const struct tco_row *row;
	uint16_t base;       /* of the TCO's ports */
	uintptr_t no_reboot; /* the register in memory, if NO_REBOOT is in memory */
	uint32_t no_reboot_bit;
	bool no_reboot_was_set;
	uint16_t control, timer; /* TCO1_CNT and TCO_TMR as they were found */
} tco;

static uint16_t read_tco(unsigned reg)
{
	return inw((uint16_t)(tco.base + reg));
}

static void write_tco(unsigned reg, unsigned value)
{
	outw((uint16_t)(tco.base + reg), (uint16_t)value);
}

/* --- NO_REBOOT --- */

static bool is_no_reboot_set(void)
{
	if (tco.row->no_reboot == IN_TCO1_CNT)
		return read_tco(TCO1_CNT) & CNT_NO_REBOOT;
	return mmio_read32(tco.no_reboot) & tco.no_reboot_bit;
}

static void set_no_reboot(bool on)
{
	if (tco.row->no_reboot == IN_TCO1_CNT) {
		const unsigned rest = read_tco(TCO1_CNT) & ~CNT_NO_REBOOT;

		write_tco(TCO1_CNT, rest | (on ? CNT_NO_REBOOT : 0));
	} else {
		const uint32_t rest = mmio_read32(tco.no_reboot) & ~tco.no_reboot_bit;

		mmio_write32(tco.no_reboot, rest | (on ? tco.no_reboot_bit : 0));
	}
}

/* A strap of the board, or the firmware, may keep the bit set. */
static bool can_reboot(void)
{
	bool is_set;

	tco.no_reboot_was_set = is_no_reboot_set();
	if (!tco.no_reboot_was_set)
		return true;
	set_no_reboot(false);
	is_set = is_no_reboot_set();
	set_no_reboot(true);
	return !is_set;
}

/* --- Where it is --- */

static uintptr_t map_register(uint64_t address)
{
	return (uintptr_t)paging_map_mmio(address, sizeof(uint32_t));
}

static const char *find_by_lpc(const struct pci_device *lpc)
{
	const uint32_t rcba = pci_read(lpc, LPC_RCBA);
	const uint16_t pmbase = pci_read(lpc, LPC_PMBASE) & 0xff80;

	if (!pmbase || !(pci_read(lpc, LPC_ACPI_CNTL) & ACPI_EN))
		return "TCO: the firmware has not enabled its ports";
	if (!(rcba & RCBA_EN))
		return "TCO: the firmware has not enabled the chipset's registers (RCBA)";
	tco.base = pmbase + PMBASE_TCO;
	tco.no_reboot = map_register((rcba & RCBA_BASE) + GCS);
	tco.no_reboot_bit = GCS_NO_REBOOT;
	return tco.no_reboot ? NULL : "TCO: no memory for a page table";
}

/* Firmware hides the bridge: it is shown while its base address is read. 0: it stays hidden. */
static uint64_t sideband_base(void)
{
	const struct pci_device p2sb = {SLOT, P2SB_FUNCTION, 0};
	const bool hidden = pci_ids(&p2sb) == UINT32_MAX;
	uint32_t low, high;

	if (hidden)
		pci_write(&p2sb, P2SB_CONTROL, 0);
	low = pci_read(&p2sb, P2SB_BAR);
	high = pci_read(&p2sb, P2SB_BAR + 4);
	if (hidden)
		pci_write(&p2sb, P2SB_CONTROL, P2SB_HIDE);
	return low == UINT32_MAX ? 0 : (uint64_t)high << 32 | (low & ~BAR_FLAGS);
}

static const char *find_by_smbus(const struct pci_device *smbus)
{
	uint64_t sideband;

	tco.base = pci_read(smbus, SMBUS_TCOBASE) & 0xffe0;
	if (!tco.base || !(pci_read(smbus, SMBUS_TCOCTL) & TCO_BASE_EN))
		return "TCO: the firmware has not enabled its ports";
	if (tco.row->no_reboot == IN_TCO1_CNT)
		return NULL;
	sideband = sideband_base();
	if (!sideband)
		return "TCO: the firmware hides the register that lets it reset (P2SB)";
	tco.no_reboot = map_register(sideband + SIDEBAND_SMBUS);
	tco.no_reboot_bit = SIDEBAND_NO_REB;
	return tco.no_reboot ? NULL : "TCO: no memory for a page table";
}

static int find_tco(const char **reason)
{
	const struct pci_device lpc = {SLOT, 0, 0}, smbus = {SLOT, 4, 0};
	const struct tco_row *by_lpc = row_of_bridge(0, pci_ids(&lpc));
	const char *lacks;

	tco.row = by_lpc ? by_lpc : row_of_bridge(4, pci_ids(&smbus));
	if (!tco.row)
		return -ENODEV;
	lacks = by_lpc ? find_by_lpc(&lpc) : find_by_smbus(&smbus);
	if (!lacks && !can_reboot())
		lacks = "TCO: the board or the firmware forbids that it resets (NO_REBOOT)";
	if (!lacks)
		return 0;
	*reason = lacks;
	return -EIO;
}

/* --- The timer --- */

/* A timer that is not halted runs only once its count was loaded. */
static bool counts_already(void)
{
	const unsigned before = read_tco(TCO_RLD) & TCO_COUNT;

	if (read_tco(TCO1_CNT) & CNT_HALT)
		return false;
	clock_spin_ns(LONGER_THAN_A_TICK);
	return (read_tco(TCO_RLD) & TCO_COUNT) != before;
}

/* Clears what tells a countdown: the next one is the first. */
static void feed_tco(void)
{
	write_tco(TCO_RLD, 1);
	write_tco(TCO1_STS, STS_TIMEOUT);
}

static void stop_tco(void)
{
	write_tco(TCO1_CNT, (read_tco(TCO1_CNT) & CNT_NO_REBOOT) | tco.control | CNT_HALT);
	set_no_reboot(tco.no_reboot_was_set);
	write_tco(TCO1_STS, STS_TIMEOUT);
	write_tco(TCO_TMR, tco.timer);
}

static bool start_tco(unsigned seconds, const char **reason)
{
	const unsigned ticks = seconds * TICKS_IN_3S / (3 * COUNTDOWNS) + 1;

	if (counts_already()) {
		*reason = HW_WATCHDOG_IS_FIRMWARE;
		return false;
	}
	tco.control = read_tco(TCO1_CNT) & ~CNT_NO_REBOOT;
	tco.timer = read_tco(TCO_TMR);
	write_tco(TCO1_CNT, read_tco(TCO1_CNT) | CNT_HALT);
	write_tco(TCO_TMR, (tco.timer & ~TCO_COUNT) | ticks);
	write_tco(TCO2_STS, STS_SECOND);
	set_no_reboot(false);
	write_tco(TCO1_CNT, read_tco(TCO1_CNT) & ~CNT_HALT);
	feed_tco();
	if ((read_tco(TCO_TMR) & TCO_COUNT) == ticks && !(read_tco(TCO1_CNT) & CNT_HALT))
		return true;
	stop_tco();
	*reason = "TCO: its registers do not keep what is written";
	return false;
}

const struct hw_watchdog_chip hw_watchdog_tco = {"tco", find_tco, start_tco, feed_tco, stop_tco};
