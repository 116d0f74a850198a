// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_pebs.c - PEBS in vpmu's model, compared with the manual: the recorded event, every
 * byte of a record, the buffer's bounds and threshold, counters and status.
 */
#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#define USER(event, umask) ((uint64_t)(umask) << 8 | (event) | EVTSEL_USR | EVTSEL_EN)
#define PREC_DIST          USER(0xc0, 0x01) /* counter 1 */
#define MASK48             ((1ull << 48) - 1)

/* The DS area as words of memory: BTS, then base, index, maximum, threshold, then reset values. */
enum { BASE = 4, INDEX, MAXIMUM, THRESHOLD, RESET };
static uint64_t ds[64];
static uint8_t buffer[4096] __attribute__((aligned(8)));
static bool mapped;

static bool read_memory(uint64_t va, void *buf, size_t n)
{
	if (mapped)
		memcpy(buf, (const void *)va, n);
	return mapped;
}

static bool write_memory(uint64_t va, const void *buf, size_t n)
{
	if (mapped)
		memcpy((void *)va, buf, n);
	return mapped;
}

static const struct vpmu_memory memory = {read_memory, write_memory};

/* The tests set `model`. */
static struct vpmu_state guest = {
	.eventing_ip = 0x400ff0,
	.rip = 0x400ff3,
	.rflags = 0x246,
	.rax = 0xa0,
	.rbx = 0xb0,
	.rcx = 0xc0,
	.rdx = 0xd0,
	.rsi = 0x51,
	.rdi = 0xd1,
	.rbp = 0xb9,
	.rsp = 0x59,
	.r8 = 8,
	.r9 = 9,
	.r10 = 10,
	.r11 = 11,
	.r12 = 12,
	.r13 = 13,
	.r14 = 14,
	.r15 = 15,
	.tsc = 0x123456789,
	.address = 0x7fff1230,
};

/* The model of a core's facts about the instruction. */
static const struct events_last load_from_l2 = {
	.number = 1,
	.naccesses = 1,
	.access = {{.va = 0x7fff1230, .bytes = 8, .latency = 33, .source = EVENTS_FROM_L2}},
};

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

static struct vpmu_model machine(const char *uarch, size_t room, size_t threshold)
{
	struct vpmu_model m;

	memset(ds, 0, sizeof(ds));
	memset(buffer, 0xee, sizeof(buffer));
	mapped = true;
	ds[BASE] = ds[INDEX] = (uintptr_t)buffer;
	ds[MAXIMUM] = ds[BASE] + room;
	ds[THRESHOLD] = ds[BASE] + threshold;
	vpmu_model_init(&m, vpmu_uarch_find(uarch), true, 1);
	wr(&m, MSR_IA32_DS_AREA, (uintptr_t)ds);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x70000000full);
	return m;
}

/* Counter `i` counts `sel` from -n on, and again n events after each record. */
static void count(struct vpmu_model *m, unsigned i, uint64_t sel, uint64_t n)
{
	ds[RESET + i] = -n & MASK48;
	wr(m, MSR_IA32_PERFEVTSEL0 + i, sel);
	wr(m, MSR_IA32_A_PMC0 + i, -n & MASK48);
	wr(m, MSR_IA32_PEBS_ENABLE, rd(m, MSR_IA32_PEBS_ENABLE) | 1ull << i);
}

static void advance_user(struct vpmu_model *m, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[VPMU_USR] = p.cycles[VPMU_USR] = p.ref_cycles[VPMU_USR] = n;
	vpmu_model_advance(m, &p);
}

/* Advances from event to event, as vpmu does. Returns the number of records. */
static unsigned go(struct vpmu_model *m, uint64_t n)
{
	unsigned records = 0;

	while (n) {
		uint64_t step = vpmu_model_until(m, VPMU_USR);

		if (!step) {
			vpmu_model_deliver(m);
			continue;
		}
		step = step < n ? step : n;
		advance_user(m, step);
		n -= step;
		if (!vpmu_model_due(m))
			continue;
		vpmu_model_record(m, &guest, &memory);
		records++;
	}
	return records;
}

