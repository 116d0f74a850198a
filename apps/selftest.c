// SPDX-License-Identifier: BSD-2-Clause
/* selftest.c - runs the tests that live inside the image (tests/image/), by name or all. */
#include "arch/x86/insn.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/console/print.h"
#include "rt/image_test.h"

#include <stdbool.h>
#include <stddef.h>

struct tally {
	unsigned passed, failed, skipped;
};

static bool is_test_wanted(const struct image_test *test, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], test->name))
			return true;
	return argc == 1;
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

static int run_selftest(int argc, char **argv)
{
	struct tally tally = {0};

	for (const struct image_test *t = __image_tests_start; t < __image_tests_end; t++)
		if (is_test_wanted(t, argc, argv))
			run_test(t, &tally);
	out("selftest: %u passed, %u failed, %u skipped\n", tally.passed, tally.failed,
	    tally.skipped);
	return tally.failed || !tally.passed ? STATUS_FAILED : 0;
}

static const struct command selftest = {
	.name = "selftest",
	.usage = "[NAME...]",
	.summary = "runs the image's own tests, all or by name",
	.operands = {.kind = OPERANDS_NAMES,
		     .names = {__image_tests_start, __image_tests_end, sizeof(struct image_test)}},
	.run = run_selftest,
};
COMMAND(selftest);
