// SPDX-License-Identifier: BSD-2-Clause
/* ibs_data.c - see ibs_data.h. Fields by the PPR of family 19h, IBS_OP_DATA to IBS_OP_DATA3. */
#include "pmu/x86/ibs_data.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"

enum { OP_CTL, OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, OP_LINEAR, OP_PHYSICAL, OP_TARGET };
enum { FETCH_CTL, FETCH_LINEAR, FETCH_PHYSICAL, FETCH_EXTENDED };

/* IBS_OP_DATA */
#define TAG_TO_RETIRE(v) ((uint16_t)((v) >> 16))
/* IBS_OP_DATA2: the low bits of the source, and from Zen 4 on the high bits */
#define SOURCE_LOW(v)  ((v)&7)
#define SOURCE_HIGH(v) ((v) >> 6 & 3)
#define REMOTE_NODE    (1ull << 4)
/* IBS_OP_DATA3 */
#define TLB_L1_MISS   (1ull << 2)
#define TLB_L2_MISS   (1ull << 3)
#define DC_MISS       (1ull << 7)
#define UNCACHEABLE   (1ull << 14)
#define LOCKED        (1ull << 15)
#define NO_BUFFER     (1ull << 16) /* an earlier miss has asked for the line */
#define L2_MISS       (1ull << 20)
#define DC_LATENCY(v) ((uint16_t)((v) >> 32))

#define LEVEL(hit_or_miss, level, number)                                     \
	{                                                                     \
		.mem_lvl = PERF_MEM_LVL_##hit_or_miss | PERF_MEM_LVL_##level, \
		.mem_lvl_num = PERF_MEM_LVLNUM_##number                       \
	}

/* IbsOpData2.DataSrc: the source of the data of a load that missed L2. */
static const union perf_mem_data_src sources[32] = {
	[1] = LEVEL(HIT, L3, L3),              /* a cache of this core complex */
	[2] = LEVEL(HIT, REM_CCE1, ANY_CACHE), /* a cache of another, near core complex */
	[3] = LEVEL(HIT, LOC_RAM, RAM),
	[5] = LEVEL(HIT, REM_CCE2, ANY_CACHE), /* a cache of a far one */
	[6] = LEVEL(HIT, LOC_RAM, PMEM),
	[7] = LEVEL(HIT, IO, NA),
	[8] = LEVEL(HIT, LOC_RAM, RAM),   /* extension memory */
	[12] = LEVEL(HIT, REM_RAM1, RAM), /* another agent's memory */
};
static const union perf_mem_data_src in_l1 = LEVEL(HIT, L1, L1), in_l2 = LEVEL(HIT, L2, L2),
				     uncached = LEVEL(HIT, UNC, NA),
				     on_its_way = LEVEL(HIT, LFB, LFB), unknown = LEVEL(NA, NA, NA);

static union perf_mem_data_src cache_level(uint64_t data2, uint64_t data3, uint32_t caps)
{
	unsigned source = SOURCE_LOW(data2);

	if (data3 & UNCACHEABLE)
		return uncached;
	if (!(data3 & DC_MISS))
		return in_l1;
	if (!(data3 & L2_MISS))
		return in_l2;
	if (caps & IBS_CAP_ZEN4)
		source |= (unsigned)SOURCE_HIGH(data2) << 3;
	if (sources[source].val)
		return sources[source];
	return data3 & NO_BUFFER ? on_its_way : unknown;
}

static unsigned ibs_tlb_result(uint64_t data3)
{
	if (!(data3 & TLB_L1_MISS))
		return PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1;
	if (!(data3 & TLB_L2_MISS))
		return PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2;
	return PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2;
}

/* Only loads have a level; for a store only L1 and the TLB are known. */
static union perf_mem_data_src data_src(uint64_t data2, uint64_t data3, uint32_t caps)
{
	union perf_mem_data_src src = {.val = 0};

	if (data3 & IBS_OP_LOAD) {
		src = cache_level(data2, data3, caps);
		src.mem_op = PERF_MEM_OP_LOAD;
		src.mem_remote = data3 & L2_MISS && data2 & REMOTE_NODE;
	} else if (data3 & IBS_OP_STORE) {
		src.mem_lvl =
			(data3 & DC_MISS ? PERF_MEM_LVL_MISS : PERF_MEM_LVL_HIT) | PERF_MEM_LVL_L1;
		src.mem_op = PERF_MEM_OP_STORE;
	} else {
		src.mem_op = PERF_MEM_OP_NA;
		return src;
	}
	if (data3 & IBS_OP_LINEAR_VALID &&
	    (data3 & IBS_OP_PHYSICAL_VALID || !(caps & IBS_CAP_PAGE_SIZE)))
		src.mem_dtlb = ibs_tlb_result(data3);
	src.mem_lock = data3 & LOCKED ? PERF_MEM_LOCK_LOCKED : PERF_MEM_LOCK_NA;
	return src;
}

