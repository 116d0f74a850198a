/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc.h - the one clock: nanoseconds by the TSC, without division, from any context.
 */
#ifndef ARCH_X86_TSC_H
#define ARCH_X86_TSC_H

#include "arch/x86/cpuid.h"

#include <stdint.h>

/*
 * tsc_init() - finds the TSC's frequency: CPUID leaf 0x15 (with leaf 0x16 where the crystal is not
 * told), else by measuring 20 ms of the HPET or the ACPI PM timer. The clock starts at 0 here.
 * Needs acpi_init() and hpet_init() to have been tried. -ENODEV: nothing to measure against; the
 * clock then takes 1 GHz for granted. Task context; SDM vol. 3, "Determining the Processor Base
 * Frequency".
 */
int tsc_init(const struct pmu_caps *caps);

/* tsc_source() - "CPUID leaf 0x15", "HPET", "ACPI PM timer", ...: never NULL. */
const char *tsc_source(void);

/* tsc_khz() - TSC ticks a millisecond, not 0. */
uint32_t tsc_khz(void);

/* clock_ns() - since tsc_init(). Never goes back. tsc_to_ns(), tsc_from_ns(): lengths of time. */
uint64_t clock_ns(void);
uint64_t tsc_to_ns(uint64_t ticks);
uint64_t tsc_from_ns(uint64_t ns);

/* clock_spin_ns() - busy for at least `ns`. */
void clock_spin_ns(uint64_t ns);

#endif
