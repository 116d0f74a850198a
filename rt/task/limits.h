/* SPDX-License-Identifier: BSD-2-Clause */
/* limits.h - limits of a process: getrlimit(2), /proc/<pid>/limits. */
#ifndef RT_TASK_LIMITS_H
#define RT_TASK_LIMITS_H

#include <linux/resource.h>

struct process;

/* limit_of() - `resource` is below RLIM_NLIMITS. Any context in which the process stays. */
struct rlimit64 limit_of(const struct process *p, unsigned resource);

#endif
