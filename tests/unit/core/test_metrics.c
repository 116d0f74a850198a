// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_metrics.c - top-down metrics: the groups that they may be in, and their counts over reads,
 * switches, time slices, overflows and NMIs. Unless a test sets PERF_METRICS, the model's shares
 * are 51, 13, 38 and 153 of 255. A cycle has five slots.
 */
#include "tests/unit/core/task_events.h"

#include "tests/unit/test.h"

#define RAW(config) rig_attr(PERF_TYPE_RAW, config)
#define SLOTS       user_only(RAW(UARCH_SLOTS))
#define METRIC(n)   user_only(RAW(UARCH_SELECT(0, UARCH_METRIC_UMASK + (n))))
#define WIDTH       5
#define RANGE       (1ull << 48) /* the counter's range */

static const unsigned split[] = {51, 13, 38, 153};
#define SHARES 4

/* slots and its metrics. */
struct group {
	struct pmu_event slots, metric[SHARES];
};

static void open_group_of(struct group *g, struct perf_event_attr slots,
			  struct perf_event_attr (*change)(struct perf_event_attr attr))
{
	open_ok(&g->slots, change ? change(slots) : slots, NULL);
	for (unsigned i = 0; i < SHARES; i++)
		open_ok(&g->metric[i], change ? change(METRIC(i)) : METRIC(i), &g->slots);
}

static void open_group(struct group *g)
{
	open_group_of(g, SLOTS, NULL);
}

static void close_group(struct group *g)
{
	for (unsigned i = SHARES; i-- > 0;)
		pmu_event_close(&g->metric[i]);
	pmu_event_close(&g->slots);
}

static uint64_t sum_of_metrics(struct group *g)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SHARES; i++)
		sum += rig_value(&g->metric[i]);
	return sum;
}

/* Checks the counts of a group after `slots` slots in the model's shares. */
static void check_slots(struct group *g, uint64_t slots)
{
	assert_int_equal(rig_value(&g->slots), slots);
	for (unsigned i = 0; i < SHARES; i++)
		assert_int_equal(rig_value(&g->metric[i]), slots * split[i] / 255);
}

/* --- Which groups --- */

static void refused_because(struct perf_event_attr attr, struct pmu_event *leader, int err,
			    const char *sentence)
{
	struct pmu_event e;

	assert_int_equal(rig_open(&e, &attr, leader), err);
	if (!strstr(rig.why.text, sentence))
		fail_msg("'%s' does not say '%s'", rig.why.text, sentence);
}

static struct perf_event_attr with(struct perf_event_attr attr, uint64_t period, uint64_t config)
{
	attr.sample_period = period;
	attr.config |= config;
	return attr;
}

TEST(test_refusals)
{
	struct perf_event_attr attr = METRIC(0);
	struct pmu_event cycles, slots, sampled;

	rig_boot("icl", true);
	refused_because(attr, NULL, -EINVAL, "only in a group that slots leads");
	open_ok(&cycles, user_only(RAW(0x3c)), NULL);
	open_ok(&slots, SLOTS, NULL);
	open_ok(&sampled, with(SLOTS, 1000003, 0), NULL);
	refused_because(attr, &cycles, -EINVAL, "only in a group that slots leads");
	refused_because(
		attr, &sampled, -EINVAL,
		"slots cannot sample and lead metrics, as their counter starts at 0; another");
	refused_because(with(attr, 1000, 0), &slots, -EINVAL, "no overflows to sample by");
	refused_because(with(attr, 0, EVTSEL_EDGE), &slots, -EINVAL, "takes no edge, inv, cmask");
	refused_because(RAW(0x8000), &slots, -EINVAL, "in the same rings");
	refused_because(METRIC(4), &slots, -EINVAL, "no counter of this CPU (icelake) can count");
	attr.precise_ip = 1;
	refused_because(attr, &slots, -EINVAL, "cannot be precise");
	attr = METRIC(0);
	attr.config1 = 1;
	refused_because(attr, &slots, -EINVAL, "config1 has no meaning");
	pmu_event_close(&sampled);
	pmu_event_close(&slots);
	pmu_event_close(&cycles);

	rig_boot("skx", true);
	refused_because(METRIC(0), NULL, -EINVAL, "no counter of this CPU (skylakex) can count");
	rig_boot("icl", true);
	rig.caps.perf_capabilities &= ~(uint64_t)PERF_CAP_METRICS;
	assert_int_equal(rig_init(), 0);
	open_ok(&slots, SLOTS, NULL);
	refused_because(METRIC(0), &slots, -EINVAL, "no counter of this CPU (icelake) can count");
	pmu_event_close(&slots);
}

