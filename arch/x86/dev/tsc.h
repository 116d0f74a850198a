/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc.h - the clock of the runtime: nanoseconds by the TSC, without division, from any context.
 */
#ifndef ARCH_X86_DEV_TSC_H
#define ARCH_X86_DEV_TSC_H

#include "arch/x86/portable/cpuid.h"
#include "lib/percpu.h"

#include <stdint.h>

/*
 * tsc_init() - finds the TSC's frequency: by CPUID leaf 0x15; if the leaf lacks the crystal's
 * frequency, also by measuring 20 ms of the HPET or the ACPI PM timer
 * (arch/x86/portable/tsc_rate.h). The clock starts at 0. Call acpi_init() and hpet_init() before,
 * even if they fail. -ENODEV: there is no reference; the clock then assumes 1 GHz. Task context;
 * SDM vol. 3, "Determining the Processor Base Frequency".
 */
int tsc_init(const struct pmu_caps *caps);

/*
 * tsc_init_cpu() - starts the clock of another CPU, on that CPU: `first` is the first CPU's struct
 * tsc. tsc_set_offset() - corrects this CPU's clock for a TSC that is `ticks` ahead of the first
 * CPU's. Interrupts off.
 */
struct tsc;
void tsc_init_cpu(const struct tsc *first);
void tsc_set_offset(int64_t ticks);

/* tsc_source() - "CPUID leaf 0x15", "HPET", "ACPI PM timer", ...: never NULL. */
const char *tsc_source(void);

#define TSC_FRACTION_BITS 32

/* Written by tsc_init(); `khz` and the ratios are never 0 then. The ratios have 32 bits of
 * fraction. */
struct tsc {
	uint32_t khz;
	uint64_t ns_per_tick, ticks_per_ns;
	uint64_t start, base; /* the TSC at which clock_ns() is `base` */
};
extern PERCPU struct tsc tsc;

/* tsc_khz() - TSC ticks per millisecond, not 0. */
static inline uint32_t tsc_khz(void)
{
	return tsc.khz;
}

/*
 * tsc_to_ns(), tsc_from_ns() - convert durations by one multiplication. tsc_from_ns() rounds up,
 * and limits `ns` to TSC_MOST_NS. Any context.
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
 * tsc_conversion() - the conversion from TSC to clock_ns(), in the form of struct
 * perf_event_mmap_page: zero + tsc * mult / 2^shift, modulo 2^64, to within a few ns.
 */
struct tsc_conversion {
	uint16_t shift;
	uint32_t mult;
	uint64_t zero;
};
struct tsc_conversion tsc_conversion(void);

/* clock_ns() - nanoseconds since tsc_init(); monotonic. tsc_clock_ns() - clock_ns() at the time
 * when the TSC was `at`, not earlier than the last tsc_move(). Any context. */
uint64_t clock_ns(void);
uint64_t tsc_clock_ns(uint64_t at);

/*
 * clock_age() - TSC ticks since the clock of this CPU started. clock_restart(): moves that start
 * `age` ticks later. With the same number on each CPU the clocks stay synchronized. Nothing may
 * keep a time from before the call. Interrupts off.
 */
uint64_t clock_age(void);
void clock_restart(uint64_t age);

/*
 * tsc_move() - sets this CPU's TSC to `to`, if the machine allows it (SDM vol. 3, "Time-Stamp
 * Counter"). Only one CPU may run. clock_ns() continues in any case, from a full nanosecond.
 * Returns the ticks by which the TSC has moved, to be added to saved TSC values. Interrupts off.
 */
int64_t tsc_move(uint64_t to);

/* clock_spin_ns() - spins for at least `ns`. */
void clock_spin_ns(uint64_t ns);

#endif
