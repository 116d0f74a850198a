// SPDX-License-Identifier: BSD-2-Clause
/*
 * deadline.c - see deadline.h. Intel's specification updates, "Writing the IA32_TSC_DEADLINE MSR
 * may not disarm" and the like; the revisions agree with those of Linux.
 */
#include "arch/x86/portable/deadline.h"

#include <stddef.h>

#define INTEL_FAMILY 6
#define ANY          0xff

static const struct {
	uint8_t model, stepping;
	uint32_t microcode;
} rows[] = {
	{0x3f, 0x2, 0x3a},       {0x3f, 0x4, 0x0f},       /* Haswell-EP, -EX */
	{0x4f, ANY, 0x0b000020},                          /* Broadwell-EP */
	{0x56, 0x2, 0x00000011}, {0x56, 0x3, 0x0700000e}, /* Broadwell-DE */
	{0x56, 0x4, 0x0f00000c}, {0x56, 0x5, 0x0e000003}, {0x55, 0x3, 0x01000136},
	{0x55, 0x4, 0x02000014},                                             /* Skylake-SP */
	{0x3c, ANY, 0x22},       {0x45, ANY, 0x20},                          /* Haswell */
	{0x46, ANY, 0x17},       {0x3d, ANY, 0x25},       {0x47, ANY, 0x17}, /* Broadwell */
	{0x4e, ANY, 0xb2},       {0x5e, ANY, 0xb2},                          /* Skylake */
	{0x8e, ANY, 0x52},       {0x9e, ANY, 0x52},                          /* Kaby Lake */
};

uint32_t deadline_microcode(const struct pmu_caps *caps)
{
	if (caps->vendor != CPU_VENDOR_INTEL || caps->family != INTEL_FAMILY)
		return 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].model == caps->model &&
		    (rows[i].stepping == ANY || rows[i].stepping == caps->stepping))
			return rows[i].microcode;
	return 0;
}
