// SPDX-License-Identifier: BSD-2-Clause
/* tsc_rate.c - see tsc_rate.h. */
#include "arch/x86/portable/tsc_rate.h"

#include <stddef.h>

#define MILLION      1000000u
#define INTEL_FAMILY 6

/* Crystals of models whose CPUID does not report them: SDM vol. 3, "Determining the Processor Base
 * Frequency", and Linux. */
#define MHZ_24   24000, "CPUID leaf 0x15, crystal of 24 MHz by model"
#define MHZ_25   25000, "CPUID leaf 0x15, crystal of 25 MHz by model"
#define MHZ_19_2 19200, "CPUID leaf 0x15, crystal of 19.2 MHz by model"

static const struct {
	uint8_t model;
	uint16_t khz;
	const char *source;
} crystals[] = {
	{0x4e, MHZ_24},   {0x5e, MHZ_24}, /* Skylake */
	{0x8e, MHZ_24},   {0x9e, MHZ_24}, /* Kaby Lake, Coffee Lake */
	{0xa5, MHZ_24},   {0xa6, MHZ_24}, /* Comet Lake */
	{0x66, MHZ_24},                   /* Cannon Lake */
	{0x5f, MHZ_25},                   /* Denverton */
	{0x5c, MHZ_19_2},                 /* Goldmont */
};

static struct tsc_rate by_crystal(const struct pmu_caps *caps, uint64_t hz, const char *source)
{
	const uint64_t khz = hz * caps->tsc_numerator / caps->tsc_denominator / 1000;

	return (struct tsc_rate){.khz = (uint32_t)khz, .source = source};
}

struct tsc_rate tsc_rate_by_cpuid(const struct pmu_caps *caps)
{
	struct tsc_rate rate = {0};

	if (!caps->tsc_denominator || !caps->tsc_numerator)
		return rate;
	if (caps->crystal_hz) {
		rate = by_crystal(caps, caps->crystal_hz, "CPUID leaf 0x15");
		rate.exact = true;
		return rate;
	}
	for (size_t i = 0; i < sizeof(crystals) / sizeof(crystals[0]); i++)
		if (caps->vendor == CPU_VENDOR_INTEL && caps->family == INTEL_FAMILY &&
		    caps->model == crystals[i].model)
			return by_crystal(caps, crystals[i].khz * 1000ull, crystals[i].source);
	if (caps->base_mhz)
		rate = (struct tsc_rate){.khz = caps->base_mhz * 1000u,
					 .source = "CPUID leaf 0x16"};
	return rate;
}

/* The difference of both, in millionths of the first. */
static uint64_t apart(uint32_t khz, uint32_t other)
{
	const uint64_t difference = khz > other ? khz - other : other - khz;

	return difference * MILLION / khz;
}

static bool is_by_model(const struct tsc_rate *rate)
{
	for (size_t i = 0; i < sizeof(crystals) / sizeof(crystals[0]); i++)
		if (rate->source == crystals[i].source)
			return true;
	return false;
}

struct tsc_rate tsc_rate_refine(const struct tsc_rate *rate, uint32_t measured_khz,
				const char *reference)
{
	if (rate->exact || !measured_khz)
		return *rate;
	if (rate->khz && (apart(rate->khz, measured_khz) > MILLION / 100 ||
			  (is_by_model(rate) && apart(rate->khz, measured_khz) <= TSC_RATE_AGREE)))
		return *rate;
	return (struct tsc_rate){.khz = measured_khz, .source = reference};
}
