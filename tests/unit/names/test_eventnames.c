// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_eventnames.c - the list of all names: its counters of an event are those that a plan uses
 * for it, on every microarchitecture that libpfm4 has names for.
 */
#include "lib/bits.h"
#include "pmu/plan/planner.h"
#include "tools/events/eventnames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

struct check {
	struct planner *planner;
	const struct uarch *uarch;
	bool ht_on;
	uint64_t last; /* one event has many names */
	unsigned plans;
};

/* Plans one more of the event than it has counters, and returns the counters of the first slice. */
static uint64_t used_by_plan(struct check *c, const struct event_name *e)
{
	unsigned n = bits_count(e->counters) + 1;
	char list[PMU_COUNTERS * 32] = "";
	const char *lists[] = {list};
	const struct planner_request request = {.uarch = c->uarch->name,
						.events = lists,
						.nevents = 1,
						.no_ht = !c->ht_on,
						.ticks = 1};
	struct reason why;
	uint64_t used = 0;

	for (unsigned i = 0; i < n; i++)
		sprintf(list + strlen(list), "%sr%" PRIx64, i ? "," : "", e->select);
	memset(c->planner, 0, sizeof(*c->planner));
	if (planner_run(c->planner, &request, &why))
		fail_msg("%s: %s: %s", c->uarch->name, e->name, why.text);
	for (unsigned i = 0; i < n; i++)
		if (c->planner->configs[0].counter[i] < PMU_COUNTERS)
			used |= 1ull << c->planner->configs[0].counter[i];
	return used;
}

/* The list does not show some limits: such an event does not get all of its counters at once. */
static bool is_limited(const struct check *c, uint64_t select)
{
	const struct uarch_constraint *row = uarch_constraint(c->uarch, select, UARCH_NOW);
	bool corrupts = c->ht_on && uarch_erratum(c->uarch, UARCH_HT_EXCLUSIVE, select, UARCH_NOW);

	return corrupts ||
	       (row && row->flags & (UARCH_PEBS_ONLY | UARCH_ALONE | UARCH_PAIR | UARCH_SHARED_NB));
}

static void on_name(void *ctx, const struct event_name *e)
{
	struct check *c = ctx;

	if (e->select == c->last || is_limited(c, e->select))
		return;
	c->last = e->select;
	c->plans++;
	if (used_by_plan(c, e) != e->counters)
		fail_msg("%s, HT %s: %s is listed with counters 0x%" PRIx64
			 ", and a plan uses 0x%" PRIx64,
			 c->uarch->name, c->ht_on ? "on" : "off", e->name, e->counters,
			 used_by_plan(c, e));
}

static void check_uarch(struct check *c, const struct uarch *uarch)
{
	struct reason why;

	c->uarch = uarch;
	for (unsigned ht = 0; ht < 1u + !!uarch_general(uarch, true); ht++) {
		c->ht_on = ht;
		c->last = UINT64_MAX;
		assert_true(event_names_each(uarch, ht, NULL, on_name, c, &why) >= 0);
	}
}

TEST(test_listed_counters)
{
	struct check c = {.planner = malloc(sizeof(*c.planner))};
	const struct uarch *uarch;

	assert_non_null(c.planner);
	for (size_t i = 0; (uarch = uarch_list(i)); i++)
		check_uarch(&c, uarch);
	free(c.planner);
	print_message("%u plans\n", c.plans);
	assert_true(c.plans > 5000);
}

static void keep_counters(void *ctx, const struct event_name *e)
{
	uint64_t *counters = ctx;

	if (!strncmp(e->name, "MADE.", 5))
		counters[e->name[5] - 'A'] = e->counters;
}

/* An event of a file that needs a missing register has no counters, as in a plan. */
TEST(test_file)
{
	struct evfile_event events[] = {
		{.name = (char *)"MADE.A", .select = {0x10e}, .ways = 1, .counters = {0xff, 0xf}},
		{.name = (char *)"MADE.B",
		 .select = {0x10e},
		 .msr = {0x3f7},
		 .ways = 1,
		 .msr_value = 1,
		 .counters = {0xff, 0xf}},
		{.name = (char *)"MADE.C",
		 .select = {0x1b7},
		 .msr = {0x1a6},
		 .ways = 1,
		 .msr_value = 1,
		 .counters = {0xff, 0xf}},
		{.name = (char *)"MADE.D",
		 .select = {0x1b7},
		 .msr = {0x1a6},
		 .ways = 1,
		 .msr_value = 1ull << 63,
		 .counters = {0xff, 0xf}},
	};
	const struct evfile file = {.events = events, .n = 4};
	uint64_t counters[4] = {1, 1, 1, 1};
	struct reason why;

	assert_true(event_names_each(uarch_by_name("hsw"), true, &file, keep_counters, counters,
				     &why) > 4);
	assert_int_equal(counters[0], 0xf);
	assert_int_equal(counters[1], 0);
	assert_int_equal(counters[2], 0xf);
	assert_int_equal(counters[3], 0);
}