/* Golden Cove has eight metrics. Other events of the group do not disturb them. */
TEST(test_eight)
{
	struct pmu_event slots, cycles, metric[8];

	rig_boot("adl", true);
	open_ok(&slots, SLOTS, NULL);
	open_ok(&cycles, user_only(RAW(0x3c)), &slots);
	for (unsigned i = 0; i < 8; i++)
		open_ok(&metric[i], METRIC(i), &slots);
	rig_task(255);
	assert_int_equal(rig_value(&slots), 255 * 6);
	assert_int_equal(rig_value(&cycles), 255);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rig_value(&metric[i]), split[i] * 6);
	assert_int_equal(rig_value(&metric[4]), 6 * 6);
	assert_int_equal(rig_value(&metric[5]), 6 * 13);
	assert_int_equal(rig_value(&metric[6]), 6 * 38);
	assert_int_equal(rig_value(&metric[7]), 6 * 51);
	for (unsigned i = 0; i < 8; i++)
		pmu_event_close(&metric[i]);
	pmu_event_close(&cycles);
	pmu_event_close(&slots);
}

/* --- Counts --- */

/* The remainder that a read rounds away is added to the next one. */
TEST(test_many_reads)
{
	struct group g;

	rig_boot("icl", true);
	open_group(&g);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 1; i <= 100; i++) {
		rig_go(7);
		check_slots(&g, i * 7 * WIDTH);
	}
	pmu_task_sched_out();
	rig_task(1000);
	check_slots(&g, 1700 * WIDTH);
	close_group(&g);
	assert_int_equal(shim.model.regs.global_ctrl & GLOBAL_METRICS, 0);
}

static uint64_t shares(unsigned retiring, unsigned bad, unsigned frontend, unsigned backend)
{
	return retiring | bad << 8 | frontend << 16 | (uint64_t)backend << 24;
}

/* Each read adds the slots since the last read, in the current shares, and zeroes both registers.
 * So no count decreases. */
TEST(test_shares_change)
{
	struct shim_msr own[] = {{MSR_PERF_METRICS, 0}, {0, 0}};
	struct group g;

	rig_boot("icl", true);
	shim.msrs = own;
	open_group(&g);
	pmu_task_sched_in(&rig.task);
	rig_go(51);
	own[0].value = shares(255, 0, 0, 0);
	assert_int_equal(rig_value(&g.metric[0]), 255);
	assert_int_equal(own[0].value, 0);
	assert_int_equal(shim.model.regs.fixed[3].value, 0);
	rig_go(102);
	own[0].value = shares(0, 55, 100, 100);
	assert_int_equal(rig_value(&g.metric[1]), 110);
	assert_int_equal(rig_value(&g.metric[0]), 255);
	assert_int_equal(rig_value(&g.metric[2]), 200);
	assert_int_equal(rig_value(&g.metric[3]), 200);
	assert_int_equal(rig_value(&g.slots), 765);
	assert_true(shim.model.regs.global_ctrl & GLOBAL_METRICS);

	/* An event counts on from 0 after a reset. */
	rig_go(10);
	own[0].value = shares(255, 0, 0, 0);
	pmu_event_reset(&g.metric[0]);
	own[0].value = shares(0, 255, 0, 0);
	rig_go(10);
	assert_int_equal(rig_value(&g.metric[0]), 0);
	assert_int_equal(rig_value(&g.metric[1]), 160);
	own[0].value = shares(0, 0, 255, 0);
	pmu_group_reset(&g.slots);
	rig_go(1);
	own[0].value = shares(0, 0, 0, 255);
	assert_int_equal(rig_value(&g.slots), 5);
	assert_int_equal(rig_value(&g.metric[3]), 5);
	assert_int_equal(sum_of_metrics(&g), 5);
	pmu_task_sched_out();
	close_group(&g);
}

/* A metric that is enabled later counts from then on. A disabled metric does not count. */
TEST(test_one_by_one)
{
	struct pmu_event slots, first, second;

	rig_boot("icl", true);
	open_ok(&slots, SLOTS, NULL);
	open_ok(&first, METRIC(0), &slots);
	open_ok(&second, disabled(METRIC(3)), &slots);
	pmu_task_sched_in(&rig.task);
	rig_go(255);
	pmu_event_enable(&second);
	rig_go(255);
	pmu_event_disable(&first);
	rig_go(255);
	assert_int_equal(rig_value(&slots), 3 * 255 * WIDTH);
	assert_int_equal(rig_value(&first), 2 * 51 * WIDTH);
	assert_int_equal(rig_value(&second), 2 * 153 * WIDTH);

	/* Without metrics the counter of slots is an ordinary counter. */
	pmu_event_disable(&second);
	rig_go(100);
	assert_int_equal(shim.model.regs.global_ctrl & GLOBAL_METRICS, 0);
	pmu_event_enable(&first);
	rig_go(255);
	pmu_event_close(&first);
	rig_go(10);
	assert_int_equal(rig_value(&second), 2 * 153 * WIDTH);
	pmu_event_close(&second);
	rig_go(10);
	assert_int_equal(rig_value(&slots), (4 * 255 + 120) * WIDTH);
	pmu_task_sched_out();
	rig_task(10);
	assert_int_equal(rig_value(&slots), (4 * 255 + 130) * WIDTH);
	pmu_event_close(&slots);
}

