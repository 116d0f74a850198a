// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_meter.c - events that an MSR counts without interrupts: the PMUs msr, power and uncore. The
 * test provides the registers.
 */
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "pmu/state/state.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/parse.h"
#include "pmu/x86/meter.h"
#include "tests/shim/rig.h"
#include "pmu/cpus/domain.h"

#include <linux/errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

static struct shim_msr msrs[] = {
	{MSR_IA32_APERF, 0},
	{MSR_IA32_MPERF, 0},
	{MSR_SMI_COUNT, 0},
	{MSR_AMD_IRPERF, 0},
	{MSR_AMD_HWCR, 0},
	{MSR_AMD_PTSC, 0},
	{MSR_RAPL_POWER_UNIT, 0},
	{MSR_PKG_ENERGY_STATUS, 0},
	{MSR_DRAM_ENERGY_STATUS, 0},
	{MSR_PP0_ENERGY_STATUS, 0},
	{MSR_PP1_ENERGY_STATUS, 0},
	{MSR_PLATFORM_ENERGY_STATUS, 0},
	{MSR_AMD_RAPL_POWER_UNIT, 0},
	{MSR_AMD_PKG_ENERGY_STATUS, 0},
	{0, 0},
};

static uint64_t *reg(uint32_t msr)
{
	struct shim_msr *m = msrs;

	while (m->msr != msr)
		m++;
	return &m->value;
}

static void boot_meters(const char *uarch)
{
	rig_boot(uarch, false);
	for (struct shim_msr *m = msrs; m->msr; m++)
		m->value = 5000;
	*reg(MSR_RAPL_POWER_UNIT) = 0x000a0e03; /* as on Skylake: 2^-14 J */
	*reg(MSR_AMD_RAPL_POWER_UNIT) = 0x000a1003;
	shim.msrs = msrs;
	rig.caps.aperfmperf = true;
	rig_init();
}

static struct perf_event_attr parsed(const char *text)
{
	struct pmu_event_spec spec;
	struct pmu_parse_error err;

	if (pmu_parse_events(text, &spec, 1, &err) != 1)
		fail_msg("%s: column %u: %s", text, (unsigned)err.column, err.text);
	return spec.attr;
}

static void open_on(struct pmu_event *e, const char *text, int task, int cpu)
{
	const struct perf_event_attr attr = parsed(text);

	if (pmu_event_open(e, &attr, task, cpu, NULL, 0, &rig.why))
		fail_msg("%s: %s", text, rig.why.text);
}

static void rejects(const char *text, int task, int cpu, int error, const char *why)
{
	const struct perf_event_attr attr = parsed(text);
	struct pmu_event e;

	assert_int_equal(pmu_event_open(&e, &attr, task, cpu, NULL, 0, &rig.why), -error);
	if (!strstr(rig.why.text, why))
		fail_msg("%s: '%s' is not in '%s'", text, why, rig.why.text);
}

/* An event of a task counts the meter's progress while the task runs. */
TEST(test_msr_of_a_task)
{
	struct pmu_event tsc, aperf, smi;
	uint64_t since;

	boot_meters("skx");
	open_on(&tsc, "msr/tsc/", RIG_TID, -1);
	open_on(&aperf, "msr/aperf/", RIG_TID, -1);
	open_on(&smi, "msr/smi/", RIG_TID, -1);
	shim.ns += 100;
	pmu_task_sched_in(&rig.task);
	since = shim.ns;
	shim.ns += 1000;
	*reg(MSR_IA32_APERF) = 3; /* it wrapped at 64 bits */
	*reg(MSR_SMI_COUNT) = 2;  /* it wrapped at 32 bits */
	assert_int_equal(rig_value(&tsc), 1000);
	pmu_task_sched_out();
	assert_int_equal(shim.ns - since, 1000);
	shim.ns += 100;
	assert_int_equal(rig_value(&tsc), 1000);
	assert_int_equal(rig_value(&aperf), 3ull - 5000);
	assert_int_equal(rig_value(&smi), (uint32_t)(2u - 5000));
	assert_int_equal(rig.refresh_ns, 0);
	pmu_event_reset(&tsc);
	pmu_task_sched_in(&rig.task);
	shim.ns += 5;
	pmu_task_sched_out();
	assert_int_equal(rig_value(&tsc), 5);
	pmu_task_sched_in(&rig.task);
	shim.ns += 7 + 1000; /* 7 ns pass; the TSC is set forward by 1000 */
	pmu_tsc_moved(1000);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&tsc), 12);
	pmu_tsc_moved(-1000);
	pmu_event_close(&tsc);
	pmu_event_close(&aperf);
	pmu_event_close(&smi);
}

