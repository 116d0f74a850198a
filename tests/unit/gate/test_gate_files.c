// SPDX-License-Identifier: BSD-2-Clause
/* test_gate_files.c - the gate's input: baselines, perf0.toml, tolerances. Each mistake gives one
 * sentence with its place, and a cut file is never accepted as whole. */
#include "tools/gate/compare.h"
#include "tools/gate/gate_config.h"
#include "tools/gate/gate_events.h"
#include "tools/gate/gate_results.h"
#include "tools/gate/toml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"

#define HEAD "# perf0 gate 2\tversion=0.1\tuarch=skx\tmachine=0123456789abcdef\n"

static const char whole[] = HEAD "a\tevent\tbranches:u\t7\tratio\n"
				 "a\tevent\tinstructions:u\t100\n"
				 "a\tfiles\t1\t/lib/libc.so.6\t77\n"
				 "a\tfunctions\t1\toperator new\t40\t2\t33\t9\n"
				 "a\tinside\tinstructions:u\t60\n"
				 "b c\tevent\tfaults:u\t0\tcounted\n"
				 "b c\tevent\tinstructions:u\t18446744073709551615\texact\n"
				 "# end\n";

TEST(test_results_are_read_and_written)
{
	struct gate_results results = {0};
	struct buf out = {0};
	struct reason why;

	assert_int_equal(gate_results_parse(&results, whole, strlen(whole), &why), 0);
	assert_int_equal(results.n, 10);
	assert_int_equal(gate_results_find(&results, "a", RESULT_CALLS, "operator new")->value, 2);
	assert_int_equal(gate_results_find(&results, "a", RESULT_FILE, "/lib/libc.so.6")->value,
			 77);
	assert_string_equal(results.uarch, "skx");
	assert_int_equal(gate_results_find(&results, "b c", RESULT_EVENT, "instructions:u")->value,
			 UINT64_MAX);
	assert_null(gate_results_find(&results, "b", RESULT_EVENT, "instructions:u"));
	assert_int_equal(gate_results_begin(&results, "b c"), 8);
	assert_int_equal(gate_results_begin(&results, "c"), 10);
	assert_int_equal(gate_results_find(&results, "a", RESULT_EVENT, "branches:u")->truth,
			 TRUTH_RATIO);
	assert_int_equal(gate_results_find(&results, "a", RESULT_EVENT, "instructions:u")->truth,
			 TRUTH_KINDS);
	assert_int_equal(gate_results_find(&results, "b c", RESULT_EVENT, "faults:u")->truth,
			 TRUTH_UNTOLD);
	gate_results_write(&out, &results);
	assert_string_equal(buf_text(&out), whole);
	buf_free(&out);
	gate_results_free(&results);
}

/* A file that is cut at any byte is refused. */
TEST(test_results_cut_off)
{
	for (size_t n = 0; n < strlen(whole); n++) {
		struct gate_results results = {0};
		struct reason why = {""};

		assert_int_not_equal(gate_results_parse(&results, whole, n, &why), 0);
		assert_int_not_equal(*why.text, 0);
		gate_results_free(&results);
	}
}

static void check_bad_results(const char *text, const char *reason)
{
	struct gate_results results = {0};
	struct reason why = {""};

	assert_int_not_equal(gate_results_parse(&results, text, strlen(text), &why), 0);
	assert_string_equal(why.text, reason);
	gate_results_free(&results);
}

static void check_machines(const char *old, const char *got, const char *told)
{
	char was[64], is[64];
	const struct gate_results a = {.measured_on = old ? strcpy(was, old) : NULL};
	const struct gate_results b = {.measured_on = got ? strcpy(is, got) : NULL};
	struct buf out = {0};

	gate_results_tell_machine(&out, &a, &b);
	assert_string_equal(out.size ? buf_text(&out) : "", told);
	buf_free(&out);
}

