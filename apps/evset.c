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
	const struct pmu_namer namer = {.uarch = uarch_by_name(pmu_info()->uarch)};
	struct pmu_parse_error error;
	int n = pmu_parse_events_named(list, &namer, specs, EVSET_MAX - set->n, &error);

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

/* The first of the same group. */
static struct evset_entry *first_of(struct evset *set, unsigned i)
{
	struct evset_entry *e = &set->entry[i];

	for (unsigned k = 0; e->spec.group != PMU_NO_GROUP && k < i; k++)
		if (set->entry[k].spec.group == e->spec.group)
			return &set->entry[k];
	return e;
}

static void open_entry(struct evset *set, unsigned i)
{
	struct evset_entry *e = &set->entry[i], *first = first_of(set, i);
	struct perf_event_attr attr = e->spec.attr;
	struct pmu_event *leader = NULL;

	if (first != e && !first->error && !e->alone)
		leader = &first->event;
	attr.disabled = !leader;
	attr.enable_on_exec = !leader;
	e->why.text[0] = '\0';
	do
		e->error = pmu_event_open(&e->event, &attr, TASK_PID, -1, leader, 0, &e->why);
	while (e->error == -EOPNOTSUPP && e->spec.most_precise && attr.precise_ip--);
	if (!e->error)
		pmu_event_set_name(&e->event, e->spec.name);
}

/* Its members are neighbours: closes those that are open, and returns where to begin again. */
static unsigned dissolve(struct evset *set, unsigned i)
{
	unsigned first = (unsigned)(first_of(set, i) - set->entry), n = first;

	while (n < set->n && set->entry[n].spec.group == set->entry[i].spec.group)
		set->entry[n++].alone = true;
	while (i-- > first)
		if (!set->entry[i].error)
			pmu_event_close(&set->entry[i].event);
	return first;
}

unsigned evset_open(struct evset *set)
{
	unsigned open = 0;

	for (unsigned i = 0; i < set->n; i++)
		set->entry[i].alone = false;
	for (unsigned i = 0; i < set->n;) {
		struct evset_entry *e = &set->entry[i];

		open_entry(set, i);
		if (e->error == -EINVAL && e->spec.weak && !e->alone && first_of(set, i) != e)
			i = dissolve(set, i);
		else
			i++;
	}
	for (unsigned i = 0; i < set->n; i++)
		open += !set->entry[i].error;
	return open;
}

void evset_close(struct evset *set)
{
	/* Siblings before their leaders. */
	for (unsigned i = set->n; i-- > 0;)
		if (!set->entry[i].error)
			pmu_event_close(&set->entry[i].event);
}

bool evset_fits(const char *who)
{
	struct pmu_reason why;

	if (!pmu_task_fits(task_events(), &why))
		return true;
	err("%s: --no-mux: not all events can count at the same time: %s\n", who, why.text);
	return false;
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
