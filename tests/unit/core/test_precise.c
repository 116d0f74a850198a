// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_precise.c - precise events on the modelled PMUs: which event each sample is of, what counts
 * and books say, what moves from records into samples, and what is refused.
 */
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "pmu/driver/datasrc.h"
#include "tests/shim/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <asm/perf_regs.h>
#include <cmocka.h>
#include <linux/errno.h>

static const char *const uarchs[] = {"hsw", "skx", "icl"};
#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static struct perf_event_attr precise(uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.precise_ip = 2;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	return attr;
}

static void open_into(struct pmu_event *e, struct perf_event_attr attr, struct rb *rb)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

struct sample {
	struct perf_event_header header;
	uint64_t ip, time, period;
};

/* The samples in the ring, up to `most` of them. */
static unsigned drain(struct rb *rb, struct sample *samples, unsigned most)
{
	static uint8_t out[8192];
	struct perf_event_header header;
	unsigned found = 0;
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += header.size) {
			memcpy(&header, out + at, sizeof(header));
			if (header.type != PERF_RECORD_SAMPLE)
				continue;
			assert_int_equal(header.size, sizeof(*samples));
			assert_true(found < most);
			memcpy(&samples[found++], out + at, sizeof(*samples));
		}
	return found;
}

static bool is_user(uint64_t ip)
{
	return ip < 0x80000000;
}

static uint64_t tsc_ns(uint64_t tsc)
{
	return tsc;
}

static void boot(const char *uarch)
{
	rig_boot(uarch, false);
	rig.host.is_user = is_user;
	rig.host.tsc_ns = tsc_ns;
}

/* --- Samples --- */

/* The n'th sample is of the instruction number n * period, however late its NMI comes. */
static void test_each_is_exact(void **state)
{
	static const uint64_t periods[] = {2, 3, 100, 1009, 10007};
	static struct sample samples[4096];

	(void)state;
	for_each_uarch(u) for (unsigned delay = 0; delay < 8; delay += 7) for (unsigned p = 0;
									       p < 5; p++)
	{
		const uint64_t period = periods[p], n = period * 200 + period - 1;
		struct rb *rb = rig_ring(64);
		struct pmu_event e;
		uint64_t first;

		boot(*u);
		shim.nmi_delay = period > 100 ? delay : 0;
		open_into(&e, precise(period), rb);
		first = shim.ip[VPMU_USR];
		rig_task(n);
		assert_int_equal(rig_value(&e), n);
		assert_int_equal(e.books.overflows, 200);
		assert_int_equal(e.books.written, 200);
		assert_int_equal(drain(rb, samples, 4096), 200);
		for (unsigned i = 0; i < 200; i++) {
			assert_int_equal(samples[i].ip, first + (i + 1) * period - 1);
			assert_int_equal(samples[i].period, period);
			assert_int_equal(samples[i].header.misc & PERF_RECORD_MISC_CPUMODE_MASK,
					 PERF_RECORD_MISC_USER);
		}
		assert_int_equal(shim.unknown_nmis, 0);
		assert_int_equal(shim.faults, 0);
		pmu_event_close(&e);
		assert_int_equal(shim.model.pebs_enable, 0);
	}
}

/* precise_ip 1: where it led to, and not claimed to be exact; adaptive records know one IP only. */
static void test_levels(void **state)
{
	(void)state;
	for_each_uarch(u) for (unsigned level = 1; level <= 3; level++)
	{
		bool exact = level > 1 || !strcmp(*u, "icl");
		struct perf_event_attr attr = precise(1000);
		struct rb *rb = rig_ring(1);
		struct sample s;
		struct pmu_event e;

		boot(*u);
		attr.precise_ip = level;
		open_into(&e, attr, rb);
		rig_task(1500);
		assert_int_equal(drain(rb, &s, 1), 1);
		assert_int_equal(s.ip, 0x400000 + 1000 - exact);
		pmu_event_close(&e);
	}
}

/* Time comes from the record where that has one, not from the NMI. */
static void test_time(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(1);
		uint64_t start;
		struct sample s;
		struct pmu_event e;

		boot(*u);
		shim.nmi_delay = 50;
		open_into(&e, precise(1000), rb);
		start = shim.ns;
		rig_task(1500);
		assert_int_equal(drain(rb, &s, 1), 1);
		if (strcmp(*u, "hsw"))
			assert_in_range(s.time, start + 999, start + 1000);
		else
			assert_true(s.time >= start + 1049);
		pmu_event_close(&e);
	}
}