TEST(test_other_machines)
{
	check_machines(NULL, NULL, "");
	check_machines("{\"QEMU\": \"7\"}", NULL, "");
	check_machines("{\"QEMU\": \"7\"}", "{\"QEMU\": \"7\", \"new\": \"1\"}", "");
	check_machines("[1]", "{\"QEMU\": \"7\"}", "");
	check_machines("{\"QEMU\": ", "{\"QEMU\": \"7\"}", "");
	check_machines("{\"QEMU\": \"7\", \"--smp\": \"1\", \"a\": 1}",
		       "{\"QEMU\": \"8\", \"a\": 1, \"--smp\": \"2\"}",
		       "QEMU was 7 and is 8, --smp was 1 and is 2");
}

TEST(test_results_that_are_wrong)
{
	check_bad_results("", "line 1: this is no file of perf0 gate");
	check_bad_results("hello\n", "line 1: this is no file of perf0 gate");
	check_bad_results(
		"# perf0 gate 3\tversion=1\n",
		"line 1: '# perf0 gate 3\\x09version=1' is of another perf0; this one reads formats "
		"1 to 2");
	check_bad_results(
		"# perf0 gate 2\tversion=1\r\n# end\r\n",
		"line 1: it ends with a carriage return, as git's core.autocrlf makes it: "
		"`*.baseline -text` in .gitattributes keeps it as it is");
	check_bad_results("# perf0 gate 1\tversion=1\n# end\n",
			  "line 1: version=, uarch= or machine= is missing");
	check_bad_results(HEAD "a\tevent\tx\n# end\n",
			  "line 2: 3 columns, and not benchmark, kind, name and number");
	check_bad_results(HEAD "<<<<<<< HEAD\n# end\n",
			  "line 2: 1 column, and not benchmark, kind, name and number");
	check_bad_results(HEAD "a\tevnt\tx\t1\n# end\n",
			  "line 2: 'evnt' is not event, files, functions or inside");
	check_bad_results(HEAD "a\tevent\tx\t-1\n# end\n", "line 2: '-1' is no number");
	check_bad_results(HEAD "a\tevent\tx\t1\tguess\n# end\n",
			  "line 2: 'guess' is no class of event");
	check_bad_results(HEAD "a\tevent\tx\t1\t\n# end\n", "line 2: '' is no class of event");
	check_bad_results(HEAD "a\tsize\tx\t1\n# end\n",
			  "line 2: 'size' is not event, files, functions or inside");
	check_bad_results(HEAD "a\tinside\tx\t1\texact\n# end\n",
			  "line 2: 'exact' is no class of inside");
	check_bad_results(HEAD "a\tfunctions\t2\tf\t1\t1\t1\t1\n# end\n",
			  "line 2: this is no list of 2 entries");
	check_bad_results(HEAD "a\tfunctions\t1\tf\t1\t1\tx\t1\n# end\n",
			  "line 2: 'x' is no number");
	check_bad_results(HEAD "a\tfiles\t1\tf\t1\na\tfiles\t0\n# end\n", "line 3 is there twice");
	check_bad_results(HEAD "a\tevent\tx\t1\texact\t1\n# end\n",
			  "line 2: 6 columns, and not benchmark, kind, name and number");
	check_bad_results(HEAD "a\tevent\tx\t1k\n# end\n", "line 2: '1k' is no number");
	check_bad_results(HEAD "a\tevent\tx\t01\n# end\n", "line 2: '01' is no number");
	check_bad_results(HEAD "a\tevent\tx\t18446744073709551616\n# end\n",
			  "line 2: '18446744073709551616' is no number");
	check_bad_results(HEAD "\tevent\tx\t1\n# end\n",
			  "line 2: a benchmark or a number without a name");
	check_bad_results(HEAD "a\tevent\tx\033[2J\t1\n# end\n",
			  "line 2: a name with a control character in it, or a # in front");
	check_bad_results(HEAD "#a\tevent\tx\t1\n# end\n",
			  "line 2: a name with a control character in it, or a # in front");
	check_bad_results(HEAD "a\tevent\tx\t1\na\tevent\tx\t1\n# end\n", "line 3 is there twice");
	check_bad_results(HEAD "b\tevent\tx\t1\na\tevent\tx\t1\n# end\n",
			  "line 3 is not in its place: lines are sorted by their bytes");
	check_bad_results(HEAD "# shard 4/3\n# end\n", "line 2: this is no shard I/N");
	check_bad_results(HEAD "# end\na\tevent\tx\t1\n", "line 3: there is more behind '# end'");
}

