// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_selfread.c - ring 3 reads its events by their control pages, and gets the values of read(2),
 * exactly if counts of instructions are exact.
 */
#include "arch/x86/cpu/user.h"
#include "include/perf0/selfread.h"
#include "include/perf0/layout.h"
#include "pmu/api/pmu.h"
#include "rt/base/image_test.h"
#include "linux/task/task.h"

#define READS  2000
#define PERIOD 997
#define EVENTS 3 /* instructions:u; the same, sampling; cycles of ring 3 */

void workload_selfread(uint64_t reads, uint64_t events);

static const struct workload selfread = {.name = "selfread",
					 .entry = (void (*)(void))workload_selfread};

static struct pmu_event event[EVENTS];
static struct selfread got[READS * EVENTS];

static int open_shared_event(unsigned i)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = i == 2 ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = i == 1 ? PERIOD : 0,
		.sample_type = PERF_SAMPLE_IP,
		.disabled = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
	};

	return pmu_event_open(&event[i], &attr, TASK_PID, -1, NULL, 0, NULL);
}

static uint64_t count_in_ring_0(unsigned i)
{
	struct pmu_value v;

	pmu_event_read(&event[i], &v);
	return v.value;
}

static const char *run_selfread(uint64_t reads)
{
	const struct workload_call call = {
		.workload = &selfread, .args = {reads, EVENTS}, .title = "selfread"};
	struct task_outcome outcome;

	for (unsigned i = 0; i < EVENTS; i++)
		if (open_shared_event(i) || task_share_event(i, &event[i]))
			return "an event cannot be opened and shared";
	if (task_run(&call, 0, &outcome))
		return "the workload did not end well";
	if (copy_from_user(got, WORKLOAD_HEAP, reads * EVENTS * sizeof(got[0])))
		return "what it read is not there";
	return NULL;
}

static void close_shared(void)
{
	task_unshare_events();
	for (unsigned i = EVENTS; i-- > 0;)
		pmu_event_close(&event[i]);
}

static const struct selfread *reading(uint64_t n, unsigned i)
{
	return &got[n * EVENTS + i];
}

/* Each event is always on a counter and never goes back; its two times are equal and grow. */
static const char *check_each(uint64_t reads)
{
	for (uint64_t n = 0; n < reads; n++)
		for (unsigned i = 0; i < EVENTS; i++) {
			const struct selfread *r = reading(n, i),
					      *before = reading(n ? n - 1 : 0, i);

			if (!r->live)
				return "an event was not on a counter";
			if (r->time_enabled != r->time_running)
				return "enabled and running differ, and it always ran";
			if (n &&
			    (r->value <= before->value || r->time_enabled < before->time_enabled))
				return "a value or a time did not go on";
		}
	return NULL;
}

/* Lengths of the code that ring 3 executes between two readings, in instructions. */
struct lengths {
	uint64_t step;  /* from event 0 to event 0 of the next round */
	uint64_t apart; /* from event 0 to event 1 */
	uint64_t again; /* for reading once more */
	uint64_t rest;  /* behind the last reading of event 0 */
};

/* Returns how many readings were repeated between those of event 0 in round n and in the next. */
static uint64_t again_until_next(uint64_t n)
{
	return reading(n, 1)->again + reading(n, 2)->again + reading(n + 1, 0)->again;
}

