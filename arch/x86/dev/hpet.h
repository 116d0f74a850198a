/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hpet.h - the HPET's main counter, as a reference for the TSC. Its comparators are not used. Those
 * of firmware that lends the machine do not interrupt while the firmware does not have the machine.
 * IA-PC HPET Specification, "Register Definitions". Task context, but for hpet_read(): any.
 */
#ifndef ARCH_X86_DEV_HPET_H
#define ARCH_X86_DEV_HPET_H

#include <stdint.h>

/* hpet_init() - finds the HPET by ACPI and lets the counter run. -ENODEV: there is no valid one. */
int hpet_init(void);

/* hpet_period_fs() - femtoseconds a tick (at most 100 ns by the specification); 0: no HPET. */
uint32_t hpet_period_fs(void);

/* hpet_read() - the low 32 bits of the counter, which every HPET has. */
uint32_t hpet_read(void);

/*
 * hpet_restart() - stops the counter and lets it go on from its value: its next tick is a whole one
 * away from now. Times by this counter repeat only if its ticks are aligned to the instructions in
 * the same way. Interrupts off.
 */
void hpet_restart(void);

/*
 * hpet_take() - silences the comparators that interrupt, unless they send NMIs, which belong to no
 * clock (but to a hypervisor below, or a watchdog). hpet_give() - enables them again; a comparator
 * that is not periodic interrupts at once, for its time may have passed. Interrupts off.
 */
void hpet_take(void);
void hpet_give(void);

#endif