/* Each run ends somewhere in a period: samples and counts go on where they were. */
static void test_across_switches(void **state)
{
	static struct sample samples[1024];

	(void)state;
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(64);
		struct pmu_event e;
		uint64_t sum = 0, n = 0;
		unsigned found;

		boot(*u);
		open_into(&e, precise(1000), rb);
		for (unsigned i = 0; i < 777; i++) {
			rig_task(100 + i % 37);
			n += 100 + i % 37;
			assert_int_equal(rig_value(&e), n);
		}
		found = drain(rb, samples, 1024);
		for (unsigned i = 0; i < found; i++)
			sum += samples[i].period;
		assert_int_equal(sum + e.this_period - (uint64_t)e.left, n);
		assert_in_range(found, n / 1000 - 1, n / 1000);
		assert_int_equal(e.books.overflows, found);
		pmu_event_close(&e);
	}
}

/* Two precise events and a plain one, all of which count the same: nobody is taken for another. */
static void test_beside_others(void **state)
{
	(void)state;
	for_each_uarch(u) for (unsigned delay = 0; delay < 4; delay++)
	{
		struct perf_event_attr branches = precise(400), plain = precise(777);
		struct pmu_event a, b, c;
		struct rb *rb = rig_ring(64);

		boot(*u);
		shim.nmi_delay = delay;
		branches.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
		plain.precise_ip = 0;
		open_into(&a, precise(1000), rb);
		open_into(&b, branches, rb);
		open_into(&c, plain, rb);
		rig_task(1000000);
		if (rig_value(&a) != 1000000)
			fail_msg("%s %u: %llu", *u, delay, (unsigned long long)rig_value(&a));
		assert_int_equal(rig_value(&b), 200000);
		assert_int_equal(rig_value(&c), 1000000);
		assert_int_equal(a.books.overflows, 1000);
		assert_int_equal(b.books.overflows, 500);
		assert_int_equal(c.books.overflows, 1000000 / 777);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&a);
		pmu_event_close(&b);
		pmu_event_close(&c);
	}
}

/* A record of format 2 that names nobody is of the only precise event. */
static void test_record_without_a_name(void **state)
{
	struct rb *rb = rig_ring(1);
	uint64_t index;
	struct pmu_event e;

	(void)state;
	boot("hsw");
	shim.nmi_delay = 50;
	open_into(&e, precise(100), rb);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 120);
	memcpy(&index, (const void *)(shim.model.ds_area + 0x20), sizeof(index));
	*(uint64_t *)(index + 0x90) = 0;
	shim_run(VPMU_USR, 60);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 180);
	assert_int_equal(e.books.written, 1);
	pmu_event_close(&e);
}