/* --- Classes --- */

/* Returns the message, or "" if the counts are compared. */
static void check_classes(const char *old_text, const char *got_text, const char *reason)
{
	struct gate_results old = {0}, got = {0};
	struct reason why = {""};

	assert_int_equal(gate_results_parse(&old, old_text, strlen(old_text), &why), 0);
	assert_int_equal(gate_results_parse(&got, got_text, strlen(got_text), &why), 0);
	assert_int_equal(gate_results_check_classes(&old, &got, &why), *reason ? -EINVAL : 0);
	assert_string_equal(why.text, reason);
	gate_results_free(&old);
	gate_results_free(&got);
}

TEST(test_classes_are_not_mixed)
{
	static const char exact[] = HEAD "a\tevent\tx\t1\texact\n# end\n";
	static const char untold[] = HEAD "a\tevent\tx\t1\n# end\n";

	check_classes(exact, exact, "");
	check_classes(untold, exact, "");
	check_classes(exact, untold, "");
	check_classes(exact, HEAD "a\tevent\ty\t1\tratio\n# end\n", "");
	check_classes(exact, HEAD "a\tevent\tx\t1\tratio\n# end\n",
		      "a: x is 'exact' in the baseline and 'ratio' now: counts of another class "
		      "are not compared; --update takes the new ones");
	check_classes(HEAD "a\tevent\tx\t1\tcounted\n# end\n", exact,
		      "a: x is 'counted' in the baseline and 'exact' now: counts of another class "
		      "are not compared; --update takes the new ones");
}

/* --- Names of rows --- */

TEST(test_names_are_kept_once)
{
	struct text_pool pool = {0};
	const char *first[1000];
	char name[32];

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 1000; i++) {
			const char *kept;

			snprintf(name, sizeof(name), "name %d", i);
			kept = text_pool_add(&pool, name);
			assert_string_equal(kept, name);
			assert_true(kept != name);
			if (round)
				assert_ptr_equal(kept, first[i]);
			first[i] = kept;
		}
	assert_int_equal(pool.n, 1000);
	assert_string_equal(text_pool_add(&pool, ""), "");
	text_pool_free(&pool);
	assert_null(pool.slot);
}

/* --- Shards --- */

static void parse_shard(struct gate_results *out, const char *shard, const char *rows)
{
	struct buf text = {0};
	struct reason why = {""};

	buf_printf(&text, HEAD "%s%s# end\n", shard, rows);
	assert_int_equal(gate_results_parse(out, buf_text(&text), text.size, &why), 0);
	buf_free(&text);
}

static void check_merge(const char *const *shards, size_t n, const char *reason)
{
	static const char *const paths[] = {"x", "y", "z"};
	struct gate_results shard[3] = {0}, out = {0};
	struct reason why = {""};
	int err;

	for (size_t i = 0; i < n; i++)
		parse_shard(&shard[i], shards[i],
			    i == 1 ? "b\tevent\tx\t2\n"
			    : i    ? "c\tevent\tx\t3\n"
				   : "a\tevent\tx\t1\n");
	err = gate_results_merge(&out, shard, paths, n, &why);
	assert_string_equal(why.text, reason);
	assert_int_equal(!err, !*reason);
	assert_int_equal(err == -ENOENT, strstr(reason, "missing") != NULL);
	for (unsigned k = 1; err == -ENOENT && k <= n; k++)
		assert_true(gate_results_has_shard(shard, n, shard[k - 1].shard));
	if (!err) {
		assert_int_equal(out.n, 3);
		assert_string_equal(out.row[0].benchmark, "a");
		assert_int_equal(out.shards, 0);
	}
	for (size_t i = 0; i < n; i++)
		gate_results_free(&shard[i]);
	gate_results_free(&out);
}

