// SPDX-License-Identifier: BSD-2-Clause
/* test_evfiles.c - event files of hybrids: the cores of each file, and the names of its events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/events/events.h"
#include "tools/events/evfiles.h"

#define EVENT(code, name)                                   \
	"{\"EventCode\":\"" code "\",\"EventName\":\"" name \
	"\",\"UMask\":\"0x01\",\"Counter\":\"0,1\""
#define EVENTS EVENT("0x10", "MADE.BOTH") "}"

static char folder[] = "/tmp/test_evfiles.XXXXXX";
static struct evfiles files;
static struct reason why;

static const char *path_of(const char *name)
{
	static char path[4][128];
	static unsigned n;
	char *out = path[n++ % 4];

	snprintf(out, sizeof(path[0]), "%s/%s", folder, name);
	return out;
}

static const char *put_file(const char *name, const char *text)
{
	const char *path = path_of(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

FIXTURE(set_up)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(tear_down)
{
	return rmdir(folder);
}

static const struct uarch *hybrid(void)
{
	return uarch_by_name("adl");
}

TEST(test_which_cores)
{
	static const struct {
		const char *name, *text;
		uint8_t core; /* 0: it does not tell */
	} rows[] = {
		{"a.json", "[" EVENTS "]", 0},
		{"core.json", "[" EVENTS "]", UARCH_CORE},
		{"atom.json", "[" EVENTS "]", UARCH_ATOM},
		{"alderlake_goldencove_core.json", "[" EVENTS "]", UARCH_CORE},
		{"alderlake_gracemont_core.json", "[" EVENTS "]", UARCH_ATOM},
		{"meteorlake_crestmont_core.json", "[" EVENTS "]", UARCH_ATOM},
		/* The header takes precedence over the file's name, and units over both. */
		{"atom.json", "{\"Header\":{\"Info\":\"of Redwood Cove\"},\"Events\":[" EVENTS "]}",
		 UARCH_CORE},
		{"a.json",
		 "{\"Header\":{\"Info\":\"12th Generation Intel(R) Core(TM)\"},"
		 "\"Events\":[" EVENTS "]}",
		 0},
		{"core.json",
		 "{\"Header\":{\"Info\":\"Golden Cove\"},\"Events\":[" EVENT(
			 "0x10", "A") ",\"Unit\":\"cpu_atom\"}]}",
		 UARCH_ATOM},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *path = put_file(rows[i].name, rows[i].text);
		const int err = evfiles_read(&files, &path, 1, hybrid(), &why);

		if (err != (rows[i].core ? 0 : -EINVAL))
			fail_msg("row %zu: %d, %s", i, err, why.text);
		if (!err)
			assert_int_equal(files.of[0].core, rows[i].core);
		if (err)
			assert_non_null(strstr(why.text, "does not tell for which cores"));
		evfiles_free(&files);
		assert_int_equal(evfiles_read_planned(&files, &path, 1, hybrid(), &why), 0);
		assert_int_equal(files.of[0].core, rows[i].core ? rows[i].core : UARCH_CORE);
		assert_int_equal(evfiles_planned(&files, hybrid()) == NULL,
				 rows[i].core == UARCH_ATOM);
		evfiles_free(&files);
		unlink(path);
	}
}

/* Both kinds have MADE.BOTH, with different codes, and each has one more event. */
static struct guest_uarch read_both(void)
{
	const char *large = put_file(
		"core.json", "[" EVENT("0x10", "MADE.BOTH") "}," EVENT("0x11", "MADE.LARGE") "}]");
	const char *small = put_file(
		"atom.json", "[" EVENT("0x20", "MADE.BOTH") "}," EVENT("0x21", "MADE.SMALL") "}]");
	const char *given[] = {large, small};
	struct guest_uarch guest = *guest_uarch_find("adl");

	assert_int_equal(evfiles_read(&files, given, 2, hybrid(), &why), 0);
	unlink(large);
	unlink(small);
	guest.files = &files;
	return guest;
}

#define CORE(code, name) "cpu_core/event=" code ",umask=0x01,name='cpu_core/" name "/'/"
#define ATOM(code, name) "cpu_atom/event=" code ",umask=0x01,name='cpu_atom/" name "/'/"

