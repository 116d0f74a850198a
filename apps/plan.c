// SPDX-License-Identifier: BSD-2-Clause
/* plan.c - what a set of events would get on a microarchitecture, without running anything. */
#include "apps/options.h"
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "pmu/plan/planner.h"
#include "rt/console/command.h"
#include "rt/console/print.h"

#include <stddef.h>

#define PLANNER_PAGES ((sizeof(struct planner) + PAGE_SIZE - 1) / PAGE_SIZE)

static void put(void *ctx, const char *text)
{
	(void)ctx;
	out_text(text, strlen(text));
}

static int plan(const char *who, const struct planner_request *request, bool json)
{
	const struct planner_sink sink = {put, NULL};
	struct planner *p = page_alloc(PLANNER_PAGES);
	struct reason why;
	int status = 0;

	if (!p) {
		err("%s: no memory for a plan\n", who);
		return STATUS_FAILED;
	}
	if (planner_run(p, request, &why)) {
		err("%s: %s\n", who, why.text);
		status = STATUS_USAGE;
	} else {
		(json ? planner_json : planner_print)(p, &sink);
	}
	page_free(p, PLANNER_PAGES);
	return status;
}

static int run(int argc, char **argv)
{
	struct planner_request request = {.uarch = NULL};
	struct option_list events = {0};
	bool json = false;
	const struct option options[] = {
		{'e', "event", OPTION_LIST, &events, 0, 0},
		{0, "uarch", OPTION_TEXT, &request.uarch, 0, 0},
		{0, "no-ht", OPTION_FLAG, &request.no_ht, 0, 0},
		{0, "sibling", OPTION_TEXT, &request.sibling, 0, 0},
		{0, "sibling-counter", OPTION_TEXT, &request.sibling_counter, 0, 0},
		{0, "node", OPTION_TEXT, &request.node, 0, 0},
		{0, "tfa", OPTION_FLAG, &request.tfa, 0, 0},
		{0, "watchdog", OPTION_FLAG, &request.watchdog, 0, 0},
		{0, "watchdog-counter", OPTION_TEXT, &request.watchdog_counter, 0, 0},
		{0, "policy", OPTION_TEXT, &request.policy, 0, 0},
		{0, "kernel", OPTION_TEXT, &request.kernel, 0, 0},
		{0, "ticks", OPTION_NUMBER, &request.ticks, 1, PLANNER_TICKS_MAX},
		{0, "sleep-after", OPTION_NUMBER, &request.sleep_ms, 0, PLANNER_SLEEP_MAX},
		{0, "json", OPTION_FLAG, &json, 0, 0},
		{.name = NULL},
	};
	int i = options_read(argc, argv, options);

	if (i < 0)
		return STATUS_USAGE;
	if (i < argc) {
		err("%s: takes no operand: '%s'\n", argv[0], argv[i]);
		return STATUS_USAGE;
	}
	request.events = events.text;
	request.nevents = events.n;
	return plan(argv[0], &request, json);
}

static const struct command plan_command = {
	.name = "plan",
	.usage = "--uarch U [OPTIONS] -e LIST",
	.summary = "tells what events would get, without running anything",
	.help = "  -e, --event LIST          the events; may be given again\n"
		"      --uarch U             the microarchitecture: hsw, skylake, zen4, ...\n"
		"      --no-ht               with hyper-threading off\n"
		"      --sibling LIST        events that count on the other hyper-thread\n"
		"      --sibling-counter C   those are on that counter: PMC2, ...\n"
		"      --node LIST           events that count on another core of the node\n"
		"      --tfa                 transactions take a counter (TSX_FORCE_ABORT bit 0 is "
		"0)\n"
		"      --watchdog            the NMI watchdog is on\n"
		"      --watchdog-counter C  it is on, and on that counter: PMC2, FIXED1, ...\n"
		"      --policy perf|fair    who gets the counters; perf\n"
		"      --kernel VERSION      as that Linux did it: 3.2, 4.1-rc7, ...\n"
		"      --ticks N             slices of 4 ms to look at; 2520\n"
		"      --sleep-after MS      the task goes to sleep after MS ms, for good; 0: "
		"never\n"
		"      --json                for programs\n",
	.run = run,
};
COMMAND(plan_command);
