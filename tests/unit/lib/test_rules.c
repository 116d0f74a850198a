// SPDX-License-Identifier: BSD-2-Clause
/* test_rules.c - options that exclude each other, and the events that options need. */
#include "lib/words/option_words.h"
#include "lib/words/rules.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define END OPTIONS

struct rule_case {
	uint64_t takers;
	enum option_id given[4]; /* END ends them */
	const char *wanted;      /* NULL: they agree */
};

static void check_case(const struct rule_case *c, bool traces, bool events_known)
{
	struct option_set set = {0};
	struct reason why = {""};
	int err;

	for (unsigned i = 0; i < 4 && c->given[i] != END; i++)
		option_given(&set, c->given[i], "");
	if (traces)
		option_fact(&set, FACT_TRACES);
	err = options_agree(c->takers, &set, events_known, &why);
	assert_int_equal(err, c->wanted ? -EINVAL : 0);
	if (c->wanted && strncmp(why.text, c->wanted, strlen(c->wanted)))
		fail_msg("%s", why.text);
}

/* The tool's `bench` takes the image's options, too, and hands them on. */
static uint64_t with_image(uint64_t takers)
{
	return takers & TAKER_BENCH ? takers | IMAGE_BENCH : takers;
}

static void add_subject(struct option_set *set, unsigned subject, uint64_t takers)
{
	if (subject == FACT_AUX_PAGES) {
		option_given(set, OPT_MMAP_PAGES, "8,16");
	} else if (subject >= OPTIONS) {
		option_fact(set, (enum option_fact)subject);
	} else {
		assert_true(option_row((enum option_id)subject)->takers & with_image(takers));
		option_given(set, (enum option_id)subject, "");
	}
}

TEST(test_pairs)
{
	static const struct rule_case cases[] = {
		{IMAGE_RECORD, {OPT_COUNT, END}, NULL},
		{IMAGE_RECORD, {OPT_FREQ, END}, NULL},
		{IMAGE_RECORD, {OPT_FREQ, OPT_COUNT, END}, "--count and --freq exclude each other"},
		{TAKER_RECORD | IMAGE_RECORD,
		 {OPT_OVERWRITE, OPT_LIVE, END},
		 "--overwrite and --live exclude each other"},
		{IMAGE_STAT, {OPT_STAT_JSON, OPT_SEPARATOR, END}, "--json-output and --field-"},
		{IMAGE_STAT, {OPT_PASSES, OPT_MUX_INTERVAL, END}, "--passes and --mux-interval-us"},
		{IMAGE_STAT, {OPT_PASSES, OPT_REPEAT, END}, NULL},
		{IMAGE_STAT, {OPT_INTERVAL, OPT_REPEAT, END}, "--interval-print and --repeat"},
		{IMAGE_STAT, {OPT_NULL_RUN, OPT_NO_MUX, END}, "--null and --no-mux exclude"},
		{IMAGE_STAT, {OPT_NULL_RUN, OPT_REPEAT, END}, NULL},
		{IMAGE_RECORD, {OPT_ALL_USER, OPT_ALL_KERNEL, END}, "--all-user and --all-kernel"},
		{IMAGE_TRACE, {OPT_ALL_CPUS, OPT_CPUS, END}, "--all-cpus and --cpu exclude"},
		{IMAGE_STAT, {OPT_CPUS, OPT_PER_THREAD, END}, NULL},
		{TAKER_DECODE, {OPT_CSV, OPT_SEPARATOR, END}, NULL},
		{TAKER_DECODE, {OPT_DECODE_JSON, OPT_SEPARATOR, END}, "--json and --field-sep"},
		{TAKER_DECODE, {OPT_TEXT, OPT_FOLDED, END}, "--folded and --text exclude"},
		/* Rules of other commands do not count. */
		{IMAGE_TRACE, {OPT_FREQ, OPT_COUNT, END}, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i], false, false);
}

TEST(test_needs)
{
	static const struct rule_case cases[] = {
		{IMAGE_STAT, {OPT_PER_CORE, END}, "--per-core needs --all-cpus or --cpu: "},
		{IMAGE_STAT, {OPT_PER_CORE, OPT_CPUS, END}, NULL},
		{IMAGE_STAT, {OPT_NO_AGGR, OPT_ALL_CPUS, END}, NULL},
		{IMAGE_STAT, {OPT_SUMMARY, END}, "--summary needs --interval-print: "},
		{IMAGE_STAT, {OPT_SUMMARY, OPT_INTERVAL, END}, NULL},
		{TAKER_STAT, {OPT_APPEND, END}, "--append needs --output: "},
		{TAKER_STAT, {OPT_APPEND, OPT_REPORT, END}, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i], false, false);
}

/* Checks the table: the options of each rule belong to one command, and the rule refuses its case.
 */
TEST(test_each_rule)
{
	enum relation { EXCLUDES, NEEDS };
	static const struct {
		uint64_t takers;
		enum relation relation;
		unsigned option;
		const char *why;
		unsigned others[8], nothers;
	} rules[] = {
#define RULE(takers_, relation_, option_, why_, ...) \
	{takers_, relation_,     option_,            \
	 why_,    {__VA_ARGS__}, sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned)},
#include "include/perf0/option_rules.h"
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const bool needs = rules[i].relation == NEEDS;
		struct option_set alone = {0};
		struct reason why = {""};

		add_subject(&alone, rules[i].option, rules[i].takers);
		if (needs)
			assert_int_equal(options_agree(rules[i].takers, &alone, true, &why),
					 -EINVAL);
		for (unsigned o = 0; o < rules[i].nothers; o++) {
			struct option_set both = alone;

			add_subject(&both, rules[i].others[o], rules[i].takers);
			assert_int_equal(options_agree(rules[i].takers, &both, true, &why),
					 needs ? 0 : -EINVAL);
			if (!needs)
				if (!strstr(why.text, rules[i].why))
					fail_msg("rule %zu: %s, not %s", i, why.text, rules[i].why);
		}
	}
}

/* Rules about events refuse nothing while the events are unknown. */
TEST(test_events)
{
	static const struct rule_case snapshot = {IMAGE_RECORD,
						  {OPT_SNAPSHOT, END},
						  "--snapshot needs an event that traces"},
				      snapshot_may = {IMAGE_RECORD, {OPT_SNAPSHOT, END}, NULL};
	static const struct rule_case overwrite = {IMAGE_RECORD,
						   {OPT_OVERWRITE, END},
						   "--overwrite and an event that traces"},
				      overwrite_may = {IMAGE_RECORD, {OPT_OVERWRITE, END}, NULL};

	check_case(&snapshot, false, true);
	check_case(&snapshot_may, true, true);
	check_case(&snapshot_may, false, false);
	check_case(&overwrite, true, true);
	check_case(&overwrite_may, false, true);
}

/* Only a second number of -m is about traces. */
TEST(test_aux_pages)
{
	struct option_set one = {0}, two = {0};
	struct reason why;

	option_given(&one, OPT_MMAP_PAGES, "8");
	assert_int_equal(options_agree(IMAGE_RECORD, &one, true, &why), 0);
	option_given(&two, OPT_MMAP_PAGES, "8,16");
	assert_int_equal(options_agree(IMAGE_RECORD, &two, true, &why), -EINVAL);
	assert_string_equal(why.text,
			    "the second number of --mmap-pages needs an event that traces "
			    "(step_trace//)");
}
