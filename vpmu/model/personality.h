/* SPDX-License-Identifier: BSD-2-Clause */
/* personality.h - macros of the rows of personalities. The rows are in personality_large.c (Intel's
 * large cores), personality_small.c (its small ones, and hybrids), personality_amd.c and
 * personality_kvm.c. */
#ifndef VPMU_MODEL_PERSONALITY_H
#define VPMU_MODEL_PERSONALITY_H

#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

/* Name and vendor of the personality. */
#define IDENTITY(id)                    .name = #id, .vendor = (enum vpmu_vendor)VPMU_VENDOR_##id
#define VPMU_VENDOR_OF(id, vendor, pfm) VPMU_VENDOR_##id = VPMU_##vendor,
enum { VPMU_PERSONALITIES(VPMU_VENDOR_OF) };
#undef VPMU_VENDOR_OF

#define PERSONALITY(id) const struct vpmu_uarch vpmu_uarch_##id

#define PEBS_RECORDS(format) (PERF_CAP_PEBS_IS(format) | PERF_CAP_PEBS_TRAP | PERF_CAP_PEBS_REGS)
#define ADAPTIVE_RECORDS(f)  (PEBS_RECORDS(f) | PERF_CAP_PEBS_BASELINE)
#define BASELINE             ADAPTIVE_RECORDS(4)
#define FULL_WRITES          (PERF_CAP_FREEZE_SMM | PERF_CAP_FW_WRITE)

/* Masks of fixed counters and architectural events, by their numbers. */
#define FIXED_3  0x07
#define FIXED_4  0x0f
#define EVENTS_7 0x7f
#define EVENTS_8 0xff

/* Architectural perfmon of all Intel personalities. */
#define ARCHITECTURAL(v, off, on)                                               \
	.version = (v), .gp = {off, on}, .fixed = FIXED_3, .lvtpc_masks = true, \
	.arch_events = EVENTS_7

/* The table of events, by the name of Intel's event file. */
#define EVENTS_OF(file) .events = &vpmu_table_##file

/* CPUID leaf 2: descriptors for the TLBs of the geometry; caches by leaf 4, TLBs by leaf 18H or not
 * at all. */
#define DESCRIPTORS(a, b, d) .descriptors = {.eax = (a), .ebx = (b), .edx = (d)}
#define BY_LEAVES            DESCRIPTORS(0x00feff01, 0x000000f0, 0)

/* Registers of the platform. */
#define CLIENT \
	(VPMU_INTEL_MSRS | VPMU_RAPL | VPMU_RAPL_CORES | VPMU_RAPL_GRAPHICS | VPMU_RAPL_MEMORY)
#define SERVER (VPMU_INTEL_MSRS | VPMU_RAPL | VPMU_RAPL_MEMORY_SERVER)
#define HWP    (VPMU_HWP | VPMU_PPERF)

#define VPMU_DECLARE_UARCH(id, vendor, pfm) extern const struct vpmu_uarch vpmu_uarch_##id;
VPMU_PERSONALITIES(VPMU_DECLARE_UARCH)
#undef VPMU_DECLARE_UARCH

#endif
