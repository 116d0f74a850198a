// SPDX-License-Identifier: BSD-2-Clause
/* test_redirect.c - events that may share a ring, and events whose ring is written backward or
 * paused. */
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

static struct perf_event_attr redirect_attr(bool backward)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = 1000;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME;
	attr.sample_id_all = 1;
	attr.write_backward = backward;
	return attr;
}

static void open_redirected(struct pmu_event *e, bool backward, int task, int cpu)
{
	const struct perf_event_attr attr = redirect_attr(backward);
	int got = pmu_event_open(e, &attr, task, cpu, NULL, 0, &rig.why);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

/* The rules of PERF_EVENT_IOC_SET_OUTPUT. */
TEST(test_who_may_share)
{
	static const struct {
		struct {
			int task, cpu;
			bool backward;
		} from, to;
		const char *why; /* NULL: they may */
	} rows[] = {
		{{RIG_TID, -1, false}, {RIG_TID, -1, false}, NULL},
		{{RIG_TID, 0, false}, {RIG_TID, 0, false}, NULL},
		{{-1, 0, false}, {-1, 0, false}, NULL},
		{{RIG_TID, 0, false}, {-1, 0, false}, NULL},
		{{RIG_TID, -1, true}, {RIG_TID, -1, true}, NULL},
		{{RIG_TID, 0, false}, {RIG_TID, -1, false}, "CPU 0 and CPU -1"},
		{{RIG_TID, -1, false}, {-1, 0, false}, "CPU -1 and CPU 0"},
		{{RIG_TID, -1, false}, {99, -1, false}, "two tasks"},
		{{RIG_TID, 0, false}, {99, 0, false}, NULL},
		{{RIG_TID, -1, true}, {RIG_TID, -1, false}, "ring is written forward"},
		{{RIG_TID, -1, false}, {RIG_TID, -1, true}, "ring is written backward"},
	};
	static struct pmu_task other;

	rig_boot("skx", true);
	pmu_task_init(&other, 98, 99, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rb *rb = rig_ring(4);
		struct pmu_event from, to;
		int got;

		rb_set_mode(rb, rows[i].to.backward ? RB_BACKWARD : 0);
		open_redirected(&from, rows[i].from.backward, rows[i].from.task, rows[i].from.cpu);
		open_redirected(&to, rows[i].to.backward, rows[i].to.task, rows[i].to.cpu);
		assert_int_equal(pmu_event_set_output(&to, rb), 0);
		got = pmu_event_redirect(&from, &to, &rig.why);
		assert_int_equal(got, rows[i].why ? -EINVAL : 0);
		assert_ptr_equal(from.out.rb, rows[i].why ? NULL : rb);
		if (rows[i].why && !strstr(rig.why.text, rows[i].why))
			fail_msg("row %zu: %s", i, rig.why.text);
		pmu_event_close(&from);
		pmu_event_close(&to);
		assert_int_equal(pmu_event_redirect(&from, &to, &rig.why), -EINVAL);
	}
	pmu_task_exit(&other);
}

TEST(test_refusals)
{
	struct perf_event_attr attr = redirect_attr(true);
	struct pmu_event e, second;
	struct rb *rb = rig_ring(4);

	rig_boot("skx", true);
	open_redirected(&e, false, RIG_TID, -1);
	assert_int_equal(pmu_event_redirect(&e, &e, &rig.why), -EINVAL);
	assert_non_null(strstr(rig.why.text, "its own ring"));
	rb_set_mode(rb, RB_BACKWARD);
	assert_int_equal(pmu_event_set_output(&e, rb), -EINVAL);
	assert_null(e.out.rb);
	rb_set_mode(rb, RB_OVERWRITE);
	assert_int_equal(pmu_event_set_output(&e, rb), 0);
	assert_int_equal(pmu_event_set_output(&e, NULL), 0);

	/* Opening an event follows the same rules. */
	assert_int_equal(
		pmu_event_open(&second, &attr, RIG_TID, -1, &e, PERF_FLAG_FD_OUTPUT, &rig.why),
		-EINVAL);
	assert_non_null(strstr(rig.why.text, "forward"));
	pmu_event_close(&e);
}

/* The ring has the newest samples that fit, newest first. None counts as lost. */
TEST(test_backward_samples)
{
	static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

	for (unsigned u = 0; u < 4; u++) {
		struct rb *rb = rig_ring(1);
		uint64_t times[RB_PAGE_SIZE / 24] = {0}, n = 0;
		struct {
			struct perf_event_header header;
			uint64_t id, time;
		} sample;
		struct pmu_event e;

		rb_set_mode(rb, RB_BACKWARD | RB_OVERWRITE);
		rig_boot(uarchs[u], true);
		open_redirected(&e, true, RIG_TID, -1);
		assert_int_equal(pmu_event_set_output(&e, rb), 0);
		rig_task(1000 * 1000);
		rb_pause(rb, true);
		assert_int_equal(e.books.written, 1000);
		assert_int_equal(e.books.overflows, 1000);
		while (rb_read(rb, &sample, sizeof(sample))) {
			assert_int_equal(sample.header.type, PERF_RECORD_SAMPLE);
			assert_int_equal(sample.id, e.id);
			times[n++] = sample.time;
		}
		assert_int_equal(n, RB_PAGE_SIZE / 24);
		assert_int_equal(rb->samples, n);
		for (uint64_t i = 1; i < n; i++)
			assert_int_equal(times[i - 1] - times[i], 1000);
		assert_int_equal(rb->lost_total, 0);
		pmu_event_close(&e);
	}
}

/* A paused ring accepts no record. The first record after the pause has the number of lost ones. */
TEST(test_paused_samples)
{
	struct rb *rb = rig_ring(4);
	uint8_t out[RB_PAGE_SIZE];
	struct perf_event_header header;
	uint64_t lost;
	struct pmu_event e;

	rig_boot("skx", true);
	open_redirected(&e, false, RIG_TID, -1);
	pmu_event_set_output(&e, rb);
	rig_task(3000);
	rb_pause(rb, true);
	rig_task(5000);
	assert_int_equal(e.books.written, 3);
	assert_int_equal(e.books.lost, 5);
	assert_int_equal(rb_read(rb, out, sizeof(out)), 3 * 24);
	rb_pause(rb, false);
	rig_task(1000);
	assert_int_equal(e.books.overflows, 9);
	assert_int_equal(e.books.written + e.books.lost, 9);
	assert_true(rb_read(rb, out, sizeof(out)) > 24);
	memcpy(&header, out, sizeof(header));
	memcpy(&lost, out + 16, sizeof(lost));
	assert_int_equal(header.type, PERF_RECORD_LOST);
	assert_int_equal(lost, 5);
	pmu_event_close(&e);
}
