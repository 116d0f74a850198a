// SPDX-License-Identifier: BSD-2-Clause
/* regions.c - see regions.h. */
#include "apps/measure/regions.h"

#include "apps/measure/statgroup.h"
#include "rt/print/print.h"
#include "linux/perf/region.h"

_Static_assert(EVSET_MAX <= REGION_EVENTS, "a region counts all events of a set");

int regions_watch(const struct evset *set, const char *command)
{
	int bad = region_watch(set->n);

	if (bad)
		err("%s: no memory for regions\n", command);
	return bad;
}

void regions_follow(const struct evset *set)
{
	region_events(set->event, set->ntargets, !evset_is_for_cpu(set));
}

static struct stat_line region_line(const struct evset *set, unsigned i,
				    const struct region_count *count)
{
	const struct evset_entry *e = &set->entry[i];
	struct stat_line line = {
		.name = e->spec.name,
		.cgroup = evset_cgroup(set, i),
		.attr = &e->spec.attr,
		.state = e->error ? STAT_NOT_SUPPORTED : STAT_NOT_COUNTED,
		.truth = e->error ? 0 : e->truth,
		.mean = stat_scale_by_ratio(count->value, count->enabled, count->running),
		.enabled = count->enabled,
		.running = count->running,
		.event = (uint16_t)i,
	};

	/* Times of the run are not those of a region. */
	if (e->error || !count->running || pmu_run_time(&e->spec.attr))
		return line;
	line.state = STAT_COUNTED;
	return line;
}

unsigned regions_print(const struct evset *set,
		       void (*print)(const struct stat_table *table, const void *how),
		       const void *how)
{
	static struct stat_line lines[EVSET_MAX];
	const struct region *r;
	unsigned n = 0;

	for (unsigned i = 0; (r = region_at(i)); i++) {
		const struct stat_time time = {.elapsed = r->ns};
		const struct stat_table table = {
			.title = r->name,
			.calls = r->calls,
			.lines = lines,
			.nlines = set->n,
			.runs = 1,
			.times = &time,
			.ntimes = 1,
		};

		if (!r->calls)
			continue;
		for (unsigned k = 0; k < set->n; k++)
			lines[k] = region_line(set, k, &r->count[k]);
		print(&table, how);
		n++;
	}
	region_unwatch();
	return n;
}