TEST(test_msr_is_inherited)
{
	struct perf_event_attr attr = parsed("msr/tsc/");
	struct pmu_task child;
	struct pmu_event tsc;

	boot_meters("skx");
	attr.inherit = 1;
	assert_int_equal(rig_open(&tsc, &attr, NULL), 0);
	pmu_task_init(&child, RIG_PID, RIG_TID + 1, &rig.task);
	pmu_task_sched_in(&child);
	shim.ns += 40;
	pmu_task_sched_out();
	pmu_task_exit(&child);
	assert_int_equal(rig_value(&tsc), 40);
	pmu_event_close(&tsc);
}

/* AMD's counter of instructions is off until an event needs it. If it cannot be turned on, the CPU
 * is treated as one without it. */
TEST(test_those_of_amd)
{
	struct pmu_event e;

	boot_meters("zen4");
	rig.caps.irperf = true;
	*reg(MSR_AMD_HWCR) = 0x11;
	open_on(&e, "msr/irperf/", RIG_TID, -1);
	assert_int_equal(*reg(MSR_AMD_HWCR), HWCR_IRPERF_EN | 0x11);
	pmu_event_close(&e);
	rig.caps.ptsc = true;
	open_on(&e, "msr/ptsc/", -1, 0);
	*reg(MSR_AMD_PTSC) += 9;
	assert_int_equal(rig_value(&e), 9);
	pmu_event_close(&e);
	/* Erratum 1054: Zen 1 and Zen+, not Zen 2. */
	rig.caps.family = 0x17;
	rig.caps.model = 0x2f;
	rig.caps.quirks = quirks_find(&rig.caps);
	rejects("msr/irperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/irperf/");
	rig.caps.model = 0x31;
	rig.caps.quirks = quirks_find(&rig.caps);
	open_on(&e, "msr/irperf/", RIG_TID, -1);
	pmu_event_close(&e);
	shim.pmu = SHIM_PMU_IGNORES;
	rejects("msr/irperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/irperf/");
}

TEST(test_what_msr_refuses)
{
	boot_meters("skx");
	rejects("msr/event=3/", RIG_TID, -1, EINVAL, "no event 3");
	rejects("msr/event=99/", RIG_TID, -1, EINVAL, "no event 99");
	rejects("msr/irperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/irperf/");
	rejects("msr/ptsc/", RIG_TID, -1, ENOENT, "this CPU has no msr/ptsc/");
	rejects("msr/tsc/u", RIG_TID, -1, EINVAL, "knows neither rings nor guests");
	rig.caps.aperfmperf = false;
	rejects("msr/aperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/aperf/");
	boot_meters("zen4");
	rejects("msr/smi/", RIG_TID, -1, ENOENT, "this CPU has no msr/smi/");
	{
		struct perf_event_attr attr = parsed("msr/tsc/");
		struct pmu_event e;

		attr.sample_period = 1000;
		assert_int_equal(rig_open(&e, &attr, NULL), -EINVAL);
		assert_non_null(strstr(rig.why.text, "cannot sample"));
	}
}

/* Energy is in units of 2^-32 J, whatever unit the machine has. Reads by the timer let the count go
 * on when the register wraps. */
