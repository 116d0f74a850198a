// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_ibs.c - Instruction-Based Sampling of vpmu/model/model.h: the tagged instruction, the
 * registers about it, and no counting until they are read.
 */
#include "arch/x86/msr.h"
#include "vpmu/model/apic_move.h"
#include "vpmu/model/model.h"

#include <string.h>

#include "tests/unit/test.h"

#define CPI          16
#define OP_MAX(n)    (((uint64_t)(n) >> 4 & 0xffff) | ((uint64_t)(n)&0x7f00000))
#define OP_COUNT(v)  ((v) >> 32 & 0x7ffffff)
#define FETCH_MAX(n) ((uint64_t)(n) >> 4)

static struct vpmu_model model(const char *name)
{
	struct vpmu_model m;

	vpmu_model_init(&m, vpmu_uarch_find(name), false, CPI);
	return m;
}

static void wr(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	assert_int_equal(vpmu_model_wrmsr(m, msr, v), VPMU_DONE);
}

static uint64_t rd(struct vpmu_model *m, uint32_t msr)
{
	uint64_t v = 0;

	assert_int_equal(vpmu_model_rdmsr(m, msr, &v), VPMU_DONE);
	return v;
}

static void advance_ring(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	vpmu_model_advance(m, &p);
}

static const struct vpmu_op load = {
	.rip = 0x401234,
	.rip_physical = 0x1234,
	.has_rip_physical = true,
	.load = true,
	.bytes = 8,
	.has_linear = true,
	.has_physical = true,
	.linear = 0x500008,
	.physical = 0x8008,
};

TEST(test_identification)
{
	static const char *const without[] = {"hsw", "skx", "icl"};
	struct vpmu_model zen = model("zen4");
	struct cpuid_regs r = {0};
	uint64_t v;

	vpmu_model_cpuid(&zen, 0x80000001, 0, &r);
	assert_true(r.ecx >> 10 & 1);
	r = (struct cpuid_regs){.eax = UINT32_MAX, .ebx = UINT32_MAX};
	vpmu_model_cpuid(&zen, 0x8000001b, 0, &r);
	assert_int_equal(r.eax, 0xbff);
	assert_int_equal(r.ebx, 0);
	assert_int_equal(rd(&zen, MSR_AMD_IBS_CONTROL), IBS_CONTROL_LVT_VALID);
	assert_int_equal(vpmu_model_wrmsr(&zen, MSR_AMD_IBS_CONTROL, 0), VPMU_GP);
	for (unsigned i = 0; i < 3; i++) {
		struct vpmu_model m = model(without[i]);

		assert_int_equal(vpmu_model_rdmsr(&m, MSR_AMD_IBS_OP_CTL, &v), VPMU_NOT_OURS);
	}
}

/* The instruction that brings the count to its maximum is sampled, in any ring. */
TEST(test_op_by_instructions)
{
	struct vpmu_model m = model("zen4");

	wr(&m, MSR_AMD_IBS_OP_CTL, OP_MAX(0x12340) | IBS_OP_EN | IBS_OP_COUNTS_OPS);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 0x12340);
	advance_ring(&m, VPMU_USR, 0x10000);
	assert_int_equal(OP_COUNT(rd(&m, MSR_AMD_IBS_OP_CTL)), 0x10000);
	advance_ring(&m, VPMU_OS, 0x233f);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 1);
	assert_false(vpmu_model_ibs_waits(&m));
	advance_ring(&m, VPMU_USR, 1);
	assert_true(vpmu_model_ibs_waits(&m));
	assert_false(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL);
	vpmu_model_ibs_pick(&m, &load);
	assert_false(vpmu_model_ibs_waits(&m));
	assert_true(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 0);
	assert_true(vpmu_model_ibs_deliver(&m));
	assert_false(vpmu_model_ibs_deliver(&m));
}

TEST(test_op_by_cycles)
{
	struct vpmu_model m = model("zen4");

	wr(&m, MSR_AMD_IBS_OP_CTL, OP_MAX(CPI * 1000 + CPI) | IBS_OP_EN);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1001);
	advance_ring(&m, VPMU_USR, 1000);
	assert_false(vpmu_model_ibs_waits(&m));
	advance_ring(&m, VPMU_USR, 1);
	assert_true(vpmu_model_ibs_waits(&m));
}

