// SPDX-License-Identifier: BSD-2-Clause
/* cpulist.c - see cpulist.h. */
#include "lib/words/cpulist.h"

#include <linux/errno.h>

static int refuse_list(const char *list, struct reason *why)
{
	return refuse(why, EINVAL, "'%s' is no list of CPUs, as 0-2,4", list);
}

/* A number, 1000 where it is more; -1: none stands there. */
static int read_cpu(const char **p)
{
	int cpu = 0;

	if (**p < '0' || **p > '9')
		return -1;
	while (**p >= '0' && **p <= '9') {
		if (cpu < 1000)
			cpu = cpu * 10 + (**p - '0');
		(*p)++;
	}
	return cpu;
}

/* N or N-M, of which there must be all. */
static int read_range(const char **p, const char *list, unsigned ncpus, struct cpumask *cpus,
		      struct reason *why)
{
	int first = read_cpu(p), last = first;

	if (first >= 0 && **p == '-') {
		(*p)++;
		last = read_cpu(p);
	}
	if (first < 0 || last < first)
		return refuse_list(list, why);
	if ((unsigned)last >= ncpus)
		return refuse(why, EINVAL, "'%s': there is no CPU %u", list,
			      (unsigned)first < ncpus ? ncpus : (unsigned)first);
	cpumask_add_range(cpus, (unsigned)first, (unsigned)last);
	return 0;
}

int cpulist_read(const char *list, unsigned ncpus, struct cpumask *cpus, struct reason *why)
{
	const char *p = list;
	int bad;

	for (*cpus = (struct cpumask){{0}};; p++) {
		bad = read_range(&p, list, ncpus, cpus, why);
		if (bad || !*p)
			return bad;
		if (*p != ',')
			return refuse_list(list, why);
	}
}