TEST(test_energy)
{
	const struct pmu_regs regs = {.ip = 0x1000};
	struct pmu_event pkg, ram;

	boot_meters("skx");
	open_on(&pkg, "power/energy-pkg/", -1, 0);
	/* Half of the time in which 1000 W consume 2^18 J. */
	assert_int_equal(rig.refresh_ns, 131072000000ull);
	open_on(&ram, "power/energy-ram/", -1, 0);
	/* The memory of this server has another unit: the register wraps at 2^16 J. */
	assert_int_equal(rig.refresh_ns, 32768000000ull);
	*reg(MSR_PKG_ENERGY_STATUS) += 1 << 14;
	*reg(MSR_DRAM_ENERGY_STATUS) += 1 << 14;
	assert_int_equal(rig_value(&pkg), 1ull << 32);
	assert_int_equal(rig_value(&ram), 1ull << 30);
	for (unsigned i = 0; i < 3; i++) {
		*reg(MSR_PKG_ENERGY_STATUS) = (uint32_t)(*reg(MSR_PKG_ENERGY_STATUS) + 0xc0000000);
		rig.refresh_ns = 0;
		shim.ns += 32768000000ull;
		pmu_refresh_timer(&regs);
		assert_int_equal(rig.refresh_ns, 32768000000ull);
	}
	assert_int_equal(rig_value(&pkg), ((1ull << 14) + 3 * 0xc0000000ull) << 18);
	pmu_event_close(&ram);
	pmu_event_close(&pkg);
	assert_int_equal(rig.refresh_ns, 0);
}

/* Starting one meter does not delay the timer of another. */
TEST(test_refresh_is_not_put_off)
{
	struct pmu_event pkg, ram;

	boot_meters("skx");
	open_on(&ram, "power/energy-ram/", -1, 0);
	rig.refresh_ns = 1;
	shim.ns += 1000;
	open_on(&pkg, "power/energy-pkg/", -1, 0);
	assert_int_equal(rig.refresh_ns, 1);
	pmu_event_close(&pkg);
	assert_int_equal(rig.refresh_ns, 1);
	pmu_event_close(&ram);
	assert_int_equal(rig.refresh_ns, 0);
}

TEST(test_energy_of_amd)
{
	struct pmu_event pkg;

	boot_meters("zen4");
	open_on(&pkg, "power/energy-pkg/", -1, 0);
	*reg(MSR_AMD_PKG_ENERGY_STATUS) += 1 << 16;
	assert_int_equal(rig_value(&pkg), 1ull << 32);
	pmu_event_close(&pkg);
	rejects("power/energy-ram/", -1, 0, ENOENT, "this CPU has no power/energy-ram/");
}

TEST(test_what_power_refuses)
{
	boot_meters("skx");
	rejects("power/energy-pkg/", RIG_TID, -1, EINVAL, "for a package, not for a task");
	rejects("power/energy-pkg/", RIG_TID, 0, EINVAL, "for a package, not for a task");
	rejects("power/energy-cores/", -1, 0, ENOENT, "this CPU has no power/energy-cores/");
	rejects("power/event=0/", -1, 0, EINVAL, "power has no event 0");
	rejects("power/event=6/", -1, 0, EINVAL, "power has no event 6");
	rejects("power/energy-pkg/k", -1, 0, EINVAL, "knows neither rings nor guests");
	*reg(MSR_PKG_ENERGY_STATUS) = 0;
	rejects("power/energy-pkg/", -1, 0, ENOENT, "does not count on this machine");
	*reg(MSR_PKG_ENERGY_STATUS) = 1;
	*reg(MSR_RAPL_POWER_UNIT) = 0;
	rejects("power/energy-pkg/", -1, 0, ENOENT, "does not count on this machine");
}

