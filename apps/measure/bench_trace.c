// SPDX-License-Identifier: BSD-2-Clause
/* bench_trace.c - see bench_trace.h. */
#include "apps/measure/bench_trace.h"

#include "arch/x86/mem/paging.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/number.h"
#include "pmu/core/freeze.h"
#include "rt/print/print.h"
#include "rt/run/progress.h"

#include <linux/errno.h>

#define WIDTH_LEAST 12 /* of a column */
#define MEAN_DIGITS 6

/* The results of one event at one cycle; no figures: the event was not measured there. */
struct cell {
	uint64_t n;
	int64_t figure[FIGURES];
};

static struct {
	struct evset *set;
	enum pmu_freeze freeze;
	bool whole, kernel;
	uint64_t from, to;       /* as asked for; 0: all */
	unsigned clock, retired; /* entries */
	bool is_known;           /* some pass has reported the range: */
	bool is_told;            /* this pass has reported it */
	struct bench_trace about;
	uint64_t steps; /* cycles that the program handed in, in all passes */
	unsigned passes;
	uint64_t at;           /* last cycle that the program handed in, in this pass */
	uint64_t by_nmi, late; /* measurements; cycles at most */
	struct cell *cell;     /* cycle after cycle, one for each entry */
	size_t pages;
} tr;

static struct cell *cell_of(uint64_t cycle, unsigned entry)
{
	return &tr.cell[(cycle - tr.about.from) * tr.set->n + entry];
}

/* --- Events --- */

static bool is_generic(const struct evset *set, unsigned i, uint64_t config)
{
	const struct perf_event_attr *attr = &set->entry[i].spec.attr;

	return attr->type == PERF_TYPE_HARDWARE && attr->config == config && !attr->precise_ip &&
	       set->entry[i].spec.group == PMU_NO_GROUP;
}

/* The entry that counts the event in each pass; negative: there is no room, and a line said so. */
static int find_or_add(struct evset *set, const char *name, uint64_t config)
{
	unsigned i = 0;

	while (i < set->n && !is_generic(set, i, config))
		i++;
	if (i == set->n && evset_add(set, "bench", name))
		return -EINVAL;
	set->entry[i].spec.attr.pinned = 1;
	return (int)i;
}

static bool is_countable(const struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++) {
		if (!set->entry[i].spec.attr.precise_ip)
			continue;
		err("bench: --trace: %s: precise events are recorded, not stopped\n",
		    set->entry[i].spec.name);
		return false;
	}
	return true;
}

static bool can_trace(bool kernel)
{
	if (kernel && !pmu_freeze_master().msr) {
		err("bench: --trace: in ring 0 it needs a master switch of all counters, which this "
		    "CPU does not have; ring 3 goes without\n");
		return false;
	}
	return true;
}

bool bench_trace_begin(struct evset *set, const struct bench_trace_choice *choice, bool kernel)
{
	int clock, retired;

	memset(&tr, 0, sizeof(tr));
	if (pmu_problem()) {
		err("bench: --trace: %s\n", pmu_problem());
		return false;
	}
	if (!is_countable(set) || !can_trace(kernel))
		return false;
	clock = find_or_add(set, "cycles", PERF_COUNT_HW_CPU_CYCLES);
	retired = clock < 0 ? -1 : find_or_add(set, "instructions", PERF_COUNT_HW_INSTRUCTIONS);
	if (retired < 0)
		return false;
	tr.set = set;
	tr.clock = (unsigned)clock;
	tr.retired = (unsigned)retired;
	tr.whole = choice->whole;
	tr.kernel = kernel;
	tr.freeze = choice->no_freeze ? PMU_FREEZE_NMI : pmu_freeze_kind();
	if (choice->range && *choice->range)
		number_range(choice->range, &tr.from, &tr.to);
	return true;
}

/* --- Exchange with the program --- */

static int take_trace(const struct bench_trace *trace)
{
	const uint64_t cycles = trace->to - trace->from + 1;

	if (tr.is_told)
		return -EBUSY;
	tr.is_told = true;
	if (tr.is_known)
		return 0;
	tr.about = *trace;
	tr.pages = pages_of(cycles * tr.set->n * sizeof(*tr.cell));
	tr.cell = page_alloc(tr.pages);
	if (!tr.cell)
		return -ENOMEM;
	memset(tr.cell, 0, tr.pages * PAGE_SIZE);
	tr.is_known = true;
	return 0;
}

