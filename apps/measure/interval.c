// SPDX-License-Identifier: BSD-2-Clause
/* interval.c - see interval.h. */
#include "apps/measure/interval.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/mem/paging.h"
#include "rt/clock/hrtimer.h"

#include <linux/errno.h>
#include <stddef.h>

#define HEADING_EVERY 25 /* intervals, as perf has it */

static struct {
	const struct interval_options *options;
	const struct evset *set;
	const struct stat_groups *groups;
	struct pmu_value *before; /* by evset_index() */
	struct stat_line *lines;  /* behind it */
	uint64_t began, last;     /* ns by clock_ns(); 0: not yet */
	uint64_t printed;
	struct hrtimer timer;
} interval;

static unsigned lines_per_interval(void)
{
	return interval.set->n * interval.groups->n;
}

static size_t count_values(void)
{
	return (size_t)interval.set->n * interval.set->ntargets;
}

static size_t interval_pages(void)
{
	const size_t bytes = count_values() * sizeof(*interval.before) +
			     lines_per_interval() * sizeof(*interval.lines);

	return pages_of(bytes);
}

static void make_line(unsigned i, unsigned g)
{
	struct stat_series s = {0};

	if (interval.set->entry[i].open)
		stat_series_add(&s, interval.set, i, interval.groups, g, interval.options->scaling,
				interval.before);
	interval.lines[stat_groups_line(interval.groups, interval.set, i, g)] =
		stat_series_line(&s, interval.set, i, interval.groups, g);
}

/* The time of an interval stands in for the time of the run; other times are not counted. */
static void put_interval_time(unsigned i, unsigned g, uint64_t ns)
{
	struct stat_line *line =
		&interval.lines[stat_groups_line(interval.groups, interval.set, i, g)];
	const enum pmu_run_time time = pmu_run_time(line->attr);

	if (!time || line->state == STAT_NOT_SUPPORTED)
		return;
	line->state = time == PMU_RUN_ELAPSED ? STAT_COUNTED : STAT_NOT_COUNTED;
	line->mean = g ? 0 : ns;
}

static void print_interval(uint64_t now)
{
	const struct stat_time time = {.elapsed = now - interval.last};
	const struct stat_table table = {
		.title = "",
		.lines = interval.lines,
		.nlines = lines_per_interval(),
		.runs = 1,
		.times = &time,
		.ntimes = 1,
		.plain = interval.options->plain,
		.until = now - interval.began,
		.heading = interval.printed % HEADING_EVERY == 0,
	};

	for (unsigned i = 0; i < interval.set->n; i++)
		for (unsigned g = 0; g < interval.groups->n; g++) {
			make_line(i, g);
			put_interval_time(i, g, time.elapsed);
		}
	interval.last = now;
	interval.printed++;
	interval.options->print(&table, interval.options->how);
}

static bool is_over(void)
{
	return interval.options->most && interval.printed == interval.options->most;
}

/* The timer ends a whole number of periods after the begin. Periods that printing took longer than
 * are skipped. */
static void start_timer(void)
{
	const uint64_t gone = clock_ns() - interval.began;

	hrtimer_start_irqs_off(&interval.timer,
			       interval.options->period - gone % interval.options->period);
}

static void on_interval(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	print_interval(clock_ns());
	if (!is_over())
		start_timer();
}

int interval_prepare(const struct interval_options *options, const struct evset *set,
		     const struct stat_groups *groups)
{
	interval.options = options;
	interval.set = set;
	interval.groups = groups;
	interval.began = interval.printed = 0;
	interval.timer.fn = on_interval;
	interval.before = page_alloc(interval_pages());
	if (!interval.before)
		return -ENOMEM;
	interval.lines = (void *)(interval.before + count_values());
	for (size_t i = 0; i < count_values(); i++)
		interval.before[i] = (struct pmu_value){0};
	return 0;
}

void interval_begin(uint64_t since)
{
	interval.began = interval.last = since;
	start_timer();
}

void interval_stop(void)
{
	hrtimer_cancel(&interval.timer);
}

void interval_end(void)
{
	if (interval.began && !is_over())
		print_interval(clock_ns());
	page_free(interval.before, interval_pages());
}