/* The parts of each model whose energy is counted. */
TEST(test_parts_of_models)
{
	static const char *const names[] = {"energy-cores", "energy-pkg", "energy-ram",
					    "energy-gpu", "energy-psys"};
	static const struct {
		const char *uarch;
		uint8_t model; /* 0: the personality's own */
		unsigned has;
	} rows[] = {
		{"hsw", 0, 0xf},     {"skx", 0, 0x6},     {"icl", 0, 0x1f},    {"zen4", 0, 0x2},
		{"icl", 0xaa, 0x1f}, {"icl", 0xac, 0x1f}, {"icl", 0xbe, 0x1f}, {"icl", 0xc6, 0x1f},
		{"icl", 0xc5, 0x1f}, {"icl", 0xb5, 0x1f}, {"icl", 0xbd, 0x1f}, {"icl", 0xad, 0x16},
		{"icl", 0xaf, 0x6},  {"icl", 0x5c, 0xf},  {"icl", 0x57, 0x6},  {"icl", 0x86, 0},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		boot_meters(rows[i].uarch);
		if (rows[i].model)
			rig.caps.model = rows[i].model;
		for (unsigned k = 0; k < 5; k++) {
			const struct perf_event_attr attr = rig_attr(PMU_TYPE_POWER, k + 1);
			char text[64];
			struct pmu_event e;
			bool ok;

			snprintf(text, sizeof(text), "power/%s/", names[k]);
			assert_int_equal(parsed(text).config, k + 1);
			ok = !pmu_event_open(&e, &attr, -1, 0, NULL, 0, NULL);
			assert_int_equal(ok, rows[i].has >> k & 1);
			if (ok)
				pmu_event_close(&e);
		}
	}
}

/* --- Uncore --- */

/* Registers from `first` on, all of value 0. Nothing counts behind them. */
static struct shim_msr *registers(const uint32_t (*ranges)[2])
{
	static struct shim_msr made[64];
	unsigned n = 0;

	for (; (*ranges)[1]; ranges++)
		for (uint32_t i = 0; i < (*ranges)[1]; i++)
			made[n++] = (struct shim_msr){(*ranges)[0] + i, 0};
	made[n] = (struct shim_msr){0, 0};
	return made;
}

static uint64_t *at(uint32_t msr)
{
	struct shim_msr *m = shim.msrs;

	while (m->msr && m->msr != msr)
		m++;
	assert_int_equal(m->msr, msr);
	return &m->value;
}

static void boot_zen(void)
{
	static const uint32_t ranges[][2] = {{0xc0010230, 12}, {0xc0010240, 8}, {0, 0}};

	rig_boot("zen4", false);
	rig.caps.perfctr_nb = rig.caps.perfctr_llc = rig.caps.perfmon_v2 = true;
	rig.caps.amd_nb = 4;
	rig_init();
	shim.msrs = registers(ranges);
}

/* Two agents, the UBOX and the clock. */
static void boot_skx(void)
{
	static const uint32_t ranges[][2] = {{0xe00, 0x20}, {0x703, 8}, {0, 0}};

	rig_boot("skx", false);
	shim.msrs = registers(ranges);
}

#define EN (1ull << 22)

TEST(test_data_fabric)
{
	struct pmu_event e[4];

	boot_zen();
	open_on(&e[0], "amd_df/event=0x1f,umask=0x7fe/", -1, 0);
	/* Upper bits of the event from bit 32 on, of the umask from 24 on. */
	assert_int_equal(*at(0xc0010240), EN | 0x1f | 0xfeull << 8 | 7ull << 24);
	assert_int_equal(parsed("amd_df/event=0x345,umask=0x123/").config,
			 0x45 | 0x23ull << 8 | 3ull << 32 | 1ull << 24);
	*at(0xc0010241) = 100;
	assert_int_equal(rig_value(&e[0]), 100);
	for (unsigned i = 1; i < 4; i++)
		open_on(&e[i], "amd_df/event=0x7,umask=0x38/", -1, 0);
	assert_int_equal(*at(0xc0010246), EN | 0x3807);
	rejects("amd_df/event=1/", -1, 0, EBUSY,
		"amd_df has 4 counters, and other events have them all");
	/* An event keeps its counter while it is disabled. */
	pmu_event_disable(&e[1]);
	assert_int_equal(*at(0xc0010242), 0);
	rejects("amd_df/event=1/", -1, 0, EBUSY, "amd_df has 4 counters");
	pmu_event_close(&e[1]);
	open_on(&e[1], "amd_df/event=9/", -1, 0);
	assert_int_equal(*at(0xc0010242), EN | 9);
	for (unsigned i = 0; i < 4; i++)
		pmu_event_close(&e[i]);
	assert_int_equal(*at(0xc0010240), 0);
	assert_int_equal(rig.refresh_ns, 0);
}