TEST(test_shards_merge)
{
	check_merge((const char *[]){"# shard 1/3\n", "# shard 2/3\n", "# shard 3/3\n"}, 3, "");
	check_merge((const char *[]){"# shard 3/3\n", "# shard 1/3\n", "# shard 2/3\n"}, 3, "");
	check_merge((const char *[]){"# shard 1/3\n", "# shard 3/3\n"}, 2,
		    "of 3 shards 1 is missing: 2");
	check_merge((const char *[]){"# shard 3/3\n"}, 1, "of 3 shards 2 are missing: 1, 2");
	check_merge((const char *[]){"# shard 1/2\n", "# shard 1/2\n"}, 2,
		    "x and y are both shard 1 of 2");
	check_merge((const char *[]){"# shard 1/2\n", "# shard 2/3\n"}, 2,
		    "y is a shard of 3, and x one of 2");
	check_merge((const char *[]){"# shard 1/2\n", ""}, 2, "y: this is no shard, but all");
}

/* --- TOML --- */

static void check_toml(const char *text, const char *reason)
{
	struct toml toml = {0};
	struct reason why = {""};
	int err = toml_parse(&toml, text, strlen(text), &why);

	assert_string_equal(why.text, reason);
	assert_int_equal(!err, !*reason);
	toml_free(&toml);
}

TEST(test_toml_values)
{
	static const char text[] = "# a comment\n"
				   "[gate]   # behind it\r\n"
				   "a = \"x\\t\\\"\\u00e4\\U0001F600\"\n"
				   "'b c' = 'C:\\x'\n"
				   "n = [ 'p', # one\n\n  \"q\",\n]\n"
				   "h = 0xff_ff\nm = -1_000\nt = true\n"
				   "[[benchmark]]\n[[benchmark]]\nz = 0";
	struct toml toml = {0};
	struct reason why = {""};

	assert_int_equal(toml_parse(&toml, text, strlen(text), &why), 0);
	assert_int_equal(toml.n, 4);
	assert_string_equal(toml.table[1].entry[0].text, "x\t\"\xc3\xa4\xf0\x9f\x98\x80");
	assert_string_equal(toml.table[1].entry[1].key, "b c");
	assert_string_equal(toml.table[1].entry[1].text, "C:\\x");
	assert_int_equal(toml.table[1].entry[2].nitems, 2);
	assert_string_equal(toml.table[1].entry[2].item[1], "q");
	assert_int_equal(toml.table[1].entry[3].number, 0xffff);
	assert_int_equal(toml.table[1].entry[4].number, -1000);
	assert_true(toml.table[1].entry[5].is_true);
	assert_true(toml.table[3].is_array);
	assert_int_equal(toml.table[3].entry[0].line, 14);
	toml_free(&toml);
}

