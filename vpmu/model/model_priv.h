/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_priv.h - what the files of the model share: counting (model.c), precise records
 * (model_pebs.c), registers (model_msr.c), identification (model_cpuid.c). Files outside of the
 * model include model.h only.
 */
#ifndef VPMU_MODEL_MODEL_PRIV_H
#define VPMU_MODEL_MODEL_PRIV_H

#include "arch/x86/msr.h"
#include "include/perf0/truth.h"
#include "vpmu/model/geometry.h"
#include "vpmu/model/model.h"

#define FIXED_MODE_MASK 0xfu

/* IA32_MISC_ENABLE (SDM vol. 4): all bits but fast strings are read only. */
#define MISC_ENABLE_READ_ONLY \
	(MISC_ENABLE_PERFMON | MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE)

/* model_cpuid.c: vpmu_leaves_init() - finds the rows of the leaves of CPUID that the
 * personality has. */
void vpmu_leaves_init(struct vpmu_leaves *leaves, const struct vpmu_uarch *uarch);

/*
 * model_rate.c: vpmu_rate_gp(), vpmu_rate_fixed() - what a counter adds, by its event and the
 * registers beside it. vpmu_sum_of() - the sum over counts of one ring; NULL: 0. vpmu_sum_use():
 * marks the counts of a sum as needed. vpmu_sum_is_timed(): it is one of modelled time.
 */
struct vpmu_rate vpmu_rate_gp(const struct vpmu_model *m, unsigned i);
struct vpmu_rate vpmu_rate_fixed(const struct vpmu_model *m, unsigned i);
enum events_level vpmu_sum_level(const struct vpmu_sum *sum);
uint64_t vpmu_sum_of(const struct vpmu_sum *sum, const uint64_t *counts);
void vpmu_sum_use(struct vpmu_model *m, const struct vpmu_sum *sum);
bool vpmu_sum_is_timed(const struct vpmu_sum *sum);

/* model_msr.c: vpmu_counters_init() - derives masks from the number and width of counters. */
void vpmu_counters_init(struct vpmu_model *m);

/* model.c: vpmu_metrics_restart() - PERF_METRICS was written. */
void vpmu_metrics_restart(struct vpmu_model *m);

/* vpmu_event_is_counted() - the event uses counts of the plugin, and no ratio. */
bool vpmu_event_is_counted(const struct vpmu_model *m, const struct vpmu_event *event);

/* vpmu_model_counters() - the general counters that count selector `sel` exactly; 0: none, or its
 * meaning is unknown. */
uint32_t vpmu_model_counters(const struct vpmu_model *m, uint64_t sel);

/* vpmu_geometry_of() - the geometry of the personality's core; searches by name, which takes a
 * while. */
const struct geometry *vpmu_geometry_of(const struct vpmu_uarch *uarch);

/* vpmu_model_truth() - the kind of number that selector `sel` counts. */
enum truth vpmu_model_truth(const struct vpmu_model *m, uint64_t sel);

/* vpmu_model_derive() - updates vpmu_derived after a change of registers. */
void vpmu_model_derive(struct vpmu_model *m);

