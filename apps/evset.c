// SPDX-License-Identifier: BSD-2-Clause
/* evset.c - see evset.h. */
#include "apps/evset.h"

#include "lib/string.h"
#include "rt/print.h"
#include "rt/task.h"

#include <linux/errno.h>
#include <stddef.h>

static int parse_list(struct evset *set, const char *who, const char *list)
{
	static struct pmu_event_spec specs[EVSET_MAX];
	struct pmu_parse_error error;
	int n = pmu_parse_events(list, specs, EVSET_MAX - set->n, &error);

	if (n < 0) {
		err("%s: -e %s: column %zu: %s\n", who, list, error.column, error.text);
		return -EINVAL;
	}
	for (int i = 0; i < n; i++) {
		/* Groups are numbered within their list. */
		if (specs[i].group != PMU_NO_GROUP)
			specs[i].group += (int)set->n;
		set->entry[set->n + (unsigned)i].spec = specs[i];
	}
	set->n += (unsigned)n;
	return 0;
}

int evset_parse(struct evset *set, const char *who, const struct option_list *lists,
		const char *fallback)
{
	set->n = 0;
	if (!lists->n)
		return parse_list(set, who, fallback);
	for (unsigned i = 0; i < lists->n; i++)
		if (parse_list(set, who, lists->text[i]))
			return -EINVAL;
	return 0;
}

/* The first of the same group, when it is open. */
static struct pmu_event *leader_of(struct evset *set, unsigned i)
{
	int group = set->entry[i].spec.group;

	for (unsigned k = 0; group != PMU_NO_GROUP && k < i; k++)
		if (set->entry[k].spec.group == group)
			return set->entry[k].error ? NULL : &set->entry[k].event;
	return NULL;
}

unsigned evset_open(struct evset *set)
{
	unsigned open = 0;

	for (unsigned i = 0; i < set->n; i++) {
		struct evset_entry *e = &set->entry[i];
		struct perf_event_attr attr = e->spec.attr;
		struct pmu_event *leader = leader_of(set, i);

		attr.disabled = !leader;
		attr.enable_on_exec = !leader;
		e->why.text[0] = '\0';
		e->error = pmu_event_open(&e->event, &attr, TASK_PID, -1, leader, 0, &e->why);
		open += !e->error;
	}
	return open;
}

void evset_close(struct evset *set)
{
	/* Siblings before their leaders. */
	for (unsigned i = set->n; i-- > 0;)
		if (!set->entry[i].error)
			pmu_event_close(&set->entry[i].event);
}

void evset_complain(const struct evset *set, const char *who)
{
	for (unsigned i = 0; i < set->n; i++) {
		const struct evset_entry *e = &set->entry[i];
		bool told = !e->error;

		for (unsigned k = 0; k < i; k++)
			told |= set->entry[k].error && !strcmp(set->entry[k].why.text, e->why.text);
		if (!told)
			err("%s: %s: %s\n", who, e->spec.name, e->why.text);
	}
}
