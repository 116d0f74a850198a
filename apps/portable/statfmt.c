// SPDX-License-Identifier: BSD-2-Clause
/*
 * statfmt.c - columns as perf stat has them: 18 for the count, 4 for the unit, 32 for the name, 35
 * for the derived figure, then the share of time or the spread.
 *
 * Derived figures come from rows: an event, the event that it is set against (with the same rings),
 * and how the ratio is shown. An event without a row of its own is given by the second.
 */
#include "apps/portable/statfmt.h"

#include "lib/math.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "pmu/names/dynamic.h"
#include "rt/console/print.h"

#include <stddef.h>

#define CPUS_WIDTH   4 /* of the number of CPUs of a core or a package */
#define COUNT_WIDTH  18
#define UNIT_WIDTH   4
#define NAME_WIDTH   32
#define BLANK_WIDTH  25 /* of the name of an event without a count */
#define METRIC_WIDTH 35
#define RATE_DIGITS  1000000 /* so many parts of a rate's unit are told apart */

struct metric {
	uint64_t config;      /* of PERF_TYPE_HARDWARE: what the figure is told of */
	uint64_t base_config; /* what it is set against */
	uint64_t factor;      /* the ratio times this */
	unsigned decimals;
	unsigned width;
	const char *unit;
};

static const struct metric metrics[] = {
	{PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, 1, 2, 7, "  insn per cycle"},
	{PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, 100, 2, 7,
	 "% of all cache refs"},
	{PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 100, 2, 7,
	 "% of all branches"},
};

bool stat_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

const char *stat_unit(const struct perf_event_attr *attr, uint64_t *per)
{
	const struct dynamic_pmu *p = dynamic_pmu_of(attr->type);

	*per = 1;
	if (stat_is_clock(attr)) {
		*per = NSEC_PER_MS;
		return "msec";
	}
	if (!p || !p->unit)
		return NULL;
	*per = 1ull << p->fraction;
	return p->unit;
}

static bool same_rings(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel;
}

/* In the same runs; figures are told of such only. */
static bool ran_together(const struct stat_line *a, const struct stat_line *b)
{
	return a->pass == b->pass || a->pass == STAT_EACH_PASS || b->pass == STAT_EACH_PASS;
}

static const struct stat_line *find_counted(const struct stat_table *t,
					    const struct stat_line *like, uint64_t config)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];

		if (l->state == STAT_COUNTED && l->attr->type == PERF_TYPE_HARDWARE &&
		    l->attr->config == config && l->group == like->group &&
		    same_rings(l->attr, like->attr) && ran_together(l, like))
			return l;
	}
	return NULL;
}

static uint64_t line_clock(const struct stat_table *t, const struct stat_line *like)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];

		if (l->state == STAT_COUNTED && l->group == like->group && stat_is_clock(l->attr))
			return l->mean;
	}
	return 0;
}

/* The mean over all passes. */
static uint64_t table_elapsed(const struct stat_table *t)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < t->ntimes; i++)
		sum += t->times[i].elapsed;
	return sum / t->ntimes;
}

static bool ratio_figure(struct stat_figure *f, const struct stat_table *t,
			 const struct stat_line *l)
{
	if (l->attr->type != PERF_TYPE_HARDWARE)
		return false;
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		const struct metric *m = &metrics[i];
		const struct stat_line *base;

		if (m->config != l->attr->config)
			continue;
		base = find_counted(t, l, m->base_config);
		if (!base || !base->mean)
			return false;
		*f = (struct stat_figure){l->mean * m->factor, base->mean, m->decimals, m->width,
					  m->unit};
		return true;
	}
	return false;
}

/* Events a second of task time, with the unit that keeps the figure under 1000. */
static void rate_figure(struct stat_figure *f, uint64_t count, uint64_t ns)
{
	static const struct {
		const char *unit;
		uint64_t per; /* ns of clock to one unit */
	} units[] = {{" /sec", NSEC_PER_SEC}, {" K/sec", 1000000}, {" M/sec", 1000}, {" G/sec", 1}};
	unsigned u = 0;

	while (u < 3 && mul_div(count, units[u].per, ns) >= 1000)
		u++;
	*f = (struct stat_figure){mul_div(count, units[u].per * RATE_DIGITS, ns), RATE_DIGITS, 3, 8,
				  units[u].unit};
}

