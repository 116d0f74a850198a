// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_precise_fields.c - precise events on the modelled PMUs: fields that samples get from
 * records, and refusals.
 */
#include "tests/unit/core/precise_events.h"

#include "tests/unit/test.h"

/* --- Other fields of a record --- */

/* Reads the body of the only sample in the ring, in words. */
static unsigned drain_one(struct rb *rb, uint64_t *body, unsigned most)
{
	uint8_t out[1024];
	struct perf_event_header header;
	size_t n = rb_read(rb, out, sizeof(out));

	assert_true(n >= sizeof(header));
	memcpy(&header, out, sizeof(header));
	assert_int_equal(header.type, PERF_RECORD_SAMPLE);
	assert_int_equal(header.size, n);
	assert_int_equal(header.misc & PERF_RECORD_MISC_EXACT_IP, PERF_RECORD_MISC_EXACT_IP);
	n = (n - sizeof(header)) / 8;
	assert_true(n <= most);
	memcpy(body, out + sizeof(header), n * 8);
	return (unsigned)n;
}

static struct perf_event_attr memory_event(uint64_t config, uint64_t config1, uint64_t period)
{
	struct perf_event_attr attr = precise(period);

	attr.type = PERF_TYPE_RAW;
	attr.config = config;
	attr.config1 = config1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	return attr;
}

/* Facts about the sampled instruction from the model of a core. */
static struct events_last modelled;

/* Golden Cove's load latencies. */
static bool needs_auxiliary(const char *uarch, const struct perf_event_attr *attr)
{
	return !strcmp(uarch, "adl") && attr->config == 0x01cd;
}

static void open_behind_auxiliary(struct pmu_event *aux, struct pmu_event *e,
				  struct perf_event_attr attr, struct rb *rb)
{
	const struct perf_event_attr first = rig_attr(PERF_TYPE_RAW, 0x8203);

