// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_event.c - opening, counting and controlling events on the modelled PMUs: exact counts, every
 * refusal, groups, times, software events, and machines without a PMU that works.
 */
#include "include/perf0/personalities.h"
#include "arch/x86/msr.h"
#include "pmu/api/attr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define INSTRUCTIONS rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)
#define CYCLES       rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define RAW(config)  rig_attr(PERF_TYPE_RAW, config)

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};
#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static struct perf_event_attr user_only(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static void open_ok(struct pmu_event *e, struct perf_event_attr attr, struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

/* --- What pmu_init() finds --- */

static void test_info(void **state)
{
	static const struct {
		const char *personality, *uarch;
		bool ht;
		uint64_t counters;
	} rows[] = {
		{"hsw", "haswell", true, 0x70000000f},  {"hsw", "haswell", false, 0x7000000ff},
		{"skx", "skylakex", true, 0x70000000f}, {"skx", "skylakex", false, 0x7000000ff},
		{"icl", "icelake", true, 0xf000000ff},  {"icl", "icelake", false, 0xf000000ff},
		{"zen4", "zen4", true, 0x3f},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(rig_boot(rows[i].personality, rows[i].ht), 0);
		assert_null(pmu_problem());
		assert_string_equal(pmu_info()->uarch, rows[i].uarch);
		assert_true(pmu_info()->counters == rows[i].counters);
		assert_int_equal(pmu_info()->width, 48);
		assert_string_equal(pmu_info()->note, "");
		assert_int_equal(shim.faults, 0);
	}
}

static void test_unknown_model(void **state)
{
	struct pmu_event e;

	(void)state;
	shim_boot("skx", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.model = 0xfe;
	assert_int_equal(rig_init(), 0);
	assert_string_equal(pmu_info()->uarch, "generic");
	assert_non_null(strstr(pmu_info()->note, "not known"));
	open_ok(&e, user_only(INSTRUCTIONS), NULL);
	rig_task(12345);
	assert_int_equal(rig_value(&e), 12345);
	pmu_event_close(&e);
}

/* A machine whose PMU does not work says so, and goes on with clocks. */
static void test_no_pmu(void **state)
{
	static const struct {
		enum shim_pmu pmu;
		const char *personality, *sentence;
	} rows[] = {
		{SHIM_PMU_IGNORES, "zen4", "does not keep what is written to it"},
		{SHIM_PMU_IGNORES, "skx", "does not keep what is written to it"},
		{SHIM_PMU_FAULTS, "hsw", "MSR 0x4c1 faults"},
		{SHIM_PMU_FAULTS, "zen4", "faults"},
		{SHIM_PMU_STUCK, "icl", "counter 0 does not count instructions"},
	};
	struct perf_event_attr instructions = INSTRUCTIONS;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmu_event e;

		rig_boot(rows[i].personality, true);
		shim.pmu = rows[i].pmu;
		assert_int_equal(rig_init(), -ENODEV);
		assert_non_null(strstr(pmu_problem(), rows[i].sentence));
		assert_string_equal(pmu_info()->driver, "none");
		assert_int_equal(rig_open(&e, &instructions, NULL), -ENOENT);
		assert_string_equal(rig.why.text, pmu_problem());
		open_ok(&e, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK), NULL);
		rig_task(500);
		assert_int_equal(rig_value(&e), 500);
		pmu_event_close(&e);
		assert_false(shim.nmi(0, false));
	}
}

static void test_no_pmu_in_cpuid(void **state)
{
	(void)state;
	rig_boot("hsw", true);
	rig.caps.version = 0;
	assert_int_equal(rig_init(), -ENODEV);
	assert_non_null(strstr(pmu_problem(), "no performance counters"));
	rig.caps.vendor = CPU_VENDOR_OTHER;
	assert_int_equal(rig_init(), -ENODEV);
	assert_non_null(strstr(pmu_problem(), "no PMU that perf0 knows"));
}

/* --- Counting --- */

static void test_user_counts_are_exact(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct pmu_event e, c;
		struct pmu_value v;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		open_ok(&c, user_only(CYCLES), NULL);
		for (unsigned run = 1; run <= 10; run++) {
			rig_task(1000003);
			assert_int_equal(rig_value(&e), 1000003 * run);
		}
		assert_int_equal(rig_value(&c), 10000030);
		pmu_event_read(&e, &v);
		assert_int_equal(v.time_running, v.time_enabled);
		assert_int_equal(v.time_running, 10000030);
		assert_int_equal(v.id, pmu_event_id(&e));
		assert_int_equal(shim.nmis, 0);
		pmu_event_close(&e);
		pmu_event_close(&c);
	}
}