/* A metric without its leader is in the error state, and stays there. */
TEST(test_leader_closes)
{
	struct pmu_value v;
	struct group g;

	rig_boot("icl", true);
	open_group(&g);
	pmu_task_sched_in(&rig.task);
	rig_go(255);
	pmu_event_close(&g.slots);
	assert_int_equal(pmu_event_read(&g.metric[0], &v), -ENODATA);
	assert_int_equal(g.metric[0].count, 51 * WIDTH);
	rig_go(255);
	pmu_event_enable(&g.metric[0]);
	rig_go(255);
	assert_int_equal(pmu_event_read(&g.metric[0], &v), -ENODATA);
	assert_int_equal(g.metric[0].count, 51 * WIDTH);
	assert_int_equal(shim.model.regs.global_ctrl & GLOBAL_METRICS, 0);
	pmu_task_sched_out();
	for (unsigned i = 0; i < SHARES; i++)
		pmu_event_close(&g.metric[i]);
	check_empty();
}

/* --- Tasks and time slices --- */

TEST(test_tasks)
{
	struct group parent;
	struct pmu_task child;
	struct group other = {0};
	const uint64_t turns = 20;

	rig_boot("icl", true);
	open_group_of(&parent, SLOTS, inherited);
	fork_task(&child, 20);
	open_for(&other.slots, SLOTS, &child);
	for (unsigned i = 0; i < SHARES; i++) {
		struct perf_event_attr attr = METRIC(i);

		assert_int_equal(
			pmu_event_open(&other.metric[i], &attr, 20, -1, &other.slots, 0, &rig.why),
			0);
	}
	pmu_event_disable(&other.slots);
	for (uint64_t i = 0; i < turns; i++) {
		rig_run(&rig.task, 7);
		rig_run(&child, 11);
	}
	assert_int_equal(rig_value(&parent.slots), turns * 18 * WIDTH);
	for (unsigned i = 0; i < SHARES; i++) {
		const uint64_t own = turns * 7 * WIDTH * split[i] / 255;

		assert_int_equal(rig_value(&parent.metric[i]),
				 own + turns * 11 * WIDTH * split[i] / 255);
		assert_int_equal(rig_value(&other.metric[i]), 0);
	}
	pmu_task_exit(&child);
	assert_int_equal(rig_value(&parent.slots), turns * 18 * WIDTH);
	close_group(&other);
	close_group(&parent);
	check_empty();
}

/* There is one counter for slots: groups with slots take turns, each as a whole. */
TEST(test_turns)
{
	struct group g[3];

	rig_boot("icl", true);
	for (unsigned i = 0; i < 3; i++)
		open_group(&g[i]);
	rig_slices(30 * SLICE);
	for (unsigned i = 0; i < 3; i++) {
		struct pmu_value slots, metric;

		assert_int_equal(pmu_event_read(&g[i].slots, &slots), 0);
		assert_int_equal(pmu_event_read(&g[i].metric[0], &metric), 0);
		assert_int_equal(slots.time_enabled, 30 * SLICE);
		assert_true(slots.time_running >= 9 * SLICE && slots.time_running <= 11 * SLICE);
		assert_int_equal(metric.time_running, slots.time_running);
		check_slots(&g[i], slots.time_running * WIDTH);
	}
	for (unsigned i = 0; i < 3; i++)
		close_group(&g[i]);
}

/* --- Ring 0, overflows, NMIs --- */

/* The reading code is counted, too, but the values of a group are of one moment. */
TEST(test_group_is_of_one_moment)
{
	struct perf_event_attr attr = RAW(UARCH_SLOTS);
	struct pmu_event slots, metric[SHARES];
	uint64_t last = 0;

	rig_boot("icl", true);
	attr.read_format = PERF_FORMAT_GROUP;
	open_ok(&slots, attr, NULL);
	for (unsigned i = 0; i < SHARES; i++)
		open_ok(&metric[i], RAW(UARCH_SELECT(0, UARCH_METRIC_UMASK + i)), &slots);
	pmu_task_sched_in(&rig.task);
	for (unsigned n = 0; n < 50; n++) {
		uint64_t v[2 + SHARES], sum = 0;

		rig_go(n);
		shim_run(VPMU_OS, 3);
		assert_int_equal(pmu_event_read_format(&slots, v, sizeof(v)), (int)sizeof(v));
		assert_int_equal(v[0], 1 + SHARES);
		for (unsigned i = 0; i < SHARES; i++) {
			assert_int_equal(v[2 + i], v[1] * split[i] / 255);
			sum += v[2 + i];
		}
		assert_true(sum <= v[1] && sum + SHARES > v[1]);
		assert_true(v[1] > last);
		last = v[1];
	}
	pmu_task_sched_out();
	for (unsigned i = 0; i < SHARES; i++)
		pmu_event_close(&metric[i]);
	pmu_event_close(&slots);
}

