// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_page.c - control pages at every moment: a reader of the page gets the value of
 * pmu_event_read(), after any number of any operations on the event.
 */
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include "arch/x86/insn.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};
#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

#define EVENTS 12

static struct perf_event_mmap_page pages[EVENTS];
static struct pmu_event e[EVENTS];

static void boot_pages(const char *uarch)
{
	rig_boot(uarch, true);
	memset(pages, 0, sizeof(pages));
}

static void open_shared(unsigned i, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, config);
	int got;

	attr.sample_period = period;
	attr.exclude_kernel = 1;
	got = rig_open(&e[i], &attr, NULL);
	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_page(&e[i], &pages[i]), 0);
}

struct reading {
	uint64_t value, enabled, running;
	bool live;
};

/* Reads as selfread.h does, with the model's counters. */
static struct reading read_page(const struct perf_event_mmap_page *page)
{
	struct reading r = {(uint64_t)page->offset, page->time_enabled, page->time_running,
			    page->index};
	const unsigned above = 64 - page->pmc_width;

	assert_false(page->lock & 1);
	if (page->index)
		r.value += (uint64_t)((int64_t)(rdpmc(page->index - 1) << above) >> above);
	if (page->cap_user_time) {
		uint64_t since = page->time_offset +
				 ((unsigned __int128)rdtsc() * page->time_mult >> page->time_shift);

		r.enabled += since;
		r.running += r.live ? since : 0;
	}
	return r;
}

static void check_page_times(unsigned i)
{
	struct pmu_value v;
	struct reading r = read_page(&pages[i]);

	pmu_event_read(&e[i], &v);
	assert_int_equal(r.value, v.value);
	assert_int_equal(r.enabled, v.time_enabled);
	assert_int_equal(r.running, v.time_running);
}

static void close_first(unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

TEST(test_description)
{
	for_each_uarch(u)
	{
		boot_pages(*u);
		open_shared(0, PERF_COUNT_HW_INSTRUCTIONS, 0);
		assert_int_equal(pages[0].version, 0);
		assert_int_equal(pages[0].compat_version, 0);
		assert_int_equal(pages[0].size, offsetof(struct perf_event_mmap_page, __reserved));
		assert_false(pages[0].cap_bit0);
		assert_true(pages[0].cap_bit0_is_deprecated);
		assert_true(pages[0].cap_user_rdpmc);
		assert_true(pages[0].cap_user_time_zero);
		assert_false(pages[0].cap_user_time_short);
		assert_int_equal(pages[0].pmc_width, pmu_info()->width);
		assert_int_equal(pages[0].time_shift, 10);
		assert_int_equal(pages[0].time_mult, 1024);
		assert_int_equal(pages[0].index, 0);
		assert_int_equal(pages[0].data_head | pages[0].data_size, 0);
		close_first(1);
	}
}

/* Pages of an event that counts, that was interrupted, whose task does not run, and after each
 * operation. */
TEST(test_each_moment)
{
	static const uint64_t periods[] = {0, 1009, 100};

	for_each_uarch(u) for (unsigned p = 0; p < 3; p++)
	{
		struct perf_event_mmap_page before;

		boot_pages(*u);
		shim.nmi_delay = p;
		open_shared(0, PERF_COUNT_HW_INSTRUCTIONS, periods[p]);
		open_shared(1, PERF_COUNT_HW_CPU_CYCLES, 0);
		for (unsigned turn = 0; turn < 50; turn++) {
			pmu_task_sched_in(&rig.task);
			for (unsigned i = 0; i < 8; i++) {
				shim_run(VPMU_USR, 37 + turn * 11 + i);
				check_page_times(0);
				check_page_times(1);
				assert_true(pages[0].index && pages[1].index);
			}
			pmu_task_sched_out();
			assert_int_equal(pages[0].index, 0);
			check_page_times(0);
			check_page_times(1);
		}
		before = pages[0];
		pmu_event_reset(&e[0]);
		assert_int_equal(read_page(&pages[0]).value, 0);
		assert_int_equal(read_page(&pages[0]).enabled, read_page(&before).enabled);
		pmu_event_disable(&e[0]);
		rig_task(1000);
		check_page_times(0);
		assert_int_equal(read_page(&pages[0]).value, 0);
		assert_false(pages[0].cap_user_time);
		pmu_event_enable(&e[0]);
		rig_task(777);
		check_page_times(0);
		assert_int_equal(read_page(&pages[0]).value, 777);
		close_first(2);
	}
}

/* The page of an event that waits for a counter keeps its value; the enabled time goes on. */
TEST(test_turns)
{
	for_each_uarch(u)
	{
		unsigned waited = 0, counted = 0;

		boot_pages(*u);
		for (unsigned i = 0; i < EVENTS; i++)
			open_shared(i, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, i % 3 ? 0 : 10007);
		pmu_task_sched_in(&rig.task);
		for (unsigned slice = 0; slice < 60; slice++) {
			rig_go(1000003);
			for (unsigned i = 0; i < EVENTS; i++) {
				check_page_times(i);
				waited += !pages[i].index;
				counted += !!pages[i].index;
			}
		}
		pmu_task_sched_out();
		assert_true(waited > 100 && counted > 100);
		close_first(EVENTS);
	}
}

/* At its limit an event loses its counter in the NMI; its page shows that at once. */
TEST(test_limit)
{
	for_each_uarch(u)
	{
		boot_pages(*u);
		open_shared(0, PERF_COUNT_HW_INSTRUCTIONS, 1000);
		pmu_event_disable(&e[0]);
		pmu_event_refresh(&e[0], 3);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 2500);
		assert_true(pages[0].index);
		shim_run(VPMU_USR, 2500);
		assert_int_equal(pages[0].index, 0);
		assert_int_equal(read_page(&pages[0]).value, rig_value(&e[0]));
		pmu_task_sched_out();
		check_page_times(0);
		close_first(1);
	}
}

TEST(test_refusals_and_ends)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	uint32_t lock;

	boot_pages("skx");
	attr.inherit = 1;
	assert_int_equal(rig_open(&e[0], &attr, NULL), 0);
	assert_int_equal(pmu_event_set_page(&e[0], &pages[0]), -EINVAL);
	assert_int_equal(pages[0].lock | pages[0].size, 0);
	pmu_event_close(&e[0]);

	/* A page that is removed from its event no longer changes, nor does the page of a closed
	 * event. */
	open_shared(0, PERF_COUNT_HW_INSTRUCTIONS, 0);
	open_shared(1, PERF_COUNT_HW_CPU_CYCLES, 0);
	rig_task(500);
	assert_int_equal(pmu_event_set_page(&e[0], NULL), 0);
	lock = pages[0].lock;
	rig_task(500);
	check_page_times(1);
	assert_int_equal(pages[0].lock, lock);
	assert_int_equal(pages[0].index, 0);
	assert_false(pages[0].cap_user_rdpmc);
	pmu_event_close(&e[1]);
	assert_false(pages[1].cap_user_rdpmc);
	assert_null(pmu.paged);
	pmu_event_close(&e[0]);

	/* The page of a clock has no counter. */
	attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	assert_int_equal(rig_open(&e[0], &attr, NULL), 0);
	pmu_event_set_page(&e[0], &pages[0]);
	rig_task(1000);
	assert_false(pages[0].cap_user_rdpmc);
	assert_int_equal(pages[0].index, 0);
	check_page_times(0);
	pmu_event_close(&e[0]);
}