static unsigned column_index(const unsigned *column, unsigned n, unsigned entry)
{
	unsigned i = 0;

	while (i < n && column[i] != entry)
		i++;
	return i;
}

void bench_trace_offer(struct bench_offer *offer, const unsigned *column, unsigned passes)
{
	struct bench_settings *s = &offer->settings;

	tr.is_told = false;
	tr.passes = passes;
	tr.at = 0;
	s->flags |= BENCH_TRACE | (tr.whole ? BENCH_WHOLE : 0);
	s->clock = column_index(column, s->nevents, tr.clock);
	s->instructions = column_index(column, s->nevents, tr.retired);
	s->from = tr.is_known ? tr.about.from : tr.from;
	s->to = tr.is_known ? tr.about.to : tr.to;
	s->begin = tr.about.begin;
	s->known = tr.is_known;
	for (unsigned i = 0; i < s->nevents; i++)
		offer->event[i] = evset_event(tr.set, column[i], 0);
	offer->freeze = tr.freeze;
	offer->take_trace = take_trace;
}

/* Notes how late the counters stopped. Where the CPU stops them, only while the code runs: the
 * instruction behind the code may take many cycles. */
static void note_late(int64_t cycles)
{
	if (cycles > 0 && (uint64_t)cycles > tr.late)
		tr.late = (uint64_t)cycles;
}

void bench_trace_cycle(const struct bench_result *result, const int64_t *values,
		       const unsigned *column, int64_t *sorted)
{
	const struct cell *clock, *retired;

	if (!tr.is_told || result->cycle < tr.about.from || result->cycle > tr.about.to)
		return;
	for (unsigned i = 0; i < result->nevents; i++) {
		struct cell *c = cell_of(result->cycle, column[i]);

		c->n = result->measurements;
		figures_of(c->figure, values, c->n, result->nevents, i, sorted);
	}
	clock = cell_of(result->cycle, tr.clock);
	retired = cell_of(result->cycle, tr.retired);
	if (tr.freeze == PMU_FREEZE_NMI ||
	    retired->figure[FIGURE_MIN] < (int64_t)tr.about.instructions)
		note_late(clock->figure[FIGURE_MAX] - (int64_t)result->cycle);
	tr.by_nmi += result->by_nmi;
	tr.at = result->cycle;
	progress_steps(++tr.steps, (tr.about.to - tr.about.from + 1) * tr.passes);
}

bool bench_trace_has_results(void)
{
	return tr.at;
}

/* --- Printing --- */

static uint64_t cycles_there(void)
{
	uint64_t n = 0;

	for (uint64_t cycle = tr.about.from; tr.cell && cycle <= tr.about.to; cycle++)
		n += cell_of(cycle, tr.clock)->n != 0;
	return n;
}

static void format_cell(char text[FIGURES_TEXT], const struct cell *c, enum figure f)
{
	const bool mean = f == FIGURE_MEAN;

	figures_format(text, c->figure[f], mean ? c->n : 1, mean ? MEAN_DIGITS : 0);
}

static void print_json_cell(uint64_t cycle, unsigned i, const struct cell *c)
{
	const struct evset_entry *e = &tr.set->entry[i];

	out("{\"benchmark\" : ");
	print_json_text(tr.about.name);
	out(", \"cycle\" : %llu, \"event\" : ", (unsigned long long)cycle);
	print_json_text(e->spec.name);
	for (unsigned f = 0; f < FIGURES; f++) {
		char text[FIGURES_TEXT];

		format_cell(text, c, (enum figure)f);
		out(", \"%s\" : %s", figure_names[f], text);
	}
	out(", \"measurements\" : %llu", (unsigned long long)c->n);
	if (*truth_name(e->truth))
		out(", \"truth\" : \"%s\"", truth_name(e->truth));
	if (tr.passes > 1 && e->pass != EVSET_EACH_PASS)
		out(", \"pass\" : %u", e->pass + 1u);
	out("}\n");
}

static void print_csv_cell_of(uint64_t cycle, unsigned i, const struct cell *c,
			      const char *separator)
{
	print_csv_cell(tr.about.name, separator);
	out("%s%llu%s", separator, (unsigned long long)cycle, separator);
	print_csv_cell(tr.set->entry[i].spec.name, separator);
	for (unsigned f = 0; f < FIGURES; f++) {
		char text[FIGURES_TEXT];

		format_cell(text, c, (enum figure)f);
		out("%s%s", separator, text);
	}
	out("\n");
}