/*
 * The time that the data took, for loads that missed L1; and the time of the whole op, from tag to
 * retirement.
 */
static union perf_sample_weight ibs_weight(uint64_t data, uint64_t data3)
{
	union perf_sample_weight w = {.full = 0};

	if (data3 & IBS_OP_LOAD && data3 & DC_MISS)
		w.var1_dw = DC_LATENCY(data3);
	w.var2_w = TAG_TO_RETIRE(data);
	return w;
}

static void set_raw(struct ibs_sample *s, uint32_t caps, unsigned n)
{
	s->bytes.caps = caps;
	s->raw = (struct pmu_raw){&s->bytes.caps, (uint32_t)(sizeof(caps) + n * sizeof(uint64_t))};
	s->data.raw = &s->raw;
	s->data.fields |= PERF_SAMPLE_RAW;
}

static void set_ibs_address(struct ibs_sample *s, uint64_t linear, bool linear_valid,
			    uint64_t physical, bool physical_valid)
{
	s->data.addr = linear;
	s->data.phys_addr = physical;
	s->data.fields |= (linear_valid ? PERF_SAMPLE_ADDR : 0) |
			  (physical_valid ? PERF_SAMPLE_PHYS_ADDR : 0);
}

/*
 * QUIRK_IBS_FALSE_L2: of prefetches by software and of loads that wait for another miss neither the
 * hit in L2 nor the source is valid.
 */
static void drop_false_source(uint64_t *data2, uint64_t *data3, const struct pmu_caps *cpu)
{
	if (!has_quirk(cpu, QUIRK_IBS_FALSE_L2) || !(*data3 & DC_MISS) ||
	    !(*data3 & (NO_BUFFER | IBS_OP_PREFETCH)))
		return;
	*data2 = 0;
	*data3 |= L2_MISS;
}

static union perf_mem_data_src op_source(const uint64_t *reg, const struct pmu_caps *cpu)
{
	uint64_t data2 = reg[OP_DATA2], data3 = reg[OP_DATA3];

	drop_false_source(&data2, &data3, cpu);
	return data_src(data2, data3, cpu->ibs_caps);
}

void ibs_read_op(struct ibs_sample *s, uint64_t ctl, const struct pmu_caps *cpu)
{
	const uint32_t caps = cpu->ibs_caps;
	const unsigned n = caps & IBS_CAP_BRANCH_TARGET ? OP_TARGET + 1 : OP_TARGET;
	uint64_t *reg = s->bytes.reg;

	*s = (struct ibs_sample){.exact = true};
	reg[OP_CTL] = ctl;
	for (unsigned i = OP_RIP; i < OP_TARGET; i++)
		reg[i] = rdmsr(MSR_AMD_IBS_OP_CTL + i);
	if (n > OP_TARGET)
		reg[OP_TARGET] = rdmsr(MSR_AMD_IBS_BRANCH_TARGET);
	if (caps & IBS_CAP_RIP_INVALID && reg[OP_DATA] & IBS_OP_RIP_INVALID)
		s->exact = false;
	s->ip = reg[OP_RIP];
	s->data.exact_ip = s->exact;
	s->data.data_src = op_source(reg, cpu);
	s->data.weight = ibs_weight(reg[OP_DATA], reg[OP_DATA3]);
	s->data.fields = PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
	set_ibs_address(s, reg[OP_LINEAR], reg[OP_DATA3] & IBS_OP_LINEAR_VALID, reg[OP_PHYSICAL],
			reg[OP_DATA3] & IBS_OP_PHYSICAL_VALID);
	set_raw(s, caps, n);
}

void ibs_read_fetch(struct ibs_sample *s, uint64_t ctl, const struct pmu_caps *cpu)
{
	const uint32_t caps = cpu->ibs_caps;
	const unsigned n = caps & IBS_CAP_FETCH_EXTENDED ? FETCH_EXTENDED + 1 : FETCH_EXTENDED;
	uint64_t *reg = s->bytes.reg;

	*s = (struct ibs_sample){.exact = true};
	reg[FETCH_CTL] = ctl;
	reg[FETCH_LINEAR] = rdmsr(MSR_AMD_IBS_FETCH_LINEAR);
	reg[FETCH_PHYSICAL] = rdmsr(MSR_AMD_IBS_FETCH_PHYSICAL);
	if (n > FETCH_EXTENDED)
		reg[FETCH_EXTENDED] = rdmsr(MSR_AMD_IBS_FETCH_EXTENDED);
	s->ip = reg[FETCH_LINEAR];
	s->lost = !s->ip && has_quirk(cpu, QUIRK_IBS_FETCH_AT_ZERO);
	s->data.exact_ip = true;
	set_ibs_address(s, reg[FETCH_LINEAR], true, reg[FETCH_PHYSICAL],
			ctl & IBS_FETCH_PHYSICAL_VALID);
	set_raw(s, caps, n);
}
