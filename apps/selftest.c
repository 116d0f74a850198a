// SPDX-License-Identifier: BSD-2-Clause
/* selftest.c - runs the tests that live inside the image (tests/image/), by name or all. */
#include "apps/measure/command_options.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/version.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/base/image_test.h"
#include "rt/base/machine.h"

#include <stdbool.h>
#include <stddef.h>

struct tally {
	unsigned passed, failed, skipped;
};

static bool is_test_wanted(const struct image_test *test, int nnames, char **names)
{
	for (int i = 0; i < nnames; i++)
		if (!strcmp(names[i], test->name))
			return true;
	return !nnames;
}

static void run_test(const struct image_test *test, struct tally *tally)
{
	uint64_t flags = irq_save();
	const char *why = test->run();

	irq_restore(flags);
	if (!why) {
		tally->passed++;
		out("ok - %s\n", test->name);
	} else if (*why == IMAGE_TEST_SKIP_MARK) {
		tally->skipped++;
		out("ok - %s # SKIP %s\n", test->name, why + 1);
	} else {
		tally->failed++;
		out("not ok - %s: %s\n", test->name, why);
	}
}

/* Prints names; in a table a bar would end a cell. */
static void print_names(const char *const *names, unsigned n)
{
	bool first = true;

	for (unsigned i = 0; i < n; i++) {
		if (!*names[i])
			continue;
		out("%s", first ? "" : " ");
		for (const char *c = names[i]; *c; c++)
			out("%c", *c == '|' ? '/' : *c >= ' ' && *c < 0x7f ? *c : '?');
		first = false;
	}
	if (first)
		out("unknown");
}

/* Prints a row of the table in docs/REAL-MACHINES.md; columns that only a person can fill are left
 * open. */
static void print_report(const struct tally *tally)
{
	const char(*names)[SMBIOS_NAME_MAX] = smbios_names()->name;
	const struct pmu_caps *caps = machine_caps();

	out("\n| ");
	print_names((const char *[]){names[SMBIOS_MANUFACTURER], names[SMBIOS_PRODUCT],
				     names[SMBIOS_VERSION], names[SMBIOS_BOARD]},
		    4);
	out(" | ");
	print_names((const char *[]){caps->brand}, 1);
	out(", signature 0x%x, %u CPU%s | ", caps->signature, smp_ncpus(),
	    smp_ncpus() == 1 ? "" : "s");
	print_names((const char *[]){names[SMBIOS_FIRMWARE_VENDOR], names[SMBIOS_FIRMWARE_VERSION],
				     names[SMBIOS_FIRMWARE_DATE]},
		    3);
	out(" | ? | ");
	if (machine_pmu_problem())
		print_names((const char *[]){machine_pmu_problem()}, 1);
	else
		out("general counters 0x%x, fixed 0x%x", caps->gp_mask, caps->fixed_mask);
	out(" | perf0 " PERF0_VERSION ", selftest: %u passed, %u failed, %u skipped |\n",
	    tally->passed, tally->failed, tally->skipped);
}

static int run_selftest(int argc, char **argv)
{
	bool report = false;
	const struct option_target targets[] = {{OPT_SELFTEST_REPORT, &report}};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	const int first = options_read(IMAGE_SELFTEST, argc, argv, sets, 1);
	struct tally tally = {0};

	if (first < 0)
		return STATUS_USAGE;
	for (const struct image_test *t = __image_tests_start; t < __image_tests_end; t++)
		if (is_test_wanted(t, argc - first, argv + first))
			run_test(t, &tally);
	out("selftest: %u passed, %u failed, %u skipped\n", tally.passed, tally.failed,
	    tally.skipped);
	if (report)
		print_report(&tally);
	return tally.failed || !tally.passed ? STATUS_FAILED : 0;
}

static const struct command selftest = {
	.name = "selftest",
	.usage = "[--report] [NAME...]",
	.options = IMAGE_SELFTEST,
	.summary = "runs the image's own tests, all or by name",
	.operands = {.kind = OPERANDS_NAMES,
		     .names = {__image_tests_start, __image_tests_end, sizeof(struct image_test)}},
	.run = run_selftest,
};
COMMAND(selftest);