static void print_cells(const struct bench_trace_form *form)
{
	for (uint64_t cycle = tr.about.from; cycle <= tr.about.to; cycle++)
		for (unsigned i = 0; i < tr.set->n; i++) {
			const struct cell *c = cell_of(cycle, i);

			if (!c->n)
				continue;
			if (form->json)
				print_json_cell(cycle, i, c);
			else
				print_csv_cell_of(cycle, i, c, form->separator);
		}
}

/* --- The table --- */

static void print_how(void)
{
	if (tr.freeze == PMU_FREEZE_NMI)
		out(" The NMI of the cycles' overflow read the counters");
	else
		out(" The CPU stopped all counters when the cycles overflowed");
	if (tr.late)
		out(", up to %llu cycle%s late", (unsigned long long)tr.late,
		    tr.late > 1 ? "s" : "");
	out(".\n");
	if (tr.freeze != PMU_FREEZE_NMI && tr.by_nmi)
		out(" It did not in %llu measurements, whose counters the NMI read.\n",
		    (unsigned long long)tr.by_nmi);
	if (tr.about.before || tr.about.begin)
		out(" Before the code: %llu instructions, %llu cycles, which are in no figure.\n",
		    (unsigned long long)tr.about.before, (unsigned long long)tr.about.begin);
}

static void print_head(const struct bench_trace_form *form)
{
	const uint64_t n = cell_of(tr.about.from, tr.clock)->n;

	out("\n %s: cycle by cycle, %llu measurements of each, %llu cop%s", tr.about.name,
	    (unsigned long long)n, (unsigned long long)form->copies,
	    form->copies > 1 ? "ies" : "y");
	if (form->turns)
		out(" in a loop of %llu turns", (unsigned long long)form->turns);
	out(", ring %u", form->kernel ? 0 : 3);
	if (form->passes > 1)
		out(", %u passes", form->passes);
	out("\n");
	print_how();
	out("\n");
}

static int column_width(unsigned i)
{
	const size_t n = strlen(tr.set->entry[i].spec.name);

	return n < WIDTH_LEAST ? WIDTH_LEAST : (int)n;
}

/* Prints the median, and the range if there is one. */
static void print_table_cell(const struct cell *c, int width, int only)
{
	char text[3 * FIGURES_TEXT], figure[FIGURES_TEXT];

	if (only != FIGURES) {
		format_cell(text, c, (enum figure)only);
	} else {
		format_cell(figure, c, FIGURE_MEDIAN);
		fmt_print(text, sizeof(text), "%s", figure);
		if (c->figure[FIGURE_MIN] != c->figure[FIGURE_MAX])
			fmt_print(text, sizeof(text), "%s (%lld-%lld)", figure,
				  (long long)c->figure[FIGURE_MIN],
				  (long long)c->figure[FIGURE_MAX]);
	}
	out("  %*s", width, c->n ? text : "-");
}

static void print_table(const struct bench_trace_form *form)
{
	print_head(form);
	out(" %8s", "cycle");
	for (unsigned i = 0; i < tr.set->n; i++)
		out("  %*s", column_width(i), tr.set->entry[i].spec.name);
	out("\n");
	for (uint64_t cycle = tr.about.from; cycle <= tr.about.to; cycle++) {
		if (!cell_of(cycle, tr.clock)->n)
			continue;
		out(" %8llu", (unsigned long long)cycle);
		for (unsigned i = 0; i < tr.set->n; i++)
			print_table_cell(cell_of(cycle, i), column_width(i), form->only);
		out("\n");
	}
	out("\n");
}

void bench_trace_print(const struct bench_trace_form *form)
{
	const uint64_t there = cycles_there(), all = tr.about.to - tr.about.from + 1;

	if (!there)
		return;
	if (form->json || form->separator)
		print_cells(form);
	else
		print_table(form);
	if (there < all)
		err("bench: --trace: %llu of %llu cycles were measured\n",
		    (unsigned long long)there, (unsigned long long)all);
}

void bench_trace_report(void)
{
	const struct bench_trace_form form = {.json = true};

	if (!cycles_there())
		return;
	print_to_host(true);
	print_cells(&form);
	print_to_host(false);
}

void bench_trace_end(void)
{
	if (tr.cell)
		page_free(tr.cell, tr.pages);
	memset(&tr, 0, sizeof(tr));
	progress_steps(0, 0);
}
