// SPDX-License-Identifier: BSD-2-Clause
/*
 * shares.c - compares the shares that policies fair and perf give to groups of events with the best
 * possible shares. Loads are random, by number; GLPK finds the optimum. Prints a row of a Markdown
 * table for each class of loads.
 *
 *	shares [LOADS [CLASS]]	the table of LOADS (100) loads of each class; or the row of CLASS,
 *from 1 on shares lag LOADS SLICES	only how far groups fall behind their due with policy fair
 *	shares stuck		the same for loads that are hard to deal
 */
#include "lib/bits.h"
#include "pmu/sched/tick.h"
#include "tests/study/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE 4000 /* slices at most until the best mixture is known */
#define SLICES 4000 /* that are measured, then */

struct class
{
	const char *name;
	unsigned least, most; /* groups */
	bool worst_only;      /* all shares take the judge too long */
};

static const struct class classes[] = {
	{"3 to 10", 3, 10, false}, {"11 to 24", 11, 24, true}, {"25 to 48", 25, 48, true}};

#define NCLASSES (sizeof(classes) / sizeof(classes[0]))

struct load {
	struct judge_load judged;
	struct pmu_tick_event events[JUDGE_GROUPS][JUDGE_EVENTS];
	struct pmu_tick_group groups[JUDGE_GROUPS];
	struct pmu_tick_context contexts[PMU_TICK_CONTEXTS];
	struct pmu_fair fair;
	struct pmu_tick tick;
};

static struct load load;
static uint64_t seed;

static unsigned random_below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Most events can use any general counter. As on real CPUs, some need one of one or two, and some
 * can use a fixed counter, too. */
static uint64_t random_mask(unsigned general)
{
	switch (random_below(8)) {
	case 0:
		return 1ull << random_below(general);
	case 1:
		return 1ull << random_below(general) | 1ull << random_below(general);
	case 2:
		return 0xf;
	case 3:
		return bits_low(general) | 1ull << (32 + random_below(3));
	default:
		return bits_low(general);
	}
}

/* Returns whether each event from `i` on can have its own counter; otherwise the group never fits.
 */
static bool has_counters(const struct load *l, unsigned g, unsigned i, uint64_t used)
{
	if (i == l->judged.group[g].n)
		return true;
	for (uint64_t left = l->judged.group[g].mask[i] & ~used; left; left &= left - 1)
		if (has_counters(l, g, i + 1, used | (left & -left)))
			return true;
	return false;
}

static void draw_group(struct load *l, unsigned general, unsigned most)
{
	const unsigned g = l->judged.n;

	do {
		l->judged.group[g].n = 1 + random_below(most);
		for (unsigned i = 0; i < l->judged.group[g].n; i++)
			l->judged.group[g].mask[i] = random_mask(general);
	} while (!has_counters(l, g, 0, 0));
	l->judged.n++;
}

static void draw_load(struct load *l, const struct class *class, uint64_t number)
{
	unsigned general, most, groups;

	memset(l, 0, sizeof(*l));
	seed = number * 0x9e3779b97f4a7c15;
	random_below(2);
	general = random_below(2) ? 8 : 4;
	most = 1 + random_below(JUDGE_EVENTS);
	groups = class->least + random_below(class->most - class->least + 1);
	while (l->judged.n < groups)
		draw_group(l, general, most);
	l->tick.counters = bits_low(general) | 7ull << 32;
}

/* Resets the load to its state before the first decision. */
static void reset_load(struct load *l, bool fair)
{
	const uint64_t counters = l->tick.counters;

	memset(l->contexts, 0, sizeof(l->contexts));
	memset(&l->fair, 0, sizeof(l->fair));
	l->tick = (struct pmu_tick){.counters = counters,
				    .limits = PMU_UNLIMITED,
				    .assign = PMU_ASSIGN_DEFAULT,
				    .contexts = {&l->contexts[0], &l->contexts[1]},
				    .fair = fair ? &l->fair : NULL};
	for (unsigned g = 0; g < l->judged.n; g++) {
		l->groups[g] = (struct pmu_tick_group){.enabled = true};
		for (unsigned i = 0; i < l->judged.group[g].n; i++) {
			l->events[g][i] = (struct pmu_tick_event){
				.constraint = pmu_constraint(l->judged.group[g].mask[i], false),
				.hardware = true,
				.enabled = true,
				.counter = PMU_NO_COUNTER};
			pmu_tick_append(&l->groups[g], &l->events[g][i]);
		}
		pmu_tick_insert(&l->contexts[PMU_TICK_TASK], &l->groups[g]);
	}
}

