/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * power.h - how the machine is reset, switched off or halted. Any context but NMI.
 */
#ifndef ARCH_X86_DEV_POWER_H
#define ARCH_X86_DEV_POWER_H

/* power_reset() - by port 0xcf9, then by the keyboard controller, then by a triple fault. */
_Noreturn void power_reset(void);

/*
 * power_off() - ACPI S5: PM1 control registers from the FADT, sleep type from the DSDT's \_S5_
 * package. Returns -ENODEV where the tables name no way, -EIO where the machine did not obey. Needs
 * acpi_init(). ACPI 6.5, "Transitioning from the Working to the Soft Off State".
 */
int power_off(void);

/* power_halt() - halts this CPU for good, interrupts off. */
_Noreturn void power_halt(void);

#endif