/* The maximum has 27 bits. Software can set the count, to start in the middle of a period. */
TEST(test_count_is_set)
{
	struct vpmu_model m = model("zen4");

	wr(&m, MSR_AMD_IBS_OP_CTL,
	   OP_MAX(0x7fffff0) | IBS_OP_EN | IBS_OP_COUNTS_OPS | 0x7ffffe0ull << 32);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 16);
	wr(&m, MSR_AMD_IBS_OP_CTL, IBS_OP_EN | IBS_OP_COUNTS_OPS);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	wr(&m, MSR_AMD_IBS_OP_CTL, OP_MAX(16) | IBS_OP_COUNTS_OPS);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
}

static void pick_after(struct vpmu_model *m, const struct vpmu_op *op)
{
	wr(m, MSR_AMD_IBS_OP_CTL, OP_MAX(16) | IBS_OP_EN | IBS_OP_COUNTS_OPS);
	advance_ring(m, VPMU_USR, 16);
	vpmu_model_ibs_pick(m, op);
}

/* Levels of an access without a model of a core. */
#define NOT_KNOWN (IBS_OP_L1_MISS | IBS_OP_L2_MISS)

TEST(test_what_an_op_was)
{
	struct vpmu_op store = load, ret = load, unknown = {.unknown = true};
	struct vpmu_model m = model("zen4");

	pick_after(&m, &load);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_RIP), load.rip);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA3),
			 IBS_OP_LOAD | IBS_OP_LINEAR_VALID | IBS_OP_PHYSICAL_VALID |
				 4ull << IBS_OP_WIDTH_SHIFT | NOT_KNOWN);
	assert_int_equal(rd(&m, MSR_AMD_IBS_DC_LINEAR), load.linear);
	assert_int_equal(rd(&m, MSR_AMD_IBS_DC_PHYSICAL), load.physical);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA) >> 32, 0);

	store.load = false;
	store.store = true;
	store.bytes = 1;
	store.has_physical = false;
	pick_after(&m, &store);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA3), IBS_OP_STORE | IBS_OP_LINEAR_VALID |
							       1ull << IBS_OP_WIDTH_SHIFT |
							       NOT_KNOWN);
	assert_int_equal(rd(&m, MSR_AMD_IBS_DC_PHYSICAL), 0);

	ret.branch = ret.taken = ret.returns = true;
	ret.target = 0x409999;
	pick_after(&m, &ret);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA) >> 32 << 32,
			 IBS_OP_RETURN | IBS_OP_BRANCH_TAKEN | IBS_OP_BRANCH_RETIRED);
	assert_int_equal(rd(&m, MSR_AMD_IBS_BRANCH_TARGET), ret.target);

	pick_after(&m, &unknown);
	assert_true(rd(&m, MSR_AMD_IBS_OP_DATA) & IBS_OP_RIP_INVALID);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA3), 0);
}

/* --- By the model of a core --- */

static struct vpmu_op load_from(uint8_t source, uint8_t translation)
{
	struct vpmu_op op = load;

	op.model = (struct events_last){
		.number = 9,
		.rip = load.rip,
		.naccesses = 1,
		.access = {{
			.va = load.linear,
			.bytes = 8,
			.latency = 123,
			.source = source,
			.translation = translation,
		}},
	};
	return op;
}

