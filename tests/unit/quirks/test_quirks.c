// SPDX-License-Identifier: BSD-2-Clause
/* test_quirks.c - which CPUs have which quirks: by family, model, stepping and microcode. */
#include "arch/x86/portable/quirks.h"

#include <string.h>

#include "tests/unit/test.h"

static struct pmu_caps cpu_with(enum cpu_vendor vendor, uint16_t family, uint16_t model,
				uint8_t stepping, uint32_t microcode)
{
	struct pmu_caps caps = {.vendor = vendor,
				.family = family,
				.model = model,
				.stepping = stepping,
				.microcode = microcode};

	caps.quirks = quirks_find(&caps);
	return caps;
}

#define ASSERT_QUIRKS(caps_, expected) assert_int_equal((caps_).quirks, expected)
#define BIT(name)                      (1u << QUIRK_##name)

TEST(test_by_model)
{
	static const struct {
		enum cpu_vendor vendor;
		uint16_t family, model;
		uint8_t stepping;
		uint32_t quirks;
	} rows[] = {
		{CPU_VENDOR_AMD, 0x0f, 0x40, 2, 0},
		{CPU_VENDOR_AMD, 0x0f, 0x41, 1, 0},
		{CPU_VENDOR_AMD, 0x0f, 0x41, 2, BIT(C1E_STOPS_APIC)},
		{CPU_VENDOR_AMD, 0x10, 4, 3, BIT(C1E_STOPS_APIC) | BIT(IBS_CLEAR_MAXIMUM)},
		{CPU_VENDOR_AMD, 0x15, 1, 2, 0},
		{CPU_VENDOR_AMD, 0x16, 0, 1, BIT(IBS_FETCH_RESTART)},
		{CPU_VENDOR_AMD, 0x17, 0x01, 1, BIT(IBS_FETCH_RESTART) | BIT(IRPERF_WRONG)},
		{CPU_VENDOR_AMD, 0x17, 0x31, 0, BIT(IBS_FETCH_RESTART)},
		{CPU_VENDOR_AMD, 0x19, 0x01, 1,
		 BIT(IBS_FETCH_AT_ZERO) | BIT(IBS_FALSE_L2) | BIT(LBR_ERRONEOUS)},
		{CPU_VENDOR_AMD, 0x19, 0x11, 1, BIT(LBR_ERRONEOUS)},
		{CPU_VENDOR_AMD, 0x1a, 0x02, 1, BIT(LBR_ERRONEOUS) | BIT(IBS_SLOW_L3_ONLY)},
		{CPU_VENDOR_INTEL, 6, 0x0f, 6, BIT(PEBS_BROKEN)},
		{CPU_VENDOR_INTEL, 6, 0x1a, 5, BIT(COUNTERS_RESET)},
		{CPU_VENDOR_INTEL, 6, 0x2f, 2, BIT(COUNTERS_RESET)},
		{CPU_VENDOR_INTEL, 6, 0x1c, 9, BIT(LBR_BROKEN)},
		{CPU_VENDOR_INTEL, 6, 0x1c, 10, 0},
		{CPU_VENDOR_INTEL, 6, 0x8f, 8, 0},
		{CPU_VENDOR_INTEL, 15, 0x1a, 5, 0},
		{CPU_VENDOR_OTHER, 6, 0x1a, 5, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ASSERT_QUIRKS(cpu_with(rows[i].vendor, rows[i].family, rows[i].model,
				       rows[i].stepping, UINT32_MAX),
			      rows[i].quirks);
}

/* The microcode from which on a CPU is mended; 0: it has no such quirk. */
TEST(test_by_microcode)
{
	static const struct {
		enum quirk quirk;
		uint16_t model;
		uint8_t stepping;
		uint32_t mended_by;
	} rows[] = {
		{QUIRK_PEBS_BROKEN, 0x2a, 7, 0x28},
		{QUIRK_PEBS_BROKEN, 0x2d, 6, 0x618},
		{QUIRK_PEBS_BROKEN, 0x2d, 7, 0x70c},
		{QUIRK_PEBS_BROKEN, 0x3a, 9, 0},
		{QUIRK_TSC_DEADLINE, 0x3f, 2, 0x3a},
		{QUIRK_TSC_DEADLINE, 0x3f, 4, 0x0f},
		{QUIRK_TSC_DEADLINE, 0x3f, 3, 0},
		{QUIRK_TSC_DEADLINE, 0x4f, 1, 0x0b000020},
		{QUIRK_TSC_DEADLINE, 0x56, 3, 0x0700000e},
		{QUIRK_TSC_DEADLINE, 0x55, 4, 0x02000014},
		{QUIRK_TSC_DEADLINE, 0x55, 7, 0},
		{QUIRK_TSC_DEADLINE, 0x3c, 3, 0x22},
		{QUIRK_TSC_DEADLINE, 0x5e, 3, 0xb2},
		{QUIRK_TSC_DEADLINE, 0x9e, 9, 0x52},
		{QUIRK_TSC_DEADLINE, 0x7e, 5, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t mended_by = rows[i].mended_by;
		struct pmu_caps caps =
			cpu_with(CPU_VENDOR_INTEL, 6, rows[i].model, rows[i].stepping, 0);

		assert_int_equal(has_quirk(&caps, rows[i].quirk), !!mended_by);
		if (!mended_by)
			continue;
		assert_int_equal(quirk_row_of(&caps, rows[i].quirk)->mended_by, mended_by);
		caps.microcode = mended_by - 1;
		assert_true(quirks_find(&caps) >> rows[i].quirk & 1);
		caps.microcode = mended_by;
		assert_false(quirks_find(&caps) >> rows[i].quirk & 1);
		caps.microcode = 0;
		caps.hypervisor = true;
		assert_false(quirks_find(&caps) >> rows[i].quirk & 1);
	}
}

/* No microcode mends the first Sandy Bridges; a hypervisor does not, either. */
TEST(test_never_mended)
{
	struct pmu_caps caps = cpu_with(CPU_VENDOR_INTEL, 6, 0x2a, 6, UINT32_MAX);

	caps.hypervisor = true;
	ASSERT_QUIRKS(caps, BIT(PEBS_BROKEN));
	assert_int_equal(quirks_find(&caps), BIT(PEBS_BROKEN));
}

TEST(test_rows)
{
	size_t n;
	const struct quirk_row *rows = quirk_rows(&n);
	uint32_t seen = 0;

	for (size_t i = 0; i < n; i++) {
		seen |= 1u << rows[i].quirk;
		assert_true(rows[i].family_first <= rows[i].family_last);
		assert_true(rows[i].model_first <= rows[i].model_last);
		assert_true(rows[i].erratum && *rows[i].erratum && *rows[i].document);
	}
	assert_int_equal(seen, (1u << QUIRKS) - 1);
	for (unsigned quirk = 0; quirk < QUIRKS; quirk++)
		assert_true(quirk_name(quirk)[0]);
}
