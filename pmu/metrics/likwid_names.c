// SPDX-License-Identifier: BSD-2-Clause
/*
 * likwid_names.c - LIKWID's own names of events. Its other names are the vendors', with underscores
 * for dots; the event parser accepts them. Encodings are from LIKWID's wiki and the vendors'
 * manuals.
 */
#include "pmu/metrics/reading.h"

#include "lib/string.h"
#include "pmu/names/intel_names.h"
#include "pmu/names/parse.h"

struct likwid_name {
	const char *likwid, *event;
};

/* Events of fixed counters and registers. */
static const struct likwid_name general[] = {
	{"INSTR_RETIRED_ANY", "instructions"},
	{"CPU_CLK_UNHALTED_CORE", "cycles"},
	{"CPU_CLK_UNHALTED_REF", "ref-cycles"},
	{"TOPDOWN_SLOTS", "slots"},
	{"RETIRED_INSTRUCTIONS", "instructions"},
	{"INSTRUCTIONS_RETIRED", "instructions"},
	{"CPU_CLOCKS_UNHALTED", "cycles"},
	{"INST_RETIRED_ANY", "instructions"},
	{"ACTUAL_CPU_CLOCK", "msr/aperf/"},
	{"APERF", "msr/aperf/"},
	{"MAX_CPU_CLOCK", "msr/mperf/"},
	{"MPERF", "msr/mperf/"},
	{"PWR_PKG_ENERGY", "power/energy-pkg/"},
	{"PWR_PP0_ENERGY", "power/energy-cores/"},
	{"PWR_PP1_ENERGY", "power/energy-gpu/"},
	{"PWR_DRAM_ENERGY", "power/energy-ram/"},
	{"PWR_PLATFORM_ENERGY", "power/energy-psys/"},
	{"RAPL_PKG_ENERGY", "power/energy-pkg/"},
	{"RAPL_CORE_ENERGY", "power/energy-cores/"},
};

