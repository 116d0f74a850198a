/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc_rate.h - how fast the TSC is by what CPUID says, and by what was measured. SDM vol. 3,
 * "Determining the Processor Base Frequency". Pure; any context.
 */
#ifndef ARCH_X86_PORTABLE_TSC_RATE_H
#define ARCH_X86_PORTABLE_TSC_RATE_H

#include "arch/x86/portable/cpuid.h"

#include <stdbool.h>
#include <stdint.h>

struct tsc_rate {
	uint32_t khz;       /* 0: not known */
	bool exact;         /* CPUID tells all of it: nothing is gained by measuring */
	const char *source; /* NULL: not known */
};

/*
 * tsc_rate_by_cpuid() - crystal times ratio (leaf 0x15). Where the crystal is not told: the one
 * that all CPUs of the model have; else the base frequency (leaf 0x16), which is rounded.
 */
struct tsc_rate tsc_rate_by_cpuid(const struct pmu_caps *caps);

/*
 * tsc_rate_refine() - `rate`, and what `reference` measured, 0: nothing. A crystal by the model
 * stays where both agree to TSC_RATE_AGREE parts in a million. Else what was measured holds, unless
 * it is more than a hundredth off: then the measurement was disturbed, and is not believed.
 */
#define TSC_RATE_AGREE 200
struct tsc_rate tsc_rate_refine(const struct tsc_rate *rate, uint32_t measured_khz,
				const char *reference);

#endif
