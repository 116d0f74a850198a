// SPDX-License-Identifier: BSD-2-Clause
/* power.c - see power.h. */
#include "arch/x86/dev/power.h"

#include "arch/x86/dev/fadt.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/insn.h"
#include "arch/x86/dev/tsc.h"
#include "lib/string.h"

#include <linux/errno.h>

#define RESET_PORT    0xcf9
#define RESET_SYSTEM  0x02 /* selects a full reset; RESET_START then triggers it */
#define RESET_START   0x04
#define KBC_COMMAND   0x64
#define KBC_BUSY      0x02
#define KBC_PULSE_RST 0xfe
#define KBC_POLLS     10000
#define SETTLE_NS     50000000u

#define PM1_SCI_EN   (1u << 0)
#define PM1_TYP(t)   ((uint16_t)((t) << 10))
#define PM1_TYP_MASK (7u << 10)
#define PM1_EN       (1u << 13)
#define MAX_TYPE     7

/* ACPI 6.5, "AML Byte Stream Byte Values". */
#define AML_ZERO    0x00
#define AML_ONE     0x01
#define AML_NAME    0x08
#define AML_BYTE    0x0a
#define AML_PACKAGE 0x12
#define AML_ROOT    0x5c

_Noreturn void power_halt(void)
{
	hw_watchdog_stop();
	for (;;) {
		irq_disable();
		cpu_halt();
	}
}

static void reset_by_keyboard(void)
{
	for (int i = 0; i < KBC_POLLS && inb(KBC_COMMAND) & KBC_BUSY; i++)
		cpu_pause();
	outb(KBC_COMMAND, KBC_PULSE_RST);
}

_Noreturn void power_reset(void)
{
	const struct insn_table no_idt = {0, 0};

	irq_disable();
	hw_watchdog_stop();
	outb(RESET_PORT, RESET_SYSTEM);
	outb(RESET_PORT, RESET_SYSTEM | RESET_START);
	clock_spin_ns(SETTLE_NS);
	reset_by_keyboard();
	clock_spin_ns(SETTLE_NS);
	insn_lidt(&no_idt);
	__builtin_trap();
}

/* Reads one integer of a package. Returns false for an encoding that firmware does not use here. */
static bool aml_integer(const uint8_t **p, const uint8_t *end, uint8_t *value)
{
	if (*p < end && (**p == AML_ZERO || **p == AML_ONE)) {
		*value = *(*p)++;
		return true;
	}
	if (end - *p < 2 || **p != AML_BYTE)
		return false;
	*value = (*p)[1];
	*p += 2;
	return true;
}

/* PackageOp, PkgLength (its top two bits: bytes that follow), NumElements, then the elements. */
static bool s5_package(const uint8_t *p, const uint8_t *end, uint8_t type[2])
{
	if (end - p < 2 || *p++ != AML_PACKAGE)
		return false;
	if (end - p < (*p >> 6) + 2)
		return false;
	p += (*p >> 6) + 2;
	return aml_integer(&p, end, &type[0]) && aml_integer(&p, end, &type[1]) &&
	       type[0] <= MAX_TYPE && type[1] <= MAX_TYPE;
}

/* Finds Name(_S5_, Package ...) or Name(\_S5_, ...). */
static bool find_s5(const struct acpi_header *dsdt, uint8_t type[2])
{
	const uint8_t *start = (const uint8_t *)(dsdt + 1);
	const uint8_t *end = (const uint8_t *)dsdt + dsdt->length;

	for (const uint8_t *p = start + 2; end - p >= 4; p++) {
		if (memcmp(p, "_S5_", 4))
			continue;
		if (p[-1] != AML_NAME && !(p[-1] == AML_ROOT && p[-2] == AML_NAME))
			continue;
		if (s5_package(p + 4, end, type))
			return true;
	}
	return false;
}

static void enter_acpi_mode(const struct fadt *fadt, uint16_t control)
{
	if (inw(control) & PM1_SCI_EN || !fadt->smi_command || !fadt->acpi_enable)
		return;
	outb((uint16_t)fadt->smi_command, fadt->acpi_enable);
	clock_spin_ns(SETTLE_NS);
}

static void enter_sleep_state(uint16_t control, uint8_t type)
{
	uint16_t value = (uint16_t)(inw(control) & ~(PM1_TYP_MASK | PM1_EN));

	outw(control, value | PM1_TYP(type));
	outw(control, value | PM1_TYP(type) | PM1_EN);
}

int power_off(void)
{
	const struct acpi_header *dsdt = NULL;
	uint16_t a, b;
	uint8_t type[2];
	struct fadt fadt;

	hw_watchdog_stop();
	if (!fadt_find(&fadt))
		return -ENODEV;
	dsdt = acpi_table_at(fadt.x_dsdt ? fadt.x_dsdt : fadt.dsdt, "DSDT");
	a = fadt_port(fadt.pm1a_control, &fadt.x_pm1a_control);
	b = fadt_port(fadt.pm1b_control, &fadt.x_pm1b_control);
	if (!dsdt || !a || !find_s5(dsdt, type))
		return -ENODEV;
	enter_acpi_mode(&fadt, a);
	enter_sleep_state(a, type[0]);
	if (b)
		enter_sleep_state(b, type[1]);
	clock_spin_ns(SETTLE_NS);
	return -EIO;
}
