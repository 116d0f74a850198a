// SPDX-License-Identifier: BSD-2-Clause
/*
 * statfmt.c - the columns of perf stat: 18 for the count, 4 for the unit, 32 for the name, 35 for
 * the derived figure, then the share of time or the spread.
 *
 * Derived figures come from rows: an event, its base event (with the same rings), and the form of
 * the ratio. An event without a row of its own has the rate per second.
 */
#include "apps/portable/statfmt.h"

#include "apps/portable/statmetrics.h"
#include "include/perf0/truth.h"
#include "lib/math.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/kinds.h"
#include "lib/time.h"
#include "pmu/names/dynamic.h"
#include "rt/print/print.h"

#include <stddef.h>

#define CPUS_WIDTH   4 /* for the number of CPUs of a core or a package */
#define COUNT_WIDTH  18
#define UNIT_WIDTH   4
#define NAME_WIDTH   32
#define BLANK_WIDTH  25 /* for the name of an event without a count */
#define METRIC_WIDTH 35
#define RATE_DIGITS  1000000 /* fractions of a rate's unit that are distinguished */

#define LOADS(cache, result)                                              \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct metric {
	uint32_t type;
	uint64_t config;      /* the event of the figure */
	uint64_t base_config; /* the base event, of the same type */
	uint64_t factor;      /* the ratio is multiplied by this */
	unsigned decimals;
	unsigned width;
	const char *unit;
	bool of_misses; /* high ratios are highlighted */
	/* From this percentage on the figure is highlighted; 0: never. `whole` is the event that
	 * this one is a part of: its rest is printed after the figure, as `rest`; NULL: nothing. */
	uint8_t much;
	uint64_t whole;
	const char *rest;
};

#define MISSES(type, config, base, of)                                          \
	{                                                                       \
		type, config, base, 100, 2, 7, "% of all " of, true, 0, 0, NULL \
	}
#define CACHE_MISSES(cache, of) \
	MISSES(PERF_TYPE_HW_CACHE, LOADS(cache, MISS), LOADS(cache, ACCESS), of)

/* Shares of the slots by the metric's number, and metrics that are a part of another one. */
#define METRIC(n) UARCH_SELECT(0, UARCH_METRIC_UMASK + (n))
#define TOPDOWN(n, what, ...)                                                       \
	{                                                                           \
		PERF_TYPE_RAW, METRIC(n), UARCH_SLOTS, 100, 1, 8, "% " what, false, \
			.much = __VA_ARGS__                                         \
	}
#define TOPDOWN_PART(n, what, of, left) TOPDOWN(n, what, 0, .whole = METRIC(of), .rest = "% " left)

static const struct metric metrics[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, 1, 2, 7,
	 "  insn per cycle", false, 0, 0, NULL},
	MISSES(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES,
	       "cache refs"),
	MISSES(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	       "branches"),
	CACHE_MISSES(L1D, "L1-dcache accesses"),
	CACHE_MISSES(L1I, "L1-icache accesses"),
	CACHE_MISSES(LL, "LL-cache accesses"),
	CACHE_MISSES(DTLB, "dTLB cache accesses"),
	CACHE_MISSES(ITLB, "iTLB cache accesses"),
	TOPDOWN(0, "Retiring", 0),
	TOPDOWN(1, "Bad Speculation", 10),
	TOPDOWN(2, "Frontend Bound", 20),
	TOPDOWN(3, "Backend Bound", 20),
	TOPDOWN_PART(4, "Heavy Operations", 0, "Light Operations"),
	TOPDOWN_PART(5, "Branch Mispredict", 1, "Machine Clears"),
	TOPDOWN_PART(6, "Fetch Latency", 2, "Fetch Bandwidth"),
	TOPDOWN_PART(7, "Memory Bound", 3, "Core Bound"),
};

#define MOST_ALARM 3

/* The thresholds of perf for ratios of misses. */
static const struct {
	unsigned percent, alarm;
} alarms[] = {{20, MOST_ALARM}, {10, 2}, {5, 1}};