	assert_int_equal(rig_open(aux, &first, NULL), 0);
	assert_int_equal(rig_open(e, &attr, aux), 0);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

/* Takes one sample in `instructions` instructions, into `body`. */
static unsigned sample_once(const char *uarch, struct perf_event_attr attr, uint64_t instructions,
			    uint64_t *body, unsigned most)
{
	struct rb *rb = rig_ring(1);
	struct pmu_event aux, e;
	unsigned n;

	boot_precise(uarch);
	shim.state.address = 0x7654320;
	shim.state.model = modelled;
	shim.state.rcx = 0xc0ffee;
	shim.state.r15 = 0xf00d;
	shim.state.rflags = 0x246;
	if (needs_auxiliary(uarch, &attr))
		open_behind_auxiliary(&aux, &e, attr, rb);
	else
		open_into(&e, attr, rb);
	/* Haswell makes the period longer. */
	rig_task(instructions * e.period / attr.sample_period);
	n = drain_one(rb, body, most);
	pmu_event_close(&e);
	if (needs_auxiliary(uarch, &attr))
		pmu_event_close(&aux);
	return n;
}

/* Load-latency records have the latency and the source. Records of ALL_STORES tell whether the
 * store hit L1; records of ALL_LOADS tell neither. */
TEST(test_memory)
{
	static const struct {
		uint64_t config, config1, instructions, latency;
		union perf_mem_data_src source;
	} rows[] = {
		{0x01cd,
		 30,
		 160,
		 33,
		 {.mem_op = PERF_MEM_OP_LOAD,
		  .mem_lvl = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT,
		  .mem_lvl_num = PERF_MEM_LVLNUM_L2,
		  .mem_snoop = PERF_MEM_SNOOP_NONE,
		  .mem_dtlb = PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2}},
		{0x82d0,
		 0,
		 16,
		 0,
		 {.mem_op = PERF_MEM_OP_STORE,
		  .mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT,
		  .mem_snoop = PERF_MEM_SNOOP_NA,
		  .mem_lock = PERF_MEM_LOCK_NA,
		  .mem_dtlb = PERF_MEM_TLB_NA}},
		{0x81d0,
		 0,
		 8,
		 0,
		 {.mem_op = PERF_MEM_OP_LOAD,
		  .mem_lvl = PERF_MEM_LVL_NA,
		  .mem_snoop = PERF_MEM_SNOOP_NA,
		  .mem_lock = PERF_MEM_LOCK_NA,
		  .mem_dtlb = PERF_MEM_TLB_NA}},
	};
	const struct events_last load = {
		.number = 1,
		.naccesses = 1,
		.access = {{.va = 0x7654320, .source = EVENTS_FROM_L2, .latency = 33}},
	};
	uint64_t body[8];

	for_each_uarch(u) for (unsigned i = 0; i < 3; i++)
	{
		modelled = load;
		modelled.access[0].store = i == 1;
		if (i == 1)
			modelled.access[0].source = EVENTS_FROM_L1;
		struct perf_event_attr attr = memory_event(rows[i].config, rows[i].config1, 2);
		bool latency = rows[i].latency;

		attr.sample_type |= latency ? PERF_SAMPLE_WEIGHT : 0;
		assert_int_equal(sample_once(*u, attr, rows[i].instructions, body, 8), 3 + latency);
		assert_int_equal(body[0],
				 0x400000 - 1 +
					 rows[i].instructions * (strcmp(*u, "hsw") ? 2 : 33) / 2);
		assert_int_equal(body[1], 0x7654320);
		assert_int_equal(body[2 + latency], rows[i].source.val);
		if (latency)
			assert_int_equal(body[2], rows[i].latency);
	}
}

/* From Golden Cove on there are two latencies: until the data came, and from the dispatch on. */
TEST(test_latency_parts)
{
	const uint64_t forms[] = {PERF_SAMPLE_WEIGHT, PERF_SAMPLE_WEIGHT_STRUCT};
	uint64_t body[8];

	modelled = (struct events_last){
		.number = 1,
		.naccesses = 1,
		.access = {{.va = 0x7654320, .source = EVENTS_FROM_L2, .latency = 33}},
	};
	for (unsigned i = 0; i < 2; i++) {
		struct perf_event_attr attr = memory_event(0x01cd, 30, 2);

		attr.sample_type |= forms[i];
		assert_int_equal(sample_once("adl", attr, 160, body, 8), 4);
		assert_int_equal(body[2], i ? 33 | 33ull << 32 : 33);
	}
}

/* A sample has the record's registers, and the record's IP. */
TEST(test_registers)
{
	uint64_t body[8];

	for_each_uarch(u)
	{
		struct perf_event_attr attr = precise(100);

		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_INTR;
		attr.sample_regs_intr = 1ull << PERF_REG_X86_CX | 1ull << PERF_REG_X86_IP |
					1ull << PERF_REG_X86_FLAGS | 1ull << PERF_REG_X86_R15;
		assert_int_equal(sample_once(*u, attr, 150, body, 8), 6);
		assert_int_equal(body[1], PERF_SAMPLE_REGS_ABI_64);
		assert_int_equal(body[2], 0xc0ffee);
		assert_int_equal(body[3], body[0]);
		assert_int_equal(body[4], 0x246);
		assert_int_equal(body[5], 0xf00d);
	}
}

/* XABORT ended a transaction with code 0x5a after 1234 cycles. The test writes the record, because
 * the model has no TSX. */
TEST(test_transaction)
{
	static const struct {
		const char *uarch;
		size_t offset; /* of the record's word about transactions */
	} rows[] = {{"hsw", 0xb8}, {"skx", 0xb8}, {"icl", 0x38}};

	for (unsigned i = 0; i < 3; i++) {
		struct perf_event_attr attr = precise(129);
		struct rb *rb = rig_ring(1);
		struct pmu_event e;
		uint64_t body[4], base;

		boot_precise(rows[i].uarch);
		shim.nmi_delay = 50;
		shim.state.rax = 0x5a000001;
		attr.sample_type = PERF_SAMPLE_TRANSACTION;
		attr.wakeup_events = 1;
		open_into(&e, attr, rb);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 150);
		/* The record waits for its NMI. */
		memcpy(&base, (const void *)(shim.model.pebs.ds_area + 0x20), sizeof(base));
		*(uint64_t *)(base + rows[i].offset) =
			(uint64_t)(PERF_TXN_TRANSACTION | PERF_TXN_SYNC) << 32 | 1234;
		shim_run(VPMU_USR, 60);
		pmu_task_sched_out();
		assert_int_equal(drain_one(rb, body, 4), 1);
		assert_int_equal(body[0], PERF_TXN_TRANSACTION | PERF_TXN_SYNC | 0x5aull << 32);
		pmu_event_close(&e);
	}
}