TEST(test_where_data_came_from)
{
	static const struct {
		uint8_t source, translation, page_shift;
		uint64_t data3, data2;
	} rows[] = {
		{EVENTS_FROM_L1, EVENTS_TLB_HIT, 12, 0, 0},
		{EVENTS_FROM_L1, EVENTS_TLB_HIT, 21, IBS_OP_TLB_HIT_2M, 0},
		{EVENTS_FROM_L1, EVENTS_STLB_HIT, 30,
		 IBS_OP_TLB_MISS | IBS_OP_STLB_HIT_1G | 7ull << IBS_OP_REFILL_SHIFT, 0},
		{EVENTS_FROM_FILL, EVENTS_TLB_HIT, 12,
		 IBS_OP_L1_MISS | IBS_OP_L2_MISS | IBS_OP_NO_BUFFER | 123ull << 32, 0},
		{EVENTS_FROM_L2, EVENTS_STLB_HIT, 12,
		 IBS_OP_TLB_MISS | IBS_OP_L1_MISS | 123ull << 32 | 7ull << IBS_OP_REFILL_SHIFT, 0},
		{EVENTS_FROM_LLC, EVENTS_TLB_HIT, 12,
		 IBS_OP_L1_MISS | IBS_OP_L2_MISS | 123ull << 32, 1},
		{EVENTS_FROM_MEMORY, EVENTS_WALK, 12,
		 IBS_OP_TLB_MISS | IBS_OP_STLB_MISS | IBS_OP_L1_MISS | IBS_OP_L2_MISS |
			 123ull << 32 | 21ull << IBS_OP_REFILL_SHIFT,
		 3},
	};
	const uint64_t common = IBS_OP_LOAD | IBS_OP_LINEAR_VALID | IBS_OP_PHYSICAL_VALID |
				4ull << IBS_OP_WIDTH_SHIFT;
	struct vpmu_model m = model("zen4");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_op op = load_from(rows[i].source, rows[i].translation);

		op.page_shift = rows[i].page_shift;
		pick_after(&m, &op);
		if (rd(&m, MSR_AMD_IBS_OP_DATA3) != (common | rows[i].data3))
			fail_msg("row %zu: %llx", i,
				 (unsigned long long)rd(&m, MSR_AMD_IBS_OP_DATA3));
		assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA2), rows[i].data2);
		assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA) >> 16 & 0xffff, 123);
	}
}

/* A store hits or misses L1. A locked access has a bit. A store has no data source. */
TEST(test_a_store_of_the_model)
{
	struct vpmu_op op = load_from(EVENTS_FROM_MEMORY, EVENTS_TLB_HIT);
	struct vpmu_model m = model("zen4");

	op.load = false;
	op.store = true;
	op.model.access[0].store = op.model.locked = true;
	pick_after(&m, &op);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA3),
			 IBS_OP_STORE | IBS_OP_LINEAR_VALID | IBS_OP_PHYSICAL_VALID |
				 4ull << IBS_OP_WIDTH_SHIFT | IBS_OP_LOCKED | IBS_OP_L1_MISS |
				 IBS_OP_L2_MISS);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA2), 0);
}

TEST(test_a_misprediction)
{
	struct vpmu_op op = {.rip = 0x401000, .branch = true, .taken = true, .target = 0x402000};
	struct vpmu_model m = model("zen4");

	op.model = (struct events_last){.number = 1, .branch = true, .mispredicted = true};
	pick_after(&m, &op);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA) >> 32 << 32,
			 IBS_OP_MISPREDICTED | IBS_OP_BRANCH_TAKEN | IBS_OP_BRANCH_RETIRED);
	op.model.mispredicted = false;
	pick_after(&m, &op);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA) >> 32 << 32,
			 IBS_OP_BRANCH_TAKEN | IBS_OP_BRANCH_RETIRED);
}