bool stat_figure(struct stat_figure *f, const struct stat_table *t, const struct stat_line *l)
{
	uint64_t clock = line_clock(t, l), per;

	if (l->state != STAT_COUNTED)
		return false;
	if (stat_is_clock(l->attr)) {
		*f = (struct stat_figure){l->mean, table_elapsed(t), 3, 8, " CPUs utilized"};
		return true;
	}
	if (ratio_figure(f, t, l))
		return true;
	if (!clock || stat_unit(l->attr, &per))
		return false;
	if (l->attr->type == PERF_TYPE_HARDWARE && l->attr->config == PERF_COUNT_HW_CPU_CYCLES)
		*f = (struct stat_figure){l->mean, clock, 3, 8, " GHz"};
	else
		rate_figure(f, l->mean, clock);
	return true;
}

static int figure_text(char *buf, size_t size, const struct stat_table *t,
		       const struct stat_line *l)
{
	struct stat_figure f;
	char number[32];

	if (!stat_figure(&f, t, l))
		return 0;
	fmt_ratio(number, sizeof(number), f.value, f.base, f.decimals);
	return fmt_print(buf, size, " # %*s%s", (int)f.width, number, f.unit);
}

/* Of the widest one. */
static unsigned unit_width(const struct stat_table *t)
{
	unsigned width = UNIT_WIDTH;

	for (unsigned i = 0; i < t->nlines; i++) {
		uint64_t per;
		const char *unit = stat_unit(t->lines[i].attr, &per);

		if (unit && strlen(unit) > width)
			width = (unsigned)strlen(unit);
	}
	return width;
}

static void print_count(const struct stat_table *t, const struct stat_line *l)
{
	static const char *const unknown[] = {
		[STAT_NOT_COUNTED] = "<not counted>",
		[STAT_NOT_SUPPORTED] = "<not supported>",
	};
	char number[32];
	uint64_t per;
	const char *unit = stat_unit(l->attr, &per);

	if (l->state != STAT_COUNTED)
		fmt_print(number, sizeof(number), "%s", unknown[l->state]);
	else if (unit)
		fmt_ratio(number, sizeof(number), l->mean, per, 2);
	else
		fmt_print(number, sizeof(number), "%'llu", (unsigned long long)l->mean);
	out("%*s %-*s %-*s", COUNT_WIDTH, number, (int)unit_width(t), unit ? unit : "",
	    l->state == STAT_COUNTED ? NAME_WIDTH : BLANK_WIDTH, l->name);
}

/* "  ( +-  0.12% )" */
static void print_spread(uint64_t spread)
{
	out("  ( +-%3llu.%02llu%% )", (unsigned long long)spread / 100,
	    (unsigned long long)spread % 100);
}

bool stat_has_spread(const struct stat_table *t, const struct stat_line *l)
{
	return t->runs > 1 || (t->passes > 1 && l->pass == STAT_EACH_PASS);
}

static void print_pass(uint8_t pass)
{
	if (pass == STAT_EACH_PASS)
		out("  [each pass]");
	else
		out("  [pass %u]", pass + 1u);
}

unsigned stat_label(char *text, const struct stat_line *l)
{
	const struct stat_group *g = l->group;

	text[0] = '\0';
	if (!g)
		return 0;
	switch (g->how) {
	case STAT_AGGR_NONE:
		fmt_print(text, STAT_LABEL_MAX, "CPU%d", g->cpu);
		return sizeof("CPU") - 1 + 7;
	case STAT_AGGR_CORE:
		fmt_print(text, STAT_LABEL_MAX, "S%u-D0-C%u", g->package, g->core);
		return sizeof("S0-D0-C") - 1 + 8;
	case STAT_AGGR_SOCKET:
		fmt_print(text, STAT_LABEL_MAX, "S%u", g->package);
		return sizeof("S") - 1 + 5;
	default:
		return 0;
	}
}

static void print_label(const struct stat_line *l)
{
	char label[STAT_LABEL_MAX];
	const unsigned width = stat_label(label, l);

	if (!width)
		return;
	out("%-*s ", (int)width, label);
	if (l->group->how != STAT_AGGR_NONE)
		out("%*u ", CPUS_WIDTH, l->group->ncpus);
}

static void print_stat_line(const struct stat_table *t, const struct stat_line *l)
{
	char metric[64];
	char share[32];
	int n = figure_text(metric, sizeof(metric), t, l);

	print_label(l);
	print_count(t, l);
	out("%.*s%*s", n, metric, METRIC_WIDTH - n, "");
	if (l->state == STAT_COUNTED && stat_has_spread(t, l))
		print_spread(l->spread);
	if (l->state != STAT_NOT_SUPPORTED && l->running != l->enabled) {
		out("  (%s%%)", fmt_ratio(share, sizeof(share), l->running * 100, l->enabled, 2));
		if (l->state == STAT_COUNTED && l->has_error)
			out(" ±%s%%", fmt_ratio(share, sizeof(share), l->error, 100, 2));
	}
	if (t->passes && l->state != STAT_NOT_SUPPORTED)
		print_pass(l->pass);
	out("\n");
}