static uint64_t word(size_t offset)
{
	uint64_t v;

	memcpy(&v, buffer + offset, sizeof(v));
	return v;
}

/* --- Which event --- */

TEST(test_the_event_behind_the_overflow)
{
	struct vpmu_model m = machine("skx", sizeof(buffer), 4000);

	count(&m, 1, PREC_DIST, 100);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 101);
	assert_int_equal(go(&m, 99), 0);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	/* Overflow: armed, with its status bit, and no PMI. */
	assert_int_equal(go(&m, 1), 0);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 2);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 1), 0);
	assert_false(vpmu_model_deliver(&m));
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1);
	assert_int_equal(go(&m, 1), 1);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 1), -100 & MASK48);
	assert_int_equal(go(&m, 101 * 5 + 100), 5);
	assert_int_equal(ds[INDEX] - ds[BASE], 6 * 0xc8);
}

TEST(test_who_records)
{
	static const struct {
		const char *uarch;
		unsigned counter;
		uint64_t sel;
		unsigned records;
	} rows[] = {
		{"hsw", 1, PREC_DIST, 9},
		{"hsw", 0, USER(0x3c, 0x00), 0}, /* counts, but is not precise */
		{"hsw", 0, USER(0xc0, 0x00), 9},
		{"skx", 3, USER(0xc0, 0x00), 9},
		/* Linux's event for precise cycles on Skylake. */
		{"skx", 2, USER(0xc0, 0x00) | EVTSEL_INV | 16ull << 24, 9},
		{"hsw", 0, USER(0xc4, 0x04), 1},
		{"skx", 0, USER(0xc0, 0x01) | EVTSEL_INV | 10ull << 24, 9},
		{"skx", 0, USER(0xd0, 0x81), 2},
		{"icl", 0, USER(0xc0, 0x00), 9},
		{"icl", 7, USER(0xc0, 0x00), 9},
		{"icl", 3, USER(0x24, 0x27), 0}, /* too rare */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct vpmu_model m = machine(rows[i].uarch, sizeof(buffer), 4000);
		unsigned records;

		if (!strcmp(rows[i].uarch, "icl"))
			wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0xff);
		count(&m, rows[i].counter, rows[i].sel, 99);
		records = go(&m, 950);
		if (records != rows[i].records)
			fail_msg("row %zu: %u records", i, records);
	}
}

/* The counter of a ring that does not run keeps its value, armed or not. */
TEST(test_armed_and_stopped)
{
	struct vpmu_model m = machine("skx", sizeof(buffer), 4000);
	struct vpmu_progress kernel = {.instructions = {[VPMU_OS] = 1000}};

	count(&m, 1, PREC_DIST, 100);
	go(&m, 100);
	vpmu_model_advance(&m, &kernel);
	assert_false(vpmu_model_due(&m));
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0);
	assert_int_equal(go(&m, 50), 0);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0xf);
	assert_int_equal(go(&m, 1), 1);
	/* A new value, or disabling PEBS, disarms the counter. */
	go(&m, 100);
	wr(&m, MSR_IA32_A_PMC0 + 1, -7 & MASK48);
	assert_int_equal(go(&m, 7), 0);
	wr(&m, MSR_IA32_PEBS_ENABLE, 0);
	wr(&m, MSR_IA32_PEBS_ENABLE, 2);
	assert_int_equal(go(&m, 90), 0);
}

/* Events that come several at a time: those beyond the recorded one belong to the next period. */
TEST(test_many_at_once)
{
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);
	struct vpmu_progress p = {0};
	unsigned records = 0;

	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1);
	count(&m, 0, USER(0x3c, 0x00), 99);
	for (unsigned i = 0; i < 1000; i++) {
		p.cycles[VPMU_USR] = 16;
		vpmu_model_advance(&m, &p);
		if (!vpmu_model_due(&m))
			continue;
		vpmu_model_record(&m, &guest, &memory);
		ds[INDEX] = ds[BASE];
		records++;
	}
	assert_int_equal(records, 16000 / 100);
}

