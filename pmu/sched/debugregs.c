// SPDX-License-Identifier: BSD-2-Clause
/* debugregs.c - see debugregs.h. */
#include "pmu/sched/debugregs.h"

#include <stdint.h>

#include "lib/reason.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>

/* The length that the ABI requires for a breakpoint on code: that of a long. */
#define CODE_LENGTH 8

static int check_execution(const struct perf_event_attr *attr, struct reason *why)
{
	if (attr->bp_len == CODE_LENGTH)
		return 0;
	return refuse(why, EINVAL, "a breakpoint on execution has length %d", CODE_LENGTH);
}

static int check_data(const struct perf_event_attr *attr, struct reason *why)
{
	const uint64_t length = attr->bp_len;

	if (!length || length > 8 || length & (length - 1))
		return refuse(why, EINVAL, "a breakpoint is 1, 2, 4 or 8 bytes long");
	if (attr->bp_addr & (length - 1))
		return refuse(why, EINVAL,
			      "the address of a breakpoint is a multiple of its length, %llu",
			      (unsigned long long)length);
	return 0;
}

static int check_type(const struct perf_event_attr *attr, struct reason *why)
{
	switch (attr->bp_type) {
	case HW_BREAKPOINT_X:
		return check_execution(attr, why);
	case HW_BREAKPOINT_W:
	case HW_BREAKPOINT_RW:
		return check_data(attr, why);
	case HW_BREAKPOINT_R:
		return refuse(why, EINVAL, "the debug registers do not tell reads alone: take rw");
	default:
		return refuse(why, EINVAL,
			      "a breakpoint is on writes, on accesses or on execution");
	}
}

int pmu_debugregs_check(const struct perf_event_attr *attr, struct reason *why)
{
	int err = check_type(attr, why);

	if (!err && attr->config)
		return refuse(why, EINVAL, "config has no meaning for a breakpoint");
	return err;
}
