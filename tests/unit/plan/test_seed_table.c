// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_seed_table.c - "The Linux perf Event Scheduling Algorithm", outcome by outcome: the whole
 * planner, with the tables of pmu/uarch/, gets every command of the article, on every machine and
 * kernel that it names. Each outcome has a row; `place` is its place in the article.
 *
 * The article contradicts itself on its seventh example. It says that the example needs
 * hyper-threading disabled "because there are only 4 counters". With it disabled there are eight,
 * and so say the rows.
 */
#include "pmu/plan/planner.h"
#include "tests/unit/plan/seed_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define TICKS 420 /* shares in halves to sevenths come out even */

/* --- The article's events: names and codes --- */

static const struct {
	const char *name;
	const char *uarchs; /* microarchitectures with this code; NULL: all */
	uint64_t select;
} codes[] = {
	{"l1d_pend_miss.pending", NULL, 0x0148},
	{"cycle_activity.stalls_l1d_pending", "snb snbx", 0x60006a3},
	{"cycle_activity.stalls_l1d_pending", NULL, 0xc000ca3},
	{"cycle_activity.stalls_l1d_miss", NULL, 0xc000ca3},
	{"cycle_activity.cycles_no_execute", NULL, 0x40004a3},
	{"cycle_activity.stalls_l2_pending", NULL, 0x50005a3},
	{"mem_uops_retired.all_loads", NULL, 0x81d0},
	{"mem_inst_retired.all_loads", NULL, 0x81d0},
	{"mem_load_uops_retired.l1_hit", NULL, 0x01d1},
	{"mem_load_uops_retired.l1_miss", NULL, 0x08d1},
	{"mem_load_uops_retired.hit_lfb", NULL, 0x40d1},
	{"mem_load_uops_retired.l2_hit", NULL, 0x02d1},
	{"mem_load_uops_retired.l3_hit", NULL, 0x04d1},
	{"mem_load_retired.l1_hit", NULL, 0x01d1},
	{"mem_load_retired.l1_miss", NULL, 0x08d1},
	{"mem_load_retired.fb_hit", NULL, 0x40d1},
	{"mem_load_retired.l2_hit", NULL, 0x02d1},
	{"mem_load_retired.l3_hit", NULL, 0x04d1},
	{"mem_load_l3_hit_retired.xsnp_hit", NULL, 0x02d2},
	{"mem_trans_retired.any", NULL, 0x01cd},
	{"frontend_retired.any", NULL, 0x01c6},
	{"dtlb_load_misses.walk_completed", NULL, 0x0e08},
	{"dtlb_load_misses.walk_completed_4k", NULL, 0x0208},
	{"dtlb_store_misses.walk_completed", NULL, 0x0e49},
	{"dtlb_store_misses.walk_completed_4k", NULL, 0x0249},
	{"itlb_misses.walk_completed", NULL, 0x0e85},
	{"itlb_misses.walk_completed_4k", NULL, 0x0285},
};

/* `name` is one of the words of `words`. */
static bool is_word(const char *words, const char *name, size_t n)
{
	for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
		if (strcspn(words, " ") == n && !memcmp(words, name, n))
			return true;
	return false;
}

static int find_name(void *ctx, uint8_t core, const char *text, size_t n,
		     struct perf_event_attr *attr, size_t *taken, struct pmu_parse_error *error)
{
	const char *uarch = ctx;

	(void)error;
	(void)core;
	*taken = 0;
	while (*taken < n && text[*taken] != ':')
		++*taken;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strlen(codes[i].name) != *taken || memcmp(codes[i].name, text, *taken) ||
		    (codes[i].uarchs && !is_word(codes[i].uarchs, uarch, strlen(uarch))))
			continue;
		attr->type = PERF_TYPE_RAW;
		attr->config = codes[i].select;
		return 1;
	}
	return 0;
}

/* --- One machine and kernel of a row --- */

struct machine {
	const char *uarch, *kernel;
	bool ht, watchdog, tfa;
};

static struct planner *planner;
static unsigned nplans, nfailed;

static void fail_row(const struct row *r, const struct machine *m, const char *what,
		     const char *detail)
{
	print_error("%s\n    %s, HT %s, watchdog %s, TFA %s, kernel %s, %s: %s %s\n", r->place,
		    m->uarch, m->ht ? "on" : "off", m->watchdog ? "on" : "off",
		    m->tfa ? "on" : "off", m->kernel, r->events, what, detail);
	nfailed++;
}