static unsigned alarm_of(const struct stat_figure *f)
{
	for (size_t i = 0; i < sizeof(alarms) / sizeof(alarms[0]); i++)
		if (f->value / f->base >= alarms[i].percent &&
		    f->value > f->base * alarms[i].percent)
			return alarms[i].alarm;
	return 0;
}

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
	if (pmu_run_time(attr))
		return "ns";
	if (!p || !p->unit)
		return NULL;
	*per = 1ull << p->fraction;
	return p->unit;
}

static bool same_rings(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel;
}

/* Whether both events counted in the same runs; a derived figure needs that. */
static bool ran_together(const struct stat_line *a, const struct stat_line *b)
{
	return a->pass == b->pass || a->pass == STAT_EACH_PASS || b->pass == STAT_EACH_PASS;
}

static bool same_cgroup(const struct stat_line *a, const struct stat_line *b)
{
	return !a->cgroup || !strcmp(a->cgroup, b->cgroup);
}

/* The event with this config and with the type of `like`. */
static const struct stat_line *find_counted(const struct stat_table *t,
					    const struct stat_line *like, uint64_t config)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];

		if (l->state == STAT_COUNTED && l->attr->type == like->attr->type &&
		    kinds_config(l->attr) == config && kinds_of(l->attr) == kinds_of(like->attr) &&
		    l->group == like->group && same_cgroup(l, like) &&
		    same_rings(l->attr, like->attr) && ran_together(l, like))
			return l;
	}
	return NULL;
}

static uint64_t line_clock(const struct stat_table *t, const struct stat_line *like)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];

		if (l->state == STAT_COUNTED && l->group == like->group && same_cgroup(l, like) &&
		    stat_is_clock(l->attr))
			return l->mean;
	}
	return 0;
}

uint64_t stat_elapsed(const struct stat_table *t)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < t->ntimes; i++)
		sum += t->times[i].elapsed;
	return sum / t->ntimes;
}

static const struct metric *find_metric(const struct stat_line *l)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (metrics[i].type == l->attr->type && metrics[i].config == kinds_config(l->attr))
			return &metrics[i];
	return NULL;
}

static bool ratio_figure(struct stat_figure *f, const struct stat_table *t,
			 const struct stat_line *l)
{
	const struct metric *m = find_metric(l);
	const struct stat_line *base = m ? find_counted(t, l, m->base_config) : NULL;

	if (!base || !base->mean)
		return false;
	*f = (struct stat_figure){
		l->mean * m->factor, base->mean, m->decimals, m->width, m->unit, 0};
	f->alarm = m->of_misses ? alarm_of(f) : 0;
	if (m->much && f->value / f->base >= m->much)
		f->alarm = MOST_ALARM;
	return true;
}

bool stat_rest_figure(struct stat_figure *f, const struct stat_table *t, const struct stat_line *l)
{
	const struct metric *m = find_metric(l);
	const struct stat_line *whole = m && m->rest ? find_counted(t, l, m->whole) : NULL;
	uint64_t left;

	if (!whole || !ratio_figure(f, t, l))
		return false;
	left = whole->mean > l->mean ? whole->mean - l->mean : 0;
	f->value = left * m->factor;
	f->unit = m->rest;
	return true;
}

/* Events per second of task time, with the unit that keeps the figure under 1000. */
static void rate_figure(struct stat_figure *f, uint64_t count, uint64_t ns)
{
	static const struct {
		const char *unit;
		uint64_t per; /* ns of clock to one unit */
	} units[] = {{" /sec", NSEC_PER_SEC}, {" K/sec", 1000000}, {" M/sec", 1000}, {" G/sec", 1}};
	unsigned u = 0;

	while (u < 3 && mul_div(count, units[u].per, ns) >= 1000)
		u++;
	*f = (struct stat_figure){mul_div(count, units[u].per * RATE_DIGITS, ns),
				  RATE_DIGITS,
				  3,
				  8,
				  units[u].unit,
				  0};
}

/* Modelled cycles are another time than the clock, unless the clock goes by them: their quotient is
 * no frequency. */
