// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tracepoint_counts.c - tracepoints and the events on them: the events that a hit reaches, its
 * weight, and refused hits.
 */
#include "tests/unit/core/traced_events.h"

#include "tests/unit/test.h"

TEST(test_counts)
{
	struct pmu_event a, b, other;

	boot_traced();
	trace(plain, 1, 2);
	open_traced(&a, on_tracepoint(&trace_event_plain));
	trace(plain, 1, 2); /* its task does not run */
	assert_int_equal(rig_value(&a), 0);
	pmu_task_sched_in(&rig.task);
	open_traced(&b, on_tracepoint(&trace_event_plain));
	open_traced(&other, on_tracepoint(&trace_event_roles));
	for (unsigned i = 0; i < 5; i++)
		trace(plain, i, 2);
	pmu_event_disable(&b);
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&a), 6);
	assert_int_equal(rig_value(&b), 5);
	assert_int_equal(rig_value(&other), 0);
	pmu_event_enable(&b);
	pmu_event_close(&a);
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&b), 6);
	pmu_task_sched_out();
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&b), 6);
	pmu_event_close(&b);
	pmu_event_close(&other);
}

/* The branch at a tracepoint is taken only while an event on it is open. */
TEST(test_keys)
{
	struct pmu_event a, b, c;

	boot_traced();
	assert_false(trace_on(&trace_key_plain));
	open_traced(&a, on_tracepoint(&trace_event_plain));
	assert_true(trace_on(&trace_key_plain));
	assert_false(trace_on(&trace_key_roles));
	assert_true(host.armed);
	open_traced(&b, on_tracepoint(&trace_event_plain));
	open_traced(&c, on_tracepoint(&trace_event_roles));
	pmu_event_close(&a);
	assert_true(trace_on(&trace_key_plain));
	pmu_event_close(&b);
	assert_false(trace_on(&trace_key_plain));
	assert_true(host.armed);
	assert_int_equal(host.times_armed, 1);
	pmu_event_close(&c);
	assert_false(host.armed);
	assert_int_equal(host.times_armed, 2);
}

TEST(test_refusals)
{
	struct perf_event_attr attr;
	struct pmu_event e;

	boot_traced();
	attr = rig_attr(PERF_TYPE_TRACEPOINT, 0);
	assert_int_equal(rig_open(&e, &attr, NULL), -ENOENT);
	attr = rig_attr(PERF_TYPE_TRACEPOINT, 1ull << 32 | trace_event_plain.state->id);
	assert_int_equal(rig_open(&e, &attr, NULL), -ENOENT);
	assert_non_null(strstr(rig.why.text, "there is no tracepoint"));
	attr = on_tracepoint(&trace_event_plain);
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	attr.sample_period = 1;
	assert_int_equal(rig_open(&e, &attr, NULL), -EOPNOTSUPP);
	assert_false(trace_on(&trace_key_plain));
	assert_false(host.armed);
	attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attr.sample_type = PERF_SAMPLE_RAW;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_true(pmu_event_missing(&e) == PERF_SAMPLE_RAW);
	pmu_event_close(&e);
}

TEST(test_weight)
{
	struct pmu_event e;

	boot_traced();
	pmu_task_sched_in(&rig.task);
	open_traced(&e, on_tracepoint(&trace_event_roles));
	trace(roles, 1000, 0, NULL);
	trace(roles, 0, 0, NULL);
	trace(roles, 1ull << 40, 0, NULL);
	assert_int_equal(rig_value(&e), (1ull << 40) + 1000);
	pmu_event_close(&e);
	pmu_task_sched_out();
}

/* A hit about a task reaches the task's events once, whether the task runs or not. */
TEST(test_target_task)
{
	struct pmu_event mine, disabled, cpu;
	struct pmu_task other;
	struct perf_event_attr attr, off;
	struct pmu_event of_other;

	boot_traced();
	attr = off = on_tracepoint(&trace_event_roles);
	off.disabled = 1;
	pmu_task_init(&other, 20, 21, NULL);
	open_traced(&mine, attr);
	open_traced(&disabled, off);
	assert_int_equal(pmu_event_open(&of_other, &attr, 21, -1, NULL, 0, NULL), 0);
	assert_int_equal(pmu_event_open(&cpu, &attr, -1, 0, NULL, 0, NULL), 0);

	trace(roles, 1, 0, &rig.task); /* no task runs */
	assert_int_equal(rig_value(&mine), 1);
	pmu_task_sched_in(&other);
	trace(roles, 10, 0, &rig.task);
	trace(roles, 100, 0, NULL);
	assert_int_equal(rig_value(&mine), 11);
	pmu_task_sched_out();
	pmu_task_sched_in(&rig.task);
	trace(roles, 1000, 0, &rig.task);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&mine), 1011);
	assert_int_equal(rig_value(&of_other), 110);
	assert_int_equal(rig_value(&disabled), 0);
	assert_int_equal(rig_value(&cpu), 1111);
	pmu_event_close(&mine);
	trace(roles, 1, 0, &rig.task);
	pmu_event_close(&disabled);
	pmu_event_close(&of_other);
	pmu_event_close(&cpu);
	pmu_task_exit(&other);
}

TEST(test_inherited)
{
	struct perf_event_attr attr;
	struct pmu_task child;
	struct pmu_event e;

	boot_traced();
	attr = on_tracepoint(&trace_event_plain);
	attr.inherit = 1;
	open_traced(&e, attr);
	assert_int_equal(pmu_task_init(&child, 20, 21, &rig.task), 0);
	pmu_task_sched_in(&child);
	trace(plain, 1, 2);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 1);
	pmu_task_exit(&child);
	assert_int_equal(rig_value(&e), 1);
	assert_int_equal(trace_event_plain.state->opens, 1);
	pmu_event_close(&e);
	assert_int_equal(trace_event_plain.state->opens, 0);
}

TEST(test_filters)
{
	struct pmu_filter filter, another;
	struct pmu_parse_error err;
	struct pmu_event e, clock;

	boot_traced();
	assert_int_equal(pmu_filter_parse(&filter, &trace_event_plain, "a > 2 && b < 0", &err), 0);
	assert_int_equal(pmu_filter_parse(&another, &trace_event_roles, "dummy == 0", &err), 0);
	pmu_task_sched_in(&rig.task);
	open_traced(&e, on_tracepoint(&trace_event_plain));
	open_traced(&clock, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK));
	assert_int_equal(pmu_event_set_filter(&clock, &filter, &rig.why), -EINVAL);
	assert_int_equal(pmu_event_set_filter(&e, &another, &rig.why), -EINVAL);
	assert_int_equal(pmu_event_set_filter(&e, &filter, &rig.why), 0);
	trace(plain, 3, -1);
	trace(plain, 2, -1);
	trace(plain, 3, 0);
	assert_int_equal(rig_value(&e), 1);
	assert_int_equal(pmu_event_set_filter(&e, NULL, &rig.why), 0);
	trace(plain, 3, 0);
	assert_int_equal(rig_value(&e), 2);
	pmu_event_close(&e);
	pmu_event_close(&clock);
	pmu_task_sched_out();
}
