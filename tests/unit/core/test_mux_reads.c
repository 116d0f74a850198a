// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mux_reads.c - more events than counters on the modelled PMUs: values of read(2), and the
 * question whether all events fit.
 */
#include "tests/unit/core/multiplexed.h"

#include "tests/unit/test.h"

/* --- read(2) --- */

TEST(test_read_formats)
{
	for (uint64_t format = 0; format < PERF_FORMAT_MAX; format++) {
		const bool group = format & PERF_FORMAT_GROUP, id = format & PERF_FORMAT_ID,
			   lost = format & PERF_FORMAT_LOST;
		struct perf_event_attr attr = BRANCHES;
		uint64_t got[16], want[16];
		struct pmu_event e[3];
		unsigned n = 0;

		rig_boot("skx", true);
		attr.read_format = format;
		for (unsigned i = 0; i < 3; i++)
			open_muxed(&e[i], attr, i ? &e[0] : NULL);
		rig_slices(5000);
		e[1].books.lost = 17;
		if (group)
			want[n++] = 3;
		else
			want[n++] = 1000;
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			want[n++] = 5000;
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			want[n++] = 5000;
		for (unsigned i = group ? 0 : 1; i < (group ? 3 : 2); i++) {
			if (group)
				want[n++] = 1000;
			if (id)
				want[n++] = e[i].id;
			if (lost)
				want[n++] = e[i].books.lost;
		}
		assert_int_equal(pmu_event_read_format(&e[1], got, n * 8 - 1), -ENOSPC);
		assert_int_equal(pmu_event_read_format(&e[1], got, sizeof(got)), n * 8);
		assert_memory_equal(got, want, n * 8);
		close_many(e, 3);
	}
}

/* --- All or nothing --- */

TEST(test_all_or_nothing)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	struct perf_event_attr attr = BRANCHES;
	struct pmu_event e[5], fixed;
	struct reason why;
	uint64_t schedules;

	for (int fair = 0; fair <= 1; fair++) {
		rig_boot("skx", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		attr.disabled = 1;
		attr.enable_on_exec = 1;
		open_many(e, 4, attr);
		attr.config = 0xc0;
		open_muxed(&fixed, attr, NULL);
		attr.config = 0xc4;
		schedules = pmu_stats()->schedules;
		assert_int_equal(pmu_task_fits(&rig.task, &why), 0);
		open_muxed(&e[4], attr, NULL);
		assert_int_equal(pmu_task_fits(&rig.task, NULL), -EBUSY);
		for (unsigned i = 0; i < 5; i++)
			pmu_event_set_name(&e[i], names[i]);
		assert_int_equal(pmu_task_fits(&rig.task, &why), -EBUSY);
		assert_non_null(strstr(why.text, "e needs PMC0-3; held by "));
		assert_non_null(strstr(why.text, "a on PMC0"));
		assert_int_equal(pmu_stats()->schedules, schedules);

		/* The question changes nothing. */
		rig_slices(1000);
		assert_int_equal(rig_value(&fixed), 0);
		pmu_task_exec(&rig.task);
		rig_slices(10 * SLICE);
		for (unsigned i = 0; i < 5; i++)
			assert_in_range(muxed_value(&e[i]).time_running, (fair ? 8 : 6) * SLICE,
					(fair ? 8 : 9) * SLICE);
		pmu_event_close(&fixed);
		close_many(e, 5);
	}
}