/* Ring 0's share is small, and the same each time; user and kernel together are the total. */
static void test_rings_add_up(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct perf_event_attr kernel_only = INSTRUCTIONS;
		struct pmu_event user, kernel, both;
		uint64_t first = 0;

		kernel_only.exclude_user = 1;
		rig_boot(*u, false);
		open_ok(&user, user_only(INSTRUCTIONS), NULL);
		open_ok(&kernel, kernel_only, NULL);
		open_ok(&both, INSTRUCTIONS, NULL);
		for (unsigned run = 0; run < 4; run++) {
			pmu_event_reset(&kernel);
			rig_task(777);
			if (!run)
				first = rig_value(&kernel);
			assert_int_equal(rig_value(&kernel), first);
		}
		pmu_event_reset(&kernel);
		pmu_event_reset(&user);
		pmu_event_reset(&both);
		rig_task(777);
		assert_int_equal(rig_value(&user), 777);
		assert_int_equal(rig_value(&user) + rig_value(&kernel), rig_value(&both));
		assert_true(rig_value(&kernel) > 0 && rig_value(&kernel) < 4);
		pmu_event_close(&user);
		pmu_event_close(&kernel);
		pmu_event_close(&both);
	}
}

/* 48-bit counters that wrap, one way or the other, while the 64-bit count goes on. */
static void test_wraps(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		const uint64_t most = 1ull << 47;
		struct pmu_event e;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		rig_task(most - 5);
		rig_task(10);
		assert_int_equal(shim.nmis, 1);
		rig_task(most);
		rig_task(1);
		assert_true(rig_value(&e) == 2 * most + 6);
		assert_int_equal(e.books.overflows, 0);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e);
	}
}

/* Counters whose writes take 32 bits only are reloaded more often. */
static void test_narrow_writes(void **state)
{
	struct perf_event_attr attr = user_only(RAW(0x1c2));
	struct pmu_event e;

	(void)state;
	shim_boot("hsw", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.perf_capabilities = 0;
	assert_int_equal(rig_init(), 0);
	assert_int_equal(pmu_info()->max_period, 0x7fffffff);
	attr.config = 0xc0 | EVTSEL_EDGE; /* no fixed counter */
	attr.sample_period = 10000000000;
	open_ok(&e, attr, NULL);
	rig_task(25000000000);
	assert_int_equal(rig_value(&e), 25000000000);
	assert_int_equal(e.books.overflows, 2);
	assert_true(shim.nmis >= 11);
	pmu_event_close(&e);
}

static void test_read_while_running(void **state)
{
	struct pmu_event e;

	(void)state;
	rig_boot("icl", true);
	open_ok(&e, user_only(INSTRUCTIONS), NULL);
	pmu_task_sched_in(&rig.task);
	for (uint64_t i = 1; i <= 50; i++) {
		shim_run(VPMU_USR, 100);
		assert_int_equal(rig_value(&e), 100 * i);
	}
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 5000);
	pmu_event_close(&e);
	assert_int_equal(rig_value(&e), 5000);
}

/* What the model says of each generic event must come out, on whichever counter. */
static void test_generic_events_count(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		unsigned counted = 0;

		rig_boot(*u, true);
		for (uint64_t id = 0; id < PERF_COUNT_HW_MAX; id++) {
			struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, id);
			struct pmu_event e;

			if (rig_open(&e, &attr, NULL)) {
				assert_non_null(strstr(rig.why.text, "has no such event"));
				continue;
			}
			rig_task(100000);
			counted += rig_value(&e) > 0;
			pmu_event_close(&e);
		}
		assert_true(counted >= 7);
	}
}

/* --- Refusals --- */

struct refusal {
	const char *uarch;
	uint32_t type;
	uint64_t config;
	int error;
	const char *sentence;
};