TEST(test_toml_that_is_wrong)
{
	check_toml("a", "1:2: = should be here");
	check_toml("a =", "1:4: a value should be here");
	check_toml("= 1", "1:1: a key should be here");
	check_toml("a = 1 2", "1:7: the line should end here");
	check_toml("a = 1\na = 2", "2:1: this key is there twice");
	check_toml("\xef\xbb\xbf"
		   "a = 1\r\n\xef\xbb\xbf"
		   "b = 2",
		   "2:1: a key should be here");
	check_toml("\xef\xbb\xbf"
		   "a = x",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a.b = 1", "1:2: keys with dots are not read here");
	check_toml("a = \"x", "1:7: the string does not end");
	check_toml("a = 'x\ny'", "1:7: the string does not end");
	check_toml("a = \"\"\"x\"\"\"", "1:5: strings of several lines are not read here");
	check_toml("a = \"\\q\"",
		   "1:7: there is no such escape: \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX "
		   "\\UXXXXXXXX are");
	check_toml("a = \"\\u12g4\"", "1:10: a hexadecimal digit should be here");
	check_toml("a = \"\\ud800\"", "1:12: this is no character");
	check_toml("a = \"\x01\"", "1:6: a control character in a string");
	check_toml("# \x01", "1:3: a control character in a comment");
	check_toml("a = 1.5", "1:5: a number that is not whole stands in quotes, as \"0.5%\"");
	check_toml("a = 2%", "1:5: a number that is not whole stands in quotes, as \"0.5%\"");
	check_toml("a = 1979-05-27",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a = 01",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a = 1__0",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a = _1",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a = 9223372036854775808",
		   "1:5: this is no string, whole number, true, false or array of strings");
	check_toml("a = {b=1}", "1:5: tables in one line are not read here");
	check_toml("a = [1]", "1:6: a string should be here");
	check_toml("a = ['x' 'y']", "1:10: a comma or ] should be here");
	check_toml("a = ['x',\n", "2:1: the array does not end");
	check_toml("a = ['x'", "1:9: the array does not end");
	check_toml("[a\n", "1:3: ] should be here");
	check_toml("[[a]\n", "1:4: ]] should be here");
	check_toml("[]\n", "1:2: a key should be here");
	check_toml("[a.b]\n", "1:3: tables in tables are not read here");
	check_toml("[a]\n[a]\n", "2:1: this table is there twice");
	check_toml("[a]\n[[a]]\n", "2:1: this table is there twice");
	check_toml("[a] b\n", "1:5: the line should end here");
}

/* Names are found by hashes: comparing each name with all earlier ones would take minutes here. */
TEST(test_toml_of_many_names)
{
	enum { MANY = 100000 };
	struct toml toml = {0};
	struct buf text = {0};

	for (int i = 0; i < MANY; i++)
		buf_printf(&text, "k%d=1\n", i);
	for (int i = 0; i < MANY; i++)
		buf_printf(&text, "[[b]]\n");
	for (int i = 0; i < MANY; i++)
		buf_printf(&text, "[t%d]\n", i);
	assert_int_equal(toml_parse(&toml, buf_text(&text), text.size, NULL), 0);
	assert_int_equal(toml.table[0].n, MANY);
	assert_int_equal(toml.n, 1 + 2 * MANY);
	toml_free(&toml);
	buf_printf(&text, "[t77]\n");
	assert_int_equal(toml_parse(&toml, buf_text(&text), text.size, NULL), -EINVAL);
	toml_free(&toml);
	buf_free(&text);
}

TEST(test_bytes_0_have_a_place)
{
	static const char toml_text[] = "[a]\n# b\nx = \"\0\"\n",
			  results_text[] = HEAD "a\0b\n# end\n";
	struct gate_results results = {0};
	struct toml toml = {0};
	struct reason why = {""};

	assert_int_not_equal(toml_parse(&toml, toml_text, sizeof(toml_text) - 1, &why), 0);
	assert_string_equal(why.text, "3:6: a byte 0: this is no text");
	toml_free(&toml);
	assert_int_not_equal(
		gate_results_parse(&results, results_text, sizeof(results_text) - 1, &why), 0);
	assert_string_equal(why.text, "line 2: a byte 0: this is no text");
	gate_results_free(&results);
}

/* --- perf0.toml --- */

static void check_config(const char *text, const char *reason)
{
	char path[] = "/tmp/test_gate_XXXXXX", full[600];
	struct gate_config config = {0};
	struct reason why = {""};
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = gate_config_read(&config, path, &why);
	unlink(path);
	snprintf(full, sizeof(full), "%s%s%s", *reason ? path : "", *reason ? ":" : "", reason);
	assert_string_equal(why.text, full);
	assert_int_equal(!err, !*reason);
	gate_config_free(&config);
}

TEST(test_config_that_is_wrong)
{
	check_config("", "");
	check_config("[gate]\ntolerance = 5\nevents = ['a', 'b']\n[[benchmark]]\nprogram = 'x'\n",
		     "");
	check_config("x = 1\n", "1:1: keys stand below [gate] or [[benchmark]]");
	check_config("[other]\n", "1:1: other is neither [gate] nor [[benchmark]]");
	check_config("[[gate]]\n", "1:1: gate is neither [gate] nor [[benchmark]]");
	check_config("[benchmark]\n", "1:1: benchmark is neither [gate] nor [[benchmark]]");
	check_config("[gate]\ncolour = 1\n", "2:1: there is no key 'colour' here");
	check_config("[[benchmark]]\nprogam = 'x'\n",
		     "2:1: there is no key 'progam' here; did you mean 'program'?");
	check_config("[[benchmark]]\nsame_clock = true\n",
		     "2:1: there is no key 'same_clock' here; did you mean 'same-clock'?");
	check_config("[gate]\nuarch = 'z80'\n",
		     "2:9: uarch: this is not one of those that 'perf0 list uarchs' lists");
	check_config("[gate]\nbaseline = 1\n", "2:12: baseline: a string is needed");
	check_config("[gate]\nbaseline = ''\n", "2:12: baseline: this is empty");
	check_config("[gate]\nevents = []\n", "2:10: events: this is empty");
	check_config(
		"[gate]\ntolerance = -1\n",
		"2:13: tolerance: column 1: '-1' is not a number of events, or of percent as 0.5%, "
		"with EVENT= in front for one event");
	check_config("[gate]\ntolerance = '1%%'\n",
		     "2:13: tolerance: column 1: '1%%' is not a number of events, or of percent as "
		     "0.5%, with EVENT= in front for one event");
	check_config("[gate]\ntolerance = ['a:u=1', 'b=1', 'a:u=2']\n",
		     "2:13: tolerance: column 11: this event is there twice");
	check_config("[gate]\ntolerance = true\n", "2:13: tolerance: a string is needed");
	check_config("[[benchmark]]\nname = 'a'\n", "1:1: a benchmark without program");
	check_config("[[benchmark]]\nprogram = 'a'\nargs = 'b'\n",
		     "3:8: args: an array of strings is needed");
	check_config("[[benchmark]]\nprogram = 'a'\nname = \"a\\tb\"\n",
		     "3:8: name: a name begins with no #, and has no control character in it");
	check_config("[[benchmark]]\nprogram = 'a'\n[[benchmark]]\nprogram = 'a'\n",
		     "3:1: there are two benchmarks 'a'");
}

/* --- Tolerances, events, comparisons --- */

TEST(test_tolerances)
{
	struct tolerance t;
	unsigned shard, shards;

	assert_true(tolerance_parse("0", &t) && !tolerance_covers(&t, 10, 11));
	assert_true(tolerance_parse("1", &t) && tolerance_covers(&t, 10, 11));
	assert_false(tolerance_covers(&t, 10, 12));
	assert_true(tolerance_parse("0.0001%", &t) && tolerance_covers(&t, 1000000, 1000001));
	assert_false(tolerance_covers(&t, 1000000, 1000002));
	assert_true(tolerance_parse("10%", &t) && tolerance_covers(&t, 10, 11));
	assert_false(tolerance_covers(&t, 0, 1));
	assert_true(tolerance_covers(&t, UINT64_MAX, UINT64_MAX - 5));
	for (const char *const *bad =
		     (const char *const[]){"", "%", "-1", "1.5", "x", "1%x", "1.5.5%", "0.00001%",
					   "1001%", "1e3", " 1", NULL};
	     *bad; bad++)
		assert_false(**bad != '%' && tolerance_parse(*bad, &t));
	assert_true(shard_parse("2/3", &shard, &shards) && shard == 2 && shards == 3);
	for (const char *const *bad =
		     (const char *const[]){"", "2", "/", "0/3", "4/3", "1/0", "1/3x", "1/10001",
					   "+1/2", "01/2", NULL};
	     *bad; bad++)
		assert_false(shard_parse(*bad, &shard, &shards));
}

static void check_several(const char *text, const char *reason)
{
	struct reason why = {""};

	assert_int_equal(!tolerances_check(text, &why), !*reason);
	assert_string_equal(why.text, reason);
}

#define IS_SECOND "this is a second tolerance for all events; a decimal point is a point: 0.5%"
#define IS_NOT \
	"is not a number of events, or of percent as 0.5%, with EVENT= in front for one event"

TEST(test_tolerances_by_event)
{
	static const char text[] =
		"instructions:u=0,cpu/event=0x3c,umask=1/=7,5,L1-dcache-loads=1%";
	struct tolerance t;

	check_several(text, "");
	assert_true(tolerances_find(text, "instructions:u", &t) && !t.events);
	assert_true(tolerances_find(text, "cpu/event=0x3c,umask=1/", &t) && t.events == 7);
	assert_true(tolerances_find(text, "L1-dcache-loads", &t) && t.millionths == 10000);
	assert_true(tolerances_find(text, "instructions", &t) && t.events == 5);
	assert_false(tolerances_find("instructions:u=1", "branches:u", &t));
	check_several("", "column 1: '' " IS_NOT);
	check_several("x", "column 1: 'x' " IS_NOT);
	check_several("1,x=", "column 3: 'x=' " IS_NOT);
	check_several("x=1,=1", "column 5: '=1' " IS_NOT);
	check_several("1,", "column 2: '' " IS_NOT);
	check_several("1,,2", "column 3: '' " IS_NOT);
	check_several("x=1%%", "column 1: 'x=1%%' " IS_NOT);
	check_several("x=00000000000000000000000000000001",
		      "column 1: 'x=00000000000000000000000000000001' " IS_NOT);
	check_several("1,x=2,3", "column 7: " IS_SECOND);
	check_several("0,5%", "column 3: " IS_SECOND);
	check_several("x=1,y=1,x=2", "column 9: this event is there twice");
}

static void check_event_lists(const char *list, const char *uarch, const char *expanded,
			      const char *const *parts)
{
	struct gate_lists lists;
	struct buf out = {0};
	size_t n = 0;

	gate_events_expand(&out, list, uarch);
	assert_string_equal(buf_text(&out), expanded);
	gate_events_split(&lists, buf_text(&out), guest_uarch_find(uarch));
	for (; parts[n]; n++)
		assert_string_equal(n < lists.n ? lists.list[n] : "(none)", parts[n]);
	assert_int_equal(lists.n, n);
	gate_events_free(&lists);
	buf_free(&out);
}

TEST(test_events)
{
	struct buf scratch = {0};

	check_event_lists(
		"loads:u,{stores:u,branches:u},syscalls", "hsw",
		"mem_uops_retired.all_loads:u,{mem_uops_retired.all_stores:u,branches:u},"
		"raw_syscalls:sys_enter",
		(const char *[]){
			"mem_uops_retired.all_loads:u",
			"{mem_uops_retired.all_stores:u,branches:u},raw_syscalls:sys_enter", NULL});
	check_event_lists(
		"cpu/event=1,name='loads'/u,loads", "skx",
		"cpu/event=1,name='loads'/u,mem_inst_retired.all_loads",
		(const char *[]){"cpu/event=1,name='loads'/u,mem_inst_retired.all_loads", NULL});
	check_event_lists(
		GATE_EVENTS, "zen4",
		"instructions:u,branches:u,ls_dispatch.ld_dispatch:u,ls_dispatch.store_dispatch:u,"
		"raw_syscalls:sys_enter,page-faults",
		(const char *[]){"instructions:u,branches:u,ls_dispatch.ld_dispatch:u,"
				 "ls_dispatch.store_dispatch:u,raw_syscalls:sys_enter,page-faults",
				 NULL});
	check_event_lists("instructions:u,instructions:k", "skx", "instructions:u,instructions:k",
			  (const char *[]){"instructions:u", "instructions:k", NULL});
	assert_string_equal(gate_events_name("mem_inst_retired.all_loads:u", "skx", &scratch),
			    "loads:u");
	assert_string_equal(gate_events_name("r81d0:u", "adl", &scratch), "loads:u");
	assert_string_equal(gate_events_name("raw_syscalls:sys_enter", "adl", &scratch),
			    "syscalls");
	assert_string_equal(gate_events_name("r81d0:u", "skx", &scratch), "r81d0:u");
	buf_free(&scratch);
}

static struct tolerance no_tolerance(const void *ctx, const char *benchmark, const char *event)
{
	(void)event;
	(void)ctx;
	(void)benchmark;
	return (struct tolerance){0};
}

/* Format 1 had functions by samples, and a line for each. */
TEST(test_old_results)
{
	static const char text[] = "# perf0 gate 1\tversion=0.1\tuarch=skx\tmachine=0\n"
				   "a\tevent\tx\t10\na\tfunction\tf\t100\n"
				   "a\tperiod\tinstructions:u\t5\na\tsize\tf\t20\n# end\n";
	struct gate_results results = {0};
	struct moved_list list;
	struct reason why;

	assert_int_equal(gate_results_parse(&results, text, strlen(text), &why), 0);
	assert_int_equal(results.n, 1);
	assert_int_equal(results.format, 1);
	compare_functions(&results, &results, "a", &list);
	assert_int_equal(list.n, 0);
	gate_results_free(&results);
}

TEST(test_comparison)
{
	const struct tolerances tolerances = {no_tolerance, NULL};
	struct gate_results old = {0}, got = {0};
	struct comparison comparison;

	parse_shard(&old, "", "a\tevent\tx\t10\nb\tevent\tx\t1\nc\tevent\tx\t5\n");
	parse_shard(&got, "", "a\tevent\tx\t11\nc\tevent\tx\t4\nd\tevent\tx\t1\n");
	compare_results(&comparison, &old, &got, &tolerances, false);
	assert_int_equal(comparison.n, 4);
	assert_int_equal(comparison.change[0].verdict, VERDICT_WORSE);
	assert_int_equal(comparison.change[1].verdict, VERDICT_GONE);
	assert_true(comparison.change[1].all_gone);
	assert_int_equal(comparison.change[2].verdict, VERDICT_BETTER);
	assert_int_equal(comparison.change[3].verdict, VERDICT_NEW);
	comparison_free(&comparison);
	compare_results(&comparison, &old, &got, &tolerances, true);
	assert_int_equal(comparison.n, 3);
	comparison_free(&comparison);
	gate_results_free(&old);
	gate_results_free(&got);
}

/* Where functions are measured, the process is not judged. */
TEST(test_process_beside_functions)
{
	const struct tolerances tolerances = {no_tolerance, NULL};
	struct gate_results old = {0}, got = {0};
	struct comparison comparison;

	parse_shard(&old, "", "a\tevent\tx\t10\na\tinside\tx\t5\n");
	parse_shard(&got, "", "a\tevent\tx\t99\na\tinside\tx\t5\n");
	compare_results(&comparison, &old, &got, &tolerances, false);
	assert_int_equal(comparison.change[0].verdict, VERDICT_BESIDE);
	assert_int_equal(comparison.change[1].verdict, VERDICT_SAME);
	assert_true(comparison.change[1].inside);
	assert_int_equal(comparison.benchmarks[VERDICT_WORSE], 0);
	comparison_free(&comparison);
	gate_results_free(&old);
	gate_results_free(&got);
}

/* The differences of functions add up; other code comes first. */
TEST(test_functions_that_changed)
{
	struct gate_results old = {0}, got = {0};
	struct rebuilt rebuilt[4];
	struct moved_list list;
	int64_t sum;

	parse_shard(&old, "",
		    "a\tfiles\t1\t/lib/libc.so.6\t1\n"
		    "a\tfunctions\t4\tf\t100\t10\t20\t7\tg\t50\t1\t9\t8\tgone\t3\t1\t1\t1\t"
		    "memcpy@libc.so.6\t30\t1\t9\t9\n");
	parse_shard(&got, "",
		    "a\tfiles\t1\t/lib/libc.so.6\t2\n"
		    "a\tfunctions\t4\tf\t150\t10\t24\t6\tg\t250\t5\t9\t8\tmemcpy@libc.so.6\t"
		    "20\t1\t9\t9\tnew\t5\t1\t4\t4\n");
	compare_functions(&old, &got, "a", &list);
	assert_int_equal(list.n, 5);
	assert_string_equal(list.one[0].name, "f");
	assert_true(list.one[0].has_other_code);
	assert_string_equal(list.one[1].name, "g");
	assert_int_equal(list.one[1].got_calls, 5);
	sum = list.by_others;
	for (size_t i = 0; i < list.n; i++)
		sum += (int64_t)(list.one[i].got - list.one[i].old);
	assert_int_equal(sum, 150 + 250 + 20 + 5 - 100 - 50 - 3 - 30);
	assert_int_equal(compare_files(&old, &got, rebuilt, 4), 1);
	assert_string_equal(rebuilt[0].path, "/lib/libc.so.6");
	assert_int_equal(rebuilt[0].by, -10);
	gate_results_free(&old);
	gate_results_free(&got);
}