static void print_seconds(uint64_t ns, const char *what)
{
	char number[32];

	out(" %17s seconds %s\n", fmt_ratio(number, sizeof(number), ns, NSEC_PER_SEC, 9), what);
}

/* As many digits after the point of a second as show three of the deviation. */
static unsigned digits_for(uint64_t ns)
{
	unsigned digits = 9;

	for (; ns >= 1000 && digits; ns /= 10)
		digits--;
	return digits;
}

/* "0.123456 +- 0.000012 seconds time elapsed  ( +-  0.01% )" */
static void print_mean_time(const struct stat_time *time, const char *what)
{
	uint64_t error = mul_div(time->elapsed, time->spread, 10000);
	unsigned decimals = digits_for(error);
	char mean[32], deviation[32];

	fmt_ratio(mean, sizeof(mean), time->elapsed, NSEC_PER_SEC, decimals);
	fmt_ratio(deviation, sizeof(deviation), error, NSEC_PER_SEC, decimals);
	out(" %17s +- %s seconds %s", mean, deviation, what);
	print_spread(time->spread);
	out("\n");
}

static void print_elapsed(const struct stat_table *t, unsigned pass)
{
	char what[32] = "time elapsed";

	if (t->passes)
		fmt_print(what, sizeof(what), "time elapsed in pass %u", pass + 1);
	if (t->runs > 1)
		print_mean_time(&t->times[pass], what);
	else
		print_seconds(t->times[pass].elapsed, what);
}

static void print_times(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->ntimes; i++)
		print_elapsed(t, i);
	if (t->runs > 1 || t->passes || t->calls || t->of_cpus)
		return;
	out("\n");
	print_seconds(t->times->user, "user");
	print_seconds(t->times->sys, "sys");
}

static void print_stat_title(const struct stat_table *t)
{
	if (t->calls) {
		out(" Region '");
		print_plain(t->title);
		out("', %'llu call%s:\n\n", (unsigned long long)t->calls, t->calls > 1 ? "s" : "");
		return;
	}
	out("\n Performance counter stats for ");
	if (t->passes)
		out("%u pass%s of ", t->passes, t->passes > 1 ? "es" : "");
	out("'");
	print_plain(t->title);
	out("'");
	if (t->passes > t->least)
		out(" (%u %s needed at least)", t->least, t->least > 1 ? "are" : "is");
	else if (t->passes > 1)
		out(" (fewer are not possible)");
	if (t->runs > 1)
		out(" (%u runs%s)", t->runs, t->passes > 1 ? " each" : "");
	out(":\n\n");
}

static bool hardware_waited(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].state == STAT_NOT_COUNTED &&
		    t->lines[i].attr->type != PERF_TYPE_SOFTWARE)
			return true;
	return false;
}

void stat_print(const struct stat_table *t)
{
	print_stat_title(t);
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].state != STAT_NOT_HERE)
			print_stat_line(t, &t->lines[i]);
	out("\n");
	print_times(t);
	out("\n");
	if (t->watchdog && hardware_waited(t))
		out("Some events weren't counted. Try disabling the NMI watchdog:\n"
		    "\twatchdog off\n\tstat ...\n\twatchdog on\n");
}

uint64_t stat_spread(const uint64_t *values, unsigned n, uint64_t mean)
{
	uint64_t largest = 0, sum = 0, error;
	unsigned shift = 0;

	if (n < 2 || !mean)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		uint64_t d = values[i] > mean ? values[i] - mean : mean - values[i];

		largest = d > largest ? d : largest;
	}
	/* Squares of 24 bits, 2^16 of them at most, fit in the sum. */
	while (largest >> shift >> 24)
		shift++;
	for (unsigned i = 0; i < n; i++) {
		uint64_t d = values[i] > mean ? values[i] - mean : mean - values[i];

		sum += (d >> shift) * (d >> shift);
	}
	/* Standard error = sqrt(sum / (n - 1) / n); 2^16 more under the root keep its digits. */
	error = sum >> 47 ? int_sqrt(sum / (n - 1) / n) << 8 : int_sqrt((sum << 16) / (n - 1) / n);
	return mul_div(error, 10000ull << shift, mean << 8 >> 8 == mean ? mean << 8 : UINT64_MAX);
}