/* --- The record --- */

static void check_record_words(const uint64_t *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (word(i * 8) != want[i])
			fail_msg("word 0x%zx: 0x%llx, not 0x%llx", i * 8,
				 (unsigned long long)word(i * 8), (unsigned long long)want[i]);
	assert_int_equal(word(n * 8), 0xeeeeeeeeeeeeeeeeull);
	assert_int_equal(ds[INDEX] - ds[BASE], n * 8);
}

TEST(test_format_2)
{
	static const uint64_t want[] = {
		0x246,
		0x400ff3,
		0xa0,
		0xb0,
		0xc0,
		0xd0,
		0x51,
		0xd1,
		0xb9,
		0x59,
		8,
		9,
		10,
		11,
		12,
		13,
		14,
		15,
		1 << 1 | 1ull << 32,
		0,
		0,
		0,
		0x400ff0,
		0,
	};
	struct vpmu_model m = machine("hsw", sizeof(buffer), 4000);

	count(&m, 1, PREC_DIST, 10);
	/* The record has the current status, including the overflow of another counter. */
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_USR);
	wr(&m, MSR_IA32_FIXED_CTR0, MASK48);
	go(&m, 11);
	check_record_words(want, sizeof(want) / sizeof(want[0]));
}

TEST(test_format_3)
{
	static const uint64_t want[] = {
		0x246,  0x400ff3,   0xa0, 0xb0, 0xc0,     0xd0, 0x51,        0xd1, 0xb9,
		0x59,   8,          9,    10,   11,       12,   13,          14,   15,
		1 << 3, 0x7fff1230, 3,    33,   0x400ff0, 0,    0x123456789,
	};
	struct vpmu_model m = machine("skx", sizeof(buffer), 4000);

	guest.model = load_from_l2;
	wr(&m, MSR_PEBS_LD_LAT, 30);
	count(&m, 3, USER(0xcd, 0x01), 1);
	assert_int_equal(go(&m, 160), 1);
	check_record_words(want, sizeof(want) / sizeof(want[0]));
}

TEST(test_adaptive)
{
	static const uint64_t basic[] = {32ull << 48, 0x400ff0, 1, 0x123456789};
	static const uint64_t all[] = {
		208ull << 48 | 3,
		0x400ff0,
		1,
		0x123456789,
		0x7fff1230,
		3,
		33,
		0,
		0x246,
		0x400ff3,
		0xa0,
		0xc0,
		0xd0,
		0xb0,
		0x59,
		0xb9,
		0x51,
		0xd1,
		8,
		9,
		10,
		11,
		12,
		13,
		14,
		15,
	};
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);

	guest.model = load_from_l2;
	wr(&m, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY | PEBS_DATA_GPRS);
	wr(&m, MSR_PEBS_LD_LAT, 30);
	count(&m, 0, USER(0xcd, 0x01), 1);
	go(&m, 160);
	check_record_words(basic, sizeof(basic) / sizeof(basic[0]));

	m = machine("icl", sizeof(buffer), 4000);
	wr(&m, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY | PEBS_DATA_GPRS);
	wr(&m, MSR_PEBS_LD_LAT, 30);
	count(&m, 0, USER(0xcd, 0x01) | EVTSEL_ADAPTIVE, 1);
	go(&m, 160);
	check_record_words(all, sizeof(all) / sizeof(all[0]));
}