/* Undisturbed rounds are equal. Other rounds are longer by the repeated readings. */
static const char *check_instructions(uint64_t reads, struct lengths *l)
{
	bool calm = false;

	*l = (struct lengths){.again = 0};
	for (uint64_t n = 0; n + 1 < reads && !calm; n++) {
		calm = !again_until_next(n);
		l->step = reading(n + 1, 0)->value - reading(n, 0)->value;
		l->apart = reading(n, 1)->value - reading(n, 0)->value;
	}
	for (uint64_t n = 0; n + 1 < reads; n++) {
		uint64_t step = reading(n + 1, 0)->value - reading(n, 0)->value;
		uint64_t apart = reading(n, 1)->value - reading(n, 0)->value;

		if (!l->again && again_until_next(n))
			l->again = (step - l->step) / again_until_next(n);
		if (step != l->step + again_until_next(n) * l->again)
			return "equal code took different numbers of instructions";
		if (apart != l->apart + reading(n, 1)->again * l->again)
			return "a sampling event does not count what a counting one does";
	}
	l->rest = count_in_ring_0(0) - reading(reads - 1, 0)->value;
	if (count_in_ring_0(1) != count_in_ring_0(0))
		return "read() of two equal events differs";
	if (reading(reads - 1, 1)->again + reading(reads - 1, 2)->again)
		l->rest -= (reading(reads - 1, 1)->again + reading(reads - 1, 2)->again) * l->again;
	return l->again ? NULL : "no NMI came while a page was read";
}

static const char *check_times(uint64_t reads)
{
	for (unsigned i = 0; i < EVENTS; i++) {
		struct pmu_value v;

		pmu_event_read(&event[i], &v);
		if (reading(reads - 1, i)->time_enabled > v.time_enabled)
			return "the page's time is ahead of read()'s";
	}
	return NULL;
}

static const char *measure(uint64_t reads, struct lengths *l)
{
	const char *why = run_selfread(reads);

	if (!why)
		why = check_each(reads);
	if (!why)
		why = check_instructions(reads, l);
	if (!why)
		why = check_times(reads);
	if (!why && event[1].books.overflows != count_in_ring_0(1) / PERIOD)
		why = "samples are missing";
	close_shared();
	return why;
}

/* Some instructions of ring 3, by an event that does not sample; 0: that failed. */
static uint64_t count_some(void)
{
	const struct workload_call call = {
		.workload = &selfread, .args = {READS, 1}, .title = "selfread"};
	struct task_outcome outcome;
	uint64_t value = 0;

	if (open_shared_event(0))
		return 0;
	if (!task_share_event(0, &event[0]) && !task_run(&call, 0, &outcome))
		value = count_in_ring_0(0);
	task_unshare_events();
	pmu_event_close(&event[0]);
	return value;
}

/* An event that counts by the clock gives another count each time, and cannot have a period of
 * PERIOD. */
static bool counts_exactly(void)
{
	return count_some() == count_some();
}

static const char *test_ring_3_reads_its_events(void)
{
	struct lengths l[2];
	const char *why;

	if (!pmu_info()->counters)
		return IMAGE_TEST_SKIP("no counters");
	if (!counts_exactly())
		return IMAGE_TEST_SKIP("counts are estimates");
	why = measure(READS, &l[0]);
	if (!why)
		why = measure(READS / 2, &l[1]);
	if (why)
		return why;
	return l[0].step == l[1].step && l[0].again == l[1].again && l[0].rest == l[1].rest
		       ? NULL
		       : "what read() has more than the last reading is not always the same";
}
IMAGE_TEST(test_ring_3_reads_its_events);

/* A page that is no longer updated shows no values. */
static const char *test_pages_of_closed_events_are_dead(void)
{
	const struct perf_event_mmap_page *page;
	const char *why;
	bool alive;

	if (!pmu_info()->counters)
		return IMAGE_TEST_SKIP("no counters");
	if (!counts_exactly())
		return IMAGE_TEST_SKIP("counts are estimates");
	why = run_selfread(1);
	page = event[0].page;
	if (why)
		return why;
	alive = page->cap_user_rdpmc && !(page->lock & 1);
	close_shared();
	if (!alive)
		return "the page was not in use";
	return page->index || page->cap_user_rdpmc || page->cap_user_time || page->lock & 1
		       ? "the page still tells how to read the event"
		       : NULL;
}
IMAGE_TEST(test_pages_of_closed_events_are_dead);
