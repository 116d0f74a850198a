/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * datasrc.h - decodes the data source of a PEBS record to the format of perf_event_open(2). SDM
 * vol. 3, "Load Latency Performance Monitoring Facility", "Data Source Encoding"; from Skylake on
 * the interpretation is Linux's.
 */
#ifndef PMU_X86_DATASRC_H
#define PMU_X86_DATASRC_H

#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdint.h>

/*
 * pmu_data_source_load() - decodes a load that was sampled for its latency, for cores with these
 * `sources`. Any context.
 */
union perf_mem_data_src pmu_data_source_load(enum uarch_sources sources, uint64_t code);

/*
 * pmu_data_source_access() - decodes another event of loads, of stores (their code tells whether
 * they hit L1), or of both. Any context.
 */
union perf_mem_data_src pmu_data_source_access(uint64_t code, uint64_t mem_op);

#endif
