// SPDX-License-Identifier: BSD-2-Clause
/*
 * quirks.c - see quirks.h. Sources: Intel's specification updates, AMD's revision guides. Where a
 * vendor has published nothing, the row names the place in Linux that found it.
 */
#include "arch/x86/portable/quirks.h"

#define ANY_MODEL              0, UINT16_MAX
#define ANY_STEPPING           0, UINT8_MAX
#define ONE(n)                 n, n
#define FAMILY(n)              ONE(n)
#define FAMILIES(first, last)  first, last
#define MODELS(first, last)    first, last
#define STEPPINGS(first, last) first, last

#define AMD(quirk, families, models, steppings, erratum, document)                               \
	{                                                                                        \
		QUIRK_##quirk, CPU_VENDOR_AMD, families, models, steppings, 0, erratum, document \
	}
/* Family 6. */
#define INTEL(quirk, model, steppings, mended_by, erratum, document)                          \
	{                                                                                     \
		QUIRK_##quirk, CPU_VENDOR_INTEL, FAMILY(6), ONE(model), steppings, mended_by, \
			erratum, document                                                     \
	}

#define GUIDE(family)  "Revision Guide for AMD Family " family " Processors"
#define UPDATE(name)   name " Specification Update"
#define LINUX(file, f) "Linux, arch/x86/" file ", " f "()"
#define NO_NUMBER      "not published"

#define RESET_BY_LINUX LINUX("events/intel/core.c", "intel_pmu_nhm_workaround")
#define PEBS_BY_LINUX  LINUX("events/intel/core.c", "intel_snb_pebs_broken")
#define DEADLINE(model, steppings, mended_by)                                                      \
	{                                                                                          \
		QUIRK_TSC_DEADLINE, CPU_VENDOR_INTEL, FAMILY(6), ONE(model), steppings, mended_by, \
			"Writing the IA32_TSC_DEADLINE MSR",                                       \
			LINUX("kernel/apic/apic.c", "apic_validate_deadline_timer")                \
	}

/* The first row that fits holds. */
static const struct quirk_row rows[] = {
	AMD(IBS_FETCH_RESTART, FAMILIES(0x16, 0x18), ANY_MODEL, ANY_STEPPING, NO_NUMBER,
	    LINUX("events/amd/ibs.c", "perf_ibs_enable_event")),
	AMD(IBS_CLEAR_MAXIMUM, FAMILY(0x10), ANY_MODEL, ANY_STEPPING, "420", GUIDE("10h")),
	AMD(IBS_FETCH_AT_ZERO, FAMILY(0x19), MODELS(0x00, 0x0f), ANY_STEPPING, "1197",
	    GUIDE("19h Models 00h-0Fh")),
	AMD(IBS_FALSE_L2, FAMILY(0x19), MODELS(0x00, 0x0f), ANY_STEPPING, "1293",
	    GUIDE("19h Models 00h-0Fh")),
	AMD(IBS_SLOW_L3_ONLY, FAMILY(0x1a), ANY_MODEL, ANY_STEPPING, "1606", GUIDE("1Ah")),
	AMD(LBR_ERRONEOUS, FAMILIES(0x19, 0x1a), ANY_MODEL, ANY_STEPPING, "1452",
	    GUIDE("19h Models 10h-1Fh")),
	AMD(IRPERF_WRONG, FAMILY(0x17), MODELS(0x00, 0x2f), ANY_STEPPING, "1054", GUIDE("17h")),
	AMD(C1E_STOPS_APIC, FAMILY(0x0f), MODELS(0x41, 0xff), STEPPINGS(2, 0xff), "400",
	    GUIDE("0Fh")),
	AMD(C1E_STOPS_APIC, FAMILY(0x10), MODELS(0x02, 0xff), STEPPINGS(1, 0xff), "400",
	    GUIDE("10h")),
	AMD(C1E_STOPS_APIC, FAMILY(0x11), ANY_MODEL, ANY_STEPPING, NO_NUMBER,
	    "BKDG for AMD Family 11h Processors, MSRC001_0055"),

	INTEL(COUNTERS_RESET, 0x1a, ANY_STEPPING, 0, "AAK100", UPDATE("Intel Xeon 5500")),
	INTEL(COUNTERS_RESET, 0x1e, ANY_STEPPING, 0, "AAP53",
	      UPDATE("Intel Core i7-800 and i5-700")),
	INTEL(COUNTERS_RESET, 0x2c, ANY_STEPPING, 0, "BD53", UPDATE("Intel Xeon 5600")),
	INTEL(COUNTERS_RESET, 0x2e, ANY_STEPPING, 0, NO_NUMBER, RESET_BY_LINUX),
	INTEL(COUNTERS_RESET, 0x25, ANY_STEPPING, 0, NO_NUMBER, RESET_BY_LINUX),
	INTEL(COUNTERS_RESET, 0x2f, ANY_STEPPING, 0, NO_NUMBER, RESET_BY_LINUX),

	INTEL(PEBS_BROKEN, 0x0f, ANY_STEPPING, 0, "AJ67, AJ68, AJ69, AJ106",
	      UPDATE("Intel Xeon 5300")),
	INTEL(PEBS_BROKEN, 0x2a, ONE(7), 0x28, "PEBS before microcode 28H", PEBS_BY_LINUX),
	INTEL(PEBS_BROKEN, 0x2a, ANY_STEPPING, 0, "PEBS of early steppings", PEBS_BY_LINUX),
	INTEL(PEBS_BROKEN, 0x2d, ONE(6), 0x618, "PEBS before microcode 618H", PEBS_BY_LINUX),
	INTEL(PEBS_BROKEN, 0x2d, ONE(7), 0x70c, "PEBS before microcode 70CH", PEBS_BY_LINUX),
	INTEL(PEBS_BROKEN, 0x2d, ANY_STEPPING, 0, "PEBS of early steppings", PEBS_BY_LINUX),
	INTEL(LBR_BROKEN, 0x1c, STEPPINGS(0, 9), 0, "LBR of early steppings",
	      LINUX("events/intel/lbr.c", "intel_pmu_lbr_init_atom")),

	DEADLINE(0x3f, ONE(2), 0x3a),
	DEADLINE(0x3f, ONE(4), 0x0f),
	DEADLINE(0x4f, ANY_STEPPING, 0x0b000020),
	DEADLINE(0x56, ONE(2), 0x00000011),
	DEADLINE(0x56, ONE(3), 0x0700000e),
	DEADLINE(0x56, ONE(4), 0x0f00000c),
	DEADLINE(0x56, ONE(5), 0x0e000003),
	DEADLINE(0x55, ONE(3), 0x01000136),
	DEADLINE(0x55, ONE(4), 0x02000014),
	DEADLINE(0x3c, ANY_STEPPING, 0x22),
	DEADLINE(0x45, ANY_STEPPING, 0x20),
	DEADLINE(0x46, ANY_STEPPING, 0x17),
	DEADLINE(0x3d, ANY_STEPPING, 0x25),
	DEADLINE(0x47, ANY_STEPPING, 0x17),
	DEADLINE(0x4e, ANY_STEPPING, 0xb2),
	DEADLINE(0x5e, ANY_STEPPING, 0xb2),
	DEADLINE(0x8e, ANY_STEPPING, 0x52),
	DEADLINE(0x9e, ANY_STEPPING, 0x52),
};