/* SDM vol. 3, "Adaptive PEBS": sixteen registers, the first one first; the newest branch first. */
TEST(test_adaptive_groups)
{
	const uint64_t config = PEBS_DATA_XMMS | PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(3);
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);
	uint64_t want[4 + 32 + 9] = {(32 + 256 + 72ull) << 48 | config, 0x400ff0, 1, 0x123456789};

	for (unsigned i = 0; i < 16; i++) {
		guest.xmm[i][0] = want[4 + 2 * i] = 0x1000 + i;
		guest.xmm[i][1] = want[5 + 2 * i] = 0x2000 + i;
	}
	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	wr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	for (uint64_t i = 1; i <= 40; i++)
		vpmu_model_branch(&m, VPMU_USR, BRANCH_KIND_REL_JUMP,
				  (struct branch_record){0x100 + i, 0x200 + i, i});
	for (unsigned i = 0; i < 3; i++) {
		want[36 + 3 * i] = 0x100 + 40 - i;
		want[37 + 3 * i] = 0x200 + 40 - i;
		want[38 + 3 * i] = 40 - i;
	}
	wr(&m, MSR_PEBS_DATA_CFG, config);
	count(&m, 0, USER(0xc0, 0x00) | EVTSEL_ADAPTIVE, 1);
	assert_false(vpmu_model_wants_xmms(&m));
	advance_user(&m, 2);
	assert_true(vpmu_model_wants_xmms(&m));
	vpmu_model_record(&m, &guest, &memory);
	check_record_words(want, sizeof(want) / sizeof(want[0]));
	/* Records of a counter without adaptive PEBS have none of these groups. */
	m = machine("icl", sizeof(buffer), 4000);
	wr(&m, MSR_PEBS_DATA_CFG, config);
	count(&m, 0, USER(0xc0, 0x00), 1);
	advance_user(&m, 2);
	assert_false(vpmu_model_wants_xmms(&m));
}

/* The values of the registers, with zeroes for missing branches. */
TEST(test_branches_of_a_record)
{
	const uint64_t config = PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(32);
	struct vpmu_model m = machine("adl", sizeof(buffer), 4000);
	uint64_t want[4 + 96] = {(32 + 768ull) << 48 | config, 0x400ff0, 1, 0x123456789};

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	wr(&m, MSR_IA32_LBR_CTL, ARCH_LBR_ENABLE | ARCH_LBR_USR | ARCH_LBR_KINDS);
	vpmu_model_branch(&m, VPMU_USR, BRANCH_KIND_RETURN,
			  (struct branch_record){0x1111, 0x2222, BRANCH_MISPREDICTED});
	want[4] = 0x1111;
	want[5] = 0x2222;
	want[6] = BRANCH_MISPREDICTED | 5ull << LBR_INFO_TYPE_SHIFT;
	wr(&m, MSR_PEBS_DATA_CFG, config);
	count(&m, 0, USER(0xc0, 0x00) | EVTSEL_ADAPTIVE, 1);
	assert_int_equal(go(&m, 2), 1);
	check_record_words(want, sizeof(want) / sizeof(want[0]));

	m = machine("icl", sizeof(buffer), 4000);
	wr(&m, MSR_PEBS_DATA_CFG, config);
	count(&m, 0, USER(0xc0, 0x00) | EVTSEL_ADAPTIVE, 1);
	assert_int_equal(go(&m, 2), 1);
	memset(want + 4, 0, 96 * sizeof(*want));
	check_record_words(want, sizeof(want) / sizeof(want[0]));
}

/* --- Where data came from --- */

#define STLB_MISS 0x10
#define LOCKED    0x20

/* The words about memory in a record of `sel`: address, source, latency. */
static void check_memory_words(uint64_t sel, uint64_t address, uint64_t source, uint64_t latency)
{
	struct vpmu_model m = machine("skx", sizeof(buffer), 4000);

	wr(&m, MSR_PEBS_LD_LAT, 30);
	count(&m, 3, sel, 1);
	go(&m, 400000);
	assert_int_equal(word(0x98), address);
	assert_int_equal(word(0xa0), source);
	assert_int_equal(word(0xa8), latency);
}

