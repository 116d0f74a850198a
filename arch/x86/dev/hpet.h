/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hpet.h - the HPET's main counter, as a reference for the TSC. Its comparators are not used. Where
 * firmware lends the machine, its comparators do not interrupt while the machine is lent.
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
 * hpet_restart() - stops the counter and starts it again at the same value, so that the next tick
 * is a whole period away. Times by this counter repeat only if its ticks are aligned to the
 * instructions in the same way. Interrupts off.
 */
void hpet_restart(void);

/*
 * hpet_take() - disables the interrupts of all comparators except those that send NMIs: these
 * belong to a hypervisor below or to a watchdog. hpet_give() - enables them again. A comparator
 * that is not periodic interrupts 1 ms later, because its time may have passed. Interrupts off.
 */
void hpet_take(void);
void hpet_give(void);

#endif
