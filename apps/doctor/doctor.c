// SPDX-License-Identifier: BSD-2-Clause
/* doctor.c - see doctor.h. */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/printf.h"
#include "lib/string.h"

#include <stdarg.h>

static const struct {
	const struct doctor_check *rows;
	const size_t *n;
} tables[] = {
	{doctor_counter_checks, &doctor_ncounter_checks},
	{doctor_overflow_checks, &doctor_noverflow_checks},
	{doctor_sample_checks, &doctor_nsample_checks},
	{doctor_rule_checks, &doctor_nrule_checks},
	{doctor_kernel_checks, &doctor_nkernel_checks},
	{doctor_clock_checks, &doctor_nclock_checks},
};

static const char *const groups[DOCTOR_GROUPS] = {
	[DOCTOR_COUNTERS] = "counters", [DOCTOR_OVERFLOW] = "overflow",
	[DOCTOR_SAMPLES] = "samples",   [DOCTOR_RULES] = "rules",
	[DOCTOR_KERNELS] = "kernels",   [DOCTOR_CLOCKS] = "clocks",
};

static const char *const states[DOCTOR_STATES] = {
	[DOCTOR_RIGHT] = "right",
	[DOCTOR_WRONG] = "wrong",
	[DOCTOR_ABSENT] = "not there",
	[DOCTOR_SKIPPED] = "skipped",
};

static struct doctor_report report;

/* --- Verdicts --- */

#define VERDICT(name, is)                                                     \
	void doctor_##name(struct doctor_verdict *v, const char *format, ...) \
	{                                                                     \
		va_list args;                                                 \
                                                                              \
		v->state = is;                                                \
		va_start(args, format);                                       \
		fmt_vprint(v->text, sizeof(v->text), format, args);           \
		va_end(args);                                                 \
	}
VERDICT(right, DOCTOR_RIGHT)
VERDICT(wrong, DOCTOR_WRONG)
VERDICT(absent, DOCTOR_ABSENT)
#undef VERDICT

#define HUNDREDTHS 100

void doctor_compare(struct doctor_verdict *v, const char *what, uint64_t measured,
		    uint64_t expected)
{
	const uint64_t times = expected ? (measured * HUNDREDTHS + expected / 2) / expected : 0;

	v->has_figures = true;
	v->measured = measured;
	v->expected = expected;
	if (measured == expected)
		doctor_right(v, "%s: %llu", what, (unsigned long long)measured);
	else
		doctor_wrong(v, "%llu.%02llu times: %s: %llu for %llu",
			     (unsigned long long)(times / HUNDREDTHS),
			     (unsigned long long)(times % HUNDREDTHS), what,
			     (unsigned long long)measured, (unsigned long long)expected);
}

/* --- The table --- */

/* The reason why a check cannot run here; NULL: it can. */
static const char *lacks(const struct doctor *d, enum doctor_need need)
{
	if (need != DOCTOR_NEEDS_NOTHING && pmu_problem())
		return pmu_problem();
	if (need == DOCTOR_NEEDS_INTEL && d->caps->vendor != CPU_VENDOR_INTEL)
		return "only Intel's CPUs have it";
	if (need == DOCTOR_NEEDS_AMD && d->caps->vendor != CPU_VENDOR_AMD)
		return "only AMD's CPUs have it";
	return NULL;
}

/* A check from which the firmware takes a counter is repeated on the others. */
static void run_undisturbed(const struct doctor *d, const struct doctor_check *check,
			    struct doctor_verdict *v)
{
	const uint64_t borrowed = pmu_firmware().borrowed;

	check->run(d, v);
	if (v->state != DOCTOR_WRONG || pmu_firmware().borrowed == borrowed)
		return;
	*v = (struct doctor_verdict){.state = DOCTOR_ABSENT};
	check->run(d, v);
}

/* --- Other CPUs --- */

struct elsewhere {
	const struct doctor *d;
	const struct doctor_check *check;
	struct doctor_verdict verdict;
};