static const struct refusal refusals[] = {
	{"skx", PERF_TYPE_HARDWARE, PERF_COUNT_HW_MAX, EINVAL, "no generic hardware event 10"},
	{"skx", PERF_TYPE_HARDWARE, 1ull << 32, EINVAL, "no generic hardware event"},
	{"skx", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, ENOENT, "skylakex"},
	{"zen4", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, ENOENT, "zen4"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x07, EINVAL, "no generic cache event 0x7"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x0300, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x020000, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x1000000, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x000202, ENOENT, "no such cache event"},
	{"hsw", PERF_TYPE_RAW, 0x100000000, EINVAL, "bits 0x100000000"},
	{"hsw", PERF_TYPE_RAW, EVTSEL_USR | 0xc0, EINVAL, "bits 0x10000"},
	{"icl", PERF_TYPE_RAW, EVTSEL_ANY | 0xc0, EINVAL, "bits 0x200000"},
	{"zen4", PERF_TYPE_RAW, 1ull << 36, EINVAL, "bits 0x1000000000"},
	{"skx", PERF_TYPE_RAW, 0x0400, EINVAL, "no counter of this CPU (skylakex) can count"},
	{"hsw", PERF_TYPE_RAW, 0x01c0, EINVAL,
	 "(haswell) counts event 0x1c0 as a precise event only"},
	{"skx", PERF_TYPE_RAW, 0x0000, EINVAL, "no counter of this CPU"},
	{"skx", PERF_TYPE_RAW, 0x0900, EINVAL, "no counter of this CPU"},
	{"skx", PERF_TYPE_RAW, 0x0300 | EVTSEL_INV, EINVAL, "no counter of this CPU"},
	{"skx", PERF_TYPE_SOFTWARE, 99, ENOENT, "no software event 99"},
	{"skx", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, ENOENT, "there are no BPF programs"},
	{"skx", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES, ENOENT, "there are no cgroups"},
	{"skx", PERF_TYPE_TRACEPOINT, 99, ENOENT, "no tracepoint 99"},
	{"skx", PERF_TYPE_BREAKPOINT, 0, EINVAL, "a breakpoint is on writes, on accesses"},
	{"skx", 4711, 0, ENOENT, "no event type 4711"},
};

static void expect_refusal(const struct perf_event_attr *attr, int error, const char *sentence)
{
	struct pmu_event e;
	int got = rig_open(&e, attr, NULL);

	if (got != -error || !strstr(rig.why.text, sentence))
		fail_msg("type %u config 0x%llx: %d: '%s', not %d: '%s'", attr->type,
			 (unsigned long long)attr->config, got, rig.why.text, -error, sentence);
}

static void test_event_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *r = &refusals[i];
		struct perf_event_attr attr = rig_attr(r->type, r->config);

		rig_boot(r->uarch, true);
		expect_refusal(&attr, r->error, r->sentence);
		assert_int_equal(pmu_event_open(&(struct pmu_event){.id = 0}, &attr, RIG_TID, -1,
						NULL, 0, NULL),
				 -r->error);
	}
}

/* The flags of the ABI are where pmu/api/attr.h says. */
static void test_attr_bits(void **state)
{
	(void)state;
#define CHECK(field, flag) \
	assert_true(attr_flags(&(struct perf_event_attr){.field = 1}) == ATTR_BIT(flag))
	CHECK(disabled, ATTR_DISABLED);
	CHECK(exclude_idle, ATTR_EXCLUDE_IDLE);
	CHECK(freq, ATTR_FREQ);
	CHECK(task, ATTR_TASK);
	CHECK(watermark, ATTR_WATERMARK);
	CHECK(precise_ip, ATTR_PRECISE_IP);
	CHECK(mmap_data, ATTR_MMAP_DATA);
	CHECK(exclude_host, ATTR_EXCLUDE_HOST);
	CHECK(mmap2, ATTR_MMAP2);
	CHECK(use_clockid, ATTR_USE_CLOCKID);
	CHECK(write_backward, ATTR_WRITE_BACKWARD);
	CHECK(aux_output, ATTR_AUX_OUTPUT);
	CHECK(build_id, ATTR_BUILD_ID);
	CHECK(sigtrap, ATTR_SIGTRAP);
#undef CHECK
}

#define REFUSES(error, sentence, ...)                         \
	do {                                                  \
		struct perf_event_attr attr_ = {              \
			.type = PERF_TYPE_HARDWARE,           \
			.config = PERF_COUNT_HW_INSTRUCTIONS, \
			.size = sizeof(attr_),                \
			__VA_ARGS__,                          \
		};                                            \
		expect_refusal(&attr_, error, sentence);      \
	} while (0)

static void test_attr_refusals(void **state)
{
	(void)state;
	rig_boot("skx", true);
	REFUSES(EINVAL, "CLOCK_MONOTONIC", .use_clockid = 1);
	REFUSES(EOPNOTSUPP, "aux_output", .aux_output = 1);
	REFUSES(EINVAL, "aux_sample_size", .aux_sample_size = 64);
	REFUSES(EOPNOTSUPP, "remove_on_exec", .remove_on_exec = 1);
	REFUSES(EINVAL, "contradict", .remove_on_exec = 1, .enable_on_exec = 1);
	REFUSES(EINVAL, "sigtrap is for", .sigtrap = 1);
	REFUSES(EOPNOTSUPP, "remove_on_exec", .sigtrap = 1, .remove_on_exec = 1);
	REFUSES(EINVAL, "reserved bits of perf_event_attr", .__reserved_1 = 1);
	REFUSES(EINVAL, "reserved fields of perf_event_attr", .__reserved_2 = 1);
	REFUSES(EINVAL, "reserved fields of perf_event_attr", .__reserved_3 = 1);
	REFUSES(EINVAL, "read_format", .read_format = 1ull << 20);
	REFUSES(EINVAL, "2^63", .sample_period = 1ull << 63);
	REFUSES(EINVAL, "config1", .config1 = 1);
	REFUSES(EINVAL, "config2", .config2 = 1);
}

