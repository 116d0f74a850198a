// SPDX-License-Identifier: BSD-2-Clause
/* proc_init.c - see proc_init.h. */
#include "linux/proc/proc_init.h"

#include "linux/proc/proc_parts.h"

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