static void run_slice(struct load *l)
{
	pmu_tick(&l->tick);
	if (l->tick.fair)
		pmu_tick_next(&l->tick);
	else
		pmu_tick_rotate(&l->contexts[PMU_TICK_TASK]);
}

/* Returns a group's position in the solver's order. */
static unsigned order_of(const struct load *l, unsigned g)
{
	for (unsigned i = 0; i < l->fair.n; i++)
		if (l->fair.group[i] == g)
			return i;
	abort();
}

static double due_of(const struct load *l, unsigned g)
{
	return (double)l->fair.due[order_of(l, g)].share / (double)PMU_FAIR_WHOLE;
}

/* Returns how many slices a group is behind its due since dealing began. */
static double lag_of(const struct load *l, unsigned g)
{
	const unsigned i = order_of(l, g);

	return l->fair.lag[i] + (double)l->fair.now[i] / (double)PMU_FAIR_WHOLE;
}

static void settle_load(const struct class *class, uint64_t number)
{
	draw_load(&load, class, number);
	reset_load(&load, true);
	for (unsigned i = 0; i < SETTLE && load.fair.phase != PMU_FAIR_DONE; i++)
		run_slice(&load);
}

/* Runs slices, and returns how many slices a group is behind its due at most. */
static double follow_lag(struct load *l, uint64_t slices)
{
	double due[JUDGE_GROUPS] = {0}, lag_then[JUDGE_GROUPS] = {0}, worst = 0;
	uint64_t before[JUDGE_GROUPS] = {0};

	for (unsigned g = 0; g < l->judged.n; g++) {
		due[g] = due_of(l, g);
		lag_then[g] = lag_of(l, g);
		before[g] = l->groups[g].served;
	}
	for (uint64_t slice = 1; slice <= slices; slice++) {
		run_slice(l);
		for (unsigned g = 0; g < l->judged.n; g++) {
			const double lag = lag_then[g] + (double)slice * due[g] -
					   (double)(l->groups[g].served - before[g]);

			worst = lag > worst ? lag : worst;
		}
	}
	return worst;
}

/* --- The tables --- */

struct figures {
	unsigned judged, optimal, at_optimum, ordered, as_judged, behind, perf_at_optimum;
	double most_behind, fair_least, perf_least, perf_sum;
};

static bool is_running(const struct load *l, unsigned g)
{
	return l->groups[g].wait == PMU_RUNS;
}

/* Returns the worst group's share of time with policy perf, in the long run. */
static double worst_by_perf(struct load *l)
{
	uint64_t ran[JUDGE_GROUPS] = {0}, least = UINT64_MAX;

	reset_load(l, false);
	for (unsigned slice = 0; slice < 10 * SLICES; slice++) {
		run_slice(l);
		for (unsigned g = 0; g < l->judged.n; g++)
			ran[g] += is_running(l, g);
	}
	for (unsigned g = 0; g < l->judged.n; g++)
		least = ran[g] < least ? ran[g] : least;
	return (double)least / (10 * SLICES);
}

static void note_least(double *least, double value)
{
	*least = value < *least ? value : *least;
}

static double least_due(const struct load *l)
{
	double least = 1;

	for (unsigned g = 0; g < l->judged.n; g++)
		note_least(&least, due_of(l, g));
	return least;
}

static bool same_shares(const struct load *l, const double *best)
{
	for (unsigned g = 0; g < l->judged.n; g++)
		if (fabs(best[g] - due_of(l, g)) > 1e-6)
			return false;
	return true;
}

static double least_of_all(const double *share, unsigned n)
{
	double least = 1;

	for (unsigned g = 0; g < n; g++)
		note_least(&least, share[g]);
	return least;
}

static void judge_load(struct figures *f, const struct class *class, struct load *l)
{
	const double given = least_due(l);
	double best[JUDGE_GROUPS], worst, perf;

	if (!judge_shares(&l->judged, best, class->worst_only))
		return;
	worst = least_of_all(best, class->worst_only ? 1 : l->judged.n);
	f->judged++;
	f->at_optimum += given > worst - 1e-6;
	f->as_judged += !class->worst_only && same_shares(l, best);
	note_least(&f->fair_least, given / worst);
	perf = worst_by_perf(l);
	f->perf_sum += perf / worst;
	f->perf_at_optimum += perf > worst - 1e-3;
	note_least(&f->perf_least, perf / worst);
}