static int open_raw(uint64_t config, bool is_vpmu)
{
	const struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, config);
	struct pmu_event e;
	int got;

	shim.is_vpmu = is_vpmu;
	got = rig_open(&e, &attr, NULL);
	if (!got)
		pmu_event_close(&e);
	return got;
}

/* vpmu says which events it knows, on whatever counter; silicon counts all, and is not asked. */
static void test_events_that_vpmu_knows(void **state)
{
	static const struct {
		const char *uarch;
		uint64_t known, unknown;
		const char *sentence;
	} rows[] = {
		{"hsw", 0x0148, 0x4242, "vpmu's Haswell does not know event 0x4242: "},
		{"hsw", 0x80008a3, 0x08a3, "vpmu's Haswell does not know event 0x8a3: "},
		{"skx", 0x01d1, 0xff55, "vpmu's Skylake-SP does not know event 0xff55: "},
		{"skx", 0x10000c4, 0x7c0, "vpmu's Skylake-SP does not know event 0x7c0: "},
		{"icl", 0x01d1, 0x0108, "vpmu's Ice Lake does not know event 0x108: "},
		{"adl", 0x01c4, 0x0108, "vpmu's Alder Lake does not know event 0x108: "},
		{"zen4", 0x0103, 0x01c4, "vpmu's Zen 4 does not know event 0x1c4: "},
		/* The upper bits of the event select are asked for, too. */
		{"zen4", 0x1000001a0, 0x1a0, "vpmu's Zen 4 does not know event 0x1a0: "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rig_boot(rows[i].uarch, true);
		assert_int_equal(open_raw(rows[i].unknown, false), 0);
		assert_int_equal(open_raw(rows[i].known, true), 0);
		assert_int_equal(open_raw(rows[i].unknown, true), -ENOENT);
		if (strncmp(rig.why.text, rows[i].sentence, strlen(rows[i].sentence)))
			fail_msg("'%s'", rig.why.text);
	}
}

#define MACHINE(part, id, vendor, pfm) #id,

/* All that has a generic name is modelled, so that names never read 0 either. */
static void test_vpmu_knows_generic_events(void **state)
{
	static const char *const machines[] = {VPMU_PERSONALITIES(MACHINE)};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		rig_boot(machines[i], true);
		shim.is_vpmu = true;
		for (uint64_t config = 0; config < PERF_COUNT_HW_MAX; config++) {
			const struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, config);
			struct pmu_event e;

			if (!uarch_generic(pmu.uarch, config))
				continue;
			if (rig_open(&e, &attr, NULL))
				fail_msg("%s, %llu: %s", machines[i], (unsigned long long)config,
					 rig.why.text);
			pmu_event_close(&e);
		}
	}
}

static void test_attr_size(void **state)
{
	struct perf_event_attr attr = INSTRUCTIONS;

	(void)state;
	rig_boot("skx", true);
	attr.size = PERF_ATTR_SIZE_VER0 - 1;
	expect_refusal(&attr, E2BIG, "attr.size 63");
	attr.size = sizeof(attr) + 8;
	expect_refusal(&attr, E2BIG, "attr.size");
}

static void test_targets(void **state)
{
	static const struct {
		int task, cpu;
		unsigned long flags;
		int idle, running; /* what comes of it while no task runs, and while one does */
	} rows[] = {
		{0, -1, 0, -ESRCH, 0},
		{0, 0, 0, -ESRCH, 0},
		{RIG_TID, -1, 0, 0, 0},
		{RIG_TID, 0, 0, 0, 0},
		{-1, 0, 0, 0, 0},
		{-1, -1, 0, -EINVAL, -EINVAL},
		{2, -1, 0, -ESRCH, -ESRCH},
		{-2, 0, 0, -ESRCH, -ESRCH},
		{RIG_TID, 1, 0, -EINVAL, -EINVAL},
		{RIG_TID, -2, 0, -EINVAL, -EINVAL},
		{-1, 3, 0, -EINVAL, -EINVAL},
		{0, 1, 0, -ESRCH, -EINVAL},
		{5, 0, PERF_FLAG_PID_CGROUP, 0, 0},
		{5, -1, PERF_FLAG_PID_CGROUP, -EINVAL, -EINVAL},
		{0, 0, PERF_FLAG_PID_CGROUP, -EINVAL, -EINVAL},
		{-1, 0, PERF_FLAG_PID_CGROUP, -EINVAL, -EINVAL},
		{5, 1, PERF_FLAG_PID_CGROUP, -EINVAL, -EINVAL},
	};
	struct perf_event_attr attr = INSTRUCTIONS;

	(void)state;
	for (int running = 0; running <= 1; running++) {
		rig_boot("skx", true);
		if (running)
			pmu_task_sched_in(&rig.task);
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct pmu_event e;
			struct reason why = {""};
			int got = pmu_event_open(&e, &attr, rows[i].task, rows[i].cpu, NULL,
						 rows[i].flags, &why);

			assert_int_equal(got, running ? rows[i].running : rows[i].idle);
			assert_int_equal(!got, !*why.text);
			if (!got)
				pmu_event_close(&e);
		}
		if (running)
			pmu_task_sched_out();
	}
}

