// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_ibs.c - the PMUs ibs_op and ibs_fetch on the model: sampled instructions, fields of samples,
 * accounts, counts, and refusals. An instruction of the shim is one byte, so addresses are numbers
 * of instructions.
 */
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "pmu/names/dynamic.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define USER_IP  0x400000ull
#define USER_END 0x80000000ull

static struct pmu_event event, other;

static bool in_user(uint64_t address, uint64_t bytes)
{
	return address >= USER_IP && address + bytes <= USER_END;
}

static bool extended_nmi(unsigned n)
{
	return n == 0;
}

static bool no_extended_nmi(unsigned n)
{
	(void)n;
	return false;
}

static void boot_with(const char *uarch, bool (*nmi)(unsigned n))
{
	rig_boot(uarch, false);
	rig.host.extended_nmi = nmi;
	rig.host.watchable = in_user;
	pmu_init(&rig.caps, &rig.host);
	pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
}

static void boot_ibs(void)
{
	boot_with("zen4", extended_nmi);
}

static struct perf_event_attr op_attr(uint64_t period, uint64_t sample_type)
{
	struct perf_event_attr attr = rig_attr(PMU_TYPE_IBS_OP, IBS_OP_COUNTS_OPS);

	attr.sample_period = period;
	attr.sample_type = sample_type;
	return attr;
}

/* Records of a ring, one after the other, as words. */
static uint64_t words[4096];
static size_t nwords;

static void drain_words(struct rb *rb)
{
	nwords = rb_read(rb, words, sizeof(words)) / sizeof(words[0]);
}

static const struct perf_event_header *record(size_t at)
{
	return (const struct perf_event_header *)&words[at];
}

static size_t after(size_t at)
{
	return at + record(at)->size / sizeof(words[0]);
}

static struct rb *open_slow_op(uint64_t period, uint64_t sample_type, uint64_t cycles)
{
	struct perf_event_attr attr = op_attr(period, sample_type);
	struct rb *rb = rig_ring(16);

	attr.config1 = cycles;

	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	assert_int_equal(pmu_event_set_output(&event, rb), 0);
	return rb;
}

static struct rb *open_op(uint64_t period, uint64_t sample_type)
{
	return open_slow_op(period, sample_type, 0);
}