TEST(test_sources)
{
	static const struct {
		uint8_t source, translation, snoop;
		bool locked;
		uint64_t word;
	} rows[] = {
		{EVENTS_FROM_L1, EVENTS_TLB_HIT, EVENTS_NO_SNOOP, false, 1},
		{EVENTS_FROM_FILL, EVENTS_TLB_HIT, EVENTS_NO_SNOOP, false, 2},
		{EVENTS_FROM_L2, EVENTS_STLB_HIT, EVENTS_NO_SNOOP, false, 3},
		{EVENTS_FROM_LLC, EVENTS_WALK, EVENTS_NO_SNOOP, false, 4 | STLB_MISS},
		{EVENTS_FROM_LLC, EVENTS_TLB_HIT, EVENTS_SNOOP_HIT, false, 6},
		{EVENTS_FROM_LLC, EVENTS_TLB_HIT, EVENTS_SNOOP_HITM, true, 7 | LOCKED},
		{EVENTS_FROM_MEMORY, EVENTS_WALK, EVENTS_NO_SNOOP, true, 0xa | STLB_MISS | LOCKED},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		guest.model = load_from_l2;
		guest.model.locked = rows[i].locked;
		guest.model.access[0].source = rows[i].source;
		guest.model.access[0].translation = rows[i].translation;
		guest.model.access[0].snoop = rows[i].snoop;
		check_memory_words(USER(0xcd, 0x01), 0x7fff1230, rows[i].word, 33);
	}
}

/* Later cores have other codes, and other positions of the bits beside them. */
TEST(test_sources_of_later_cores)
{
	static const struct {
		const char *name;
		unsigned counter;
		uint64_t sel, fill, l2, memory, hit, hitm, walked, locked;
	} rows[] = {
		{"adl_n", 1, USER(0xd0, 0x05), 2, 3, 0xa, 5, 6, 1 << 5, 1 << 4},
		{"srf", 1, USER(0xd0, 0x05), 2, 3, 0xa, 6, 8, 1 << 6, 1 << 5},
		{"cwf", 1, USER(0xd0, 0x05), 2, 3, 0xa, 6, 8, 1 << 6, 1 << 5},
		{"lnl", 3, USER(0xcd, 0x01), 3, 5, 0x11, 0xc, 0xd, 1 << 10, 1 << 11},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct {
			uint8_t source, translation, snoop;
			bool locked;
			uint64_t word;
		} loads[] = {
			{EVENTS_FROM_FILL, EVENTS_TLB_HIT, EVENTS_NO_SNOOP, false, rows[i].fill},
			{EVENTS_FROM_L2, EVENTS_WALK, EVENTS_NO_SNOOP, false,
			 rows[i].l2 | rows[i].walked},
			{EVENTS_FROM_MEMORY, EVENTS_TLB_HIT, EVENTS_NO_SNOOP, true,
			 rows[i].memory | rows[i].locked},
			{EVENTS_FROM_LLC, EVENTS_TLB_HIT, EVENTS_SNOOP_HIT, false, rows[i].hit},
			{EVENTS_FROM_LLC, EVENTS_TLB_HIT, EVENTS_SNOOP_HITM, false, rows[i].hitm},
		};

		for (size_t k = 0; k < sizeof(loads) / sizeof(*loads); k++) {
			struct vpmu_model m = machine(rows[i].name, sizeof(buffer), 4000);

			guest.model = load_from_l2;
			guest.model.locked = loads[k].locked;
			guest.model.access[0].source = loads[k].source;
			guest.model.access[0].translation = loads[k].translation;
			guest.model.access[0].snoop = loads[k].snoop;
			wr(&m, MSR_PEBS_LD_LAT, 30);
			wr(&m, MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY);
			count(&m, rows[i].counter, rows[i].sel | EVTSEL_ADAPTIVE, 1);
			go(&m, 400000);
			assert_int_equal(word(32), 0x7fff1230);
			assert_int_equal(word(40), loads[k].word);
		}
	}
}

