// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_errata.c - PMUs with errata. Each test shows the wrong result while the driver does not know
 * the quirk, and the right one with it.
 */
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "pmu/names/dynamic.h"
#include "pmu/state/state.h"
#include "pmu/x86/ibs_data.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

static struct pmu_event event;

static bool first_interrupt(unsigned n)
{
	return n == 0;
}

/* Boots with the quirks that CPUID tells, or with none of them. */
static void boot_knowing(const char *uarch, bool known)
{
	rig_boot(uarch, false);
	rig.host.extended_nmi = first_interrupt;
	if (!known)
		rig.caps.quirks = 0;
	pmu_init(&rig.caps, &rig.host);
	pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
}

/* A personality may have another model of the family than those with the erratum. */
static void boot_with_erratum(const char *uarch, uint32_t erratum, enum quirk quirk, bool known)
{
	const struct vpmu_faults faults = {.errata = erratum};

	rig_boot(uarch, false);
	vpmu_model_fail(&shim.model, &faults);
	rig.host.extended_nmi = first_interrupt;
	rig.caps.quirks = known ? 1u << quirk : 0;
	pmu_init(&rig.caps, &rig.host);
	pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
}

static struct rb *open_ibs(uint32_t type, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = rig_attr(type, config);
	struct rb *rb = rig_ring(64);

	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | (type == PMU_TYPE_IBS_OP ? PERF_SAMPLE_DATA_SRC : 0);
	if (rig_open(&event, &attr, NULL))
		fail_msg("open: %s", rig.why.text);
	assert_int_equal(pmu_event_set_output(&event, rb), 0);
	return rb;
}

struct ibs_record {
	struct perf_event_header header;
	uint64_t ip, source;
};