/* More precise events than counters for them: they take turns, and the counts still add up. */
static void test_turns(void **state)
{
	struct pmu_event e[6];
	struct rb *rb = rig_ring(64);
	uint64_t running = 0, written = 0;

	(void)state;
	boot("skx");
	for (unsigned i = 0; i < 6; i++) {
		struct perf_event_attr attr = precise(1000);

		attr.type = PERF_TYPE_RAW;
		attr.config = 0x04c4;
		open_into(&e[i], attr, rb);
	}
	rig_slices(50000000);
	for (unsigned i = 0; i < 6; i++) {
		struct pmu_value v;

		pmu_event_read(&e[i], &v);
		running += v.time_running;
		assert_true(v.value > 0 && v.time_running < v.time_enabled);
		assert_in_range(e[i].books.overflows, v.value / 1000 - 1, v.value / 1000);
		written += e[i].books.overflows;
		pmu_event_close(&e[i]);
	}
	assert_true(written > 0 && running > 0);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* Another period from now on; a limit; inherited settings of the counter are gone with the event.
 */
static void test_changes(void **state)
{
	static struct sample samples[64];
	struct rb *rb = rig_ring(8);
	struct pmu_event e;

	(void)state;
	boot("skx");
	open_into(&e, precise(1000), rb);
	rig_task(2500);
	assert_int_equal(pmu_event_set_period(&e, 300), 0);
	rig_task(1000);
	assert_int_equal(drain(rb, samples, 64), 2 + 3);
	assert_int_equal(samples[2].period, 300);
	pmu_event_disable(&e);
	assert_int_equal(pmu_event_refresh(&e, 2), 0);
	rig_task(100000);
	assert_int_equal(drain(rb, samples, 64), 2);
	assert_int_equal(e.state, PMU_STATE_OFF);
	pmu_event_close(&e);
}

/* Longer than a counter can hold: several records make one sample. */
static void test_long_period(void **state)
{
	struct pmu_event e;
	struct rb *rb = rig_ring(1);

	(void)state;
	boot("skx");
	pmu.hw.max_period = 1000;
	open_into(&e, precise(2500), rb);
	rig_task(26000);
	assert_int_equal(rig_value(&e), 26000);
	assert_int_equal(e.books.overflows, 10);
	pmu_event_close(&e);
}

/* Where a record has all that a sample needs, many make one NMI; else each has its own. */
static void test_many_records_an_nmi(void **state)
{
	static struct sample samples[256];

	(void)state;
	for_each_uarch(u) for (unsigned way = 0; way < 3; way++)
	{
		const bool one_by_one = way || !strcmp(*u, "hsw");
		struct perf_event_attr attr = precise(1000);
		struct rb *rb = rig_ring(8);
		struct pmu_event e;

		boot(*u);
		attr.wakeup_events = way == 1;
		open_into(&e, attr, rb);
		if (way == 2)
			pmu_event_refresh(&e, 1000);
		rig_task(200500);
		assert_int_equal(rig_value(&e), 200500);
		assert_int_equal(drain(rb, samples, 256), 200);
		assert_int_equal(shim.nmis, one_by_one ? 200 : 200 / 64);
		for (unsigned i = 0; i < 200; i++)
			assert_int_equal(samples[i].ip, 0x400000 + (i + 1) * 1000 - 1);
		pmu_event_close(&e);
	}
}

/* By frequency: the periods add up to the count all the same. */
static void test_frequency(void **state)
{
	static struct sample samples[4096];

	(void)state;
	for_each_uarch(u)
	{
		struct perf_event_attr attr = precise(0);
		struct rb *rb = rig_ring(64);
		uint64_t sum = 0;
		struct pmu_event e;
		unsigned n;

		boot(*u);
		attr.freq = 1;
		attr.sample_freq = 10000;
		open_into(&e, attr, rb);
		rig_slices(100000000);
		n = drain(rb, samples, 4096);
		assert_in_range(n, 900, 1200);
		for (unsigned i = 0; i < n; i++)
			sum += samples[i].period;
		assert_int_equal(e.books.written, n);
		assert_int_equal(e.books.overflows, n);
		assert_int_equal(sum + e.this_period - (uint64_t)e.left, 100000000);
		assert_int_equal(rig_value(&e), 100000000);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e);
	}
}

/* Records that nobody served yet are part of the count. */
static void test_read_between(void **state)
{
	struct pmu_event e;

	(void)state;
	boot("skx");
	open_into(&e, precise(1000), rig_ring(8));
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 1; i < 200; i++) {
		shim_run(VPMU_USR, 777);
		assert_int_equal(rig_value(&e), 777 * i);
	}
	pmu_task_sched_out();
	assert_int_equal(e.books.overflows, 777 * 199 / 1000);
	pmu_event_close(&e);
}

/* --- What else a record tells --- */

/* The body of the one sample in the ring, in words. */
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

/* One sample in `instructions`, into `body`. */
static unsigned sample_once(const char *uarch, struct perf_event_attr attr, uint64_t instructions,
			    uint64_t *body, unsigned most)
{
	struct rb *rb = rig_ring(1);
	struct pmu_event e;
	unsigned n;

	boot(uarch);
	shim.state.address = 0x7654320;
	shim.state.rcx = 0xc0ffee;
	shim.state.r15 = 0xf00d;
	shim.state.rflags = 0x246;
	open_into(&e, attr, rb);
	rig_task(instructions);
	n = drain_one(rb, body, most);
	pmu_event_close(&e);
	return n;
}