/* If a name has several rows, the first event that the microarchitecture has applies. */
static const struct likwid_name own[] = {
	/* Intel: cycles with and without an event. */
	{"CPU_CLOCK_UNHALTED_TOTAL_CYCLES", "cpu/event=0x3c,cmask=2,inv/"},
	{"UOPS_ISSUED_USED_CYCLES", "cpu/uops_issued.any,cmask=1/"},
	{"UOPS_EXECUTED_THREAD", "cpu/event=0xb1,umask=0x01/"},
	{"UOPS_EXECUTED_USED_CYCLES", "cpu/event=0xb1,umask=0x01,cmask=1/"},
	{"UOPS_EXECUTED_STALL_CYCLES", "cpu/event=0xb1,umask=0x01,cmask=1,inv/"},
	{"UOPS_RETIRED_ALL", "uops_retired.retire_slots"},
	{"UOPS_RETIRED_USED_CYCLES", "cpu/uops_retired.all,cmask=1/"},
	{"UOPS_RETIRED_USED_CYCLES", "cpu/uops_retired.retire_slots,cmask=1/"},
	{"UOPS_RETIRED_STALLED_CYCLES", "cpu/uops_retired.all,cmask=1,inv/"},
	{"UOPS_RETIRED_STALLS", "cpu/uops_retired.all,cmask=1,inv,edge/"},
	{"INT_MISC_RECOVERY_COUNT", "cpu/int_misc.recovery_cycles,cmask=1,edge/"},
	{"NO_ALLOC_CYCLES_ALL_COUNT", "cpu/no_alloc_cycles.all,edge/"},
	{"CYCLE_ACTIVITY_CYCLES_NO_EXECUTE", "cpu/event=0xa3,umask=0x04,cmask=4/"},
	{"CYCLE_ACTIVITY_STALLS_TOTAL", "cpu/event=0xa3,umask=0x04,cmask=4/"},
	{"CYCLE_ACTIVITY_CYCLES_L1D_PENDING", "cycle_activity.cycles_l1d_miss"},
	{"CYCLE_ACTIVITY_CYCLES_L2_PENDING", "cycle_activity.cycles_l2_miss"},
	{"CYCLE_ACTIVITY_CYCLES_LDM_PENDING", "cycle_activity.cycles_mem_any"},
	{"CYCLE_ACTIVITY_STALLS_L1D_PENDING", "cycle_activity.stalls_l1d_miss"},
	{"CYCLE_ACTIVITY_STALLS_L2_PENDING", "cycle_activity.stalls_l2_miss"},
	{"CYCLE_ACTIVITY_STALLS_LDM_PENDING", "cycle_activity.stalls_mem_any"},
	/* Divisions. */
	{"ARITH_DIVIDER_COUNT", "cpu/arith.divider_active,edge/"},
	{"ARITH_DIVIDER_CYCLES", "cpu/event=0x14,umask=0x01/"},
	{"ARITH_NUM_DIV", "arith.fpu_div"},
	{"ARITH_NUM_DIV", "arith.div"},
	{"CYCLES_DIV_BUSY", "cycles_div_busy.all"},
	{"CYCLES_DIV_BUSY_ANY", "cycles_div_busy.all"},
	{"CYCLES_DIV_BUSY_COUNT", "cpu/cycles_div_busy.all,edge/"},
	{"CYCLES_DIV_BUSY_ALL_COUNT", "cpu/cycles_div_busy.all,edge/"},
	/* Translations. */
	{"DTLB_LOAD_MISSES_CAUSES_A_WALK", "dtlb_load_misses.miss_causes_a_walk"},
	{"DTLB_STORE_MISSES_CAUSES_A_WALK", "dtlb_store_misses.miss_causes_a_walk"},
	{"ITLB_MISSES_CAUSES_A_WALK", "itlb_misses.miss_causes_a_walk"},
	{"PAGE_WALKS_DTLB_COUNT", "page_walks.d_side_walks"},
	{"PAGE_WALKS_DTLB_CYCLES", "page_walks.d_side_cycles"},
	{"PAGE_WALKS_ITLB_COUNT", "cpu/page_walks.i_side_cycles,edge/"},
	{"PAGE_WALKS_ITLB_CYCLES", "page_walks.i_side_cycles"},
	{"PAGE_WALKS_D_SIDE_COUNT", "cpu/page_walks.d_side_cycles,edge/"},
	{"PAGE_WALKS_I_SIDE_COUNT", "cpu/page_walks.i_side_cycles,edge/"},
	/* Caches and memory. */
	{"ICACHE_ACCESSES", "cpu/event=0x80,umask=0x03/"},
	{"ICACHE_IFETCH_STALL", "cpu/event=0x80,umask=0x04/"},
	{"ICACHE_64B_IFTAG_ALL", "cpu/event=0x83,umask=0x03/"},
	{"L1D_M_EVICT", "cpu/event=0x51,umask=0x04/"},
	{"L2_RQSTS_MISS", "cpu/l2_rqsts.pf_miss,umask=0xaa/"}, /* Sandy and Ivy Bridge */
	{"L2_RQSTS_MISS", "cpu/event=0x24,umask=0x3f/"},
	{"L2_TRANS_ALL_REQUESTS", "cpu/event=0xf0,umask=0x80/"},
	{"L2_TRANS_L1D_WB", "cpu/event=0xf0,umask=0x10/"},
	{"MEM_INST_RETIRED_ALL", "cpu/event=0xd0,umask=0x83/"},
	{"MEM_UOPS_RETIRED_LOADS", "mem_uops_retired.all_loads"},
	{"MEM_UOPS_RETIRED_LOADS_ALL", "mem_uops_retired.all_loads"},
	{"MEM_UOPS_RETIRED_STORES", "mem_uops_retired.all_stores"},
	{"MEM_UOPS_RETIRED_STORES_ALL", "mem_uops_retired.all_stores"},
	{"MEM_LOAD_UOPS_RETIRED_ALL", "cpu/event=0xd1,umask=0x3f/"},
	{"MEM_LOAD_UOPS_RETIRED_ALL_ALL", "cpu/event=0xd1,umask=0x3f/"},
	{"MEM_LOAD_UOPS_RETIRED_L3_ALL", "cpu/event=0xd1,umask=0x24/"},
	{"MEM_LOAD_UOPS_RETIRED_L3_MISS", "mem_load_uops_retired.llc_miss"},
	/* The scheduler chooses one of the two registers. */
	{"OFFCORE_RESPONSE_0_OPTIONS", "cpu/event=0xb7,umask=0x01/"},
	{"OFFCORE_RESPONSE_1_OPTIONS", "cpu/event=0xb7,umask=0x01/"},
	/* Floating point, branches. */
	{"AVX_INSTS_CALC", "cpu/event=0xc6,umask=0x04/"},
	{"FP_COMP_OPS_EXE_SSE_FP_PACKED_DOUBLE", "fp_comp_ops_exe.sse_packed_double"},
	{"FP_COMP_OPS_EXE_SSE_FP_SCALAR_DOUBLE", "fp_comp_ops_exe.sse_scalar_double"},
	{"FP_COMP_OPS_EXE_SSE_FP_PACKED_SINGLE", "fp_comp_ops_exe.sse_packed_single"},
	{"FP_COMP_OPS_EXE_SSE_FP_SCALAR_SINGLE", "fp_comp_ops_exe.sse_scalar_single"},
	{"BR_MISP_RETIRED_ALL_BRANCHES", "cpu/event=0xc5/"},
	/* AMD, families 17h and 19h, and earlier ones where the code is equal. */
	{"MERGE", "dummy"}, /* the scheduler takes the odd counter of a pair */
	{"RETIRED_UOPS", "cpu/event=0xc1/"},
	{"UOPS_RETIRED", "cpu/event=0xc1/"},
	{"BRANCH_RETIRED", "cpu/event=0xc2/"},
	{"BRANCH_MISPREDICT_RETIRED", "cpu/event=0xc3/"},
	{"RETIRED_BRANCH_INSTR", "cpu/event=0xc2/"},
	{"RETIRED_MISP_BRANCH_INSTR", "cpu/event=0xc3/"},
	{"RETIRED_MISPREDICTED_BRANCH_INSTR", "cpu/event=0xc3/"},
	{"RETIRED_SSE_AVX_FLOPS_ALL", "cpu/event=0x03,umask=0x0f/"},
	{"RETIRED_SSE_AVX_FLOPS_DOUBLE_ALL", "cpu/event=0x03,umask=0xf0/"},
	{"RETIRED_SSE_AVX_FLOPS_SINGLE_ALL", "cpu/event=0x03,umask=0x0f/"},
	{"DIV_BUSY_CYCLES", "cpu/event=0xd3/"},
	{"DIV_OP_COUNT", "cpu/event=0xd4/"},
	{"LS_DISPATCH_LOADS", "cpu/event=0x29,umask=0x01/"},
	{"LS_DISPATCH_STORES", "cpu/event=0x29,umask=0x02/"},
	{"LS_DISPATCH_LOAD_OP_STORES", "cpu/event=0x29,umask=0x04/"},
	{"DATA_CACHE_ACCESSES", "cpu/event=0x40/"},
	{"ICACHE_FETCHES", "cpu/event=0x80/"},
	{"ICACHE_L2_REFILLS", "cpu/event=0x82/"},
	{"ICACHE_SYSTEM_REFILLS", "cpu/event=0x83/"},
	{"L1_DTLB_MISS_ANY_L2_HIT", "cpu/event=0x45,umask=0x0f/"},
	{"L1_DTLB_MISS_ANY_L2_MISS", "cpu/event=0x45,umask=0xf0/"},
	{"L1_ITLB_MISS_L2_ITLB_HIT", "cpu/event=0x84/"},
	{"L1_ITLB_MISS_L2_ITLB_MISS_ANY", "cpu/event=0x85,umask=0x0f/"},
};

static struct metrics_span text_span(const char *text)
{
	return (struct metrics_span){text, (unsigned)strlen(text)};
}

static bool has_named_event(const struct uarch *uarch, const char *event)
{
	static struct pmu_event_spec spec[2];
	const struct pmu_namer namer = {.uarch = uarch};
	struct pmu_parse_error error;

	return !uarch || pmu_parse_events_named(event, &namer, spec, 2, &error) == 1;
}

struct metrics_span likwid_event(struct metrics_span name, const struct uarch *uarch)
{
	struct intel_event known;

	for (size_t i = 0; i < sizeof(general) / sizeof(general[0]); i++)
		if (span_is(name, general[i].likwid))
			return text_span(general[i].event);
	if (uarch && intel_find(uarch, name.at, name.n, &known))
		return name;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (span_is(name, own[i].likwid) && has_named_event(uarch, own[i].event))
			return text_span(own[i].event);
	return name;
}
