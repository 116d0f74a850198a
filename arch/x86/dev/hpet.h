/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hpet.h - the HPET's main counter, as a ruler for the TSC. Its comparators are left alone, but for
 * those that firmware which lends the machine has for its clock: they do not interrupt while it has
 * not the machine. IA-PC HPET Specification, "Register Definitions". Task context, but for
 * hpet_read(): any.
 */
#ifndef ARCH_X86_DEV_HPET_H
#define ARCH_X86_DEV_HPET_H

#include <stdint.h>

/* hpet_init() - finds it by ACPI and lets the counter run. -ENODEV: none that is right. */
int hpet_init(void);

/* hpet_period_fs() - femtoseconds a tick (at most 100 ns by the specification); 0: no HPET. */
uint32_t hpet_period_fs(void);

/* hpet_read() - the low 32 bits of the counter, which every HPET has. */
uint32_t hpet_read(void);

/*
 * hpet_restart() - the counter stops, and goes on from where it was: its next tick is a whole one
 * away from now. What goes by this counter repeats only if its ticks lie the same way to the
 * instructions. Interrupts off.
 */
void hpet_restart(void);

/*
 * hpet_take() - comparators that interrupt do not any more, unless they send NMIs, which are no
 * clock's (a hypervisor's below us, or a watchdog's). hpet_give() - those do again; one that is not
 * periodic at once, for its time may have gone by. Interrupts off.
 */
void hpet_take(void);
void hpet_give(void);

#endif