TEST(test_where_code_came_from)
{
	static const struct {
		uint8_t source, translation, page_shift;
		uint64_t ctl, extended;
	} rows[] = {
		{EVENTS_FROM_L1, EVENTS_TLB_HIT, 12, 0, 0},
		{EVENTS_FROM_L2, EVENTS_STLB_HIT, 21,
		 IBS_FETCH_L1_MISS | IBS_FETCH_TLB_MISS | 1ull << IBS_FETCH_PAGE_SHIFT, 7},
		{EVENTS_FROM_LLC, EVENTS_WALK, 12,
		 IBS_FETCH_L1_MISS | IBS_FETCH_L2_MISS | IBS_FETCH_TLB_MISS | IBS_FETCH_STLB_MISS,
		 21},
		{EVENTS_FROM_MEMORY, EVENTS_TLB_HIT, 12,
		 IBS_FETCH_L1_MISS | IBS_FETCH_L2_MISS | IBS_FETCH_L3_MISS, 0},
	};
	const uint64_t common =
		IBS_FETCH_VAL | IBS_FETCH_COMP | IBS_FETCH_PHYSICAL_VALID | 99ull << 32;
	struct vpmu_model m = model("zen4");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_op op = load;

		op.rip_page_shift = rows[i].page_shift;
		op.model = (struct events_last){
			.number = 1,
			.fetch_source = rows[i].source,
			.fetch_translation = rows[i].translation,
			.fetch_latency = 99,
		};
		wr(&m, MSR_AMD_IBS_FETCH_CTL, FETCH_MAX(32) | IBS_FETCH_EN);
		advance_ring(&m, VPMU_USR, 32);
		vpmu_model_ibs_pick(&m, &op);
		assert_int_equal(rd(&m, MSR_AMD_IBS_FETCH_CTL) & ~0xffffffffull & ~IBS_FETCH_EN,
				 common | rows[i].ctl);
		assert_int_equal(rd(&m, MSR_AMD_IBS_FETCH_EXTENDED), rows[i].extended);
	}
}

/* With the filter for misses of L3 other instructions are skipped, and the period begins anew. */
TEST(test_only_misses)
{
	const struct vpmu_op near = load_from(EVENTS_FROM_LLC, EVENTS_TLB_HIT),
			     far = load_from(EVENTS_FROM_MEMORY, EVENTS_TLB_HIT);
	struct vpmu_model m = model("zen4");

	wr(&m, MSR_AMD_IBS_OP_CTL,
	   OP_MAX(16) | IBS_OP_EN | IBS_OP_COUNTS_OPS | IBS_OP_L3_MISS_ONLY);
	advance_ring(&m, VPMU_USR, 16);
	vpmu_model_ibs_pick(&m, &near);
	assert_false(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL);
	assert_false(vpmu_model_ibs_deliver(&m));
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 16);
	advance_ring(&m, VPMU_USR, 16);
	vpmu_model_ibs_pick(&m, &far);
	assert_true(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL);
	assert_true(vpmu_model_ibs_deliver(&m));
}

/* From Zen 5 on bits 5:4 are the page's size in any TLB, and bits 3:2 the misses. They are valid
 * only with a physical address. */
TEST(test_page_sizes)
{
	static const struct {
		uint8_t translation, page_shift;
		bool physical;
		uint64_t bits;
	} rows[] = {
		{EVENTS_TLB_HIT, 12, true, 0},
		{EVENTS_TLB_HIT, 21, true, 1 << 4},
		{EVENTS_STLB_HIT, 30, true, 2 << 4 | 4},
		{EVENTS_WALK, 21, true, 1 << 4 | 12},
		{EVENTS_WALK, 21, false, 0},
	};
	const uint64_t all = 0xfull << 2 | 1 << 6 | 1 << 19;
	struct vpmu_model m = model("zen5");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_op op = load_from(EVENTS_FROM_L2, rows[i].translation);

		op.page_shift = rows[i].page_shift;
		op.has_physical = rows[i].physical;
		pick_after(&m, &op);
		assert_int_equal(rd(&m, MSR_AMD_IBS_OP_DATA3) & all, rows[i].bits);
	}
}

/* From Zen 5 on bits 62:59 are the latency that must be exceeded, in steps of 128 cycles, less one.
 */