static void test_open_flags(void **state)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	assert_int_equal(pmu_event_open(&e, &attr, RIG_TID, -1, NULL, 1ul << 7, &rig.why), -EINVAL);
	assert_int_equal(
		pmu_event_open(&e, &attr, RIG_TID, -1, NULL, PERF_FLAG_FD_CLOEXEC, &rig.why), 0);
	pmu_event_close(&e);
}

/* An attr of the first ABI is short: what lies behind it is not read. */
static void test_old_attr(void **state)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	attr.size = 0;
	attr.config2 = 99;
	open_ok(&e, attr, NULL);
	assert_int_equal(e.attr.size, sizeof(attr));
	pmu_event_close(&e);
}

/* --- Groups and scheduling --- */

static void test_group_counts_together(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct pmu_event leader, sibling, clock;
		struct perf_event_attr attr = user_only(CYCLES);

		rig_boot(*u, true);
		attr.disabled = 1;
		open_ok(&leader, attr, NULL);
		open_ok(&sibling, user_only(INSTRUCTIONS), &leader);
		open_ok(&clock, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK), &leader);
		rig_task(100);
		assert_int_equal(rig_value(&sibling), 0);
		pmu_event_enable(&leader);
		rig_task(1000);
		assert_int_equal(rig_value(&leader), 1000);
		assert_int_equal(rig_value(&sibling), 1000);
		assert_int_equal(rig_value(&clock), 1000);
		pmu_event_disable(&leader);
		rig_task(100);
		assert_int_equal(rig_value(&sibling), 1000);
		pmu_event_close(&clock);
		pmu_event_close(&sibling);
		pmu_event_close(&leader);
	}
}

static void test_group_refusals(void **state)
{
	struct perf_event_attr attr = RAW(0x1a3), pinned = INSTRUCTIONS;
	struct pmu_event e[6];

	(void)state;
	rig_boot("hsw", true);
	attr.config = 0x8a3 | 8ull << 24; /* counter 2 only */
	open_ok(&e[0], attr, NULL);
	assert_int_equal(rig_open(&e[1], &attr, &e[0]), -EINVAL);
	assert_non_null(strstr(rig.why.text, "it needs PMC2, and the events of its group"));
	pinned.pinned = 1;
	assert_int_equal(rig_open(&e[1], &pinned, &e[0]), -EINVAL);
	assert_non_null(strstr(rig.why.text, "only the leader"));
	open_ok(&e[1], INSTRUCTIONS, &e[0]);
	attr = INSTRUCTIONS;
	assert_int_equal(rig_open(&e[2], &attr, &e[1]), -EINVAL);
	assert_non_null(strstr(rig.why.text, "not the leader"));
	assert_int_equal(pmu_event_open(&e[2], &attr, -1, 0, &e[0], 0, &rig.why), -EINVAL);
	assert_non_null(strstr(rig.why.text, "same target"));
	pmu_event_close(&e[1]);
	pmu_event_close(&e[0]);
	assert_int_equal(rig_open(&e[2], &attr, &e[0]), -EINVAL);
}

/* Siblings that were opened disabled do not count against the group. */
static void test_disabled_siblings(void **state)
{
	struct perf_event_attr attr = RAW(0x148), disabled = attr;
	struct pmu_event leader, a, b;

	(void)state;
	rig_boot("hsw", true);
	disabled.disabled = 1;
	open_ok(&leader, user_only(INSTRUCTIONS), NULL);
	open_ok(&a, disabled, &leader);
	open_ok(&b, attr, &leader);
	rig_task(1000);
	assert_int_equal(rig_value(&leader), 1000);
	assert_int_equal(rig_value(&a), 0);
	assert_true(rig_value(&b) > 0);
	pmu_event_close(&a);
	pmu_event_close(&b);
	pmu_event_close(&leader);
}

/* A task that is asleep leaves by the same way as one that runs. */
static void test_ends_asleep(void **state)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, attr, NULL);
	rig_task(1000);
	pmu_task_sched_out();
	rig_task(1000);
	assert_int_equal(rig_value(&e), 2000);
	pmu_event_close(&e);
}

