// SPDX-License-Identifier: BSD-2-Clause
/* test_tsc_rate.c - the TSC's frequency, by CPUID and by measuring. */
#include "arch/x86/portable/tsc_rate.h"

#include <string.h>

#include "tests/unit/test.h"

static struct pmu_caps cpu(uint16_t family, uint16_t model, uint8_t stepping)
{
	return (struct pmu_caps){
		.vendor = CPU_VENDOR_INTEL, .family = family, .model = model, .stepping = stepping};
}

/* A Core i7-6700: 3.4 GHz by its brand, 24 MHz times 284 / 2 by its crystal. */
static struct pmu_caps skylake(void)
{
	struct pmu_caps caps = cpu(6, 0x5e, 3);

	caps.tsc_numerator = 284;
	caps.tsc_denominator = 2;
	caps.base_mhz = 3400;
	return caps;
}

TEST(test_crystals)
{
	static const struct {
		uint16_t model;
		uint32_t khz;
	} rows[] = {{0x4e, 3408000}, {0x5e, 3408000}, {0x8e, 3408000}, {0x9e, 3408000},
		    {0xa5, 3408000}, {0x5f, 3550000}, {0x5c, 2726400}, {0x55, 3400000}};
	struct pmu_caps caps = skylake();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tsc_rate rate;

		caps.model = rows[i].model;
		rate = tsc_rate_by_cpuid(&caps);
		assert_int_equal(rate.khz, rows[i].khz);
		assert_false(rate.exact);
	}
	caps.crystal_hz = 25000000;
	assert_int_equal(tsc_rate_by_cpuid(&caps).khz, 3550000);
	assert_true(tsc_rate_by_cpuid(&caps).exact);
	caps.tsc_denominator = 0;
	assert_int_equal(tsc_rate_by_cpuid(&caps).khz, 0);
	caps = skylake();
	caps.vendor = CPU_VENDOR_AMD;
	assert_int_equal(tsc_rate_by_cpuid(&caps).khz, 3400000);
}

TEST(test_refined)
{
	struct pmu_caps caps = skylake();
	struct tsc_rate rate = tsc_rate_by_cpuid(&caps), got;

	/* CPUID and measuring agree: the crystal is more exact than measuring for 20 ms. */
	got = tsc_rate_refine(&rate, 3408100, "HPET");
	assert_int_equal(got.khz, 3408000);
	assert_string_equal(got.source, "CPUID leaf 0x15, crystal of 24 MHz by model");
	/* The clock below is another one. */
	got = tsc_rate_refine(&rate, 3420000, "HPET");
	assert_int_equal(got.khz, 3420000);
	assert_string_equal(got.source, "HPET");
	/* That was disturbed; there is nothing to measure by. */
	assert_int_equal(tsc_rate_refine(&rate, 3600000, "HPET").khz, 3408000);
	assert_int_equal(tsc_rate_refine(&rate, 0, NULL).khz, 3408000);
	/* A base frequency is rounded: the measured one holds. */
	caps.model = 0x55;
	rate = tsc_rate_by_cpuid(&caps);
	assert_string_equal(rate.source, "CPUID leaf 0x16");
	assert_int_equal(tsc_rate_refine(&rate, 3400100, "ACPI PM timer").khz, 3400100);
	assert_int_equal(tsc_rate_refine(&rate, 3500000, "ACPI PM timer").khz, 3400000);
	/* CPUID gives nothing: the reference clock gives all. */
	rate = (struct tsc_rate){0};
	assert_int_equal(tsc_rate_refine(&rate, 1000000, "HPET").khz, 1000000);
	assert_int_equal(tsc_rate_refine(&rate, 0, NULL).khz, 0);
	rate = (struct tsc_rate){.khz = 5, .exact = true, .source = "it"};
	assert_int_equal(tsc_rate_refine(&rate, 7, "HPET").khz, 5);
}