TEST(test_the_right_access)
{
	guest.model = load_from_l2;
	guest.model.naccesses = 2;
	guest.model.access[1] = (struct events_access){
		.va = 0x5000, .store = true, .latency = 4, .source = EVENTS_FROM_L1};
	check_memory_words(USER(0xd0, 0x81), 0x7fff1230, 3, 0);
	check_memory_words(USER(0xd0, 0x82), 0x5000, 1, 0);
	guest.model.access[1].source = EVENTS_FROM_MEMORY;
	check_memory_words(USER(0xd0, 0x82), 0x5000, 0, 0);
	check_memory_words(USER(0xd0, 0x12), 0x5000, 0, 0);
	check_memory_words(USER(0xd1, 0x08), 0x7fff1230, 3, 0);
	/* An event that is not about memory has no memory fields. */
	check_memory_words(USER(0xc4, 0x04), 0, 0, 0);
}

/* Without a model a record has the address, and the requested latency. */
TEST(test_no_model)
{
	guest.model = (struct events_last){.number = 0};
	check_memory_words(USER(0xcd, 0x01), 0x7fff1230, 0, 30);
	check_memory_words(USER(0xd0, 0x82), 0x7fff1230, 0, 0);
}

/* Records of memory need the model, others do not. */
TEST(test_needs_the_model)
{
	struct vpmu_model m = machine("skx", sizeof(buffer), 4000);

	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	count(&m, 1, PREC_DIST, 100);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_NONE);
	count(&m, 0, USER(0xd0, 0x81), 100);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
	m = machine("skx", sizeof(buffer), 4000);
	vpmu_model_counts(&m, EVENTS_LEVEL_COUNTS);
	count(&m, 0, USER(0xd0, 0x81), 100);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_COUNTS);
}

/* Fixed counter 0 of a machine with "extended PEBS": its reset value comes after eight others. */
TEST(test_fixed_counter)
{
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);

	ds[RESET + 8] = -20 & MASK48;
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_USR);
	wr(&m, MSR_IA32_FIXED_CTR0, -10 & MASK48);
	wr(&m, MSR_IA32_PEBS_ENABLE, 1ull << 32);
	assert_int_equal(go(&m, 11 + 21 + 21), 3);
	assert_int_equal(word(16), 1ull << 32);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), -20 & MASK48);
}

/* Two counters overflow at the same instruction: one record has both. */
/* From format 5 on reset values of 32 general counters come before those of fixed ones. */
TEST(test_more_resets)
{
	struct vpmu_model m = machine("lnl", sizeof(buffer), sizeof(buffer));

	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 9 | 1ull << 32);
	count(&m, 9, USER(0xc0, 0x00) | EVTSEL_ADAPTIVE, 100);
	ds[RESET + 32] = -50ull & MASK48;
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_USR);
	wr(&m, MSR_IA32_FIXED_CTR0, -1000ull & MASK48);
	wr(&m, MSR_IA32_PEBS_ENABLE, 1ull << 9 | 1ull << 32);
	assert_int_equal(go(&m, 1001), 9 + 1);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), -50ull & MASK48);
}