static const char *const names[QUIRKS] = {
	[QUIRK_IBS_FETCH_RESTART] = "ibs-fetch-restart",
	[QUIRK_IBS_CLEAR_MAXIMUM] = "ibs-clear-maximum",
	[QUIRK_IBS_FETCH_AT_ZERO] = "ibs-fetch-at-zero",
	[QUIRK_IBS_FALSE_L2] = "ibs-false-l2",
	[QUIRK_IBS_SLOW_L3_ONLY] = "ibs-slow-l3-only",
	[QUIRK_LBR_ERRONEOUS] = "lbr-erroneous",
	[QUIRK_LBR_BROKEN] = "lbr-broken",
	[QUIRK_COUNTERS_RESET] = "counters-reset",
	[QUIRK_PEBS_BROKEN] = "pebs-broken",
	[QUIRK_IRPERF_WRONG] = "irperf-wrong",
	[QUIRK_TSC_DEADLINE] = "tsc-deadline",
	[QUIRK_C1E_STOPS_APIC] = "c1e-stops-apic",
};

const char *quirk_name(enum quirk quirk)
{
	return names[quirk];
}

const struct quirk_row *quirk_rows(size_t *n)
{
	*n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

static bool is_within(unsigned n, unsigned first, unsigned last)
{
	return n >= first && n <= last;
}

static bool row_fits(const struct quirk_row *row, const struct pmu_caps *caps)
{
	return row->vendor == caps->vendor &&
	       is_within(caps->family, row->family_first, row->family_last) &&
	       is_within(caps->model, row->model_first, row->model_last) &&
	       is_within(caps->stepping, row->stepping_first, row->stepping_last);
}

const struct quirk_row *quirk_row_of(const struct pmu_caps *caps, enum quirk quirk)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].quirk == quirk && row_fits(&rows[i], caps))
			return &rows[i];
	return NULL;
}

/* A hypervisor reports a microcode revision of its own. */
static bool is_mended(const struct quirk_row *row, const struct pmu_caps *caps)
{
	return row->mended_by && (caps->hypervisor || caps->microcode >= row->mended_by);
}

uint32_t quirks_find(const struct pmu_caps *caps)
{
	uint32_t found = 0;

	for (unsigned quirk = 0; quirk < QUIRKS; quirk++) {
		const struct quirk_row *row = quirk_row_of(caps, quirk);

		if (row && !is_mended(row, caps))
			found |= 1u << quirk;
	}
	return found;
}