TEST(test_slow_loads_only)
{
	static const struct {
		uint8_t source;
		uint16_t latency;
		uint64_t steps;
		bool store, wanted;
	} rows[] = {
		{EVENTS_FROM_MEMORY, 129, 0, false, true},
		{EVENTS_FROM_MEMORY, 128, 0, false, false},
		{EVENTS_FROM_LLC, 300, 0, false, true},
		{EVENTS_FROM_L1, 300, 0, false, false},
		{EVENTS_FROM_MEMORY, 300, 0, true, false},
		{EVENTS_FROM_MEMORY, 300, 2, false, false},
		{EVENTS_FROM_MEMORY, 385, 2, false, true},
		{EVENTS_FROM_MEMORY, 2048, 15, false, false},
		{EVENTS_FROM_MEMORY, 2049, 15, false, true},
	};
	const uint64_t on = OP_MAX(16) | IBS_OP_EN | IBS_OP_COUNTS_OPS;
	struct vpmu_model m;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_op op = load_from(rows[i].source, EVENTS_TLB_HIT);

		op.model.access[0].latency = rows[i].latency;
		op.model.access[0].store = op.store = rows[i].store;
		op.load = !op.store;
		m = model("zen5");
		wr(&m, MSR_AMD_IBS_OP_CTL, on | 1ull << 63 | rows[i].steps << 59);
		advance_ring(&m, VPMU_USR, 16);
		vpmu_model_ibs_pick(&m, &op);
		assert_int_equal(!!(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL), rows[i].wanted);
		assert_int_equal(vpmu_model_ibs_deliver(&m), rows[i].wanted);
		assert_int_equal(OP_COUNT(rd(&m, MSR_AMD_IBS_OP_CTL)), rows[i].wanted ? 16 : 0);
	}
	m = model("zen4");
	wr(&m, MSR_AMD_IBS_OP_CTL, on | 0x1full << 59);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_CTL), on);
}

/* Samples need the model from the time on when a unit was on in this measurement. */
TEST(test_needs_the_model)
{
	struct vpmu_model m = model("zen4");

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_NONE);
	wr(&m, MSR_AMD_IBS_OP_CTL, OP_MAX(16) | IBS_OP_EN);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	wr(&m, MSR_AMD_IBS_OP_CTL, 0);
	wr(&m, MSR_AMD_PERF_CTL0, 0);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	vpmu_model_begin(&m);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_COUNTS);
}

/* A sample stays until the next write. Nothing is counted meanwhile. */
TEST(test_a_sample_waits)
{
	struct vpmu_op later = {.rip = 0x999};
	struct vpmu_model m = model("zen4");
	uint64_t ctl;

	pick_after(&m, &load);
	assert_true(vpmu_model_ibs_deliver(&m));
	ctl = rd(&m, MSR_AMD_IBS_OP_CTL);
	advance_ring(&m, VPMU_OS, 1000);
	vpmu_model_ibs_pick(&m, &later);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_CTL), ctl);
	assert_int_equal(rd(&m, MSR_AMD_IBS_OP_RIP), load.rip);
	assert_false(vpmu_model_ibs_deliver(&m));
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
}

TEST(test_fetch)
{
	struct vpmu_model m = model("zen4");
	uint64_t ctl;

	wr(&m, MSR_AMD_IBS_FETCH_CTL, FETCH_MAX(0x1230) | IBS_FETCH_EN | IBS_FETCH_RAND_EN);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0x1230);
	advance_ring(&m, VPMU_OS, 0x125);
	assert_int_equal(rd(&m, MSR_AMD_IBS_FETCH_CTL) >> 16 & 0xffff, 0x12);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0x1230 - 0x125);
	advance_ring(&m, VPMU_OS, 0x1230 - 0x125);
	vpmu_model_ibs_pick(&m, &load);
	ctl = rd(&m, MSR_AMD_IBS_FETCH_CTL);
	assert_true(ctl & IBS_FETCH_VAL && ctl & IBS_FETCH_COMP && ctl & IBS_FETCH_PHYSICAL_VALID);
	assert_int_equal(rd(&m, MSR_AMD_IBS_FETCH_LINEAR), load.rip);
	assert_int_equal(rd(&m, MSR_AMD_IBS_FETCH_PHYSICAL), load.rip_physical);
	assert_true(vpmu_model_ibs_deliver(&m));
	wr(&m, MSR_AMD_IBS_FETCH_CTL, FETCH_MAX(0x1230) | IBS_FETCH_EN);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0x1230);
}