static bool is_of_other_time(const struct stat_table *t, const struct stat_line *l)
{
	const uint64_t config = kinds_config(l->attr);

	return l->truth == TRUTH_MODELLED && !t->of_model && l->attr->type == PERF_TYPE_HARDWARE &&
	       (config == PERF_COUNT_HW_CPU_CYCLES || config == PERF_COUNT_HW_REF_CPU_CYCLES);
}

bool stat_figure(struct stat_figure *f, const struct stat_table *t, const struct stat_line *l)
{
	uint64_t clock = line_clock(t, l), per;

	if (l->state != STAT_COUNTED || stat_metric_owns(t, l))
		return false;
	if (stat_is_clock(l->attr)) {
		*f = (struct stat_figure){l->mean, stat_elapsed(t), 3, 8, " CPUs utilized", 0};
		return true;
	}
	if (ratio_figure(f, t, l))
		return true;
	if (!clock || stat_unit(l->attr, &per) || is_of_other_time(t, l))
		return false;
	if (l->attr->type == PERF_TYPE_HARDWARE &&
	    kinds_config(l->attr) == PERF_COUNT_HW_CPU_CYCLES)
		*f = (struct stat_figure){l->mean, clock, 3, 8, " GHz", 0};
	else
		rate_figure(f, l->mean, clock);
	return true;
}

/* The number is highlighted, with the % at the begin of its unit. NULL: prints blanks. */
static void print_figure(const struct stat_figure *f)
{
	char number[32];
	int used = 0, percent;

	if (f) {
		fmt_ratio(number, sizeof(number), f->value, f->base, f->decimals);
		percent = *f->unit == '%';
		out(" # ");
		out_alarm(f->alarm, "%*s%.*s", (int)f->width, number, percent, f->unit);
		out("%s", f->unit + percent);
		used = (int)(sizeof(" # ") - 1 + strlen(f->unit) +
			     (strlen(number) > f->width ? strlen(number) : f->width));
	}
	out("%*s", METRIC_WIDTH > used ? METRIC_WIDTH - used : 0, "");
}

static void print_figures(const struct stat_table *t, const struct stat_line *l)
{
	struct stat_figure f;

	print_figure(stat_figure(&f, t, l) ? &f : NULL);
	if (stat_rest_figure(&f, t, l))
		print_figure(&f);
}

/* Puts commas between the thousands of a number of up to 20 digits before the point. */
static void put_commas(char *number, size_t size)
{
	size_t whole = 0;

	while (number[whole] >= '0' && number[whole] <= '9')
		whole++;
	while (whole > 3 && strlen(number) + 1 < size) {
		whole -= 3;
		memmove(number + whole + 1, number + whole, strlen(number + whole) + 1);
		number[whole] = ',';
	}
}

/* The width of the widest unit. */
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
	else if (per > 1)
		fmt_ratio(number, sizeof(number), l->mean, per, 2);
	else
		fmt_print(number, sizeof(number), "%llu", (unsigned long long)l->mean);
	if (l->state == STAT_COUNTED && !t->plain)
		put_commas(number, sizeof(number));
	out("%*s %-*s %-*s", COUNT_WIDTH, number, (int)unit_width(t), unit ? unit : "",
	    l->state == STAT_COUNTED ? NAME_WIDTH : BLANK_WIDTH, l->name);
	if (l->cgroup) {
		out(" ");
		print_plain(l->cgroup);
	}
}