static void study_load(struct figures *f, const struct class *class, uint64_t number)
{
	double lag;

	settle_load(class, number);
	f->optimal += load.fair.optimal;
	f->ordered += load.fair.ordered;
	if (load.fair.phase == PMU_FAIR_DONE) {
		lag = follow_lag(&load, SLICES);
		f->behind += lag > 1 + 1e-6;
		f->most_behind = lag > f->most_behind ? lag : f->most_behind;
	}
	judge_load(f, class, &load);
}

static void print_figures(const struct class *class, const struct figures *f)
{
	char same[16] = "-";

	if (!class->worst_only)
		snprintf(same, sizeof(same), "%u", f->as_judged);
	printf("| %s | %u | %u | %u | %.2f%% | %u | %s | %u | %.2f | %u | %.1f%% | %.1f%% |\n",
	       class->name, f->judged, f->optimal, f->at_optimum, 100 * f->fair_least, f->ordered,
	       same, f->behind, f->most_behind, f->perf_at_optimum, 100 * f->perf_sum / f->judged,
	       100 * f->perf_least);
}

static void tell_class(size_t c, unsigned loads)
{
	struct figures f = {.fair_least = 1, .perf_least = 1};

	for (unsigned i = 1; i <= loads; i++) {
		study_load(&f, &classes[c], 1000 * (c + 1) + i);
		if (i % 10 == 0)
			fprintf(stderr, "\rshares: %s groups, load %u of %u", classes[c].name, i,
				loads);
	}
	fprintf(stderr, "\n");
	print_figures(&classes[c], &f);
	fflush(stdout);
}

static int tell_shares(unsigned loads)
{
	puts("| groups | loads | fair: worst share proven | ... as GLPK has it | ... of that, least | "
	     "all shares proven | ... as GLPK has them | loads ever more than a slice behind | "
	     "slices behind, at most | perf: worst share as GLPK has it | ... of that, mean | ... least |");
	puts("|---|---|---|---|---|---|---|---|---|---|---|---|");
	for (size_t c = 0; c < NCLASSES; c++)
		tell_class(c, loads);
	return 0;
}

static double lag_of_load(const struct class *class, uint64_t number, uint64_t slices)
{
	settle_load(class, number);
	return follow_lag(&load, slices);
}

static int tell_lag(uint64_t loads, uint64_t slices)
{
	uint64_t behind = 0, worst_load = 0;
	double most = 0;

	for (uint64_t i = 1; i <= loads; i++) {
		const double lag = lag_of_load(&classes[0], 1000000 + i, slices);

		behind += lag > 1 + 1e-6;
		if (lag > most) {
			most = lag;
			worst_load = i;
		}
		if (i % 1000 == 0)
			fprintf(stderr, "\rshares: load %llu of %llu", (unsigned long long)i,
				(unsigned long long)loads);
	}
	printf("%llu loads of %s groups, %llu slices each: %llu ever more than a slice behind, at most "
	       "%.3f (load %llu)\n",
	       (unsigned long long)loads, classes[0].name, (unsigned long long)slices,
	       (unsigned long long)behind, most, (unsigned long long)worst_load);
	return 0;
}

/* On these loads a group once fell further behind with each slice. */
static int tell_stuck(void)
{
	static const uint64_t numbers[] = {2070, 2188, 2424, 2725, 2754, 2906};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		printf("load %llu of %s groups: at most %.3f slices behind in 64000\n",
		       (unsigned long long)numbers[i], classes[1].name,
		       lag_of_load(&classes[1], numbers[i], 64000));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "lag"))
		return tell_lag(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
	if (argc == 2 && !strcmp(argv[1], "stuck"))
		return tell_stuck();
	if (argc == 3 && strtoul(argv[2], NULL, 10) - 1 < NCLASSES) {
		tell_class(strtoul(argv[2], NULL, 10) - 1, (unsigned)strtoul(argv[1], NULL, 10));
		return 0;
	}
	if (argc <= 2)
		return tell_shares(argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 100);
	fprintf(stderr, "usage: shares [LOADS [CLASS]] | lag LOADS SLICES | stuck\n");
	return 2;
}