/* Both samplers run beside a counter: until() returns the distance to the first event of them. */
TEST(test_together)
{
	struct vpmu_model m = model("zen4");

	wr(&m, MSR_AMD_IBS_FETCH_CTL, FETCH_MAX(160) | IBS_FETCH_EN);
	wr(&m, MSR_AMD_IBS_OP_CTL, OP_MAX(160) | IBS_OP_EN | IBS_OP_COUNTS_OPS);
	wr(&m, MSR_AMD_PERF_CTL0, 0xc0 | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN | EVTSEL_INT);
	wr(&m, MSR_AMD_PERF_CNTR_GLOBAL_CTL, 1);
	wr(&m, MSR_AMD_PERF_CTR0, (uint64_t)-100);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 100);
	advance_ring(&m, VPMU_USR, 100);
	assert_true(vpmu_model_deliver(&m));
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 60);
	advance_ring(&m, VPMU_USR, 60);
	vpmu_model_ibs_pick(&m, &load);
	assert_true(rd(&m, MSR_AMD_IBS_OP_CTL) & IBS_OP_VAL);
	assert_true(rd(&m, MSR_AMD_IBS_FETCH_CTL) & IBS_FETCH_VAL);
	assert_true(vpmu_model_ibs_deliver(&m));
	assert_false(vpmu_model_ibs_deliver(&m));
}

/* --- The interrupt --- */

#define EILVT(n) (0x850u + (n))

/* APM vol. 2, "Extended Interrupts": masked at reset; reserved bits read as zero. */
TEST(test_extended_interrupts)
{
	struct vpmu_model m = model("zen4"), skx = model("skx");
	uint64_t v;

	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(vpmu_eilvt_read(&m, i), 0x10000);
	/* If no interrupt was set up, an NMI comes. */
	assert_int_equal(vpmu_model_ibs_lvt(&m), 0x400);
	vpmu_eilvt_write(&m, 0, UINT32_MAX);
	assert_int_equal(vpmu_eilvt_read(&m, 0), 0x107ff);
	assert_int_equal(vpmu_model_ibs_lvt(&m), 0x107ff);
	assert_int_equal(rd(&m, EILVT(0)), 0x107ff);
	wr(&m, EILVT(0), 0x400);
	assert_int_equal(vpmu_model_ibs_lvt(&m), 0x400);
	assert_int_equal(rd(&m, EILVT(3)), 0x10000);
	assert_int_equal(vpmu_model_rdmsr(&m, EILVT(4), &v), VPMU_NOT_OURS);
	assert_int_equal(vpmu_model_rdmsr(&skx, EILVT(0), &v), VPMU_NOT_OURS);
}

/* Instructions that compilers and Linux use to access a register of the local APIC. */
TEST(test_moves)
{
	static const struct {
		uint8_t code[12];
		size_t length;
		bool is, loads, stores;
		uint8_t gpr;
		uint32_t constant;
	} rows[] = {
		{{0x8b, 0x87, 0, 0xd5, 0x5f, 0xff}, 6, true, true, false, 0, 0},
		{{0x89, 0xb7, 0, 0xd5, 0x5f, 0xff}, 6, true, false, true, 6, 0},
		{{0x44, 0x8b, 0x08}, 3, true, true, false, 9, 0},
		{{0x3e, 0x89, 0x10}, 3, true, false, true, 2, 0},
		{{0x87, 0x37}, 2, true, true, true, 6, 0},
		{{0xc7, 0x40, 0x10, 0, 4, 1, 0}, 7, true, false, true, 0, 0x10400},
		{{0x48, 0x8b, 0x07}, 3, false, false, false, 0, 0},       /* 64 bits */
		{{0x66, 0x8b, 0x07}, 3, false, false, false, 0, 0},       /* 16 */
		{{0x8b, 0xc7}, 2, false, false, false, 0, 0},             /* no memory */
		{{0xc7, 0xf8, 0, 0, 0, 0}, 6, false, false, false, 0, 0}, /* XBEGIN */
		{{0x01, 0x07}, 2, false, false, false, 0, 0},
		{{0x8b}, 1, false, false, false, 0, 0},
		{{0x26}, 1, false, false, false, 0, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct apic_move move = {0};

		assert_int_equal(apic_move_decode(rows[i].code, rows[i].length, &move), rows[i].is);
		assert_int_equal(move.loads, rows[i].loads);
		assert_int_equal(move.stores, rows[i].stores);
		assert_int_equal(move.gpr, rows[i].gpr);
		assert_int_equal(move.constant, !!rows[i].constant);
		assert_int_equal(move.value, rows[i].constant);
	}
}