/* The first loads that miss L1 find their data in L2; ALL_STORES hit L1; ALL_LOADS do not tell. */
static void test_memory(void **state)
{
	static const struct {
		uint64_t config, config1, instructions, latency;
		union perf_mem_data_src source;
	} rows[] = {
		{0x01cd,
		 30,
		 160,
		 30,
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
	uint64_t body[8];

	(void)state;
	for_each_uarch(u) for (unsigned i = 0; i < 3; i++)
	{
		struct perf_event_attr attr = memory_event(rows[i].config, rows[i].config1, 2);
		bool latency = rows[i].latency;

		attr.sample_type |= latency ? PERF_SAMPLE_WEIGHT : 0;
		assert_int_equal(sample_once(*u, attr, rows[i].instructions, body, 8), 3 + latency);
		assert_int_equal(body[0], 0x400000 + rows[i].instructions - 1);
		assert_int_equal(body[1], 0x7654320);
		assert_int_equal(body[2 + latency], rows[i].source.val);
		if (latency)
			assert_int_equal(body[2], rows[i].latency);
	}
}

/* Registers are the record's, of the instruction; its IP is what the sample says. */
static void test_registers(void **state)
{
	uint64_t body[8];

	(void)state;
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

/* A transaction that XABORT ended with code 0x5a, after 1234 cycles: as if the CPU had TSX. */
static void test_transaction(void **state)
{
	static const struct {
		const char *uarch;
		size_t offset; /* of the record's word about transactions */
	} rows[] = {{"hsw", 0xb8}, {"skx", 0xb8}, {"icl", 0x38}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct perf_event_attr attr = precise(100);
		struct rb *rb = rig_ring(1);
		struct pmu_event e;
		uint64_t body[4], base;

		boot(rows[i].uarch);
		shim.nmi_delay = 50;
		shim.state.rax = 0x5a000001;
		attr.sample_type = PERF_SAMPLE_TRANSACTION;
		attr.wakeup_events = 1;
		open_into(&e, attr, rb);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 120);
		/* The record waits for its NMI. */
		memcpy(&base, (const void *)(shim.model.ds_area + 0x20), sizeof(base));
		*(uint64_t *)(base + rows[i].offset) =
			(uint64_t)(PERF_TXN_TRANSACTION | PERF_TXN_SYNC) << 32 | 1234;
		shim_run(VPMU_USR, 60);
		pmu_task_sched_out();
		assert_int_equal(drain_one(rb, body, 4), 1);
		assert_int_equal(body[0], PERF_TXN_TRANSACTION | PERF_TXN_SYNC | 0x5aull << 32);
		pmu_event_close(&e);
	}
}

static void test_data_sources(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		union perf_mem_data_src s = pmu_data_source_load(rows[i].code | 0x30);

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

/* --- Refusals --- */

static void refused(struct perf_event_attr attr, int error, const char *sentence)
{
	struct pmu_event e;
	int got = rig_open(&e, &attr, NULL);

	if (got != -error || !strstr(rig.why.text, sentence))
		fail_msg("%d: '%s', not %d: '%s'", got, rig.why.text, -error, sentence);
}

static void test_refusals(void **state)
{
	struct perf_event_attr attr = precise(1000);
	struct pmu_event e;

	(void)state;
	boot("zen4");
	refused(attr, EOPNOTSUPP, "by Instruction-Based Sampling");
	boot("hsw");
	attr.sample_period = 0;
	refused(attr, EINVAL, "is for sampling");
	refused(precise(1), EINVAL, "the shortest period");
	attr = precise(1000);
	attr.config = PERF_COUNT_HW_CACHE_REFERENCES;
	refused(attr, EINVAL, "no precise form of event 0x4f2e");
	/* Fields that its records do not have. */
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
	/* What only counts precisely. */
	attr = precise(1000);
	attr.type = PERF_TYPE_RAW;
	attr.config = 0x01c0;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(pmu_event_counters(&e), 2);
	pmu_event_close(&e);
	boot("icl");
	attr = precise(1000);
	attr.config = PERF_COUNT_HW_CACHE_REFERENCES;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	pmu_event_close(&e);
}

/* Machines that lack something: each says what. */
static void test_machines_without(void **state)
{
	(void)state;
	boot("skx");
	rig.caps.ds = false;
	rig_init();
	refused(precise(1000), EOPNOTSUPP, "debug store");
	boot("skx");
	rig.caps.pdcm_readable = false;
	rig_init();
	refused(precise(1000), EOPNOTSUPP, "IA32_PERF_CAPABILITIES");
	boot("skx");
	rig.caps.perf_capabilities |= PERF_CAP_PEBS_IS(0xf);
	rig_init();
	refused(precise(1000), EOPNOTSUPP, "a format that is not known");
	boot("skx");
	rig.caps.perf_capabilities |= PERF_CAP_PEBS_BASELINE;
	rig_init();
	refused(precise(1000), EOPNOTSUPP, "come together only");
	boot("skx");
	shim.model.misc_enable |= MISC_ENABLE_PEBS_UNAVAILABLE;
	rig_init();
	refused(precise(1000), EOPNOTSUPP, "not available");
	boot("skx");
	pmu.uarch = uarch_by_name("goldmont");
	refused(precise(1000), EOPNOTSUPP, "is not known");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_is_exact),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_across_switches),
		cmocka_unit_test(test_beside_others),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_record_without_a_name),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_long_period),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_transaction),
		cmocka_unit_test(test_data_sources),
		cmocka_unit_test(test_many_records_an_nmi),
		cmocka_unit_test(test_read_between),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_machines_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