/* Five raw events, four counters: four run, the fifth is not counted; clocks go on behind it. */
static void test_does_not_fit(void **state)
{
	struct pmu_event e[5], clock;
	struct pmu_value v;

	(void)state;
	rig_boot("skx", true);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], user_only(RAW(0xc4)), NULL);
	open_ok(&clock, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK), NULL);
	rig_task(1000);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rig_value(&e[i]), 200);
	pmu_event_read(&e[4], &v);
	assert_int_equal(v.value, 0);
	assert_int_equal(v.time_running, 0);
	assert_int_equal(v.time_enabled, 1000);
	assert_int_equal(rig_value(&clock), 1000);

	/* Room for it: closing schedules anew. */
	pmu_event_close(&e[0]);
	rig_task(1000);
	assert_int_equal(rig_value(&e[4]), 200);
	for (unsigned i = 1; i < 5; i++)
		pmu_event_close(&e[i]);
	pmu_event_close(&clock);
}

static void test_pinned(void **state)
{
	struct perf_event_attr attr = user_only(RAW(0x148)); /* counter 2 only */
	struct pmu_event flexible, pinned, second;
	struct pmu_value v;

	(void)state;
	rig_boot("hsw", true);
	open_ok(&flexible, attr, NULL);
	attr.pinned = 1;
	open_ok(&pinned, attr, NULL);
	open_ok(&second, attr, NULL);
	rig_task(100000);
	assert_true(rig_value(&pinned) > 0);
	assert_int_equal(rig_value(&flexible), 0);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	assert_int_equal(pmu_event_read(&second, &v), -ENODATA);
	pmu_event_close(&pinned);
	rig_task(100000);
	assert_int_equal(rig_value(&second), 0);
	assert_true(rig_value(&flexible) > 0);
	pmu_event_enable(&second);
	rig_task(100000);
	assert_true(rig_value(&second) > 0);
	pmu_event_close(&second);
	pmu_event_close(&flexible);
}

static void test_cpu_events(void **state)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event cpu, task;

	(void)state;
	rig_boot("icl", true);
	assert_int_equal(pmu_event_open(&cpu, &attr, -1, 0, NULL, 0, &rig.why), 0);
	open_ok(&task, attr, NULL);
	shim_run(VPMU_USR, 500);
	rig_task(1000);
	shim_run(VPMU_USR, 500);
	assert_int_equal(rig_value(&cpu), 2000);
	assert_int_equal(rig_value(&task), 1000);
	pmu_event_disable(&cpu);
	shim_run(VPMU_USR, 500);
	assert_int_equal(rig_value(&cpu), 2000);
	pmu_event_close(&cpu);
	pmu_event_close(&task);
}

static void test_fixed_counters_first(void **state)
{
	struct pmu_event instructions, cycles, ref, slots, raw;

	(void)state;
	rig_boot("icl", true);
	open_ok(&instructions, user_only(INSTRUCTIONS), NULL);
	open_ok(&cycles, user_only(CYCLES), NULL);
	open_ok(&ref, user_only(rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES)), NULL);
	open_ok(&slots, user_only(RAW(0x400)), NULL);
	open_ok(&raw, user_only(RAW(0xc4)), NULL);
	rig_task(1000);
	assert_int_equal(instructions.place->index, 32);
	assert_int_equal(cycles.place->index, 33);
	assert_int_equal(ref.place->index, 34);
	assert_int_equal(slots.place->index, 35);
	assert_int_equal(raw.place->index, 0);
	assert_int_equal(rig_value(&instructions), 1000);
	assert_int_equal(rig_value(&ref), 1000);
	assert_int_equal(rig_value(&slots), 5000);
	assert_int_equal(rig_value(&raw), 200);
	pmu_event_close(&instructions);
	pmu_event_close(&cycles);
	pmu_event_close(&ref);
	pmu_event_close(&slots);
	pmu_event_close(&raw);
}

/* Every row of constraints keeps to counters on which the model lets the event count. */
static void test_constraints_agree_with_model(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		const struct vpmu_uarch *row = vpmu_uarch_find(*u);

		rig_boot(*u, false);
		for (size_t i = 0; i < row->nevents; i++) {
			const struct vpmu_event *m = &row->events[i];
			struct perf_event_attr attr =
				RAW((m->code & 0xffull) | (uint64_t)m->umask << 8 |
				    (uint64_t)m->cmask << 24 | (m->code & 0xf00ull) << 24 |
				    (m->inv ? EVTSEL_INV : 0));
			struct pmu_event e;

			if (rig_open(&e, &attr, NULL)) {
				assert_non_null(strstr(rig.why.text, "as a precise event only"));
				continue;
			}
			if ((pmu_event_counters(&e) & 0xffffffff) & ~(uint64_t)m->counters)
				fail_msg("%s: %s may use 0x%llx, counts on 0x%x", *u, m->name,
					 (unsigned long long)pmu_event_counters(&e), m->counters);
			pmu_event_close(&e);
		}
	}
}