enum way { BY_NMI, READ_BEFORE, STOPPED_BEFORE };

/* The counter wraps, and its NMI is pending. */
static void wrap(struct group *g, enum way way, uint64_t *slots)
{
	pmu_task_sched_in(&rig.task);
	rig_go(255);
	shim.model.regs.fixed[3].value = RANGE - 100;
	shim_run(VPMU_USR, 30);
	*slots += RANGE - 100 + 30 * WIDTH;
	if (way == READ_BEFORE)
		check_slots(g, *slots);
	if (way == BY_NMI) {
		shim_run(VPMU_USR, 100);
		*slots += 100 * WIDTH;
	}
	pmu_task_sched_out();
	check_slots(g, *slots);
	shim_run(VPMU_OS, 100); /* the NMI, late or not */
	check_slots(g, *slots);
}

/* The counter of slots starts at 0 and wraps. The wrap is noticed by its NMI, by a read before it,
 * or by a stop before it. The NMI comes between any two accesses. */
TEST(test_counter_wraps)
{
	struct group g;

	for (unsigned delay = 0; delay < 60; delay++) {
		uint64_t slots = 0;

		rig_boot("icl", true);
		shim.nmi_delay = delay;
		open_group(&g);
		wrap(&g, BY_NMI, &slots);
		wrap(&g, READ_BEFORE, &slots);
		wrap(&g, STOPPED_BEFORE, &slots);
		wrap(&g, READ_BEFORE, &slots);
		assert_int_equal(shim.unknown_nmis, 0);
		close_group(&g);
	}
}

/* An NMI comes between any two accesses to the PMU, and reads the group as well. */
TEST(test_nmis_read)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct pmu_event slots, metric[SHARES], sampler;
	uint64_t sum = 0, overflows = 0;

	for (unsigned period = 101; period < 140; period++) {
		rig_boot("icl", true);
		shim.nmi_delay = period % 24;
		attr.sample_period = period;
		attr.sample_type = PERF_SAMPLE_READ;
		attr.read_format = PERF_FORMAT_GROUP;
		open_ok(&slots, RAW(UARCH_SLOTS), NULL);
		for (unsigned i = 0; i < SHARES; i++)
			open_ok(&metric[i], RAW(UARCH_SELECT(0, UARCH_METRIC_UMASK + i)), &slots);
		open_ok(&sampler, attr, &slots);
		assert_int_equal(pmu_event_set_output(&sampler, rig_ring(8)), 0);
		pmu_task_sched_in(&rig.task);
		for (unsigned n = 0; n < 50; n++) {
			rig_go(n);
			rig_value(&metric[n % SHARES]);
		}
		pmu_task_sched_out();
		assert_int_equal(rig_value(&slots), rig_value(&sampler) * WIDTH);
		sum = 0;
		for (unsigned i = 0; i < SHARES; i++)
			sum += rig_value(&metric[i]);
		assert_true(sum <= rig_value(&slots) && sum + SHARES > rig_value(&slots));
		overflows += pmu_event_books(&sampler).overflows;
		pmu_event_close(&sampler);
		for (unsigned i = 0; i < SHARES; i++)
			pmu_event_close(&metric[i]);
		pmu_event_close(&slots);
	}
	assert_true(overflows > 100);
}

/* --- The control page --- */

TEST(test_control_page)
{
	static struct perf_event_mmap_page page, of_metric;
	struct group g;

	rig_boot("icl", true);
	open_group(&g);
	pmu_event_set_page(&g.slots, &page);
	pmu_event_set_page(&g.metric[0], &of_metric);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 1; i < 5; i++) {
		rig_go(10);
		assert_true(page.cap_user_rdpmc);
		assert_int_equal(page.index - 1, g.slots.place->rdpmc);
		assert_int_equal(page.offset + (int64_t)shim.model.regs.fixed[3].value,
				 i * 10 * WIDTH);
		assert_int_equal(rig_value(&g.slots), i * 10 * WIDTH);
	}
	assert_false(of_metric.cap_user_rdpmc);
	assert_int_equal(of_metric.index, 0);
	pmu_task_sched_out();
	close_group(&g);
}