static void run_elsewhere(void *arg)
{
	struct elsewhere *e = arg;

	e->verdict = (struct doctor_verdict){.state = DOCTOR_ABSENT};
	if (pmu_problem())
		doctor_absent(&e->verdict, "%s", pmu_problem());
	else
		run_undisturbed(e->d, e->check, &e->verdict);
}

/* Puts the CPU's number before the sentence. */
static void name_cpu(struct doctor_verdict *v, unsigned cpu)
{
	char text[DOCTOR_TEXT];

	memcpy(text, v->text, sizeof(text));
	fmt_print(v->text, sizeof(v->text), "CPU %u: %s", cpu, text);
}

static void add_cpus(struct doctor_verdict *v, unsigned n)
{
	const size_t used = strlen(v->text);

	fmt_print(v->text + used, sizeof(v->text) - used, ", on each of %u CPUs", n);
}

/* The verdict becomes that of the first other CPU that is wrong, if there is one. */
static void run_on_others(const struct doctor *d, const struct doctor_check *check,
			  struct doctor_verdict *v)
{
	struct elsewhere e = {.d = d, .check = check};

	for (unsigned cpu = 1; cpu < d->host->ncpus(); cpu++) {
		d->host->on_cpu(cpu, run_elsewhere, &e);
		if (e.verdict.state == DOCTOR_WRONG) {
			name_cpu(&e.verdict, cpu);
			*v = e.verdict;
			return;
		}
	}
}

static void run_on_all(const struct doctor *d, const struct doctor_check *check,
		       struct doctor_verdict *v)
{
	const bool several = d->host->ncpus && d->host->ncpus() > 1;

	run_undisturbed(d, check, v);
	if (!check->each_cpu || !several)
		return;
	if (v->state == DOCTOR_WRONG)
		name_cpu(v, 0);
	else
		run_on_others(d, check, v);
	if (v->state == DOCTOR_RIGHT)
		add_cpus(v, d->host->ncpus());
}

/* --- One check --- */

static void judge_check(const struct doctor *d, const struct doctor_check *check,
			struct doctor_verdict *v)
{
	const char *lack = lacks(d, check->need);

	*v = (struct doctor_verdict){.state = DOCTOR_ABSENT};
	if (lack) {
		doctor_absent(v, "%s", lack);
		return;
	}
	if (!d->host->begin(check->name)) {
		v->state = DOCTOR_SKIPPED;
		fmt_print(v->text, sizeof(v->text), "it hung this machine at an earlier boot");
		return;
	}
	run_on_all(d, check, v);
	if (v->state == DOCTOR_WRONG)
		pmu_distrust(check->feature, v->counters, check->name);
	if (d->host->end)
		d->host->end(check->name, v);
}

static void run_check(const struct doctor *d, const struct doctor_check *check)
{
	struct doctor_row *row = &report.row[report.n++];

	*row = (struct doctor_row){
		.name = check->name, .title = check->title, .group = check->group};
	judge_check(d, check, &row->verdict);
	report.tally[row->verdict.state]++;
}

static const struct doctor_check *check_at(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		if (i < *tables[t].n)
			return &tables[t].rows[i];
		i -= *tables[t].n;
	}
	return NULL;
}

const struct doctor_report *doctor_run(const struct doctor_host *host, const struct pmu_caps *caps,
				       const char *only)
{
	struct doctor d = {.host = host, .caps = caps};
	const struct doctor_check *check;

	if (caps->vendor == CPU_VENDOR_INTEL)
		rdmsr_safe(MSR_SMI_COUNT, &d.smis);
	report = (struct doctor_report){.n = 0};
	for (size_t i = 0; (check = check_at(i)) && report.n < DOCTOR_ROWS_MOST; i++)
		if (!only || !strcmp(only, check->name))
			run_check(&d, check);
	return &report;
}

const char *doctor_group_name(enum doctor_group group)
{
	return groups[group];
}

const char *doctor_state_name(enum doctor_state state)
{
	return states[state];
}