/* The number of samples in the ring; the last one, and how many are at address 0. */
static unsigned drain_ibs(struct rb *rb, struct ibs_record *last, unsigned *at_zero)
{
	static uint8_t out[1 << 16];
	const size_t n = rb_read(rb, out, sizeof(out));
	struct ibs_record r = {.ip = 0};
	unsigned samples = 0;

	*at_zero = 0;
	for (size_t at = 0; at < n; at += r.header.size) {
		memcpy(&r.header, out + at, sizeof(r.header));
		if (r.header.type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(&r, out + at, r.header.size);
		*at_zero += !r.ip;
		samples++;
	}
	*last = r;
	return samples;
}

/* --- IBS --- */

TEST(test_fetch_restart)
{
	static const char *const affected[] = {"fam16h", "zen1", "zen2"};

	for (unsigned i = 0; i < 3; i++)
		for (unsigned known = 0; known < 2; known++) {
			boot_knowing(affected[i], known);
			open_ibs(PMU_TYPE_IBS_FETCH, 0, 1600);
			rig_task(16000);
			/* Without the quirk the first fetch behind each NMI is sampled. */
			if (known)
				assert_int_equal(event.books.overflows, 10);
			else
				assert_true(event.books.overflows > 10);
		}
	boot_knowing("zen3", true);
	open_ibs(PMU_TYPE_IBS_FETCH, 0, 1600);
	rig_task(16000);
	assert_int_equal(event.books.overflows, 10);
}

TEST(test_clear_maximum)
{
	for (unsigned known = 0; known < 2; known++) {
		boot_knowing("fam10h", known);
		open_ibs(PMU_TYPE_IBS_OP, IBS_OP_COUNTS_OPS, 160000);
		for (unsigned i = 0; i < 10; i++)
			rig_task(1000);
		assert_int_equal(event.books.overflows, 0);
		assert_int_equal(shim.unknown_nmis, known ? 0 : 10);
	}
}

TEST(test_fetch_at_zero)
{
	struct ibs_record last;
	unsigned zero;

	for (unsigned known = 0; known < 2; known++) {
		struct rb *rb;

		boot_with_erratum("zen3", VPMU_IBS_FETCH_AT_ZERO, QUIRK_IBS_FETCH_AT_ZERO, known);
		rb = open_ibs(PMU_TYPE_IBS_FETCH, 0, 1600);
		rig_task(16000);
		assert_int_equal(drain_ibs(rb, &last, &zero), known ? 8 : 10);
		assert_int_equal(zero, known ? 0 : 2);
		assert_int_equal(shim.unknown_nmis, 0);
	}
}

TEST(test_false_l2)
{
	static const struct vpmu_op waits = {
		.load = true,
		.model = {.number = 1,
			  .naccesses = 1,
			  .access = {{.source = EVENTS_FROM_FILL, .latency = 60}}}};
	struct ibs_record last;
	unsigned zero;

	for (unsigned known = 0; known < 2; known++) {
		union perf_mem_data_src src;
		struct rb *rb;

		boot_with_erratum("zen3", VPMU_IBS_FALSE_L2, QUIRK_IBS_FALSE_L2, known);
		rb = open_ibs(PMU_TYPE_IBS_OP, IBS_OP_COUNTS_OPS, 1600);
		shim.op = waits;
		rig_task(2000);
		assert_int_equal(drain_ibs(rb, &last, &zero), 1);
		src.val = last.source;
		assert_int_equal(src.mem_lvl_num, known ? PERF_MEM_LVLNUM_LFB : PERF_MEM_LVLNUM_L2);
	}
}

TEST(test_slow_l3_only)
{
	static const struct vpmu_op near = {
		.load = true,
		.model = {.number = 1,
			  .naccesses = 1,
			  .access = {{.source = EVENTS_FROM_L2, .latency = 14}}}};

	for (unsigned known = 0; known < 2; known++) {
		struct perf_event_attr attr = rig_attr(PMU_TYPE_IBS_OP, IBS_OP_COUNTS_OPS);

		boot_with_erratum("zen5", VPMU_IBS_SLOW_L3_ONLY, QUIRK_IBS_SLOW_L3_ONLY, known);
		attr.sample_period = 1600;
		attr.config1 = 128;
		assert_int_equal(rig_open(&event, &attr, NULL), 0);
		shim.op = near;
		rig_task(16000);
		/* The driver drops what is too fast; the unit interrupts for it all the same. */
		if (known)
			assert_int_equal(shim.nmis, 0);
		else
			assert_true(shim.nmis > 0);
	}
}

/* --- Counters --- */

static struct perf_event_attr instructions_in_user(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	return attr;
}

/* AAK100. A raw event goes to a general counter. */
TEST(test_counters_reset)
{
	const struct vpmu_faults faults = {.errata = VPMU_COUNTERS_RESET};

	for (unsigned known = 0; known < 2; known++) {
		struct perf_event_attr attr = instructions_in_user();

		attr.type = PERF_TYPE_RAW;
		attr.config = 0x01c0;
		rig_boot("nhm", false);
		rig.caps.quirks = known ? 1u << QUIRK_COUNTERS_RESET : 0;
		vpmu_model_fail(&shim.model, &faults);
		if (!known) {
			/* Even the check at start fails. */
			assert_int_equal(pmu_init(&rig.caps, &rig.host), -ENODEV);
			continue;
		}
		assert_int_equal(pmu_init(&rig.caps, &rig.host), 0);
		pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
		assert_int_equal(rig_open(&event, &attr, NULL), 0);
		for (unsigned i = 0; i < 3; i++)
			rig_task(10000);
		assert_int_equal(rig_value(&event), 30000);
		pmu_event_close(&event);
	}
}

/* The counters that stand still at start are left out; events count on the others. */
TEST(test_still_at_start)
{
	static const char *const uarchs[] = {"skx", "zen3"};

	for (unsigned i = 0; i < 2; i++) {
		const struct vpmu_faults faults = {.still = 1};
		struct perf_event_attr attr = instructions_in_user();

		rig_boot(uarchs[i], false);
		vpmu_model_fail(&shim.model, &faults);
		assert_int_equal(pmu_init(&rig.caps, &rig.host), 0);
		pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
		assert_int_equal(pmu_firmware().still, 1);
		assert_int_equal(pmu_info()->counters & 1, 0);
		attr.type = PERF_TYPE_RAW;
		attr.config = 0x00c0;
		assert_int_equal(rig_open(&event, &attr, NULL), 0);
		rig_task(10000);
		assert_int_equal(rig_value(&event), 10000);
		pmu_event_close(&event);
	}
}

/* A counter stops later: it is found when nothing is counted any more, and only then. */
TEST(test_still_later)
{
	const struct vpmu_faults faults = {.still = 2};
	struct perf_event_attr attr = instructions_in_user();

	rig_boot("skx", false);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	assert_int_equal(pmu_counters_recheck(), 0);
	vpmu_model_fail(&shim.model, &faults);
	assert_int_equal(pmu_counters_recheck(), 0); /* no hypervisor */
	rig.caps.hypervisor = true;
	pmu_task_sched_in(&rig.task);
	assert_int_equal(pmu_counters_recheck(), 0); /* an event counts */
	pmu_task_sched_out();
	pmu_event_close(&event);
	assert_int_equal(pmu_counters_recheck(), 2);
	assert_int_equal(pmu_firmware().still, 2);
	assert_int_equal(pmu_counters_recheck(), 0);
}
