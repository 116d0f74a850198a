// SPDX-License-Identifier: BSD-2-Clause
/* test_event_rows.c - names of libpfm4 become the image's syntax; all other words stay. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "pmu/names/parse.h"
#include "tools/events/events.h"
#include "tools/util/quote.h"

#define MAX_SPECS 16

static char told[512];

static const struct events_machine *machine_of(const char *uarch)
{
	static struct events_machine machine;

	machine.uarch = guest_uarch_find(uarch);
	return &machine;
}

static void on_refused(const char *command, const char *what)
{
	snprintf(told, sizeof(told), "%s: %s", command, what);
}

static struct buf encode(const char *list, const char *uarch)
{
	struct buf out = {0};
	struct reason why = {""};

	if (events_encode(&out, list, uarch ? guest_uarch_find(uarch) : NULL, &why))
		fail_msg("%s: %s", list, why.text);
	buf_text(&out);
	return out;
}

static void expect_rows(const char *list, const char *uarch, const char *wanted)
{
	struct buf out = encode(list, uarch);

	assert_string_equal((char *)out.data, wanted);
	buf_free(&out);
}

#define SKX_ANY  "cpu/event=0x0e,umask=0x01,name='UOPS_ISSUED:ANY'/"
#define ZEN4_RET "cpu/event=0xc0,umask=0x00,name='RETIRED_INSTRUCTIONS'/"

TEST(test_encoded)
{
	static const struct {
		const char *list, *uarch, *wanted;
	} cases[] = {
		{"UOPS_ISSUED:ANY", "skx", SKX_ANY},
		{"UOPS_ISSUED.ANY", "hsw", "cpu/event=0x0e,umask=0x01,name='UOPS_ISSUED.ANY'/"},
		{"hsw::UOPS_ISSUED:ANY", NULL,
		 "cpu/event=0x0e,umask=0x01,name='hsw::UOPS_ISSUED:ANY'/"},
		{"hsw::UOPS_ISSUED:ANY", "zen4",
		 "cpu/event=0x0e,umask=0x01,name='hsw::UOPS_ISSUED:ANY'/"},
		{"UOPS_ISSUED:ANY:u", "skx", SKX_ANY "u"},
		{"UOPS_ISSUED:ANY:uk", "skx", SKX_ANY "uk"},
		{"UOPS_ISSUED:ANY:u=0:k=1", "skx",
		 "cpu/event=0x0e,umask=0x01,name='UOPS_ISSUED:ANY:u=0:k=1'/k"},
		{"UOPS_ISSUED:ANY:c=2:i:e", "icl",
		 "cpu/event=0x0e,umask=0x01,edge,inv,cmask=0x02,name='UOPS_ISSUED:ANY:c=2:i:e'/"},
		{"UOPS_ISSUED:ANY:c=2:i=1:e=1", "icl",
		 "cpu/"
		 "event=0x0e,umask=0x01,edge,inv,cmask=0x02,name='UOPS_ISSUED:ANY:c=2:i=1:e=1'/"},
		{"cpu/event=1,name='a,b'/,UOPS_ISSUED:ANY", "skx",
		 "cpu/event=1,name='a,b'/," SKX_ANY},
		{"cycles,UOPS_ISSUED:ANY,branches", "skx", "cycles," SKX_ANY ",branches"},
		{"{cycles,UOPS_ISSUED:ANY:u}:k,cs", "skx", "{cycles," SKX_ANY "u}:k,cs"},
		{"RETIRED_INSTRUCTIONS:k", "zen4", ZEN4_RET "k"},
		{"cpu/UOPS_ISSUED:ANY/u", "skx", SKX_ANY "u"},
		{"cpu/UOPS_ISSUED.ANY,cmask=2,inv/", "skx",
		 "cpu/event=0x0e,umask=0x01,name='UOPS_ISSUED.ANY',cmask=2,inv/"},
		{"cpu/umask=3,name=x,UOPS_ISSUED:ANY:c=1/k,cycles", "skx",
		 "cpu/umask=3,name=x,event=0x0e,cmask=0x01/k,cycles"},
		{" { UOPS_ISSUED:ANY : u , cs } :k ", "skx", "{" SKX_ANY "u,cs}:k"},
		{"UOPS_ISSUED : ANY", "skx", SKX_ANY},
		{" 0:1 : u", "skx", "0:1:u"},
		{"cycles branches", "skx", "cycles branches"},
		{"cpu_core/UOPS_ISSUED.ANY/", "skx",
		 "cpu_core/event=0x0e,umask=0x01,name='UOPS_ISSUED.ANY'/"},
		{"UOPS_ISSUED{cycles,UOPS_ISSUED:ANY}:u", "skx",
		 "UOPS_ISSUED{cycles," SKX_ANY "}:u"},
		{"UOPS_ISSUED:ANY:intx=1", "hsw",
		 "cpu/config=0x10000010e,name='UOPS_ISSUED:ANY:intx=1'/"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_rows(cases[i].list, cases[i].uarch, cases[i].wanted);
}

/* Names that the image knows stay as they are, on every microarchitecture. */
TEST(test_the_image_keeps_its_own)
{
	static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4", NULL};
	static const char *const lists[] = {
		"r01d1",
		"r01d1:u",
		"cpu/event=0x3c,umask=0x00,name=UOPS_ISSUED.ANY/u",
		"cpu/cycles,period=7/",
		"cpu/event=0x3c, edge , cmask=1/u",
		"cpu/",
		"cpu/cycles",
		"cpu/cycles,",
		"name{cycles,r1}:u",
		"nosuch",
		"nosuch:u",
		"sched:switch",
		":u",
		"",
		",",
		"{}:u",
		"{cycles",
		"cycles:z",
		"cycles:",
	};
	const struct pmu_event_name *name;

	for (size_t u = 0; u < sizeof(uarchs) / sizeof(uarchs[0]); u++) {
		for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
			expect_rows(lists[i], uarchs[u], lists[i]);
		for (size_t i = 0; (name = pmu_event_names(i)); i++) {
			expect_rows(name->name, uarchs[u], name->name);
			if (name->alias)
				expect_rows(name->alias, uarchs[u], name->alias);
		}
	}
	expect_rows("UOPS_ISSUED:ANY", NULL, "UOPS_ISSUED:ANY");
}