/* --- Control --- */

static void test_enable_on_exec(void **state)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;
	struct pmu_value v;

	(void)state;
	rig_boot("hsw", true);
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	open_ok(&e, attr, NULL);
	rig_task(100);
	pmu_task_exec(&rig.task);
	rig_task(1000);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 1000);
	assert_int_equal(v.time_enabled, 1000);
	pmu_event_disable(&e);
	pmu_task_exec(&rig.task); /* once for each event */
	rig_task(1000);
	assert_int_equal(rig_value(&e), 1000);
	pmu_event_close(&e);
}

static void test_times(void **state)
{
	struct pmu_event e;
	struct pmu_value v;

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, user_only(INSTRUCTIONS), NULL);
	shim.ns += 5000; /* the task does not run */
	rig_task(300);
	shim.ns += 5000;
	pmu_event_disable(&e);
	rig_task(300);
	pmu_event_enable(&e);
	rig_task(200);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 500);
	assert_int_equal(v.time_enabled, 500);
	assert_int_equal(v.time_running, 500);
	pmu_event_reset(&e);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 0);
	assert_int_equal(v.time_enabled, 500);
	pmu_event_close(&e);
}

/* However long the machine takes to start and to stop counters, it is in nobody's time. */
static void test_slow_writes(void **state)
{
	struct perf_event_attr disabled = user_only(INSTRUCTIONS);

	(void)state;
	disabled.disabled = 1;
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		struct pmu_event e, other;
		struct pmu_value v;

		rig_boot(uarchs[i], true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		open_ok(&other, disabled, NULL);
		shim.wrmsr_ns = 1000;
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 5000);
		pmu_event_enable(&other);
		shim_run(VPMU_USR, 3000);
		pmu_event_disable(&other);
		shim_run(VPMU_USR, 2000);
		pmu_task_sched_out();
		pmu_event_read(&e, &v);
		assert_int_equal(v.value, 10000);
		assert_int_equal(v.time_running, 10000);
		assert_int_equal(v.time_enabled, 10000);
		pmu_event_read(&other, &v);
		assert_int_equal(v.value, 3000);
		assert_int_equal(v.time_running, 3000);
		pmu_event_close(&other);
		pmu_event_close(&e);
	}
}

static void test_control_while_running(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct pmu_event e;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 100);
		pmu_event_disable(&e);
		shim_run(VPMU_USR, 100);
		pmu_event_enable(&e);
		shim_run(VPMU_USR, 100);
		pmu_event_reset(&e);
		shim_run(VPMU_USR, 100);
		pmu_task_sched_out();
		assert_int_equal(rig_value(&e), 100);
		pmu_event_close(&e);
	}
}

/* The last write of sched_in is the master switch: one write starts all counters. */
static void test_one_write_starts_all(void **state)
{
	struct pmu_event a, b, c;

	(void)state;
	rig_boot("skx", true);
	open_ok(&a, INSTRUCTIONS, NULL);
	open_ok(&b, RAW(0xc0 | EVTSEL_EDGE), NULL);
	open_ok(&c, RAW(0x1c0), NULL);
	rig_task(5000);
	assert_int_equal(rig_value(&a), rig_value(&b));
	assert_int_equal(rig_value(&a), rig_value(&c));
	pmu_event_close(&a);
	pmu_event_close(&b);
	pmu_event_close(&c);
}

static void test_invalid_controls(void **state)
{
	struct rb tiny = {.mask = 7};
	struct perf_event_attr attr = INSTRUCTIONS;
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, attr, NULL);
	assert_int_equal(pmu_event_refresh(&e, 1), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 100), -EINVAL);
	pmu_event_close(&e);
	attr.sample_period = 100;
	attr.sample_type = PERF_SAMPLE_IP;
	open_ok(&e, attr, NULL);
	assert_int_equal(pmu_event_set_period(&e, 0), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 1ull << 63), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 200), 0);
	assert_int_equal(pmu_event_set_output(&e, &tiny), -EINVAL);
	pmu_event_close(&e);
	pmu_event_close(&e);
}

static void test_close_leader_first(void **state)
{
	struct pmu_event leader, a, b;

	(void)state;
	rig_boot("skx", true);
	open_ok(&leader, user_only(CYCLES), NULL);
	open_ok(&a, user_only(INSTRUCTIONS), &leader);
	open_ok(&b, user_only(RAW(0xc4)), &leader);
	pmu_event_close(&leader);
	rig_task(1000);
	assert_int_equal(rig_value(&a), 1000);
	assert_int_equal(rig_value(&b), 200);
	assert_ptr_equal(a.leader, &a);
	pmu_event_close(&a);
	pmu_event_close(&b);
}