/* model_ibs.c: counting, and registers by their index behind IBS_FETCH_CTL. */
void vpmu_ibs_init(struct vpmu_model *m);
void vpmu_ibs_advance(struct vpmu_model *m, const struct vpmu_progress *p);
bool vpmu_ibs_is_on(const struct vpmu_model *m);
uint64_t vpmu_ibs_until(const struct vpmu_model *m);
enum vpmu_access vpmu_ibs_read(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_ibs_write(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_eilvt_rdmsr(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_eilvt_wrmsr(struct vpmu_model *m, unsigned i, uint64_t v);

/*
 * model_branch.c: last branch records. vpmu_branches_init() - at reset. vpmu_branches_offer() -
 * from now on the machine below reports branches. vpmu_branches_freeze() - a PMI goes out. The
 * others: registers by their index in a row of model_msr.c, and CPUID.
 */
void vpmu_branches_init(struct vpmu_model *m);
void vpmu_branches_offer(struct vpmu_model *m);
void vpmu_branches_freeze(struct vpmu_model *m);
/* vpmu_branches_overflow() - general counter `i` has overflowed. vpmu_branches_hold() - the PMI
 * waits until all records are full. */
void vpmu_branches_overflow(struct vpmu_model *m, unsigned i);
bool vpmu_branches_hold(const struct vpmu_model *m);
uint64_t vpmu_branches_capability(const struct vpmu_model *m);
void vpmu_branches_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
			 struct cpuid_regs *r);
/* vpmu_branches_show() - record `n`, 0 being the newest, as registers show it: source, target,
 * information; zeros if there is none. */
void vpmu_branches_show(const struct vpmu_model *m, unsigned n, uint64_t shown[3]);
/* vpmu_cpuid_has_branch_leaf() - the personality has leaf VPMU_LBR_LEAF of CPUID, which is zero
 * where no branches are recorded. */
#define VPMU_LBR_LEAF 0x1cu
bool vpmu_cpuid_has_branch_leaf(const struct vpmu_model *m);

enum vpmu_access vpmu_rd_lbr_select(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_select(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_tos(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_tos(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_old_from(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_old_from(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_old_to(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_old_to(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_from(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_from(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_to(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_to(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_lbr_info(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_lbr_info(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_arch_lbr(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_arch_lbr(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_arch_from(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_arch_from(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_arch_to(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_arch_to(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_arch_info(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_arch_info(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_amd_lbr(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_amd_lbr(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_amd_lbr_control(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_amd_lbr_control(struct vpmu_model *m, unsigned i, uint64_t v);

/* model_pt.c: registers of Intel Processor Trace, and CPUID. */
#define VPMU_PT_LEAF 0x14u
bool vpmu_cpuid_tells_pt(const struct vpmu_model *m);
void vpmu_pt_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		   struct cpuid_regs *r);
enum vpmu_access vpmu_rd_rtit(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_rtit(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_rtit_output(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_rtit_output(struct vpmu_model *m, unsigned i, uint64_t v);

/*
 * model_reload.c: auto counter reload. vpmu_reload_cpuid() - subleaf 2 of leaf 23H.
 * vpmu_reload_is_own(): counter `bit` reloads itself. vpmu_reload_counters(): does the reloads that
 * are due. The others are registers, by the counter's number.
 */
void vpmu_reload_cpuid(const struct vpmu_model *m, struct cpuid_regs *r);
bool vpmu_reload_is_own(const struct vpmu_model *m, uint64_t bit);
void vpmu_reload_counters(struct vpmu_model *m);
enum vpmu_access vpmu_rd_gp_causes(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_gp_causes(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_gp_reload(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_gp_reload(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_fixed_causes(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_fixed_causes(struct vpmu_model *m, unsigned i, uint64_t v);
enum vpmu_access vpmu_rd_fixed_reload(const struct vpmu_model *m, unsigned i, uint64_t *v);
enum vpmu_access vpmu_wr_fixed_reload(struct vpmu_model *m, unsigned i, uint64_t v);

/* model_cache.c: CPUID's leaves of caches and TLBs; other leaves stay as they are. */
void vpmu_cpuid_caches(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		       struct cpuid_regs *r);
/* vpmu_cpuid_tells_tlbs() - CPUID has leaf VPMU_TLB_LEAF. */
#define VPMU_TLB_LEAF 0x18u
bool vpmu_cpuid_tells_tlbs(const struct vpmu_model *m);

/*
 * vpmu_pebs_live() - the counter records. vpmu_pebs_count() - `n` events on a counter that records.
 */
bool vpmu_pebs_live(const struct vpmu_model *m, const struct vpmu_live *l);
void vpmu_pebs_count(struct vpmu_model *m, const struct vpmu_live *l, struct vpmu_counter *c,
		     uint64_t n);

/* vpmu_pebs_tells_access() - the counter's records describe an access to memory. */
bool vpmu_pebs_tells_access(const struct vpmu_model *m, const struct vpmu_live *l);

/* vpmu_model_need_accesses() - samples need accesses and branches from the plugin. */
void vpmu_model_need_accesses(struct vpmu_model *m);

/* vpmu_pebs_events() - events until the counter's next record. */
uint64_t vpmu_pebs_events(const struct vpmu_model *m, const struct vpmu_live *l,
			  const struct vpmu_counter *c);

static inline uint64_t bits(unsigned n)
{
	return (1ull << n) - 1;
}

/* has_fixed() - fixed counter `i` exists. */
static inline bool has_fixed(const struct vpmu_model *m, unsigned i)
{
	return i < VPMU_MAX_FIXED && m->uarch->fixed >> i & 1;
}

static inline bool is_amd(const struct vpmu_model *m)
{
	return m->uarch->vendor == VPMU_AMD;
}

/* The PMU is the one that KVM shows its guests. */
static inline bool is_kvm(const struct vpmu_model *m)
{
	return m->uarch->has & VPMU_KVM;
}

/* The format of PEBS records; 0: there is no PEBS. */
static inline unsigned pebs_format(const struct vpmu_model *m)
{
	return PERF_CAP_PEBS_FMT(m->uarch->perf_capabilities);
}

/* General counters with a reset value in the DS area; those of fixed counters follow. */
static inline unsigned pebs_resets(const struct vpmu_model *m)
{
	return pebs_format(m) < 5 ? 8 : 32;
}

/* Records have groups of counters: format 6. */
static inline bool records_counters(const struct vpmu_model *m)
{
	return pebs_format(m) >= 6;
}

/* "Extended" and "adaptive PEBS": any event on any counter; configurable records. */
static inline bool is_adaptive(const struct vpmu_model *m)
{
	return m->uarch->perf_capabilities & PERF_CAP_PEBS_BASELINE;
}

/* The bits that PERF_METRICS has. */
static inline uint64_t metrics_bits(const struct vpmu_model *m)
{
	return m->uarch->metrics < 8 ? bits(8u * m->uarch->metrics) : UINT64_MAX;
}

static inline bool has_metrics(const struct vpmu_model *m)
{
	return m->uarch->metrics;
}

/* need_level() - the plugin must count at `level` at least. */
static inline void need_level(struct vpmu_model *m, enum events_level level)
{
	if (m->derived.needed < level)
		m->derived.needed = level;
}

/*
 * vpmu_counter_samples() - the last written value overflows soon, so the counter is used to sample.
 */
static inline bool vpmu_counter_samples(const struct vpmu_model *m, const struct vpmu_counter *c)
{
	return m->layout.counter_mask - c->written < m->layout.soon;
}

/* vpmu_counter_is_alarm() - the counter samples after a period of time, rather than a number of
 * events. */
static inline bool vpmu_counter_is_alarm(const struct vpmu_model *m, const struct vpmu_counter *c)
{
	return vpmu_counter_samples(m, c) &&
	       m->layout.counter_mask - c->written >= VPMU_COUNTER_LONG;
}

static inline unsigned fixed_mode(const struct vpmu_model *m, unsigned i)
{
	return m->regs.fixed_ctrl >> FIXED_CTRL_SHIFT(i) & FIXED_MODE_MASK;
}

/*
 * vpmu_faults_selected() - the event select of general counter `i` was written.
 * vpmu_faults_started() - the master switch was written. Both serve VPMU_COUNTERS_RESET.
 */
void vpmu_faults_selected(struct vpmu_model *m, unsigned i);
void vpmu_faults_started(struct vpmu_model *m);

/* vpmu_model_steal() - the firmware may take a counter, before `p` is counted. */
void vpmu_model_steal(struct vpmu_model *m, const struct vpmu_progress *p);

#endif
