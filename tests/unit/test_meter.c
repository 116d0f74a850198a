// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_meter.c - events that an MSR counts by itself: the PMUs msr and power. The registers are
 * the test's own.
 */
#include "arch/x86/msr.h"
#include "pmu/core.h"
#include "pmu/dynamic.h"
#include "pmu/parse.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct shim_msr msrs[] = {
	{MSR_IA32_APERF, 0},
	{MSR_IA32_MPERF, 0},
	{MSR_SMI_COUNT, 0},
	{MSR_AMD_IRPERF, 0},
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

static void boot(const char *uarch)
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

static void refused(const char *text, int task, int cpu, int error, const char *why)
{
	const struct perf_event_attr attr = parsed(text);
	struct pmu_event e;

	assert_int_equal(pmu_event_open(&e, &attr, task, cpu, NULL, 0, &rig.why), -error);
	if (!strstr(rig.why.text, why))
		fail_msg("%s: '%s' is not in '%s'", text, why, rig.why.text);
}

/* For a task, what goes by while it runs. */
static void test_msr_of_a_task(void **state)
{
	struct pmu_event tsc, aperf, smi;
	uint64_t since;

	(void)state;
	boot("skx");
	open_on(&tsc, "msr/tsc/", RIG_TID, -1);
	open_on(&aperf, "msr/aperf/", RIG_TID, -1);
	open_on(&smi, "msr/smi/", RIG_TID, -1);
	shim.ns += 100;
	pmu_task_sched_in(&rig.task);
	since = shim.ns;
	shim.ns += 1000;
	*reg(MSR_IA32_APERF) = 3; /* it wrapped, as 64 bits do */
	*reg(MSR_SMI_COUNT) = 2;  /* and this one at 32 */
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
	pmu_event_close(&tsc);
	pmu_event_close(&aperf);
	pmu_event_close(&smi);
}

static void test_msr_is_inherited(void **state)
{
	struct perf_event_attr attr = parsed("msr/tsc/");
	struct pmu_task child;
	struct pmu_event tsc;

	(void)state;
	boot("skx");
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

static void test_what_msr_refuses(void **state)
{
	(void)state;
	boot("skx");
	refused("msr/event=3/", RIG_TID, -1, EINVAL, "no event 3");
	refused("msr/event=99/", RIG_TID, -1, EINVAL, "no event 99");
	refused("msr/irperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/irperf/");
	refused("msr/ptsc/", RIG_TID, -1, ENOENT, "this CPU has no msr/ptsc/");
	refused("msr/tsc/u", RIG_TID, -1, EINVAL, "does not know rings");
	rig.caps.aperfmperf = false;
	refused("msr/aperf/", RIG_TID, -1, ENOENT, "this CPU has no msr/aperf/");
	boot("zen4");
	refused("msr/smi/", RIG_TID, -1, ENOENT, "this CPU has no msr/smi/");
	{
		struct perf_event_attr attr = parsed("msr/tsc/");
		struct pmu_event e;

		attr.sample_period = 1000;
		assert_int_equal(rig_open(&e, &attr, NULL), -EINVAL);
		assert_non_null(strstr(rig.why.text, "cannot sample"));
	}
}

/* In units of 2^-32 J, whatever the machine's is; and over more than a wrap, as the timer sees it.
 */
static void test_energy(void **state)
{
	const struct pmu_regs regs = {.ip = 0x1000};
	struct pmu_event pkg, ram;

	(void)state;
	boot("skx");
	open_on(&pkg, "power/energy-pkg/", -1, 0);
	/* 2^18 J at 1000 W, half of it. */
	assert_int_equal(rig.refresh_ns, 131072000000ull);
	open_on(&ram, "power/energy-ram/", -1, 0);
	/* The memory of this server has a unit of its own: 2^16 J. */
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

/* A meter that starts anew again and again does not put off the timer of another. */
static void test_refresh_is_not_put_off(void **state)
{
	struct pmu_event pkg, ram;

	(void)state;
	boot("skx");
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

static void test_energy_of_amd(void **state)
{
	struct pmu_event pkg;

	(void)state;
	boot("zen4");
	open_on(&pkg, "power/energy-pkg/", -1, 0);
	*reg(MSR_AMD_PKG_ENERGY_STATUS) += 1 << 16;
	assert_int_equal(rig_value(&pkg), 1ull << 32);
	pmu_event_close(&pkg);
	refused("power/energy-ram/", -1, 0, ENOENT, "this CPU has no power/energy-ram/");
}

static void test_what_power_refuses(void **state)
{
	(void)state;
	boot("skx");
	refused("power/energy-pkg/", RIG_TID, -1, EINVAL, "for a package, not for a task");
	refused("power/energy-pkg/", RIG_TID, 0, EINVAL, "for a package, not for a task");
	refused("power/energy-cores/", -1, 0, ENOENT, "this CPU has no power/energy-cores/");
	refused("power/event=0/", -1, 0, EINVAL, "power has no event 0");
	refused("power/event=6/", -1, 0, EINVAL, "power has no event 6");
	refused("power/energy-pkg/k", -1, 0, EINVAL, "does not know rings");
	*reg(MSR_PKG_ENERGY_STATUS) = 0;
	refused("power/energy-pkg/", -1, 0, ENOENT, "does not count on this machine");
	*reg(MSR_PKG_ENERGY_STATUS) = 1;
	*reg(MSR_RAPL_POWER_UNIT) = 0;
	refused("power/energy-pkg/", -1, 0, ENOENT, "does not count on this machine");
}

/* Each model has the parts that it has. */
static void test_parts_of_models(void **state)
{
	static const char *const names[] = {"energy-cores", "energy-pkg", "energy-ram",
					    "energy-gpu", "energy-psys"};
	static const struct {
		const char *uarch;
		unsigned has;
	} rows[] = {{"hsw", 0xf}, {"skx", 0x6}, {"icl", 0x1f}, {"zen4", 0x2}};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		boot(rows[i].uarch);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_msr_of_a_task),
		cmocka_unit_test(test_msr_is_inherited),
		cmocka_unit_test(test_what_msr_refuses),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_refresh_is_not_put_off),
		cmocka_unit_test(test_energy_of_amd),
		cmocka_unit_test(test_what_power_refuses),
		cmocka_unit_test(test_parts_of_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
