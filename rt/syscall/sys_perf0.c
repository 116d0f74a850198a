// SPDX-License-Identifier: BSD-2-Clause
/* sys_perf0.c - the calls that Linux does not have: include/perf0/syscall.h. */
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "include/perf0/syscall.h"
#include "rt/perf/region.h"
#include "rt/perf/trace.h"
#include "rt/task/sched.h"

#include <linux/errno.h>

const struct syscall_row syscall_perf0_rows[] = {
	{0, NULL},
};