/* Registers have 48 bits, and may wrap any number of times. */
TEST(test_uncore_wraps)
{
	const struct pmu_regs regs = {.ip = 0x1000};
	struct pmu_event e;

	boot_zen();
	*at(0xc0010241) = 0xffffffffff00;
	open_on(&e, "amd_df/event=9/", -1, 0);
	assert_int_equal(rig.refresh_ns, 60000000000ull);
	for (unsigned i = 0; i < 3; i++) {
		*at(0xc0010241) = (*at(0xc0010241) + 0xc00000000000) & 0xffffffffffff;
		shim.ns += 60000000000ull;
		pmu_refresh_timer(&regs);
	}
	assert_int_equal(rig_value(&e), 3 * 0xc00000000000ull);
	pmu_event_close(&e);
}

TEST(test_l3)
{
	static const struct {
		const char *text;
		uint64_t control;
	} rows[] = {
		{"amd_l3/l3_lookup_state.l3_miss/", EN | 0x0104 | 3ull << 56 | 3ull << 46},
		{"amd_l3/event=4,umask=0xff,threadmask=1/", EN | 0xff04 | 1ull << 56},
		{"amd_l3/event=4,umask=0xff,threadmask=2,sliceid=5,coreid=3/",
		 EN | 0xff04 | 2ull << 56 | 5ull << 48 | 3ull << 42},
	};
	struct pmu_event e[6];

	boot_zen();
	for (unsigned i = 0; i < 3; i++) {
		open_on(&e[0], rows[i].text, -1, 0);
		assert_int_equal(*at(0xc0010230), rows[i].control);
		pmu_event_close(&e[0]);
	}
	for (unsigned i = 0; i < 6; i++)
		open_on(&e[i], "amd_l3/event=4/", -1, 0);
	rejects("amd_l3/event=4/", -1, 0, EBUSY, "amd_l3 has 6 counters");
	for (unsigned i = 0; i < 6; i++)
		pmu_event_close(&e[i]);
	rejects("amd_l3/event=4,threadmask=4/", -1, 0, EINVAL, "bits 0x400000000000000");
	rejects("amd_l3/event=4/", RIG_TID, -1, EINVAL, "for an L3, not for a task");
}

/* Each agent has its own counters. Two of its events need the first counter. */
TEST(test_agents)
{
	struct pmu_event e[4], other;

	boot_skx();
	open_on(&e[0], "uncore_cha_0/unc_cha_clockticks/", -1, 0);
	assert_int_equal(*at(0xe00), 3);
	assert_int_equal(*at(0xe01), EN);
	*at(0xe08) = 77;
	assert_int_equal(rig_value(&e[0]), 77);
	rejects("uncore_cha_0/event=0x36,umask=1/", -1, 0, EBUSY, "only counter 0 of uncore_cha_0");
	*at(0xe00) = 0;
	for (unsigned i = 1; i < 4; i++)
		open_on(&e[i], "uncore_cha_0/event=0x35,umask=0x21,thresh=2,inv,edge/", -1, 0);
	assert_int_equal(*at(0xe00), 0); /* no reset under events that count */
	assert_int_equal(*at(0xe04), EN | 0x2135 | 1 << 18 | 1 << 23 | 2 << 24);
	open_on(&other, "uncore_cha_1/event=0x36,umask=1/", -1, 0);
	assert_int_equal(*at(0xe11), EN | 0x136);
	rejects("uncore_cha_2/event=0/", -1, 0, ENOENT,
		"uncore_cha_2 does not count on this machine");
	rejects("uncore_cha_1/config=0x20000/", -1, 0, EINVAL, "bits 0x20000");
	rejects("amd_df/event=1/", -1, 0, ENOENT, "this CPU has no amd_df");
	for (unsigned i = 0; i < 4; i++)
		pmu_event_close(&e[i]);
	pmu_event_close(&other);
	rig_boot("hsw", false);
	rejects("uncore_cha_0/event=0/", -1, 0, ENOENT, "this CPU has no uncore_cha_0");
}

