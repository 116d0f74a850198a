// SPDX-License-Identifier: BSD-2-Clause
/* evset_cgroups.c - assigns the events of a set to cgroups. */
#include "apps/measure/evset.h"

#include "rt/print/print.h"
#include "linux/tree/cgroup.h"

#include <linux/errno.h>
#include <stddef.h>

int evset_add_cgroups(struct evset *set, const char *command, const char *list)
{
	struct reason why;

	if (cgroup_names_for_events(&set->cgroups, list, set->n, &why)) {
		err("%s: %s\n", command, why.text);
		return -EINVAL;
	}
	for (unsigned i = 0; i < set->n; i++) {
		const char *name = cgroup_name_of(&set->cgroups, i);

		if (name)
			set->entry[i].cgroup = name;
	}
	return 0;
}

/* Appends copies of the first `n` events for group `g`. */
static void add_copies(struct evset *set, unsigned n, unsigned g)
{
	for (unsigned i = 0; i < n; i++) {
		struct evset_entry *e = &set->entry[g * n + i];

		*e = set->entry[i];
		if (e->spec.group != PMU_NO_GROUP)
			e->spec.group += (int)(g * n);
		e->cgroup = set->cgroups.name[g];
	}
}

int evset_for_each_cgroup(struct evset *set, const char *command, const char *list)
{
	const unsigned n = set->n;
	struct reason why;

	if (cgroup_names_for_each(&set->cgroups, list, &why) ||
	    cgroup_names_times(&set->cgroups, n, EVSET_MAX, &why)) {
		err("%s: %s\n", command, why.text);
		return -EINVAL;
	}
	for (unsigned g = set->cgroups.n; g-- > 0;)
		add_copies(set, n, g);
	set->n = n * set->cgroups.n;
	return 0;
}

int evset_reserve_cgroups(struct evset *set, const char *command)
{
	for (unsigned i = 0; i < set->n; i++) {
		struct evset_entry *e = &set->entry[i];
		const int number = e->cgroup ? cgroup_reserve(e->cgroup) : 0;

		if (number < 0) {
			cgroup_release();
			err("%s: group '%s': there are %d groups, more there cannot be\n", command,
			    e->cgroup, CGROUPS_MOST);
			return number;
		}
		e->task_set = (uint32_t)number;
	}
	return 0;
}

void evset_release_cgroups(void)
{
	cgroup_release();
}
