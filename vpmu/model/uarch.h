/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch.h - what the rows of personalities are written with; the files of the rows are
 * uarch_large.c (Intel's large cores), uarch_small.c (its small ones, and hybrids) and uarch_amd.c.
 */
#ifndef VPMU_MODEL_UARCH_H
#define VPMU_MODEL_UARCH_H

#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

/* Which one it is. */
#define IDENTITY(id)                    .name = #id, .vendor = (enum vpmu_vendor)VPMU_VENDOR_##id
#define VPMU_VENDOR_OF(id, vendor, pfm) VPMU_VENDOR_##id = VPMU_##vendor,
enum { VPMU_PERSONALITIES(VPMU_VENDOR_OF) };
#undef VPMU_VENDOR_OF

#define PERSONALITY(id) const struct vpmu_uarch vpmu_uarch_##id

#define PEBS_RECORDS(format) (PERF_CAP_PEBS_IS(format) | PERF_CAP_PEBS_TRAP | PERF_CAP_PEBS_REGS)
#define ADAPTIVE_RECORDS(f)  (PEBS_RECORDS(f) | PERF_CAP_PEBS_BASELINE)
#define BASELINE             ADAPTIVE_RECORDS(4)
#define FULL_WRITES          (PERF_CAP_FREEZE_SMM | PERF_CAP_FW_WRITE)

/* Fixed counters, and architectural events, by their numbers: the first seven, and slots. */
#define FIXED_3  0x07
#define FIXED_4  0x0f
#define EVENTS_7 0x7f
#define EVENTS_8 0xff

/* Architectural perfmon, as all of Intel's have it. */
#define ARCHITECTURAL(v, off, on)                                               \
	.version = (v), .gp = {off, on}, .fixed = FIXED_3, .lvtpc_masks = true, \
	.arch_events = EVENTS_7

/* Events, by their file's name. */
#define EVENTS_OF(file) .events = &vpmu_table_##file

/* CPUID leaf 2: by the TLBs of the geometry; caches by leaf 4, TLBs by leaf 18H or not at all. */
#define DESCRIPTORS(a, b, d) .descriptors = {.eax = (a), .ebx = (b), .edx = (d)}
#define BY_LEAVES            DESCRIPTORS(0x00feff01, 0x000000f0, 0)

/* Registers of the platform. */
#define CLIENT \
	(VPMU_INTEL_MSRS | VPMU_RAPL | VPMU_RAPL_CORES | VPMU_RAPL_GRAPHICS | VPMU_RAPL_MEMORY)
#define SERVER (VPMU_INTEL_MSRS | VPMU_RAPL | VPMU_RAPL_MEMORY_SERVER)
#define HWP    (VPMU_HWP | VPMU_PPERF)

#define VPMU_DECLARE_TABLE(file) extern const struct vpmu_event_table vpmu_table_##file;
VPMU_DECLARE_TABLE(nehalemep)
VPMU_DECLARE_TABLE(nehalemex)
VPMU_DECLARE_TABLE(westmereep_dp)
VPMU_DECLARE_TABLE(westmereex)
VPMU_DECLARE_TABLE(sandybridge)
VPMU_DECLARE_TABLE(jaketown)
VPMU_DECLARE_TABLE(ivybridge)
VPMU_DECLARE_TABLE(ivytown)
VPMU_DECLARE_TABLE(haswell)
VPMU_DECLARE_TABLE(haswellx)
VPMU_DECLARE_TABLE(broadwell)
VPMU_DECLARE_TABLE(broadwellx)
VPMU_DECLARE_TABLE(broadwellde)
VPMU_DECLARE_TABLE(skylake)
VPMU_DECLARE_TABLE(skylakex)
VPMU_DECLARE_TABLE(cascadelakex)
VPMU_DECLARE_TABLE(icelake)
VPMU_DECLARE_TABLE(icelakex)
VPMU_DECLARE_TABLE(tigerlake)
VPMU_DECLARE_TABLE(rocketlake)
VPMU_DECLARE_TABLE(alderlake_goldencove)
VPMU_DECLARE_TABLE(sapphirerapids)
VPMU_DECLARE_TABLE(emeraldrapids)
VPMU_DECLARE_TABLE(meteorlake_redwoodcove)
VPMU_DECLARE_TABLE(graniterapids)
VPMU_DECLARE_TABLE(arrowlake_lioncove)
VPMU_DECLARE_TABLE(lunarlake_lioncove)
VPMU_DECLARE_TABLE(pantherlake_cougarcove)
VPMU_DECLARE_TABLE(silvermont)
VPMU_DECLARE_TABLE(knightslanding)
VPMU_DECLARE_TABLE(goldmont)
VPMU_DECLARE_TABLE(goldmontplus)
VPMU_DECLARE_TABLE(elkhartlake)
VPMU_DECLARE_TABLE(alderlake_gracemont)
VPMU_DECLARE_TABLE(meteorlake_crestmont)
VPMU_DECLARE_TABLE(sierraforest)
VPMU_DECLARE_TABLE(grandridge)
VPMU_DECLARE_TABLE(arrowlake_skymont)
VPMU_DECLARE_TABLE(lunarlake_skymont)
VPMU_DECLARE_TABLE(pantherlake_darkmont)
VPMU_DECLARE_TABLE(clearwaterforest)
VPMU_DECLARE_TABLE(k8)
VPMU_DECLARE_TABLE(fam10h)
VPMU_DECLARE_TABLE(fam15h)
VPMU_DECLARE_TABLE(fam16h)
VPMU_DECLARE_TABLE(zen1)
VPMU_DECLARE_TABLE(zen2)
VPMU_DECLARE_TABLE(zen3)
VPMU_DECLARE_TABLE(zen4)
VPMU_DECLARE_TABLE(zen5)
#undef VPMU_DECLARE_TABLE

#define VPMU_DECLARE_UARCH(id, vendor, pfm) extern const struct vpmu_uarch vpmu_uarch_##id;
VPMU_PERSONALITIES(VPMU_DECLARE_UARCH)
#undef VPMU_DECLARE_UARCH

#endif