TEST(test_data_sources)
{
	static const struct {
		uint64_t code;
		unsigned level, number, snoop;
		bool remote;
	} rows[] = {
		{0x1, PERF_MEM_LVL_L1, PERF_MEM_LVLNUM_L1, PERF_MEM_SNOOP_NONE, false},
		{0x2, PERF_MEM_LVL_LFB, PERF_MEM_LVLNUM_LFB, PERF_MEM_SNOOP_NONE, false},
		{0x7, PERF_MEM_LVL_L3, PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_HITM, false},
		{0xb, PERF_MEM_LVL_REM_RAM1, PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_HIT, true},
		{0xc, PERF_MEM_LVL_LOC_RAM, PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE, false},
		{0xf, PERF_MEM_LVL_UNC, PERF_MEM_LVLNUM_NA, PERF_MEM_SNOOP_NONE, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		union perf_mem_data_src s =
			pmu_data_source_load(UARCH_SOURCES_SANDYBRIDGE, rows[i].code | 0x30);

		assert_int_equal(s.mem_op, PERF_MEM_OP_LOAD);
		assert_int_equal(s.mem_lvl, rows[i].level | PERF_MEM_LVL_HIT);
		assert_int_equal(s.mem_lvl_num, rows[i].number);
		assert_int_equal(s.mem_snoop, rows[i].snoop);
		assert_int_equal(s.mem_remote, rows[i].remote);
		assert_int_equal(s.mem_dtlb, PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2);
		assert_int_equal(s.mem_lock, PERF_MEM_LOCK_LOCKED);
	}
	assert_int_equal(pmu_data_source_access(0, PERF_MEM_OP_STORE).mem_lvl,
			 PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS);
}

/* Cores differ in their tables of data sources, and in the positions of the bits beside them. */
TEST(test_data_sources_by_core)
{
	static const struct {
		const char *uarch;
		uint64_t code;
		unsigned level, number, snoop, snoopx, remote, tlb, locked, blocked;
	} rows[] = {
#define MISSED (PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2)
#define FOUND  (PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2)
#define L3_HIT (PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT), PERF_MEM_LVLNUM_L3
#define HIT    PERF_MEM_LVL_HIT
		{"hsw", 0x19, PERF_MEM_LVL_REM_CCE1 | HIT, PERF_MEM_LVLNUM_L3, PERF_MEM_SNOOP_HITM,
		 0, 1, MISSED, 0, 0},
		{"skl", 0x48, HIT, PERF_MEM_LVLNUM_L4, PERF_MEM_SNOOP_HIT, 0, 0, FOUND, 0, 0},
		{"skx", 0x89, HIT, PERF_MEM_LVLNUM_PMEM, PERF_MEM_SNOOP_HIT, 0, 1, FOUND, 0, 0},
		{"icl", 0x4c, HIT, PERF_MEM_LVLNUM_ANY_CACHE, 0, PERF_MEM_SNOOPX_FWD, 1, FOUND, 0,
		 0},
		{"adl_p", 0x44, L3_HIT, PERF_MEM_SNOOP_NONE, 0, 0, FOUND, 0, PERF_MEM_BLK_DATA},
		{"gnr", 0x88, HIT, PERF_MEM_LVLNUM_PMEM, PERF_MEM_SNOOP_HIT, 0, 0, FOUND, 0,
		 PERF_MEM_BLK_ADDR},
		{"spr", 0x2d, HIT, PERF_MEM_LVLNUM_ANY_CACHE, PERF_MEM_SNOOP_HITM, 0, 1, FOUND,
		 PERF_MEM_LOCK_LOCKED, PERF_MEM_BLK_NA},
		{"adl_e", 0x16, L3_HIT, PERF_MEM_SNOOP_HITM, 0, 0, FOUND, PERF_MEM_LOCK_LOCKED,
		 PERF_MEM_BLK_NA},
		{"adl_e", 0x28, L3_HIT, 0, PERF_MEM_SNOOPX_FWD, 0, MISSED, 0, PERF_MEM_BLK_NA},
		{"mtl_e", 0x48, L3_HIT, PERF_MEM_SNOOP_HITM, 0, 0, MISSED, 0, PERF_MEM_BLK_NA},
		{"srf", 0x2a, PERF_MEM_LVL_LOC_RAM | HIT, PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE,
		 0, 0, FOUND, PERF_MEM_LOCK_LOCKED, PERF_MEM_BLK_NA},
		{"lnl", 0x411, PERF_MEM_LVL_LOC_RAM | HIT, PERF_MEM_LVLNUM_RAM, PERF_MEM_SNOOP_NONE,
		 0, 0, MISSED, 0, PERF_MEM_BLK_NA},
		{"arl", 0x1810, HIT, 0x06, PERF_MEM_SNOOP_NONE, 0, 0, FOUND, PERF_MEM_LOCK_LOCKED,
		 PERF_MEM_BLK_DATA},
		{"lnl", 0x07, 0, PERF_MEM_LVLNUM_NA, PERF_MEM_SNOOP_NA, 0, 0, FOUND, 0,
		 PERF_MEM_BLK_NA},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const union perf_mem_data_src s = pmu_data_source_load(
			uarch_sources(uarch_by_name(rows[i].uarch)), rows[i].code);

		if (s.mem_lvl != rows[i].level || s.mem_lvl_num != rows[i].number ||
		    s.mem_snoop != rows[i].snoop || s.mem_snoopx != rows[i].snoopx ||
		    s.mem_remote != rows[i].remote || s.mem_dtlb != rows[i].tlb ||
		    s.mem_lock != rows[i].locked || s.mem_blk != rows[i].blocked)
			fail_msg("%s: 0x%llx is 0x%llx", rows[i].uarch,
				 (unsigned long long)rows[i].code, (unsigned long long)s.val);
	}
}

/* --- Refusals --- */

static void refuses_fields(struct perf_event_attr attr, int error, const char *sentence)
{
	struct pmu_event e;
	int got = rig_open(&e, &attr, NULL);

	if (got != -error || !strstr(rig.why.text, sentence))
		fail_msg("%d: '%s', not %d: '%s'", got, rig.why.text, -error, sentence);
}

TEST(test_refusals)
{
	struct perf_event_attr attr = precise(1000);
	struct pmu_event e;

	boot_precise("zen4");
	refuses_fields(attr, EOPNOTSUPP, "by Instruction-Based Sampling");
	boot_precise("hsw");
	attr.sample_period = 0;
	refuses_fields(attr, EINVAL, "is for sampling");
	refuses_fields(precise(1), EINVAL, "the shortest period");
	attr = precise(1000);
	attr.config = PERF_COUNT_HW_CACHE_REFERENCES;
	refuses_fields(attr, EINVAL, "no precise form of event 0x4f2e");
	/* Fields that the CPU's records lack. */
	attr = precise(1000);
	attr.sample_type |= PERF_SAMPLE_ADDR;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_true(pmu_event_missing(&e) == PERF_SAMPLE_ADDR);
	pmu_event_close(&e);
	attr = memory_event(0x81d0, 0, 1000);
	attr.sample_type |= PERF_SAMPLE_WEIGHT;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_true(pmu_event_missing(&e) == PERF_SAMPLE_WEIGHT);
	pmu_event_close(&e);
	/* An event that has a precise form only. */
	attr = precise(1000);
	attr.type = PERF_TYPE_RAW;
	attr.config = 0x01c0;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(pmu_event_counters(&e), 2);
	pmu_event_close(&e);
	boot_precise("icl");
	attr = precise(1000);
	attr.config = PERF_COUNT_HW_CACHE_REFERENCES;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	pmu_event_close(&e);
}

/* Formats 5 and 6 are adaptive, like format 4. */
TEST(test_later_formats)
{
	for (unsigned format = 5; format <= 6; format++) {
		boot_precise("icl");
		rig.caps.perf_capabilities &= ~PERF_CAP_PEBS_IS(0xf);
		rig.caps.perf_capabilities |= PERF_CAP_PEBS_IS(format);
		rig_init();
		assert_int_equal(pmu.hw.pebs.format, format);
		assert_true(pmu.hw.pebs.adaptive);
		rig.caps.perf_capabilities &= ~PERF_CAP_PEBS_BASELINE;
		rig_init();
		refuses_fields(precise(1000), EOPNOTSUPP, "come together only");
	}
}

/* Machines that lack a feature: each refusal names it. */
TEST(test_machines_without)
{
	boot_precise("skx");
	rig.caps.ds = false;
	rig_init();
	refuses_fields(precise(1000), EOPNOTSUPP, "debug store");
	boot_precise("skx");
	rig.caps.pdcm_readable = false;
	rig_init();
	refuses_fields(precise(1000), EOPNOTSUPP, "IA32_PERF_CAPABILITIES");
	boot_precise("skx");
	rig.caps.perf_capabilities |= PERF_CAP_PEBS_IS(0xf);
	rig_init();
	refuses_fields(precise(1000), EOPNOTSUPP, "a format that is not known");
	boot_precise("skx");
	rig.caps.perf_capabilities |= PERF_CAP_PEBS_BASELINE;
	rig_init();
	refuses_fields(precise(1000), EOPNOTSUPP, "come together only");
	boot_precise("skx");
	shim.model.regs.misc_enable |= MISC_ENABLE_PEBS_UNAVAILABLE;
	rig_init();
	refuses_fields(precise(1000), EOPNOTSUPP, "not available");
	boot_precise("skx");
	pmu.uarch = uarch_by_name("goldmont");
	refuses_fields(precise(1000), EOPNOTSUPP, "is not known");
}

/* On Golden Cove an event of load latency with data sources needs another event before it in its
 * group. */
TEST(test_auxiliary_event)
{
	struct perf_event_attr attr = precise(1000), aux = rig_attr(PERF_TYPE_RAW, 0x8203);
	struct pmu_event leader, e;

	attr.type = PERF_TYPE_RAW;
	attr.config = 0x01cd;
	attr.config1 = 3;
	attr.sample_type |= PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
	boot_precise("adl");
	refuses_fields(attr, ENODATA, "mem-loads-aux");
	aux.exclude_kernel = 1;
	assert_int_equal(rig_open(&leader, &aux, NULL), 0);
	assert_int_equal(rig_open(&e, &attr, &leader), 0);
	pmu_event_close(&e);
	/* Without data sources it does not. */
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_DATA_SRC;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	pmu_event_close(&e);
	pmu_event_close(&leader);
	attr.sample_type |= PERF_SAMPLE_DATA_SRC;
	boot_precise("icl");
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	pmu_event_close(&e);
}

/* A period that a counter cannot be set to is rounded up. The counter is set to one event less. */
TEST(test_short_periods)
{
	static const struct {
		const char *uarch;
		uint64_t select;
		unsigned precise_ip;
		uint64_t asked, becomes;
	} rows[] = {
		{"hsw", 0x01c0, 2, 100, 129},   {"hsw", 0x20d1, 2, 5, 33},
		{"hsw", 0x01c0, 2, 1000, 1000}, {"adl", 0x00c0, 3, 100, 129},
		{"adl", 0x00c0, 2, 100, 100},   {"icl", 0x00c0, 3, 100, 100},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_event_attr attr = precise(rows[i].asked);
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		boot_precise(rows[i].uarch);
		attr.type = PERF_TYPE_RAW;
		attr.config = rows[i].select;
		attr.precise_ip = rows[i].precise_ip & 3;
		open_into(&e, attr, rb);
		assert_int_equal(e.period, rows[i].becomes);
		rig_task(100000);
		if ((rows[i].select & 0xff) == 0xc0)
			assert_int_equal(e.books.overflows, 100000 / rows[i].becomes);
		pmu_event_close(&e);
	}
}