static void check_verdicts(const struct pmu_event *e)
{
	assert_int_equal(e->books.overflows, e->books.verdicts[PMU_WRITTEN] +
						     e->books.verdicts[PMU_LOST] +
						     e->books.verdicts[PMU_REFUSED]);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* Every sample has the exact address of an instruction that ran. Their distance is the period. */
TEST(test_samples_are_exact)
{
	struct rb *rb;
	uint64_t n = 0, before = 0;

	boot_ibs();
	rb = open_op(1600, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD);
	rig_task(100000);
	drain_words(rb);
	for (size_t at = 0; at < nwords; at = after(at), n++) {
		assert_int_equal(record(at)->type, PERF_RECORD_SAMPLE);
		assert_true(record(at)->misc & PERF_RECORD_MISC_EXACT_IP);
		assert_int_equal(record(at)->misc & PERF_RECORD_MISC_CPUMODE_MASK,
				 PERF_RECORD_MISC_USER);
		assert_int_equal(words[at + 2], 1600);
		if (n > 0) {
			/* The handler's instructions after its last write count, too. */
			assert_true(words[at + 1] - before <= 1600);
			assert_true(words[at + 1] - before > 1500);
		}
		before = words[at + 1];
	}
	assert_int_equal(n, event.books.overflows);
	assert_true(n >= 62 && n <= 70);
	check_verdicts(&event);
}

/* A late NMI: the sample is of the tagged instruction all the same. */
TEST(test_late_nmi)
{
	struct rb *rb;

	boot_ibs();
	rb = open_op(1600, PERF_SAMPLE_IP);
	pmu_task_sched_in(&rig.task);
	shim.nmi_delay = 50;
	shim_run(VPMU_USR, 1700);
	pmu_task_sched_out();
	drain_words(rb);
	assert_true(nwords >= 2);
	assert_true(words[1] <= USER_IP + 1600);
	check_verdicts(&event);
}

static struct events_last load_from(uint8_t source, uint16_t latency)
{
	return (struct events_last){
		.number = 1,
		.naccesses = 1,
		.access = {{.va = 0x500010, .bytes = 8, .source = source, .latency = latency}},
	};
}

TEST(test_data)
{
	const uint64_t type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |
			      PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR;
	union perf_mem_data_src src;
	struct rb *rb;

	boot_ibs();
	rb = open_op(1600, type);
	shim.op = (struct vpmu_op){.load = true,
				   .bytes = 8,
				   .has_linear = true,
				   .has_physical = true,
				   .linear = 0x500010,
				   .physical = 0x10};
	shim.op.model = load_from(EVENTS_FROM_L1, 4);
	rig_task(2000);
	drain_words(rb);
	assert_true(nwords >= 6);
	assert_int_equal(words[2], 0x500010);
	src.val = words[4];
	assert_int_equal(src.mem_op, PERF_MEM_OP_LOAD);
	assert_int_equal(src.mem_lvl, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1);
	assert_int_equal(src.mem_dtlb, PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1);
	assert_int_equal(words[5], 0x10);
}

/* A sample has the data source of a load as the model of a core gives it. */
TEST(test_levels)
{
	static const struct {
		uint8_t source, translation;
		uint64_t level, tlb;
		bool weighs;
	} rows[] = {
		{EVENTS_FROM_L1, EVENTS_TLB_HIT, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1,
		 PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1, false},
		{EVENTS_FROM_FILL, EVENTS_TLB_HIT, PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB,
		 PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1, true},
		{EVENTS_FROM_L2, EVENTS_STLB_HIT, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L2,
		 PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2, true},
		{EVENTS_FROM_LLC, EVENTS_WALK, PERF_MEM_LVL_HIT | PERF_MEM_LVL_L3,
		 PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2, true},
		{EVENTS_FROM_MEMORY, EVENTS_WALK, PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM,
		 PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		union perf_mem_data_src src;
		struct rb *rb;

		boot_ibs();
		rb = open_op(1600,
			     PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC);
		shim.op = (struct vpmu_op){.load = true, .has_linear = true, .linear = 0x500010};
		shim.op.model = load_from(rows[i].source, 77);
		shim.op.model.access[0].translation = rows[i].translation;
		shim.op.model.locked = i % 2;
		rig_task(2000);
		drain_words(rb);
		assert_true(nwords >= 4);
		assert_int_equal(words[2] & 0xffffffff, rows[i].weighs ? 77 : 0);
		assert_int_equal(words[2] >> 32 & 0xffff, 77);
		src.val = words[3];
		assert_int_equal(src.mem_lvl, rows[i].level);
		assert_int_equal(src.mem_dtlb, rows[i].tlb);
		assert_int_equal(src.mem_lock, i % 2 ? PERF_MEM_LOCK_LOCKED : PERF_MEM_LOCK_NA);
	}
}

/* The CPU filters by steps of 128 cycles, the event core by the exact number. Zen 5 filters only
 * misses of L3. */
TEST(test_slow_loads)
{
	static const struct {
		uint8_t source;
		uint16_t latency;
		uint64_t least;
		bool sampled;
	} rows[] = {
		{EVENTS_FROM_MEMORY, 200, 128, true},   {EVENTS_FROM_MEMORY, 128, 128, false},
		{EVENTS_FROM_MEMORY, 200, 200, false},  {EVENTS_FROM_MEMORY, 201, 200, true},
		{EVENTS_FROM_MEMORY, 2049, 2048, true}, {EVENTS_FROM_LLC, 300, 128, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rb *rb;

		boot_with("zen5", extended_nmi);
		rb = open_slow_op(1600, PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT, rows[i].least);
		shim.op = (struct vpmu_op){.load = true, .has_linear = true, .linear = 0x500010};
		shim.op.model = load_from(rows[i].source, rows[i].latency);
		rig_task(2000);
		drain_words(rb);
		assert_int_equal(nwords > 0, rows[i].sampled);
		assert_true(!nwords || (words[2] & UINT32_MAX) == rows[i].latency);
		check_verdicts(&event);
	}
}

/* Zen 5 tells the results of TLBs only together with a physical address. */
TEST(test_translation_unknown)
{
	for (unsigned physical = 0; physical < 2; physical++) {
		union perf_mem_data_src src;
		struct rb *rb;

		boot_with("zen5", extended_nmi);
		rb = open_op(1600, PERF_SAMPLE_IP | PERF_SAMPLE_DATA_SRC);
		shim.op = (struct vpmu_op){.load = true,
					   .has_linear = true,
					   .linear = 0x500010,
					   .has_physical = physical};
		shim.op.model = load_from(EVENTS_FROM_L2, 14);
		shim.op.model.access[0].translation = EVENTS_STLB_HIT;
		rig_task(2000);
		drain_words(rb);
		assert_true(nwords >= 3);
		src.val = words[2];
		assert_int_equal(src.mem_dtlb, physical ? PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2 : 0);
	}
}

/* Without a model of a core the level of a load is unknown. */
TEST(test_no_level)
{
	union perf_mem_data_src src;
	struct rb *rb;

	boot_ibs();
	rb = open_op(1600, PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC);
	shim.op = (struct vpmu_op){.load = true, .has_linear = true, .linear = 0x500010};
	rig_task(2000);
	drain_words(rb);
	src.val = words[3];
	assert_int_equal(words[2], 0);
	assert_int_equal(src.mem_lvl, PERF_MEM_LVL_NA);
}

/* The raw data is size, capabilities and the registers, as viewers parse it. */
TEST(test_raw)
{
	struct rb *rb;
	uint32_t head[2];
	uint64_t reg[8];

	boot_ibs();
	rb = open_op(1600, PERF_SAMPLE_IP | PERF_SAMPLE_RAW);
	rig_task(2000);
	drain_words(rb);
	memcpy(head, &words[2], sizeof(head));
	assert_int_equal(head[0], 4 + 8 * sizeof(uint64_t));
	assert_int_equal(head[1], 0xbff);
	memcpy(reg, &words[3], sizeof(reg));
	assert_int_equal(reg[0] & 0xffff, 100);
	assert_int_equal(reg[1], words[1]);
}

/* There are no samples of the excluded ring, but periods go on in it. */
TEST(test_excluded_ring)
{
	struct perf_event_attr attr = op_attr(1600, PERF_SAMPLE_IP);
	struct rb *rb = rig_ring(16);

	boot_ibs();
	attr.exclude_kernel = 1;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_set_output(&event, rb);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 20; i++) {
		shim_run(VPMU_OS, 1600);
		shim_run(VPMU_USR, 1600);
	}
	pmu_task_sched_out();
	drain_words(rb);
	for (size_t at = 0; at < nwords; at = after(at))
		assert_true(in_user(words[at + 1], 1));
	assert_true(event.books.overflows >= 15 && event.books.overflows <= 25);
	check_verdicts(&event);
}

TEST(test_fetch)
{
	struct perf_event_attr attr = rig_attr(PMU_TYPE_IBS_FETCH, IBS_FETCH_RAND_EN);
	struct rb *rb = rig_ring(16);

	boot_ibs();
	attr.sample_period = 160;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_set_output(&event, rb);
	rig_task(1000);
	drain_words(rb);
	assert_true(nwords >= 5 * 3);
	for (size_t at = 0; at < nwords; at = after(at))
		assert_int_equal(words[at + 1], words[at + 2]);
	check_verdicts(&event);
}

/* Periods that are longer than the counter's range, or that the end of a time slice interrupts. */
TEST(test_long_and_interrupted_periods)
{
	struct rb *rb;

	boot_ibs();
	rb = open_op(0x8000000, PERF_SAMPLE_IP);
	for (unsigned i = 0; i < 9; i++)
		rig_task(0x1000000);
	drain_words(rb);
	assert_int_equal(event.books.overflows, 1);
	assert_true(words[1] >= USER_IP + 0x7fff000 && words[1] <= USER_IP + 0x8000000);
	assert_true(rig_value(&event) >= 9 * 0x1000000ull);
}

/* cycles:pp and r0c1:p sample tagged ops. */
TEST(test_precise_core_events)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct rb *rb = rig_ring(16);

	boot_ibs();
	attr.sample_period = 16000;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.precise_ip = 2;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_set_output(&event, rb);
	rig_task(20000);
	drain_words(rb);
	assert_true(record(0)->misc & PERF_RECORD_MISC_EXACT_IP);
	assert_int_equal(pmu_event_counters(&event), 0);
	pmu_event_close(&event);

	attr = rig_attr(PERF_TYPE_RAW, 0xc1);
	attr.sample_period = 16000;
	attr.precise_ip = 1;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_close(&event);
	attr.config = 0xc0;
	assert_int_equal(rig_open(&event, &attr, NULL), -EOPNOTSUPP);
	assert_non_null(strstr(rig.why.text, "r076"));
	attr.config = 0xc1;
	attr.precise_ip = 3;
	assert_int_equal(rig_open(&event, &attr, NULL), -EOPNOTSUPP);
}

TEST(test_limit)
{
	struct rb *rb;

	boot_ibs();
	rb = open_op(160, PERF_SAMPLE_IP);
	pmu_event_refresh(&event, 3);
	rig_task(100000);
	drain_words(rb);
	assert_int_equal(event.books.overflows, 3);
	assert_int_equal(event.state, PMU_STATE_OFF);
	check_verdicts(&event);
}

static void refused(const struct perf_event_attr *attr, int error, const char *sentence)
{
	assert_int_equal(rig_open(&other, attr, NULL), -error);
	assert_string_equal(rig.why.text, sentence);
}

TEST(test_refusals)
{
	struct perf_event_attr attr = op_attr(1600, PERF_SAMPLE_IP);

	boot_with("zen4", no_extended_nmi);
	refused(&attr, EOPNOTSUPP,
		"ibs_op: the firmware gave it an interrupt that the local APIC does not have");
	boot_with("zen4", NULL);
	refused(&attr, EOPNOTSUPP, "ibs_op: nobody sets up its interrupt");
	boot_with("skx", extended_nmi);
	refused(&attr, ENOENT, "this CPU has no ibs_op");
	boot_ibs();
	attr.sample_period = 0;
	refused(&attr, EINVAL, "ibs_op samples, and does not count: it takes a period");
	attr.sample_period = 1601;
	refused(&attr, EINVAL, "ibs_op: a period is a multiple of 16");
	attr.sample_period = 128;
	refused(&attr, EINVAL, "ibs_op: a period is 144 at least");
	attr = op_attr(1600, PERF_SAMPLE_IP);
	attr.config |= 1;
	refused(&attr, EINVAL, "ibs_op: config has bits 0x1, which mean nothing here");
	attr = op_attr(1600, PERF_SAMPLE_IP);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	refused(&attr, EBUSY, "ibs_op is one, and another event has it");
	attr.config1 = 128;
	pmu_event_close(&event);
	refused(&attr, EOPNOTSUPP, "ibs_op: this CPU knows no ldlat, as AMD's do from Zen 5 on");
	boot_with("zen5", extended_nmi);
	attr.config1 = 127;
	refused(&attr, EINVAL, "ibs_op: ldlat is 128 cycles to 2048");
	attr.config1 = 2049;
	refused(&attr, EINVAL, "ibs_op: ldlat is 128 cycles to 2048");
	attr.config1 = 0;
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_close(&event);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
}
