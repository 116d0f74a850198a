// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_event_groups.c - groups of events on the modelled PMUs, and which counters they get.
 */
#include "tests/unit/core/counted_events.h"

#include "tests/unit/test.h"

TEST(test_group_counts_together)
{
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

TEST(test_group_refusals)
{
	struct perf_event_attr attr = RAW(0x1a3), pinned = INSTRUCTIONS;
	struct pmu_event e[6];

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

/* Siblings that were opened disabled need no counter, so the group still fits. */
TEST(test_disabled_siblings)
{
	struct perf_event_attr attr = RAW(0x148), disabled = attr;
	struct pmu_event leader, a, b;

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

/* A sleeping task ends in the same way as a running one. */
TEST(test_ends_asleep)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;

	rig_boot("skx", true);
	open_ok(&e, attr, NULL);
	rig_task(1000);
	pmu_task_sched_out();
	rig_task(1000);
	assert_int_equal(rig_value(&e), 2000);
	pmu_event_close(&e);
}

/* Five raw events need four counters: the fifth does not count; a clock after it does. */
TEST(test_does_not_fit)
{
	struct pmu_event e[5], clock;
	struct pmu_value v;

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

	/* Closing an event schedules anew: now the fifth fits. */
	pmu_event_close(&e[0]);
	rig_task(1000);
	assert_int_equal(rig_value(&e[4]), 200);
	for (unsigned i = 1; i < 5; i++)
		pmu_event_close(&e[i]);
	pmu_event_close(&clock);
}

TEST(test_pinned)
{
	struct perf_event_attr attr = user_only(RAW(0x148)); /* counter 2 only */
	struct pmu_event flexible, pinned, second;
	struct pmu_value v;

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

TEST(test_cpu_events)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event cpu, task;

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

TEST(test_fixed_counters_first)
{
	struct pmu_event instructions, cycles, ref, slots, raw;

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

/* Every row of constraints allows only counters on which the event counts in the model. */
TEST(test_constraints_agree_with_model)
{
	struct vpmu_rows rows;

	for_each_uarch(u)
	{
		const struct vpmu_uarch *row = vpmu_uarch_find(*u);

		rig_boot(*u, false);
		vpmu_rows_init(&rows, row->events);
		for (unsigned i = 0; i < rows.nrows; i++) {
			const struct vpmu_event *m = rows.row[i];
			struct perf_event_attr attr =
				RAW((m->code & 0xffull) | (uint64_t)m->umask << 8 |
				    (uint64_t)m->cmask << 24 | (m->code & 0xf00ull) << 24 |
				    (m->inv ? EVTSEL_INV : 0));
			struct pmu_event e;

			if (!m->counters)
				continue;
			if (rig_open(&e, &attr, NULL)) {
				assert_non_null(strstr(rig.why.text, "as a precise event only"));
				continue;
			}
			if ((pmu_event_counters(&e) & 0xffffffff) & ~(uint64_t)m->counters)
				fail_msg("%s: %#x.%#x may use 0x%llx, counts on 0x%x", *u, m->code,
					 m->umask, (unsigned long long)pmu_event_counters(&e),
					 m->counters);
			pmu_event_close(&e);
		}
	}
}
