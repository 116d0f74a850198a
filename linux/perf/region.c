// SPDX-License-Identifier: BSD-2-Clause
/* region.c - see linux/perf/region.h. A task owns its open regions. The sums are over all tasks,
 * under a lock. */
#include "linux/perf/region.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/dev/tsc.h"
#include "lib/lock.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"

#include <linux/errno.h>
#include <stdbool.h>

struct open_region {
	struct region *region; /* NULL: free */
	uint64_t since;        /* ns */
	struct region_count count[REGION_EVENTS];
};

struct region_stack {
	struct open_region open[PERF0_REGIONS_OPEN];
};

#define STACK_PAGES ((sizeof(struct region_stack) + PAGE_SIZE - 1) / PAGE_SIZE)

struct watch {
	struct pmu_event *events;
	unsigned nevents, ntargets, nregions;
	bool of_tasks;
	struct region region[REGIONS_MAX];
};

#define WATCH_PAGES ((sizeof(struct watch) + PAGE_SIZE - 1) / PAGE_SIZE)

static struct watch *watch; /* NULL: no command measures regions */
static struct lock lock;    /* guards the regions of `watch` */

int region_watch(unsigned n)
{
	watch = page_alloc(WATCH_PAGES);
	if (!watch)
		return -ENOMEM;
	watch->nevents = n < REGION_EVENTS ? n : REGION_EVENTS;
	return 0;
}

void region_events(struct pmu_event *events, unsigned ntargets, bool of_tasks)
{
	watch->of_tasks = of_tasks;
	watch->events = events;
	watch->ntargets = events ? ntargets : 0;
}

void region_unwatch(void)
{
	if (watch)
		page_free(watch, WATCH_PAGES);
	watch = NULL;
}

const struct region *region_at(unsigned i)
{
	return watch && i < watch->nregions ? &watch->region[i] : NULL;
}

/* Finds or adds a region; NULL: there are too many. */
static struct region *region_by_name(const char *name)
{
	struct region *r = NULL;

	lock_take(&lock);
	for (unsigned i = 0; !r && i < watch->nregions; i++)
		if (!strcmp(watch->region[i].name, name))
			r = &watch->region[i];
	if (!r && watch->nregions < REGIONS_MAX) {
		r = &watch->region[watch->nregions++];
		memcpy(r->name, name, strlen(name) + 1);
	}
	lock_release(&lock);
	return r;
}

/* Sums the event over all of its targets. */
static struct region_count event_count(unsigned event)
{
	struct region_count sum = {0};

	for (unsigned t = 0; t < watch->ntargets; t++) {
		struct pmu_event *e = &watch->events[(size_t)t * watch->nevents + event];
		struct pmu_value v;

		if (!e->context)
			continue;
		if (watch->of_tasks)
			pmu_event_read_of_task(e, &v);
		else
			pmu_event_read(e, &v);
		sum.value += v.value;
		sum.enabled += v.time_enabled;
		sum.running += v.time_running;
	}
	return sum;
}

static void read_region_counts(struct region_count *count)
{
	for (unsigned i = 0; i < watch->nevents; i++)
		count[i] = event_count(i);
}

/* The counters are read last, so that the region excludes the cost of its begin. */
static void begin_region(struct open_region *o, struct region *r)
{
	o->region = r;
	o->since = clock_ns();
	read_region_counts(o->count);
}

static struct open_region *find_open(struct region_stack *stack, const struct region *r)
{
	for (unsigned i = 0; stack && i < PERF0_REGIONS_OPEN; i++)
		if (stack->open[i].region == r)
			return &stack->open[i];
	return NULL;
}

int region_begin(struct region_stack **stack, const char *name)
{
	struct open_region *o;
	struct region *r;

	if (!watch)
		return 0;
	if (!*stack)
		*stack = page_alloc_user(STACK_PAGES);
	if (!*stack)
		return -ENOMEM;
	r = region_by_name(name);
	if (r && find_open(*stack, r))
		return -EBUSY;
	o = r ? find_open(*stack, NULL) : NULL;
	if (!o)
		return -ENOSPC;
	begin_region(o, r);
	return 0;
}

static void add_up(const struct open_region *o, const struct region_count *now, uint64_t ns)
{
	struct region *r = o->region;

	lock_take(&lock);
	r->calls++;
	r->ns += ns;
	for (unsigned i = 0; i < watch->nevents; i++) {
		r->count[i].value += now[i].value - o->count[i].value;
		r->count[i].enabled += now[i].enabled - o->count[i].enabled;
		r->count[i].running += now[i].running - o->count[i].running;
	}
	lock_release(&lock);
}

/* The counters are read first, so that the region excludes the cost of its end. */
int region_end(struct region_stack **stack, const char *name)
{
	struct region_count now[REGION_EVENTS];
	struct open_region *o;
	uint64_t ns;

	if (!watch)
		return 0;
	read_region_counts(now);
	ns = clock_ns();
	o = find_open(*stack, region_by_name(name));
	if (!o || !o->region)
		return -ENOENT;
	add_up(o, now, ns - o->since);
	o->region = NULL;
	return 0;
}

void region_leave(struct region_stack **stack)
{
	if (*stack)
		page_free(*stack, STACK_PAGES);
	*stack = NULL;
}