/* --- Software events --- */

static void happen(enum perf_sw_ids id, unsigned n, bool user)
{
	const struct pmu_regs regs = {.ip = 0x1000, .user = user};

	while (n--)
		pmu_software(id, &regs, 0);
}

static void test_software(void **state)
{
	struct perf_event_attr kernel = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct perf_event_attr user = kernel;
	struct pmu_event faults, dummy, user_faults, kernel_faults;

	(void)state;
	rig_boot("hsw", true);
	open_ok(&faults, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS), NULL);
	open_ok(&dummy, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY), NULL);
	user.exclude_kernel = 1;
	kernel.exclude_user = 1;
	open_ok(&user_faults, user, NULL);
	open_ok(&kernel_faults, kernel, NULL);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 5, true);
	pmu_task_sched_in(&rig.task);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 7, true);
	assert_int_equal(rig_value(&faults), 7);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 1, false);
	happen(PERF_COUNT_SW_PAGE_FAULTS_MIN, 3, true);
	pmu_task_sched_out();
	happen(PERF_COUNT_SW_PAGE_FAULTS, 5, true);
	assert_int_equal(rig_value(&faults), 8);
	assert_int_equal(rig_value(&dummy), 0);
	assert_int_equal(rig_value(&user_faults), 7);
	assert_int_equal(rig_value(&kernel_faults), 1);
	pmu_event_close(&user_faults);
	pmu_event_close(&kernel_faults);
	pmu_event_close(&faults);
	pmu_event_close(&dummy);
}

/* Each kind counts by itself, for the task that runs and for the CPU, and the clocks apart. */
static void test_software_kinds(void **state)
{
	static const enum perf_sw_ids ids[] = {
		PERF_COUNT_SW_PAGE_FAULTS,     PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS,  PERF_COUNT_SW_PAGE_FAULTS_MIN,
		PERF_COUNT_SW_PAGE_FAULTS_MAJ, PERF_COUNT_SW_ALIGNMENT_FAULTS,
		PERF_COUNT_SW_EMULATION_FAULTS};
	struct pmu_event of_task[7], of_cpu[7];

	(void)state;
	rig_boot("hsw", true);
	for (unsigned i = 0; i < 7; i++) {
		const struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, ids[i]);

		open_ok(&of_task[i], attr, NULL);
		assert_int_equal(pmu_event_open(&of_cpu[i], &attr, -1, 0, NULL, 0, NULL), 0);
	}
	for (unsigned i = 0; i < 7; i++)
		happen(ids[i], 100 + i, false);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 7; i++)
		happen(ids[i], 10 + i, i & 1);
	pmu_task_sched_out();
	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(rig_value(&of_task[i]), 10 + i);
		assert_int_equal(rig_value(&of_cpu[i]), 110 + 2 * i);
		pmu_event_close(&of_task[i]);
		pmu_event_close(&of_cpu[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_unknown_model),
		cmocka_unit_test(test_no_pmu),
		cmocka_unit_test(test_no_pmu_in_cpuid),
		cmocka_unit_test(test_user_counts_are_exact),
		cmocka_unit_test(test_rings_add_up),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_narrow_writes),
		cmocka_unit_test(test_read_while_running),
		cmocka_unit_test(test_generic_events_count),
		cmocka_unit_test(test_event_refusals),
		cmocka_unit_test(test_attr_bits),
		cmocka_unit_test(test_attr_refusals),
		cmocka_unit_test(test_attr_size),
		cmocka_unit_test(test_events_that_vpmu_knows),
		cmocka_unit_test(test_vpmu_knows_generic_events),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_open_flags),
		cmocka_unit_test(test_old_attr),
		cmocka_unit_test(test_group_counts_together),
		cmocka_unit_test(test_group_refusals),
		cmocka_unit_test(test_disabled_siblings),
		cmocka_unit_test(test_ends_asleep),
		cmocka_unit_test(test_does_not_fit),
		cmocka_unit_test(test_pinned),
		cmocka_unit_test(test_cpu_events),
		cmocka_unit_test(test_fixed_counters_first),
		cmocka_unit_test(test_constraints_agree_with_model),
		cmocka_unit_test(test_enable_on_exec),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_slow_writes),
		cmocka_unit_test(test_control_while_running),
		cmocka_unit_test(test_one_write_starts_all),
		cmocka_unit_test(test_invalid_controls),
		cmocka_unit_test(test_close_leader_first),
		cmocka_unit_test(test_software),
		cmocka_unit_test(test_software_kinds),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
