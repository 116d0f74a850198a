// SPDX-License-Identifier: BSD-2-Clause
/* doctor_command.c - `doctor`: the self-test of the PMU, on one page. */
#include "apps/doctor_command.h"

#include "apps/doctor/doctor.h"
#include "apps/doctor_json.h"
#include "apps/doctor_machine.h"
#include "apps/measure/command_options.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/insn.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/base/image_test.h"
#include "rt/base/machine.h"
#include "rt/console/command.h"
#include "rt/console/keep.h"
#include "rt/print/print.h"

#include <linux/errno.h>
#include <stddef.h>

#define COLUMNS 79
#define INDENT  10
#define WORD    64

/* --- The page --- */

static void print_doctored(void)
{
	const char *problem = machine_pmu_problem();

	out("doctor: ");
	print_plain(machine_caps()->brand);
	if (problem)
		out(": %s\n", problem);
	else
		out(" (%s), counters 0x%llx of %u bits\n", pmu_info()->uarch,
		    (unsigned long long)pmu_info()->counters, pmu_info()->width);
	out("watchdog: %s%s%s\n", hw_watchdog_name(), *hw_watchdog_reason() ? ": " : "",
	    hw_watchdog_reason());
}

/* The checks of a group in lines of COLUMNS. */
static void print_group(const struct doctor_report *r, enum doctor_group group)
{
	unsigned column = 0;

	for (unsigned i = 0; i < r->n; i++) {
		char word[WORD];
		unsigned n;

		if (r->row[i].group != group)
			continue;
		n = (unsigned)fmt_print(word, sizeof(word), "%s %s", r->row[i].name,
					doctor_state_name(r->row[i].verdict.state));
		if (!column || column + 2 + n > COLUMNS) {
			if (column)
				out(",\n");
			out("%-*s%s", INDENT, column ? "" : doctor_group_name(group), word);
			column = INDENT + n;
		} else {
			out(", %s", word);
			column += 2 + n;
		}
	}
	if (column)
		out("\n");
}

static unsigned times_at(const struct doctor_histogram *h, uint64_t skid)
{
	for (unsigned k = 0; k < h->n; k++)
		if (h->bin[k].skid == skid)
			return h->bin[k].times;
	return 0;
}

/* The least skid from `from` on of all kinds; UINT64_MAX: there is none. */
static uint64_t next_skid(const struct doctor_verdict *v, uint64_t from)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < v->nhistograms; i++)
		for (unsigned k = 0; k < v->histogram[i].n; k++) {
			const uint64_t skid = v->histogram[i].bin[k].skid;

			if (skid >= from && skid < next)
				next = skid;
		}
	return next;
}

/* A row for each distance, a column for each kind of counter. */
static void print_histograms(const struct doctor_verdict *v)
{
	uint64_t skid = 0;

	if (!v->nhistograms)
		return;
	out("%*s  instructions", INDENT, "");
	for (unsigned i = 0; i < v->nhistograms; i++)
		out("  %8s", v->histogram[i].kind);
	out("\n");
	for (; (skid = next_skid(v, skid)) != UINT64_MAX; skid++) {
		out("%*s  %12llu", INDENT, "", (unsigned long long)skid);
		for (unsigned i = 0; i < v->nhistograms; i++)
			out("  %8u", times_at(&v->histogram[i], skid));
		out("\n");
	}
}

static void print_sentences(const struct doctor_report *r, bool all)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct doctor_row *row = &r->row[i];
		const enum doctor_state state = row->verdict.state;

		if (!all && state != DOCTOR_WRONG && state != DOCTOR_SKIPPED)
			continue;
		out("%s: %s: ", row->name, doctor_state_name(state));
		print_plain(row->verdict.text);
		out("\n");
		print_histograms(&row->verdict);
	}
}

static void print_page(const struct doctor_report *r, bool each)
{
	print_doctored();
	for (enum doctor_group g = 0; g < DOCTOR_GROUPS && !each; g++)
		print_group(r, g);
	print_sentences(r, each);
	out("doctor: %u right, %u wrong, %u not there, %u skipped\n", r->tally[DOCTOR_RIGHT],
	    r->tally[DOCTOR_WRONG], r->tally[DOCTOR_ABSENT], r->tally[DOCTOR_SKIPPED]);
}

/* --- The command --- */

static const struct doctor_report *examine(const char *only, const char *hang, uint64_t watchdog)
{
	const struct doctor_report *report;
	uint64_t flags;

	if (doctor_machine_begin(hang, (unsigned)watchdog)) {
		err("doctor: there is no memory for its code\n");
		return NULL;
	}
	flags = irq_save();
	report = doctor_run(doctor_machine(), machine_caps(), only);
	irq_restore(flags);
	doctor_machine_end();
	return report;
}

static int run_doctor(int argc, char **argv)
{
	bool as_json = false, also_json = false, each = false;
	const char *only = NULL, *hang = NULL;
	uint64_t watchdog = 0;
	const struct option_target targets[] = {
		{OPT_DOCTOR_JSON, &as_json}, {OPT_ALSO_JSON, &also_json},
		{OPT_DOCTOR_EACH, &each},    {OPT_DOCTOR_ONLY, &only},
		{OPT_DOCTOR_HANG, &hang},    {OPT_DOCTOR_WATCHDOG, &watchdog}};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	const struct doctor_report *report;
	const char *json;
	size_t n;

	if (options_read(IMAGE_DOCTOR, argc, argv, sets, 1) < 0)
		return STATUS_USAGE;
	report = examine(only, hang, watchdog);
	if (!report)
		return STATUS_FAILED;
	json = doctor_json(report, &n);
	keep_file("doctor.json", json, n);
	if (also_json) {
		print_to_host(true);
		out_text(json, n);
		print_to_host(false);
	}
	if (as_json)
		out_text(json, n);
	else
		print_page(report, each);
	return report->tally[DOCTOR_WRONG] ? STATUS_FAILED : 0;
}

static const struct command doctor = {
	.name = "doctor",
	.usage = "[-j] [--each] [--only CHECK] [--watchdog S]",
	.summary = "tests the PMU itself, and refuses from then on what is wrong",
	.options = IMAGE_DOCTOR,
	.run = run_doctor,
};
COMMAND(doctor);

int doctor_selftest(void)
{
	const struct doctor_report *report = examine(NULL, NULL, DOCTOR_WATCHDOG_SECONDS);

	if (!report)
		return -ENOMEM;
	print_page(report, false);
	return (int)report->tally[DOCTOR_WRONG];
}

static const char *test_pmu(void)
{
	if (machine_pmu_problem())
		return IMAGE_TEST_SKIP("there are no hardware events");
	return doctor_selftest() ? "the doctor found something wrong" : NULL;
}

/* `selftest pmu`. */
static const struct image_test pmu_test
	__attribute__((used, section(".image_tests"), aligned(8))) = {"pmu", test_pmu};
