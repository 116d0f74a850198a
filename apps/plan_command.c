// SPDX-License-Identifier: BSD-2-Clause
/* plan_command.c - prints the counters that a set of events would get on a microarchitecture,
 * without running anything. */
#include "apps/measure/command_options.h"
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "pmu/plan/request.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

#include <stddef.h>

#define PLANNER_PAGES ((sizeof(struct planner) + PAGE_SIZE - 1) / PAGE_SIZE)

_Static_assert(OPTION_TICKS_MOST == PLANNER_TICKS_MAX &&
		       OPTION_SLEEP_MOST_MS == PLANNER_SLEEP_MAX && PLANNER_TICKS == 2520 &&
		       PLANNER_INTERVAL_US == 4000,
	       "as the table of options says");

static void put_console(void *ctx, const char *text)
{
	(void)ctx;
	out_text(text, strlen(text));
}

static int print_plan(const char *command, const struct planner_request *request, bool json)
{
	const struct planner_sink sink = {put_console, NULL};
	struct planner *p = page_alloc(PLANNER_PAGES);
	struct reason why;
	int status = 0;

	if (!p) {
		err("%s: no memory for a plan\n", command);
		return STATUS_FAILED;
	}
	if (planner_run(p, request, &why)) {
		err("%s: %s\n", command, why.text);
		status = STATUS_USAGE;
	} else {
		(json ? planner_json : planner_print)(p, &sink);
	}
	page_free(p, PLANNER_PAGES);
	return status;
}

static int run_plan(int argc, char **argv)
{
	struct planner_options o = {.json = false};
	const struct option_target targets[] = {PLANNER_TARGETS(o)};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};

	if (options_read(IMAGE_PLAN, argc, argv, sets, 1) < 0)
		return STATUS_USAGE;
	planner_events(&o);
	return print_plan(argv[0], &o.request, o.json);
}

static const struct command plan_command = {
	.name = "plan",
	.usage = "--uarch U [OPTIONS] -e LIST",
	.summary = "tells what events would get, without running anything",
	.options = IMAGE_PLAN,
	.run = run_plan,
};
COMMAND(plan_command);
