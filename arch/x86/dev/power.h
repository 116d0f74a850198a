/* SPDX-License-Identifier: BSD-2-Clause */
/* power.h - resets, switches off or halts the machine, with the hardware's watchdog stopped. Any
 * context but NMI. */
#ifndef ARCH_X86_DEV_POWER_H
#define ARCH_X86_DEV_POWER_H

/* power_reset() - resets the machine by port 0xcf9, else by the keyboard controller, else by a
 * triple fault. */
_Noreturn void power_reset(void);

/*
 * power_off() - ACPI S5: PM1 control registers from the FADT, sleep type from the DSDT's \_S5_
 * package. Returns -ENODEV if the tables lack one of them, -EIO if the machine stayed on. Needs
 * acpi_init(). ACPI 6.5, "Transitioning from the Working to the Soft Off State".
 */
int power_off(void);

/* power_halt() - halts this CPU forever, interrupts off. */
_Noreturn void power_halt(void);

#endif
