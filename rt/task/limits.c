// SPDX-License-Identifier: BSD-2-Clause
/* limits.c - see limits.h. */
#include "rt/task/limits.h"

#include "rt/file/fd_table.h"
#include "rt/task/process.h"
#include "rt/task/task.h"

struct rlimit64 limit_of(const struct process *p, unsigned resource)
{
	struct rlimit64 limit = {RLIM64_INFINITY, RLIM64_INFINITY};

	switch (resource) {
	case RLIMIT_STACK:
		limit.rlim_cur = p->stack_bytes;
		break;
	case RLIMIT_NOFILE:
		limit.rlim_cur = limit.rlim_max = FD_LIMIT;
		break;
	case RLIMIT_NPROC:
		limit.rlim_cur = limit.rlim_max = TASK_MAX;
		break;
	case RLIMIT_SIGPENDING:
		limit.rlim_cur = p->signals_most;
		limit.rlim_max = p->signals_hard;
		break;
	case RLIMIT_CORE:
		limit.rlim_cur = 0;
		break;
	}
	return limit;
}