static void outcome_text(char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (unsigned i = 0; i < planner->plan.nevents; i++) {
		const struct pmu_plan_event *e = &planner->plan.events[i];
		const char *space = i ? " " : "";

		if (e->status == PMU_PLAN_NOT_SUPPORTED)
			n += (size_t)snprintf(text + n, size - n, "%s!", space);
		else if (!e->has_percent)
			n += (size_t)snprintf(text + n, size - n, "%s-", space);
		else if (planner->own.idle[i])
			n += (size_t)snprintf(text + n, size - n, "%s%uz", space, e->percent / 100);
		else if (e->percent % 100)
			n += (size_t)snprintf(text + n, size - n, "%s%u.%02u", space,
					      e->percent / 100, e->percent % 100);
		else
			n += (size_t)snprintf(text + n, size - n, "%s%u", space, e->percent / 100);
	}
}

/* "4=PMC4": in the first configuration. */
static bool has_counter(const char *wanted)
{
	unsigned long event = strtoul(wanted, NULL, 10);
	const char *name = strchr(wanted, '=') + 1;
	unsigned long number = strtoul(name + strcspn(name, "0123456789"), NULL, 10);

	return planner->configs[0].counter[event] == number + (*name == 'F' ? PMU_FIRST_FIXED : 0);
}

static void expect_counters(const struct row *r, const struct machine *m)
{
	for (const char *c = r->counters; c && *c; c += strcspn(c, " "), c += strspn(c, " "))
		if (!has_counter(c))
			fail_row(r, m, "not where it should be:", c);
}

static void check_on_machine(const struct row *r, const struct machine *m)
{
	const struct pmu_namer namer = {.find = find_name, .ctx = (void *)m->uarch};
	const struct planner_request request = {
		.uarch = m->uarch,
		.events = &r->events,
		.nevents = 1,
		.sibling = r->sibling,
		.sibling_counter = r->sibling_counter,
		.kernel = strcmp(m->kernel, "-") ? m->kernel : NULL,
		.watchdog = m->watchdog,
		.watchdog_counter = r->watchdog_counter,
		.no_ht = !m->ht,
		.tfa = m->tfa,
		.ticks = TICKS,
		.sleep_ms = r->sleep_ms,
		.namer = &namer,
		.facts = r->facts,
	};
	struct reason why;
	char text[256];

	memset(planner, 0, sizeof(*planner));
	nplans++;
	if (planner_run(planner, &request, &why)) {
		fail_row(r, m, "refused:", why.text);
		return;
	}
	outcome_text(text, sizeof(text));
	if (strcmp(text, r->outcome))
		fail_row(r, m, text, "");
	else
		expect_counters(r, m);
}

/* The settings that a switch of a row stands for: off, on, or both. */
static bool covers(int row, bool on)
{
	return row & (on ? ON : OFF);
}

static void check_switches(const struct row *r, struct machine m)
{
	for (unsigned bits = 0; bits < 8; bits++) {
		m.ht = bits & 1;
		m.watchdog = bits & 2;
		m.tfa = bits & 4;
		if (covers(r->ht, m.ht) && covers(r->watchdog, m.watchdog) && covers(r->tfa, m.tfa))
			check_on_machine(r, &m);
	}
}

/* Takes the next word of `*words`; false: there are no more. */
static bool split_word(const char **words, char *word, size_t size)
{
	size_t n = strcspn(*words, " ");

	snprintf(word, size, "%.*s", (int)n, *words);
	*words += n;
	*words += strspn(*words, " ");
	return n > 0;
}

static void check_seed_row(const struct row *r)
{
	char uarch[16], kernel[16];

	for (const char *us = r->uarchs; split_word(&us, uarch, sizeof(uarch));)
		for (const char *ks = r->kernels; split_word(&ks, kernel, sizeof(kernel));)
			check_switches(r, (struct machine){.uarch = uarch, .kernel = kernel});
}

TEST(test_rows)
{
	planner = malloc(sizeof(*planner));
	assert_non_null(planner);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_seed_row(&rows[i]);
	free(planner);
	print_message("%zu outcomes, %u plans\n", sizeof(rows) / sizeof(rows[0]), nplans);
	assert_true(nplans > 500);
	assert_int_equal(nfailed, 0);
}