TEST(test_names_of_both)
{
	static const struct {
		const char *list, *wanted;
	} rows[] = {
		{"cpu_core/MADE.BOTH/", CORE("0x10", "MADE.BOTH")},
		{"cpu_atom/made.both/u", ATOM("0x20", "made.both") "u"},
		{"{MADE.BOTH:u,cycles}",
		 "{" CORE("0x10", "MADE.BOTH") "u," ATOM("0x20", "MADE.BOTH") "u,cycles}"},
		{"cpu/MADE.BOTH/k", CORE("0x10", "MADE.BOTH") "k," ATOM("0x20", "MADE.BOTH") "k"},
		{"MADE.LARGE,MADE.SMALL:p",
		 CORE("0x11", "MADE.LARGE") "," ATOM("0x21", "MADE.SMALL") "p"},
		{"cpu_core/MADE.BOTH,cmask=2/",
		 "cpu_core/event=0x10,umask=0x01,name='cpu_core/MADE.BOTH,cmask=2/',cmask=2/"},
		{"cpu_core/MADE.BOTH,name=mine/", "cpu_core/event=0x10,umask=0x01,name=mine/"},
		{"cpu_core/MADE.SMALL/,MADE.NONE", "cpu_core/MADE.SMALL/,MADE.NONE"},
	};
	struct guest_uarch guest = read_both();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out = {0};

		assert_int_equal(events_encode(&out, rows[i].list, &guest, &why), 0);
		assert_string_equal(buf_text(&out), rows[i].wanted);
		buf_free(&out);
	}
	evfiles_free(&files);
}

/* A machine of large cores alone. */
TEST(test_names_of_one_kind)
{
	struct guest_uarch guest = read_both();
	struct buf out = {0};

	guest.core = UARCH_CORE;
	assert_int_equal(events_encode(&out, "MADE.BOTH,MADE.SMALL", &guest, &why), 0);
	assert_string_equal(buf_text(&out), CORE("0x10", "MADE.BOTH") ",MADE.SMALL");
	buf_free(&out);
	evfiles_free(&files);
}

TEST(test_mistakes)
{
	const char *path = put_file("core.json", "[" EVENTS "]"), *twice[] = {path, path};
	const char *hsw[] = {"cpu_core=/dev/null"};
	char same[256], typed[160];
	const char *both[] = {path, typed};

	snprintf(same, sizeof(same), "--event-file %s: %s is for cpu_core already", path, path);
	assert_int_equal(evfiles_read(&files, twice, 2, hybrid(), &why), -EINVAL);
	assert_string_equal(why.text, same);
	assert_int_equal(files.n, 0);
	snprintf(same, sizeof(same), "--event-file %s: %s is for cpu already", path, path);
	assert_int_equal(evfiles_read(&files, twice, 2, uarch_by_name("hsw"), &why), -EINVAL);
	assert_string_equal(why.text, same);
	/* A typed core takes precedence over the core in the file. */
	snprintf(typed, sizeof(typed), "cpu_atom=%s", path);
	assert_int_equal(evfiles_read(&files, both, 2, hybrid(), &why), 0);
	assert_int_equal(files.of[1].core, UARCH_ATOM);
	evfiles_free(&files);
	assert_int_equal(evfiles_read(&files, hsw, 1, uarch_by_name("hsw"), &why), -EINVAL);
	unlink(path);
}

TEST(test_codes_of_fixed_counters)
{
	static const struct {
		const char *name;
		uint64_t select, config;
	} rows[] = {
		{"INST_RETIRED.ANY", 0x100, 0xc0},
		{"INST_RETIRED.PREC_DIST", 0x100, 0x100},
		{"CPU_CLK_UNHALTED.THREAD", 0x200, 0x3c},
		{"CPU_CLK_UNHALTED.REF_TSC", 0x300, 0x300},
		{"MADE", 0x1d1, 0x1d1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct evfile_event e = {.name = (char *)rows[i].name,
					       .select = {rows[i].select}};

		assert_int_equal(evfile_config(&e), rows[i].config);
	}
}

GROUP(set_up, tear_down);