TEST(test_ubox)
{
	struct pmu_event clock, e[2];

	boot_skx();
	open_on(&clock, "uncore_ubox/unc_u_clockticks/", -1, 0);
	assert_int_equal(*at(0x703), EN);
	*at(0x704) = 5;
	assert_int_equal(rig_value(&clock), 5);
	rejects("uncore_ubox/event=0xff/", -1, 0, EBUSY, "one clock");
	open_on(&e[0], "uncore_ubox/event=0x42,umask=8/", -1, 0);
	open_on(&e[1], "uncore_ubox/event=0x45,umask=1/", -1, 0);
	assert_int_equal(*at(0x706), EN | 0x145);
	rejects("uncore_ubox/event=0x42,umask=8/", -1, 0, EBUSY, "uncore_ubox has 2 counters");
	pmu_event_close(&clock);
	assert_int_equal(*at(0x703), 0);
	pmu_event_close(&e[0]);
	pmu_event_close(&e[1]);
}

/* Two packages of two CPUs. In the second each CPU has its own L3. */
static void boot_packages(const char *uarch)
{
	static const struct pmu_domain domains[] = {{0, 0}, {0, 0}, {1, 1}, {1, 2}};

	rig_boot(uarch, false);
	memcpy(pmu_domains, domains, sizeof(domains));
}

TEST(test_what_cpus_share)
{
	static const struct {
		uint32_t type;
		unsigned with_1, with_3; /* which CPUs do */
	} rows[] = {
		{PMU_TYPE_POWER, 0x3, 0xc},       {PMU_TYPE_AMD_DF, 0x3, 0xc},
		{PMU_TYPE_AMD_L3, 0x3, 0x8},      {PMU_TYPE_UNCORE_CHA_0 + 5, 0x3, 0xc},
		{PMU_TYPE_UNCORE_UBOX, 0x3, 0xc}, {PMU_TYPE_MSR, 0x2, 0x8},
		{PERF_TYPE_RAW, 0x2, 0x8},        {PERF_TYPE_SOFTWARE, 0x2, 0x8},
	};

	boot_packages("skx");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned cpu = 0; cpu < 4; cpu++) {
			assert_int_equal(pmu_cpus_share(rows[i].type, cpu, 1),
					 rows[i].with_1 >> cpu & 1);
			assert_int_equal(pmu_cpus_share(rows[i].type, cpu, 3),
					 rows[i].with_3 >> cpu & 1);
		}
}

static unsigned four_cpus(void)
{
	return 4;
}

/* A counter is taken if an event of another CPU of the same package has it. */
TEST(test_a_box_of_several_cpus)
{
	struct pmu_event e, theirs;

	boot_skx();
	open_on(&e, "uncore_ubox/unc_u_clockticks/", -1, 0);
	theirs = (struct pmu_event){.class = e.class, .meter = e.meter};
	pmu_event_close(&e);
	for (unsigned cpu = 1; cpu < 4; cpu++) {
		boot_packages("skx");
		shim.msrs = registers((const uint32_t[][2]){{0x703, 8}, {0, 0}});
		rig.host.ncpus = four_cpus;
		pmu_contexts[cpu].leaders = &theirs;
		if (cpu == 1) {
			rejects("uncore_ubox/unc_u_clockticks/", -1, 0, EBUSY, "one clock");
		} else {
			open_on(&e, "uncore_ubox/unc_u_clockticks/", -1, 0);
			pmu_event_close(&e);
		}
		pmu_contexts[cpu].leaders = NULL;
	}
}

/* A machine that ignores writes has no such counters, even if its model should have them. */
TEST(test_uncore_that_ignores)
{
	boot_skx();
	shim.pmu = SHIM_PMU_IGNORES;
	rejects("uncore_cha_0/event=0/", -1, 0, ENOENT,
		"uncore_cha_0 does not count on this machine");
	rejects("uncore_ubox/event=0x42/", -1, 0, ENOENT, "uncore_ubox does not count");
	rejects("uncore_ubox/event=0xff/", -1, 0, ENOENT, "uncore_ubox does not count");
}