/* "  ( +-  0.12% )"; a spread that is rounded to 0 differs from one of identical values. */
static void print_spread(uint64_t spread, bool identical)
{
	if (identical)
		out("  ( identical )");
	else
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

static void print_truth(enum truth truth)
{
	out("  [%s]", truth_name(truth));
}

static void print_time_of_interval(const struct stat_table *t)
{
	out("%6llu.%09llu ", (unsigned long long)(t->until / NSEC_PER_SEC),
	    (unsigned long long)(t->until % NSEC_PER_SEC));
}

static void print_metric(const struct stat_metric *m)
{
	int used = (int)(sizeof(" #  ") - 1 + strlen(m->label) +
			 (strlen(m->value) > 8 ? strlen(m->value) : 8));

	out(" # %8s ", m->value);
	print_plain(m->label);
	if (m->has_error) {
		out(" ±%s%%", m->error);
		used += (int)strlen(m->error) + 3;
	}
	out("%*s", METRIC_WIDTH > used ? METRIC_WIDTH - used : 0, "");
}

/* Metrics of an event beyond its first one have lines of their own. */
static void print_more_metrics(const struct stat_table *t, const struct stat_line *l, unsigned i)
{
	static struct stat_metric metric;

	while (stat_metric_next(t, l, &i, &metric)) {
		if (t->until)
			print_time_of_interval(t);
		print_label(l);
		out("%*s", (int)(COUNT_WIDTH + 1 + unit_width(t) + 1 + NAME_WIDTH), "");
		print_metric(&metric);
		out("\n");
	}
}

static void print_stat_line(const struct stat_table *t, const struct stat_line *l)
{
	static struct stat_metric metric;
	char share[32];
	unsigned i = 0;

	print_label(l);
	print_count(t, l);
	if (stat_metric_next(t, l, &i, &metric))
		print_metric(&metric);
	else
		print_figures(t, l);
	if (l->state == STAT_COUNTED && stat_has_spread(t, l))
		print_spread(l->spread, l->identical);
	if (l->state != STAT_NOT_SUPPORTED && l->running != l->enabled) {
		out("  (%s%%)", fmt_ratio(share, sizeof(share), l->running * 100, l->enabled, 2));
		if (l->state == STAT_COUNTED && l->has_error)
			out(" ±%s%%", fmt_ratio(share, sizeof(share), l->error, 100, 2));
		else if (l->state == STAT_COUNTED && l->unseen)
			out(" ±? %s", l->mean ? "one slice" : "none seen");
	}
	if (t->passes && l->state != STAT_NOT_SUPPORTED)
		print_pass(l->pass);
	if (l->state == STAT_COUNTED && l->truth > TRUTH_EXACT)
		print_truth((enum truth)l->truth);
	out("\n");
	print_more_metrics(t, l, i);
}

static void print_seconds(const struct stat_table *t, uint64_t ns, const char *what)
{
	char number[32];

	out(" %17s seconds %s", fmt_ratio(number, sizeof(number), ns, NSEC_PER_SEC, 9), what);
	if (t->of_host)
		print_truth(TRUTH_HOST);
	out("\n");
}

/* The number of digits of a second that show three digits of the deviation. */
static unsigned digits_for(uint64_t ns)
{
	unsigned digits = 9;

	for (; ns >= 1000 && digits; ns /= 10)
		digits--;
	return digits;
}

/* "0.123456 +- 0.000012 seconds time elapsed  ( +-  0.01% )" */
static void print_mean_time(const struct stat_table *t, unsigned pass, const char *what)
{
	const struct stat_time *time = &t->times[pass];
	uint64_t error = mul_div(time->elapsed, time->spread, 10000);
	unsigned decimals = digits_for(error);
	char mean[32], deviation[32];

	fmt_ratio(mean, sizeof(mean), time->elapsed, NSEC_PER_SEC, decimals);
	fmt_ratio(deviation, sizeof(deviation), error, NSEC_PER_SEC, decimals);
	out(" %17s +- %s seconds %s", mean, deviation, what);
	print_spread(time->spread, time->identical);
	if (t->of_host)
		print_truth(TRUTH_HOST);
	out("\n");
}

static void print_run_time(uint64_t ns, const struct stat_time *time, unsigned decimals)
{
	const bool more = ns >= time->elapsed;
	const uint64_t off = more ? ns - time->elapsed : time->elapsed - ns;
	uint64_t marks = ns ? 1 + off * 100 / ns / 5 : 1;
	char number[32], difference[32];

	fmt_ratio(number, sizeof(number), ns, NSEC_PER_SEC, decimals);
	fmt_ratio(difference, sizeof(difference), off, NSEC_PER_SEC, decimals);
	out(" %17s (%c%s) ", number, more ? '+' : '-', difference);
	while (marks--)
		out("#");
	out("\n");
}

/* perf's --table: a mark for each 5 % that a run is off the mean. */
static void print_each_time(const struct stat_table *t)
{
	const struct stat_time *time = &t->times[0];
	const unsigned decimals = digits_for(mul_div(time->elapsed, time->spread, 10000));
	char mean[32];
	int indent;

	fmt_ratio(mean, sizeof(mean), time->elapsed, NSEC_PER_SEC, decimals);
	indent = strlen(mean) < 17 ? 18 - (int)strlen(mean) : 1;
	out("%*s# Table of individual measurements:\n", indent, "");
	for (unsigned i = 0; i < t->runs; i++)
		print_run_time(t->each[i], time, decimals);
	out("\n%*s# Final result:\n", indent, "");
}

static void print_elapsed(const struct stat_table *t, unsigned pass)
{
	char what[32] = "time elapsed";

	if (t->passes)
		fmt_print(what, sizeof(what), "time elapsed in pass %u", pass + 1);
	if (t->each)
		print_each_time(t);
	if (t->runs > 1)
		print_mean_time(t, pass, what);
	else
		print_seconds(t, t->times[pass].elapsed, what);
}

static void print_times(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->ntimes; i++)
		print_elapsed(t, i);
	if (t->runs > 1 || t->passes || t->calls || t->of_cpus)
		return;
	out("\n");
	print_seconds(t, t->times->user, "user");
	print_seconds(t, t->times->sys, "sys");
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
		if (t->lines[i].state == STAT_NOT_COUNTED && t->lines[i].enabled &&
		    t->lines[i].attr->type != PERF_TYPE_SOFTWARE)
			return true;
	return false;
}

