// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_event_opening.c - opening events on the modelled PMUs: facts that pmu_init() finds, machines
 * without a working PMU, and every refusal.
 */
#include "pmu/names/dynamic.h"
#include "tests/unit/core/counted_events.h"

#include "tests/unit/test.h"

/* --- Facts that pmu_init() finds --- */

TEST(test_info)
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

TEST(test_unknown_model)
{
	struct pmu_event e;

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
TEST(test_no_pmu)
{
	static const struct {
		enum shim_pmu pmu;
		const char *personality, *sentence;
	} rows[] = {
		{SHIM_PMU_IGNORES, "zen4", "does not keep what is written to it"},
		{SHIM_PMU_IGNORES, "skx", "does not keep what is written to it"},
		{SHIM_PMU_FAULTS, "hsw", "MSR 0x38f faults"},
		{SHIM_PMU_FAULTS, "zen4", "faults"},
		{SHIM_PMU_STUCK, "icl", "no general counter counts instructions"},
	};
	struct perf_event_attr instructions = INSTRUCTIONS;

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

TEST(test_no_pmu_in_cpuid)
{
	rig_boot("hsw", true);
	rig.caps.version = 0;
	assert_int_equal(rig_init(), -ENODEV);
	assert_non_null(strstr(pmu_problem(), "no performance counters"));
	rig.caps.vendor = CPU_VENDOR_OTHER;
	assert_int_equal(rig_init(), -ENODEV);
	assert_non_null(strstr(pmu_problem(), "no PMU that perf0 knows"));
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
	{"skx", PERF_TYPE_HARDWARE, 1ull << 32, ENOENT, "no PMU of type 1 for generic events"},
	{"skx", PERF_TYPE_HARDWARE, 4ull << 32, ENOENT, "no PMU of type 4 for generic events"},
	{"adl", PERF_TYPE_HARDWARE, 5ull << 32, ENOENT, "no PMU of type 5 for generic events"},
	{"adl", PERF_TYPE_HARDWARE, 4ull << 32 | 77, EINVAL, "no generic hardware event 77"},
	{"adl", PERF_TYPE_HW_CACHE, 4ull << 32 | 77, EINVAL, "no generic cache event 0x4d"},
	{"adl", PERF_TYPE_HARDWARE, (uint64_t)PMU_TYPE_CPU_ATOM << 32, ENOENT, "is no cpu_atom"},
	{"adl", PMU_TYPE_CPU_ATOM, 0xc0, ENOENT, "is no cpu_atom"},
	{"skx", PMU_TYPE_CPU_ATOM, 0xc0, ENOENT, "is no cpu_atom"},
	{"skx", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, ENOENT, "skylakex"},
	{"zen4", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, ENOENT, "zen4"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x07, EINVAL, "no generic cache event 0x7"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x0300, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x020000, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x1000000, EINVAL, "no generic cache event"},
	{"hsw", PERF_TYPE_HW_CACHE, 0x000202, ENOENT, "no such cache event"},
	{"hsw", PERF_TYPE_RAW, 0x100000000, EINVAL, "bits 0x100000000"},
	{"hsw", PERF_TYPE_RAW, EVTSEL_EN | EVTSEL_AMD_WORLDS | 0xc0, EINVAL, "bits 0x30000000000"},
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

TEST(test_event_refusals)
{
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

/* pmu/api/attr_bits.h has the right bits for the flags of the ABI. */
TEST(test_attr_bits)
{
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

TEST(test_attr_refusals)
{
	rig_boot("skx", true);
	REFUSES(EINVAL, "CLOCK_MONOTONIC", .use_clockid = 1);
	REFUSES(EOPNOTSUPP, "aux_output", .aux_output = 1);
	REFUSES(EINVAL, "aux_sample_size", .aux_sample_size = 64);
	REFUSES(EINVAL, "contradict", .remove_on_exec = 1, .enable_on_exec = 1);
	REFUSES(EINVAL, "sigtrap is for", .sigtrap = 1);
	REFUSES(EOPNOTSUPP, "no signals", .sigtrap = 1, .remove_on_exec = 1);
	REFUSES(EINVAL, "reserved bits of perf_event_attr", .__reserved_1 = 1);
	REFUSES(EINVAL, "reserved fields of perf_event_attr", .__reserved_2 = 1);
	REFUSES(EINVAL, "reserved fields of perf_event_attr", .__reserved_3 = 1);
	REFUSES(EINVAL, "read_format", .read_format = 1ull << 20);
	REFUSES(EINVAL, "2^63", .sample_period = 1ull << 63);
	REFUSES(EINVAL, "config1", .config1 = 1);
	REFUSES(EINVAL, "config2", .config2 = 1);
}

/* Bits of a raw event that Linux drops: whole selects, as rr and libpfm4 print them, count what the
 * plain ones count, in the rings that the attr names. */
TEST(test_dropped_bits)
{
	static const struct {
		const char *uarch;
		uint64_t config;
	} rows[] = {
		{"skx", 0x5300c0},
		{"skx", 0x5100c0},
		{"icl", EVTSEL_PC | EVTSEL_OS | 0xc0},
		{"zen4", 0x5300c0},
		{"zen4", EVTSEL_ANY | EVTSEL_AMD_WORLDS | EVTSEL_PC | 0xc0},
	};
	struct pmu_event e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rig_boot(rows[i].uarch, true);
		open_ok(&e, user_only(RAW(rows[i].config)), NULL);
		assert_true(e.attr.config == rows[i].config);
		rig_task(1000);
		assert_int_equal(rig_value(&e), 1000);
		pmu_event_close(&e);
	}
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

/* vpmu tells which events it knows, on every counter. Real CPUs count all events, and are not
 * asked. */
TEST(test_events_that_vpmu_knows)
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
		/* The question includes the upper bits of the event select. */
		{"zen4", 0x1000001a0, 0x1a0, "vpmu's Zen 4 does not know event 0x1a0: "},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rig_boot(rows[i].uarch, true);
		assert_int_equal(open_raw(rows[i].unknown, false), 0);
		assert_int_equal(open_raw(rows[i].known, true), 0);
		assert_int_equal(open_raw(rows[i].unknown, true), -ENOENT);
		if (strncmp(rig.why.text, rows[i].sentence, strlen(rows[i].sentence)))
			fail_msg("'%s'", rig.why.text);
	}
}

/* vpmu models all events with generic names, so that none of them reads 0. */
TEST(test_vpmu_knows_generic_events)
{
	static const char *const machines[] = {"hsw", "skx", "icl", "adl", "zen4"};

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

TEST(test_attr_size)
{
	struct perf_event_attr attr = INSTRUCTIONS;

	rig_boot("skx", true);
	attr.size = PERF_ATTR_SIZE_VER0 - 1;
	expect_refusal(&attr, E2BIG, "attr.size 63");
	attr.size = sizeof(attr) + 8;
	expect_refusal(&attr, E2BIG, "attr.size");
}

TEST(test_targets)
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

TEST(test_open_flags)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	struct pmu_event e;

	rig_boot("skx", true);
	assert_int_equal(pmu_event_open(&e, &attr, RIG_TID, -1, NULL, 1ul << 7, &rig.why), -EINVAL);
	assert_int_equal(
		pmu_event_open(&e, &attr, RIG_TID, -1, NULL, PERF_FLAG_FD_CLOEXEC, &rig.why), 0);
	pmu_event_close(&e);
}

/* An attr of the first ABI is short: memory after it is not read. */
TEST(test_old_attr)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;

	rig_boot("skx", true);
	attr.size = 0;
	attr.config2 = 99;
	open_ok(&e, attr, NULL);
	assert_int_equal(e.attr.size, sizeof(attr));
	pmu_event_close(&e);
}
