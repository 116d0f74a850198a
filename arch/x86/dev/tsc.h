/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc.h - the one clock: nanoseconds by the TSC, without division, from any context.
 */
#ifndef ARCH_X86_DEV_TSC_H
#define ARCH_X86_DEV_TSC_H

#include "arch/x86/portable/cpuid.h"
#include "lib/percpu.h"

#include <stdint.h>

/*
 * tsc_init() - finds the TSC's frequency: CPUID leaf 0x15; where that does not tell the crystal, by
 * measuring 20 ms of the HPET or the ACPI PM timer, too (arch/x86/portable/tsc_rate.h). The clock
 * starts at 0 here.
 * Needs acpi_init() and hpet_init() to have been tried. -ENODEV: nothing to measure against; the
 * clock then takes 1 GHz for granted. Task context; SDM vol. 3, "Determining the Processor Base
 * Frequency".
 */
int tsc_init(const struct pmu_caps *caps);

/*
 * tsc_init_cpu() - on another CPU: `first` is the first CPU's struct tsc. tsc_set_offset() - this
 * CPU's TSC is `ticks` ahead of the first one's, so the clocks show the same time. Interrupts off.
 */
struct tsc;
void tsc_init_cpu(const struct tsc *first);
void tsc_set_offset(int64_t ticks);

/* tsc_source() - "CPUID leaf 0x15", "HPET", "ACPI PM timer", ...: never NULL. */
const char *tsc_source(void);

#define TSC_FRACTION_BITS 32

/* Written by tsc_init(), all of it not 0. The ratios have 32 bits of fraction. */
struct tsc {
	uint32_t khz;
	uint64_t ns_per_tick, ticks_per_ns;
	uint64_t start, base; /* where clock_ns() is `base` */
};
extern PERCPU struct tsc tsc;

/* tsc_khz() - TSC ticks a millisecond, not 0. */
static inline uint32_t tsc_khz(void)
{
	return tsc.khz;
}

/*
 * tsc_to_ns(), tsc_from_ns() - lengths of time, by one multiplication. The latter rounds up, and
 * takes everything above TSC_MOST_NS for that. Any context.
 */
#define TSC_MOST_NS (1ull << 60) /* 36 years: no deadline overflows */

static inline uint64_t tsc_to_ns(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * tsc.ns_per_tick >> TSC_FRACTION_BITS);
}

static inline uint64_t tsc_from_ns(uint64_t ns)
{
	if (ns > TSC_MOST_NS)
		ns = TSC_MOST_NS;
	return (uint64_t)((unsigned __int128)ns * tsc.ticks_per_ns >> TSC_FRACTION_BITS) + 1;
}

/*
 * tsc_conversion() - clock_ns() of a TSC, as struct perf_event_mmap_page has it: zero + tsc * mult
 * / 2^shift, modulo 2^64, to within a few ns.
 */
struct tsc_conversion {
	uint16_t shift;
	uint32_t mult;
	uint64_t zero;
};
struct tsc_conversion tsc_conversion(void);

/* clock_ns() - since tsc_init(). Never goes back. tsc_clock_ns() - when the TSC stood at `at`,
 * which was not before tsc_move(). Any context. */
uint64_t clock_ns(void);
uint64_t tsc_clock_ns(uint64_t at);

/*
 * clock_age() - TSC ticks since the clock of this CPU started. clock_restart(): it starts that many
 * ticks later; with the same number on each CPU the clocks go on showing the same time. Nothing may
 * hold a time of before. Interrupts off.
 */
uint64_t clock_age(void);
void clock_restart(uint64_t age);

/*
 * tsc_move() - sets the TSC of the only CPU to `to`, where the machine lets it be written (SDM vol.
 * 3, "Time-Stamp Counter"). clock_ns() goes on either way, from a full nanosecond. Returns the
 * ticks by which the TSC moved; callers add them to the TSC times that they keep. Interrupts off.
 */
int64_t tsc_move(uint64_t to);

/* clock_spin_ns() - waits for at least `ns` nanoseconds, in a loop. */
void clock_spin_ns(uint64_t ns);

#endif