static bool took_turns(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];

		if ((l->state == STAT_COUNTED || l->state == STAT_NOT_COUNTED) &&
		    l->running != l->enabled)
			return true;
	}
	return false;
}

/* The headings of the columns of stat_label() and print_stat_line(). */
static const char *const headings[] = {
	[STAT_AGGR_ALL] = "",
	[STAT_AGGR_SOCKET] = " socket cpus",
	[STAT_AGGR_CORE] = " core            cpus",
	[STAT_AGGR_NONE] = " CPU       ",
};

static void print_heading(const struct stat_table *t)
{
	const struct stat_group *g = t->nlines ? t->lines[0].group : NULL;

	out("#           time%s             counts %*s events\n",
	    headings[g ? g->how : STAT_AGGR_ALL], (int)unit_width(t), "unit");
}

static void print_interval(const struct stat_table *t)
{
	if (t->heading)
		print_heading(t);
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].state != STAT_NOT_HERE) {
			print_time_of_interval(t);
			print_stat_line(t, &t->lines[i]);
		}
}

static bool has_modelled(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].state == STAT_COUNTED && t->lines[i].truth == TRUTH_MODELLED)
			return true;
	return false;
}

/* The sum of all runs. */
static void print_rowless(const struct stat_table *t)
{
	const struct stat_rowless *r = t->rowless;
	char count[32], share[32];

	if (!r || !r->count)
		return;
	fmt_print(count, sizeof(count), "%llu", (unsigned long long)r->count);
	if (!t->plain)
		put_commas(count, sizeof(count));
	fmt_ratio(share, sizeof(share), r->count * 100, r->instructions, 2);
	out("%s instructions (%s %%)%s have no row in the table of %s: %s\n", count, share,
	    t->runs > 1 || t->ntimes > 1 ? " of all runs" : "", r->core, r->mnemonics);
}

void stat_print(const struct stat_table *t)
{
	if (t->until) {
		print_interval(t);
		return;
	}
	print_stat_title(t);
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].state != STAT_NOT_HERE)
			print_stat_line(t, &t->lines[i]);
	if (t->nlines)
		out("\n");
	print_times(t);
	out("\n");
	if (t->core && *t->core && has_modelled(t))
		out("[modelled]: %s\n", t->core);
	print_rowless(t);
	if (t->may_pass && took_turns(t))
		out("Some events took turns: --passes counts all of them all the time, --no-mux "
		    "refuses them.\n");
	if (t->watchdog && hardware_waited(t))
		out("Some events weren't counted. Try disabling the NMI watchdog:\n"
		    "\twatchdog off\n\tstat ...\n\twatchdog on\n");
}
