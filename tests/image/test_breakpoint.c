// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_breakpoint.c - breakpoints on the machine itself: ring 0 hits them where it copies from and
 * to ring 3, on the stack that #DB has for it, and goes on; on execution, ring 3 gets beyond them.
 */
#include "arch/x86/cpu/user.h"
#include "pmu/api/pmu.h"
#include "rt/image_test.h"
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

static uint64_t count(struct pmu_event *e)
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
	written = count(&ring_0);
	copy_from_user(&copied, FIXTURE_STACK, sizeof(copied));
	read = count(&ring_0) - written;
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
	in_ring_3 = count(&ring_3);
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
	hits = count(&ring_3);
	pmu_event_close(&ring_3);
	if (code)
		return "the code did not end";
	return hits == 1 ? NULL : "not one hit";
}
IMAGE_TEST(test_execution_goes_on);
