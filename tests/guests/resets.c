// SPDX-License-Identifier: BSD-2-Clause
/*
 * resets.c - the ways to reset a machine, one at each boot, while a counter is about to overflow.
 * After each reset the firmware boots this program again. CMOS memory has the number of the boot.
 * In the end the machine is switched off.
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define CMOS_INDEX 0x70
#define CMOS_DATA  0x71
#define CMOS_MARK  0x7e /* nothing of the firmware's */
#define CMOS_BOOTS 0x7f
#define MARK       0xa5

#define RESET_CONTROL 0xcf9
#define KEYBOARD      0x64
#define KEYBOARD_FULL 2
#define PULSE_RESET   0xfe
#define SYSTEM_PORT   0x92 /* "fast" reset */

#define FAR_AWAY 100000000u /* instructions */

static uint8_t cmos_read(uint8_t at)
{
	outb(CMOS_INDEX, at);
	return inb(CMOS_DATA);
}

static void cmos_write(uint8_t at, uint8_t value)
{
	outb(CMOS_INDEX, at);
	outb(CMOS_DATA, value);
}

static unsigned next_boot(void)
{
	const uint8_t boot = cmos_read(CMOS_MARK) == MARK ? cmos_read(CMOS_BOOTS) : 0;

	cmos_write(CMOS_MARK, MARK);
	cmos_write(CMOS_BOOTS, (uint8_t)(boot + 1));
	return boot;
}

static void by_reset_control(void)
{
	outb(RESET_CONTROL, 2);
	outb(RESET_CONTROL, 6);
}

static void by_power_cycle(void)
{
	outb(RESET_CONTROL, 0xa);
	outb(RESET_CONTROL, 0xe);
}

static void by_keyboard(void)
{
	while (inb(KEYBOARD) & KEYBOARD_FULL)
		cpu_pause();
	outb(KEYBOARD, PULSE_RESET);
}

static void by_system_port(void)
{
	outb(SYSTEM_PORT, inb(SYSTEM_PORT) | 1);
}

/* No exception has a handler, nor has that of the exception. */
static void by_triple_fault(void)
{
	const struct insn_table none = {0, 0};

	insn_lidt(&none);
	__asm__ volatile("ud2");
}

static void by_init(void)
{
	guest_apic_write(APIC_ICR_HIGH, guest_apic_read(APIC_ID));
	guest_apic_write(APIC_ICR, APIC_ICR_INIT | APIC_ICR_ASSERT);
}

static const struct {
	const char *name;
	void (*reset)(void);
} ways[] = {
	{"port 0xcf9", by_reset_control},
	{"port 0xcf9, with the power", by_power_cycle},
	{"the keyboard's controller", by_keyboard},
	{"port 0x92", by_system_port},
	{"the firmware", guest_firmware_reset},
	{"a triple fault", by_triple_fault},
	{"INIT", by_init},
};

#define WAYS       (sizeof(ways) / sizeof(*ways))
#define OF_THE_CPU 2 /* of them, the last ones */

static void reset_from(unsigned first)
{
	const unsigned boot = first + next_boot();

	guest_print("PMU: branches %u", guest_count_branches(1000));
	if (boot >= WAYS) {
		guest_print("guest: all ways are gone");
		guest_power_off();
		return;
	}
	guest_print("guest: boot %u ends by %s", boot, ways[boot].name);
	irq_disable();
	guest_count_once(FAR_AWAY);
	ways[boot].reset();
	for (;;)
		cpu_halt();
}

void guest_resets(void)
{
	reset_from(0);
}

void guest_cpu_resets(void)
{
	reset_from(WAYS - OF_THE_CPU);
}
