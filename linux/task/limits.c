// SPDX-License-Identifier: BSD-2-Clause
/* limits.c - see limits.h. */
#include "linux/task/limits.h"

#include "arch/x86/mem/paging.h"
#include "linux/file/fd_table.h"
#include "linux/task/process.h"
#include "linux/task/task.h"

#include <linux/errno.h>

#define STACK_LEAST (32 * PAGE_SIZE)
#define STACK_MOST  (1ull << 40)

void limits_init(struct rlimit64 *limits)
{
	for (unsigned i = 0; i < RLIM_NLIMITS; i++)
		limits[i] = (struct rlimit64){RLIM64_INFINITY, RLIM64_INFINITY};
	limits[RLIMIT_STACK].rlim_cur = EXEC_STACK_BYTES;
	limits[RLIMIT_NOFILE] = (struct rlimit64){FD_LIMIT, FD_MOST};
	limits[RLIMIT_NPROC] = (struct rlimit64){TASK_MAX, TASK_MAX};
	limits[RLIMIT_SIGPENDING] = (struct rlimit64){SIGNALS_PENDING_MOST, SIGNALS_PENDING_MOST};
	limits[RLIMIT_CORE].rlim_cur = 0;
}

struct rlimit64 limit_of(const struct process *p, unsigned resource)
{
	return p->limits[resource];
}

/* Root may raise a hard limit, but not above `most`. */
static void bound_limit(struct rlimit64 *limit, uint64_t most)
{
	limit->rlim_cur = limit->rlim_cur < most ? limit->rlim_cur : most;
	limit->rlim_max = limit->rlim_max < most ? limit->rlim_max : most;
}

/* The limit of the stack applies to programs that start later. */
int limit_set(struct process *p, unsigned resource, struct rlimit64 limit)
{
	if (limit.rlim_cur > limit.rlim_max)
		return -EINVAL;
	if (resource == RLIMIT_NOFILE && limit.rlim_max > FD_MOST)
		return -EPERM;
	if (resource == RLIMIT_SIGPENDING)
		bound_limit(&limit, SIGNALS_PENDING_MOST);
	p->limits[resource] = limit;
	if (resource == RLIMIT_NOFILE)
		p->files->limit = (unsigned)limit.rlim_cur;
	return 0;
}

uint64_t limit_stack(const struct process *p)
{
	const uint64_t wanted = p->limits[RLIMIT_STACK].rlim_cur,
		       bytes = page_round(wanted < STACK_MOST ? wanted : STACK_MOST);

	return bytes > STACK_LEAST ? bytes : STACK_LEAST;
}