/* The image's parser accepts the result, and reads the same bits. */
TEST(test_the_image_understands)
{
	static const struct {
		const char *list, *uarch, *name;
		uint64_t config;
		unsigned exclude_kernel;
	} cases[] = {
		{"UOPS_ISSUED:ANY", "skx", "UOPS_ISSUED:ANY", 0x10e, 0},
		{"hsw::UOPS_ISSUED:ANY:u", "skx", "hsw::UOPS_ISSUED:ANY:u", 0x10e, 1},
		{"UOPS_ISSUED:ANY:c=2:i=1:e=1", "icl", "UOPS_ISSUED:ANY:c=2:i=1:e=1", 0x284010e, 0},
		{"RETIRED_INSTRUCTIONS", "zen4", "RETIRED_INSTRUCTIONS", 0xc0, 0},
		{"UOPS_ISSUED:ANY:intx=1", "hsw", "UOPS_ISSUED:ANY:intx=1", 0x10000010e, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pmu_event_spec specs[MAX_SPECS];
		struct pmu_parse_error error = {.text = ""};
		struct buf out = encode(cases[i].list, cases[i].uarch);

		if (pmu_parse_events((char *)out.data, specs, MAX_SPECS, &error) != 1)
			fail_msg("%s: column %zu: %s", (char *)out.data, error.column, error.text);
		assert_int_equal(specs[0].attr.type, PERF_TYPE_RAW);
		assert_int_equal(specs[0].attr.config, cases[i].config);
		assert_int_equal(specs[0].attr.exclude_kernel, cases[i].exclude_kernel);
		assert_string_equal(specs[0].name, cases[i].name);
		buf_free(&out);
	}
}

TEST(test_refusals)
{
	static const struct {
		const char *list, *word;
	} cases[] = {
		{"hsw::NO_SUCH_EVENT", "hsw::NO_SUCH_EVENT"},
		{"nosuchpmu::CYCLES", "nosuchpmu::CYCLES"},
		{"UOPS_ISSUED:NO_SUCH_MASK", "UOPS_ISSUED:NO_SUCH_MASK"},
		{"cycles,UOPS_ISSUED:BAD:u", "'UOPS_ISSUED:BAD'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = {0};
		struct reason why = {""};

		assert_int_equal(events_encode(&out, cases[i].list, guest_uarch_find("skx"), &why),
				 -EINVAL);
		assert_non_null(strstr(why.text, cases[i].word));
		buf_free(&out);
	}
}

/* A plan is for the machine that its options name, in both forms and in any place. */
TEST(test_plans)
{
	const char *words[] = {"plan", "-e", "UOPS_ISSUED:ANY,hsw::NOSUCH:u", NULL};
	const char *good[] = {"plan",
			      "-e",
			      "UOPS_ISSUED:ANY",
			      "--sibling=UOPS_ISSUED:ANY",
			      "--node",
			      "UOPS_ISSUED:ANY",
			      "--uarch",
			      "skx",
			      command_separator,
			      "plan",
			      "--uarch=skx",
			      "-eUOPS_ISSUED:ANY",
			      command_separator,
			      "plan",
			      "-e",
			      "UOPS_ISSUED:ANY",
			      "--uarch",
			      "z80",
			      command_separator,
			      "plan",
			      "-e",
			      NULL};
	const size_t encoded[] = {2, 3, 5, 11};
	static const char *const wanted[] = {SKX_ANY, "--sibling=" SKX_ANY, SKX_ANY, "-e" SKX_ANY};
	struct reason why;

	assert_int_equal(events_encode_words(words, &(struct events_machine){.uarch = NULL},
					     on_refused, &why),
			 -EINVAL);
	assert_int_equal(events_encode_words(good, machine_of("hsw"), on_refused, &why), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(good[encoded[i]], wanted[i]);
		free((char *)good[encoded[i]]);
	}
	assert_string_equal(good[15], "UOPS_ISSUED:ANY");
	free((char *)good[15]);
}

/* A message has the column in the typed text, whatever replaced the names before it. */
TEST(test_columns)
{
	static const struct {
		const char *list, *wanted;
	} cases[] = {
		{"UOPS_ISSUED:ANY:c=1,nosuch", "column 21: there is no event 'nosuch'"},
		{"cycles,UOPS_ISSUED:BAD", "column 8: event 'UOPS_ISSUED:BAD': "},
		{"UOPS_ISSUED:ANY:c=1,nosuch::foo", "column 21: event 'nosuch::foo': "},
		{"UOPS_ISSUED:ANY:c=1,cycles:z", "column 28: "},
		{"{UOPS_ISSUED:ANY:c=1,cycles", "column 28: '}' is missing"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *alone[] = {"stat", "-e", cases[i].list, "loop", NULL};
		const char *two[] = {
			"caps", command_separator, "record", "-e", cases[i].list, "loop", NULL};
		char wanted[256];
		struct reason why = {""};

		snprintf(wanted, sizeof(wanted), "stat: -e %s: %s", cases[i].list, cases[i].wanted);
		assert_int_equal(events_encode_words(alone, machine_of("hsw"), on_refused, &why),
				 -EINVAL);
		if (strncmp(why.text, wanted, strlen(wanted)))
			fail_msg("%s", why.text);
		*told = '\0';
		assert_int_equal(events_encode_words(two, machine_of("hsw"), on_refused, &why), 0);
		assert_string_equal(strchr(told, ' '), strchr(why.text, ' '));
		assert_memory_equal(told, "record:", 7);
		assert_ptr_equal(two[4], cases[i].list);
	}
}

/* The host tool leaves it to the image to report names that the image refuses. */
TEST(test_left_to_the_image)
{
	const char *words[] = {"stat", "-e", "nosuch,UOPS_ISSUED:ANY", "loop", command_separator,
			       "caps", NULL};
	struct reason why;

	*told = '\0';
	assert_int_equal(events_encode_words(words, machine_of("skx"), on_refused, &why), 0);
	assert_string_equal(told, "");
	assert_string_equal(words[2], "nosuch,UOPS_ISSUED:ANY");
}

/* Only operands of -e of stat and record are translated, before `--`, in every command. */
TEST(test_command_lines)
{
	const char *words[] = {"stat",
			       "-e",
			       "UOPS_ISSUED:ANY",
			       "-r",
			       "3",
			       "--event=UOPS_ISSUED:ANY,cycles",
			       "-eUOPS_ISSUED:ANY",
			       "--",
			       "loop",
			       "-e",
			       "UOPS_ISSUED:ANY",
			       command_separator,
			       "help",
			       "-e",
			       "UOPS_ISSUED:ANY",
			       command_separator,
			       "record",
			       "--event",
			       "UOPS_ISSUED:ANY",
			       "loop",
			       "-e",
			       NULL};
	const size_t encoded[] = {2, 5, 6, 18};
	static const char *const wanted[] = {SKX_ANY, "--event=" SKX_ANY ",cycles", "-e" SKX_ANY,
					     SKX_ANY};
	struct reason why;

	assert_int_equal(events_encode_words(words, machine_of("skx"), on_refused, &why), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(words[encoded[i]], wanted[i]);
		free((char *)words[encoded[i]]);
	}
	assert_string_equal(words[10], "UOPS_ISSUED:ANY");
	assert_string_equal(words[14], "UOPS_ISSUED:ANY");
	assert_string_equal(words[20], "-e");
}
