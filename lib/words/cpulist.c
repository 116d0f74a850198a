// SPDX-License-Identifier: BSD-2-Clause
/* cpulist.c - see cpulist.h. */
#include "lib/words/cpulist.h"

#include <linux/errno.h>

#define NUMBER_MOST 100000 /* more than any number of a CPU or a node */

/* The kind of thing that a list names. */
struct listed {
	const char *one, *several;
	unsigned n; /* how many exist */
};

static int refuse_list(const char *list, const struct listed *of, struct reason *why)
{
	return refuse(why, EINVAL, "'%s' is no list of %s, as 0-2,4", list, of->several);
}

/*
 * Reads a number; -1: there is none. The digits after a value of NUMBER_MOST or more are skipped,
 * so that the value does not overflow.
 */
static int read_number(const char **p)
{
	int number = 0;

	if (**p < '0' || **p > '9')
		return -1;
	while (**p >= '0' && **p <= '9') {
		if (number < NUMBER_MOST)
			number = number * 10 + (**p - '0');
		(*p)++;
	}
	return number;
}

/* Reads N or N-M, all of which must exist. */
static int read_range(const char **p, const char *list, const struct listed *of,
		      struct cpumask *set, struct reason *why)
{
	int first = read_number(p), last = first;

	if (first >= 0 && **p == '-') {
		(*p)++;
		last = read_number(p);
	}
	if (first < 0 || last < first)
		return refuse_list(list, of, why);
	if ((unsigned)last >= of->n)
		return refuse(why, EINVAL, "'%s': there is no %s %u", list, of->one,
			      (unsigned)first < of->n ? of->n : (unsigned)first);
	cpumask_add_range(set, (unsigned)first, (unsigned)last);
	return 0;
}

static int read_list(const char *list, const struct listed *of, struct cpumask *set,
		     struct reason *why)
{
	const char *p = list;
	int bad;

	for (*set = (struct cpumask){{0}};; p++) {
		bad = read_range(&p, list, of, set, why);
		if (bad || !*p)
			return bad;
		if (*p != ',')
			return refuse_list(list, of, why);
	}
}

int cpulist_read(const char *list, unsigned ncpus, struct cpumask *cpus, struct reason *why)
{
	return read_list(list, &(struct listed){"CPU", "CPUs", ncpus}, cpus, why);
}

int nodelist_read(const char *list, unsigned nnodes, uint64_t *nodes, struct reason *why)
{
	struct cpumask set;
	const int bad = read_list(list, &(struct listed){"node", "nodes", nnodes}, &set, why);

	*nodes = set.word[0];
	return bad;
}
