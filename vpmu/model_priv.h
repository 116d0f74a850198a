/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_priv.h - what the files of the model share among themselves: counting (model.c), registers
 * (model_msr.c) and identification (model_cpuid.c). Everybody else includes model.h.
 */
#ifndef VPMU_MODEL_PRIV_H
#define VPMU_MODEL_PRIV_H

#include "arch/x86/msr.h"
#include "vpmu/model.h"

#define FIXED_MODE_MASK 0xfu

/* IA32_MISC_ENABLE (SDM vol. 4): PMU present, no BTS, no PEBS. */
#define MISC_ENABLE_FAST_STRINGS     (1ull << 0)
#define MISC_ENABLE_PERFMON          (1ull << 7)
#define MISC_ENABLE_BTS_UNAVAILABLE  (1ull << 11)
#define MISC_ENABLE_PEBS_UNAVAILABLE (1ull << 12)
#define MISC_ENABLE_READ_ONLY \
	(MISC_ENABLE_PERFMON | MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE)

/* vpmu_model_derive() - after a change of registers: what follows from them. */
void vpmu_model_derive(struct vpmu_model *m);

/* model_ibs.c: its part of counting, and its registers by their place behind IBS_FETCH_CTL. */
void vpmu_ibs_init(struct vpmu_model *m);
void vpmu_ibs_advance(struct vpmu_model *m, const struct vpmu_progress *p);
uint64_t vpmu_ibs_until(const struct vpmu_model *m);
enum vpmu_access vpmu_ibs_read(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_ibs_write(struct vpmu_model *m, unsigned i, uint64_t v);

static inline uint64_t bits(unsigned n)
{
	return (1ull << n) - 1;
}

static inline bool is_amd(const struct vpmu_model *m)
{
	return m->uarch->vendor == VPMU_AMD;
}

static inline bool has_metrics(const struct vpmu_model *m)
{
	return m->uarch->perf_capabilities & PERF_CAP_METRICS;
}

static inline unsigned fixed_mode(const struct vpmu_model *m, unsigned i)
{
	return m->fixed_ctrl >> FIXED_CTRL_SHIFT(i) & FIXED_MODE_MASK;
}

#endif
