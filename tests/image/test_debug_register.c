// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_debug_register.c - breakpoints on the machine: ring 0 hits them while it copies from and to
 * ring 3, on the stack of #DB, and goes on. Ring 3 goes on after breakpoints on execution.
 */
#include "arch/x86/cpu/user.h"
#include "arch/x86/mem/paging.h"
#include "pmu/api/pmu.h"
#include "rt/base/image_test.h"
#include "tests/image/fixture.h"
#include "tests/image/user_code.h"

#include <asm/unistd_64.h>
#include <linux/hw_breakpoint.h>

#define VALUE 0x0123456789abcdef

static const uint64_t no_args[6];

static int watch(struct pmu_event *e, uint32_t type, uint64_t address, bool user)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = type,
		.bp_addr = address,
		.bp_len = 8,
		.exclude_user = !user,
		.exclude_kernel = user,
	};

	return pmu_event_open(e, &attr, -1, 0, NULL, 0, NULL);
}

static uint64_t counted_by(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v.value;
}

static struct pmu_event ring_0, ring_3;
static uint64_t copied, written, read;

static long copy_over_it(long nr, struct trap_frame *frame)
{
	const uint64_t value = VALUE;

	if (nr == __NR_exit_group)
		user_leave((long)frame->rdi);
	copy_to_user(FIXTURE_STACK, &value, sizeof(value));
	written = counted_by(&ring_0);
	copy_from_user(&copied, FIXTURE_STACK, sizeof(copied));
	read = counted_by(&ring_0) - written;
	return 0;
}

static const char *test_ring_0_hits_breakpoints(void)
{
	const char *why = NULL;
	uint64_t in_ring_3;

	if (watch(&ring_0, HW_BREAKPOINT_RW, FIXTURE_STACK, false))
		return "no debug register";
	if (watch(&ring_3, HW_BREAKPOINT_RW, FIXTURE_STACK, true))
		why = "no second debug register";
	copied = written = read = 0;
	if (!why && fixture_run(user_calls, no_args, NULL, copy_over_it))
		why = "the code did not end";
	in_ring_3 = counted_by(&ring_3);
	pmu_event_close(&ring_3);
	pmu_event_close(&ring_0);
	if (why)
		return why;
	if (!written || !read)
		return "a copy hit nothing";
	if (in_ring_3)
		return "ring 3 hit something";
	return copied == VALUE ? NULL : "the copies went wrong";
}
IMAGE_TEST(test_ring_0_hits_breakpoints);

static const char *test_execution_goes_on(void)
{
	uint64_t hits;
	long code;

	if (watch(&ring_3, HW_BREAKPOINT_X, fixture_code(user_called), true))
		return "no debug register";
	code = fixture_run(user_calls, no_args, NULL, NULL);
	hits = counted_by(&ring_3);
	pmu_event_close(&ring_3);
	if (code)
		return "the code did not end";
	return hits == 1 ? NULL : "not one hit";
}
IMAGE_TEST(test_execution_goes_on);

#define TOUCHES 1000
#define PERIOD  101

/* Samples are where vpmu steps through ring 3. Returns NULL if each store was counted once. */
static const char *count_touches(uint64_t where)
{
	const struct perf_event_attr sampled = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(sampled),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = PERIOD,
		.exclude_kernel = 1,
	};
	const uint64_t args[6] = {0, where, TOUCHES};
	struct pmu_event *steps = &ring_0, *stores = &ring_3;
	const char *why = NULL;
	uint64_t n;

	if (pmu_event_open(steps, &sampled, -1, 0, NULL, 0, NULL))
		return IMAGE_TEST_SKIP("there is no counter for instructions");
	if (watch(stores, HW_BREAKPOINT_W, where, true))
		why = "no debug register";
	if (!why && fixture_run(user_touch, args, NULL, NULL))
		why = "the code did not end";
	n = counted_by(stores);
	pmu_event_close(stores);
	pmu_event_close(steps);
	return why || n == TOUCHES ? why : "a store was counted twice, or not at all";
}

/* Addresses of programs' data: with a fixed base, and with any base. */
static const char *test_breakpoints_count_once_among_samples(void)
{
	static const uint64_t where[] = {0x400000, 0x140000000, 0x555555560000,
					 FIXTURE_STACK - 0x10000};
	const char *why = NULL;

	for (unsigned i = 0; !why && i < sizeof(where) / sizeof(where[0]); i++) {
		void *page = page_alloc(1);

		if (!page)
			return "no memory";
		fixture_map(where[i] & ~(PAGE_SIZE - 1), page, 1, PAGE_WRITE);
		why = count_touches(where[i]);
		fixture_unmap(where[i] & ~(PAGE_SIZE - 1), 1);
		page_free(page, 1);
	}
	return why;
}
IMAGE_TEST(test_breakpoints_count_once_among_samples);
