/* SPDX-License-Identifier: BSD-2-Clause */
/* limits.h - limits of a process: getrlimit(2), /proc/<pid>/limits. RLIMIT_NOFILE and RLIMIT_STACK
 * are obeyed; the others are kept and told. */
#ifndef LINUX_TASK_LIMITS_H
#define LINUX_TASK_LIMITS_H

#include <linux/resource.h>
#include <stdint.h>

struct process;

/* limits_init() - those of a first process, of RLIM_NLIMITS. limit_of() - `resource` is below that.
 * limit_stack() - bytes of the stack of the next program. Any context in which the process stays.
 */
void limits_init(struct rlimit64 *limits);
struct rlimit64 limit_of(const struct process *p, unsigned resource);
uint64_t limit_stack(const struct process *p);

/* limit_set() - of the process that runs here. -EINVAL: more than its own most; -EPERM: more open
 * files than there can be. */
int limit_set(struct process *p, unsigned resource, struct rlimit64 limit);

#endif
