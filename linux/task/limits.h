/* SPDX-License-Identifier: BSD-2-Clause */
/* limits.h - limits of a process: getrlimit(2), /proc/<pid>/limits. RLIMIT_NOFILE, RLIMIT_STACK and
 * RLIMIT_SIGPENDING are enforced; the others are only stored and reported. */
#ifndef LINUX_TASK_LIMITS_H
#define LINUX_TASK_LIMITS_H

#include <linux/resource.h>
#include <stdint.h>

struct process;

/*
 * limits_init() - sets the RLIM_NLIMITS limits of a first process.
 * limit_of() - returns a limit; `resource` is below RLIM_NLIMITS.
 * limit_stack() - the size in bytes of the next program's stack.
 * Any context in which the process cannot end.
 */
void limits_init(struct rlimit64 *limits);
struct rlimit64 limit_of(const struct process *p, unsigned resource);
uint64_t limit_stack(const struct process *p);

/* limit_set() - sets a limit of the current process. -EINVAL: soft above hard; -EPERM:
 * RLIMIT_NOFILE above FD_MOST. */
int limit_set(struct process *p, unsigned resource, struct rlimit64 limit);

#endif
