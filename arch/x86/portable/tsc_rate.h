/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc_rate.h - the TSC's rate, by CPUID and by measurement. SDM vol. 3, "Determining the Processor
 * Base Frequency". Pure; any context.
 */
#ifndef ARCH_X86_PORTABLE_TSC_RATE_H
#define ARCH_X86_PORTABLE_TSC_RATE_H

#include "arch/x86/portable/cpuid.h"

#include <stdbool.h>
#include <stdint.h>

struct tsc_rate {
	uint32_t khz;       /* 0: not known */
	bool exact;         /* CPUID reports the exact rate, so that no measurement is needed */
	const char *source; /* NULL: not known */
};

/*
 * tsc_rate_by_cpuid() - crystal times ratio (leaf 0x15). If the crystal is not reported: the
 * crystal of the CPU's model, else the base frequency (leaf 0x16), which is rounded.
 */
struct tsc_rate tsc_rate_by_cpuid(const struct pmu_caps *caps);

/*
 * tsc_rate_refine() - combines `rate` with the rate that `reference` measured (0: no measurement).
 * A rate by the model's crystal stays if both agree to TSC_RATE_AGREE millionths. Otherwise the
 * measured rate replaces it, unless it is more than a hundredth off: then the measurement was
 * disturbed and is dropped.
 */
#define TSC_RATE_AGREE 200
struct tsc_rate tsc_rate_refine(const struct tsc_rate *rate, uint32_t measured_khz,
				const char *reference);

#endif
