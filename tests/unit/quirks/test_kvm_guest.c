// SPDX-License-Identifier: BSD-2-Clause
/* test_kvm_guest.c - the event core on registers as KVM shows them, where no vpmu says that it is
 * there: what counts, the mark of counts, and refusals, which name KVM. */
#include "include/perf0/truth.h"
#include "pmu/names/dynamic.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

static const char *const machines[] = {"kvm_intel", "kvm_amd"};
#define MACHINES (sizeof(machines) / sizeof(machines[0]))

static void open_counted(struct pmu_event *e, struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	if (rig_open(e, &attr, NULL))
		fail_msg("%s", rig.why.text);
}

static void check_lacks(struct perf_event_attr attr, const char *reason)
{
	struct pmu_event e;

	assert_true(rig_open(&e, &attr, NULL) < 0);
	if (!strstr(rig.why.text, reason))
		fail_msg("'%s' does not say '%s'", rig.why.text, reason);
}

TEST(test_counts)
{
	for (size_t i = 0; i < MACHINES; i++) {
		struct pmu_event instructions, branches;

		assert_int_equal(rig_boot(machines[i], true), 0);
		assert_true(rig.caps.kvm);
		open_counted(&instructions,
			     rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS));
		open_counted(&branches,
			     rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS));
		rig_task(100000);
		assert_int_equal(rig_value(&instructions), 100000);
		assert_int_equal(instructions.truth, TRUTH_KVM);
		assert_int_equal(branches.truth, TRUTH_KVM);
		assert_string_equal(truth_name(branches.truth), "kvm");
		pmu_event_close(&instructions);
		pmu_event_close(&branches);
	}
}

/* A machine of its own has no mark, and vpmu has its own marks. */
TEST(test_marks_elsewhere)
{
	struct pmu_event e;

	assert_int_equal(rig_boot("skx", true), 0);
	assert_false(rig.caps.kvm);
	open_counted(&e, rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS));
	assert_int_equal(e.truth, TRUTH_UNTOLD);
	pmu_event_close(&e);
	assert_int_equal(rig_boot("kvm_intel", true), 0);
	shim.is_vpmu = true;
	open_counted(&e, rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS));
	assert_int_equal(e.truth, TRUTH_EXACT);
	pmu_event_close(&e);
}

TEST(test_refusals)
{
	struct perf_event_attr attr;

	for (size_t i = 0; i < MACHINES; i++) {
		assert_int_equal(rig_boot(machines[i], true), 0);
		attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
		attr.sample_period = 1000;
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		check_lacks(attr, "KVM shows no registers of last branches to its guests");
	}
	assert_int_equal(rig_boot("kvm_intel", true), 0);
	attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	attr.sample_period = 1000;
	attr.precise_ip = 2;
	check_lacks(attr, "KVM shows no PEBS to its guests");
	attr = rig_attr(PERF_TYPE_RAW, 0x1b7); /* off-core responses */
	attr.config1 = 0x10001;
	check_lacks(attr, "MSR 0x1a6, which this machine does not have: KVM shows it to no guest");
	attr = rig_attr(PMU_TYPE_MSR, 4); /* SMIs */
	check_lacks(attr, ": KVM shows it to no guest");
	assert_int_equal(rig_boot("kvm_amd", true), 0);
	attr = rig_attr(PMU_TYPE_IBS_OP, 0);
	attr.sample_period = 0x10000;
	check_lacks(attr, "this CPU has no ibs_op: KVM shows it to no guest");
}

/* KVM without a PMU: CPUID tells of no counter, or registers do not keep their values. */
TEST(test_no_pmu)
{
	rig_boot("kvm_intel", true);
	rig.caps.gp_mask = rig.caps.fixed_mask = rig.caps.version = 0;
	assert_true(rig_init() < 0);
	check_lacks(rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS),
		    "CPUID shows no performance counters: KVM hides them "
		    "(on the host: perf0 doctor --kvm)");
}
