/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * datasrc.h - where the data of a load came from: the codes in PEBS records as perf_event_open(2)
 * has it. SDM vol. 3, "Load Latency Performance Monitoring Facility", "Data Source Encoding", and
 * from Skylake on what Linux takes them for.
 */
#ifndef PMU_X86_DATASRC_H
#define PMU_X86_DATASRC_H

#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdint.h>

/* pmu_data_source_load() - an access that was recorded for its latency, as cores with those
 * `sources` tell it: a load. Any context. */
union perf_mem_data_src pmu_data_source_load(enum uarch_sources sources, uint64_t code);

/* pmu_data_source_access() - another event of loads, of stores (whose code says whether they hit
 * L1), or of both. Any context. */
union perf_mem_data_src pmu_data_source_access(uint64_t code, uint64_t mem_op);

#endif