/* The group comes after all others: the set of counters, their values, the metrics. */
TEST(test_counters_of_a_record)
{
	struct vpmu_model m = machine("lnl", sizeof(buffer), sizeof(buffer)), old;
	const uint64_t groups = PEBS_DATA_COUNTERS | PEBS_DATA_METRICS;
	uint32_t words[4];
	uint64_t values[6];

	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 35 | 1ull << 32 | 0x203);
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_USR | FIXED_CTRL_USR << 12);
	wr(&m, MSR_PEBS_DATA_CFG, groups | PEBS_DATA_GENERAL(0x202) | PEBS_DATA_FIXED(0x9));
	count(&m, 0, USER(0xc0, 0x00) | EVTSEL_ADAPTIVE, 99);
	wr(&m, MSR_IA32_PERFEVTSEL0 + 1, USER(0xc4, 0x00));
	wr(&m, MSR_IA32_PERFEVTSEL0 + 9, USER(0xc0, 0x00));
	assert_int_equal(go(&m, 100), 1);
	assert_int_equal(buffer[0], groups);
	assert_int_equal(buffer[6] | buffer[7] << 8, 32 + 16 + 6 * 8);
	memcpy(words, buffer + 32, sizeof(words));
	assert_int_equal(words[0], 0x202);
	assert_int_equal(words[1], 0x9);
	assert_int_equal(words[2], 3);
	memcpy(values, buffer + 48, sizeof(values));
	assert_int_equal(values[0], 20); /* branches */
	assert_int_equal(values[1], 100);
	assert_int_equal(values[2], 100);
	assert_int_equal(values[3], rd(&m, MSR_IA32_FIXED_CTR0 + FIXED_SLOTS));
	assert_int_equal(values[4], values[3]);
	assert_int_equal(values[5], rd(&m, MSR_PERF_METRICS));
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_PEBS_DATA_CFG, PEBS_DATA_FIXED(0x10)), VPMU_GP);
	old = machine("mtl", sizeof(buffer), sizeof(buffer));
	assert_int_equal(vpmu_model_wrmsr(&old, MSR_PEBS_DATA_CFG, PEBS_DATA_COUNTERS), VPMU_GP);
}

TEST(test_one_record_of_two)
{
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);

	count(&m, 0, USER(0xc0, 0), 10);
	count(&m, 2, USER(0xc0, 0), 10);
	assert_int_equal(go(&m, 11), 1);
	assert_int_equal(word(16), 5);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 2), -10 & MASK48);
}

/* If the guest stops late, a record may be pending. The record of a counter whose event occurs now
 * does not include it. */
TEST(test_one_waits)
{
	struct vpmu_model m = machine("icl", sizeof(buffer), 4000);

	count(&m, 0, USER(0xc4, 0), 1);
	count(&m, 2, USER(0xc0, 0), 20);
	advance_user(&m, 12);
	assert_true(vpmu_model_due(&m));
	assert_true(vpmu_model_due_now(&m));
	advance_user(&m, 1);
	assert_true(vpmu_model_due(&m));
	assert_false(vpmu_model_due_now(&m));
	advance_user(&m, 8);
	advance_user(&m, 1);
	assert_true(vpmu_model_due_now(&m));
	vpmu_model_record(&m, &guest, &memory);
	assert_int_equal(word(16), 4);
	assert_true(vpmu_model_due(&m));
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
}

/* --- The buffer --- */

TEST(test_threshold)
{
	struct vpmu_model m = machine("skx", sizeof(buffer), 3 * 0xc8);

	count(&m, 1, PREC_DIST, 10);
	go(&m, 22);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_false(vpmu_model_deliver(&m));
	advance_user(&m, 11);
	assert_true(vpmu_model_due(&m));
	vpmu_model_record(&m, &guest, &memory);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), GLOBAL_STATUS_OVF_BUF);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 0);
	assert_true(vpmu_model_deliver(&m));
	assert_false(vpmu_model_deliver(&m));
	wr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_OVF_BUF);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
}

/* Without room for a whole record, or without memory, nothing is written, and the counter goes on
 * from 0. */
TEST(test_no_room)
{
	struct vpmu_model m = machine("skx", 2 * 0xc8 - 1, 4000);

	count(&m, 1, PREC_DIST, 10);
	go(&m, 22);
	assert_int_equal(ds[INDEX] - ds[BASE], 0xc8);
	assert_int_equal(word(0xc8), 0xeeeeeeeeeeeeeeeeull);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 1), 1);

	m = machine("skx", sizeof(buffer), 4000);
	count(&m, 1, PREC_DIST, 10);
	mapped = false;
	go(&m, 11);
	assert_int_equal(ds[INDEX], ds[BASE]);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 1), 1);
}
