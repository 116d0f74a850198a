// SPDX-License-Identifier: BSD-2-Clause
/* chosen.c - see chosen.h. */
#include "tools/events/chosen.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "lib/words/cgroups.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/filter.h"
#include "pmu/names/parse.h"

static struct {
	struct events_machine machine;
	bool unknown;
	size_t n;
	struct pmu_event_spec spec[EVENTS_MOST];
	struct pmu_filter filter[EVENTS_MOST];
	struct cgroup_names cgroups, each;
} chosen;

void chosen_begin(const struct events_machine *machine)
{
	chosen.machine = *machine;
	chosen.unknown = !machine->uarch || !machine->image;
	chosen.n = 0;
	chosen.cgroups.n = chosen.each.n = 0;
}

void chosen_list(const char *list)
{
	int n = chosen.unknown ? -EINVAL
			       : events_parse(list, &chosen.machine, chosen.spec + chosen.n,
					      EVENTS_MOST - chosen.n);

	chosen.unknown |= n < 0;
	for (int i = 0; i < n; i++)
		chosen.filter[chosen.n++].event = NULL;
}

/* Returns the tracepoint of an event, whose id is its number in the image's table, from 1. */
static const struct trace_event *tracepoint_of(const struct pmu_event_spec *spec)
{
	const struct registered *image = chosen.machine.image;
	const uint64_t id = spec->attr.config;

	return spec->attr.type == PERF_TYPE_TRACEPOINT && id && id <= image->ntracepoints
		       ? &image->tracepoint[id - 1]
		       : NULL;
}

int chosen_filter(const char *text, struct reason *why)
{
	size_t i = chosen.n;
	bool more = true;
	int err = 0;

	if (chosen.unknown)
		return 0;
	if (!i)
		return refuse(why, EINVAL, "--filter %s: no event is before it", text);
	while (more && !err) {
		i--;
		err = pmu_filter_event(&chosen.filter[i], &chosen.spec[i],
				       tracepoint_of(&chosen.spec[i]), text, why);
		more = chosen.spec[i].more;
	}
	return err;
}

int chosen_cgroups(const char *list, struct reason *why)
{
	const size_t n = chosen.unknown ? EVENTS_MOST : chosen.n;

	return cgroup_names_for_events(&chosen.cgroups, list, (unsigned)n, why);
}

int chosen_for_each_cgroup(const char *list, struct reason *why)
{
	return cgroup_names_for_each(&chosen.each, list, why);
}

int chosen_fit(struct reason *why)
{
	return cgroup_names_times(&chosen.each, (unsigned)chosen.n, EVENTS_MOST, why);
}

bool chosen_known(void)
{
	return !chosen.unknown;
}

bool chosen_traces(void)
{
	for (size_t i = 0; i < chosen.n; i++)
		if (chosen.spec[i].attr.type == PMU_TYPE_STEP_TRACE)
			return true;
	return false;
}

int chosen_tracepoints(struct reason *why)
{
	for (size_t i = 0; i < chosen.n; i++)
		if (chosen.spec[i].attr.type != PERF_TYPE_TRACEPOINT)
			return refuse(why, EINVAL,
				      "%s is no tracepoint; `list` shows those that there are",
				      chosen.spec[i].name);
	return 0;
}
