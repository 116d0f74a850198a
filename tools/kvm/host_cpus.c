// SPDX-License-Identifier: BSD-2-Clause
/* host_cpus.c - see host_cpus.h. */
#include "tools/kvm/host_cpus.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "lib/cpumask.h"
#include "lib/words/cpulist.h"

static int allowed_cpus(cpu_set_t *set, struct reason *why)
{
	if (sched_getaffinity(0, sizeof(*set), set))
		return refuse(why, errno, "the CPUs of this process: %s", strerror(errno));
	return 0;
}

/* Takes CPUs that are not in the list out of `set`. -EINVAL: one of the list is not in the set. */
static int keep_wanted(cpu_set_t *set, const char *wanted, struct reason *why)
{
	struct cpumask list;
	const int err = cpulist_read(wanted, CPUMASK_CPUS, &list, why);

	for (unsigned cpu = 0; !err && cpu < CPUMASK_CPUS; cpu++) {
		if (!cpumask_has(&list, cpu))
			CPU_CLR(cpu, set);
		else if (!CPU_ISSET(cpu, set))
			return refuse(why, EINVAL, "this process may not use CPU %u", cpu);
	}
	for (unsigned cpu = CPUMASK_CPUS; cpu < CPU_SETSIZE; cpu++)
		CPU_CLR(cpu, set);
	return err;
}

int host_cpus_choose(const char *wanted, unsigned n, unsigned cpus[], struct reason *why)
{
	cpu_set_t set;
	unsigned found = 0;
	int err = allowed_cpus(&set, why);

	if (!err && wanted)
		err = keep_wanted(&set, wanted, why);
	if (err)
		return err;
	for (unsigned cpu = CPU_SETSIZE; cpu-- && found < n;)
		if (CPU_ISSET(cpu, &set))
			cpus[n - ++found] = cpu;
	if (found < n)
		return refuse(why, EINVAL, "%u CPUs of the host are too few for %u of the machine",
			      found, n);
	return 0;
}

int host_cpus_pin(pid_t tid, unsigned cpu, struct reason *why)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		return refuse(why, errno, "CPU %u: %s", cpu, strerror(errno));
	return 0;
}
