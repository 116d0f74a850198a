// SPDX-License-Identifier: BSD-2-Clause
/* proc.c - see proc.h. */
#include "rt/proc/proc.h"

#include "rt/proc/proc_parts.h"

void proc_init(void)
{
	proc_pid_init();
	proc_cgroup_init();
	proc_memory_init();
	proc_machine_init();
	sys_cpu_init();
	sys_node_init();
	sys_pmu_init();
}
