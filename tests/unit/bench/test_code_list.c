// SPDX-License-Identifier: BSD-2-Clause
/* test_code_list.c - lists of pieces of code: their lines, their results, and parts put together.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/bench/code_list.h"
#include "tools/bench/listed_results.h"

#define PATHS 4

/* Writes `text` to a new file; returns its path. */
static const char *write_list(const char *text, size_t n)
{
	static char path[PATHS][32];
	static unsigned next;
	char *at = path[next++ % PATHS];
	int fd;

	strcpy(at, "/tmp/perf0-list-XXXXXX");
	fd = mkstemp(at);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
	return at;
}

/* Reads `text` as a list, and describes its pieces, a line each, without the path. */
static char *describe_list(const char *text, size_t n)
{
	const char *path = write_list(text, n);
	const size_t npath = strlen(path);
	struct code_list list;
	struct buf out = {0};
	struct reason why;

	if (code_list_read(&list, path, &why))
		buf_printf(&out, "%s", why.text + strlen("--list ") + npath);
	for (size_t i = 0; i < list.n; i++) {
		const struct listed_code *one = &list.one[i];

		assert_true(!one->code != !one->problem);
		if (one->code)
			buf_printf(&out, "%s%s:%zu=%s\n", one->name, one->place + npath,
				   one->column, one->code);
		else
			buf_printf(&out, "%s!%s\n", one->name, one->problem + npath);
	}
	code_list_free(&list);
	unlink(path);
	buf_text(&out);
	return (char *)out.data;
}

TEST(test_lines)
{
	static const struct {
		const char *text, *pieces;
	} cases[] = {
		{"a: nop\n", "a:1:4=nop\n"},
		{"a: nop", "a:1:4=nop\n"},
		{"\n # c\n\t b:\tnop; nop ; \r\n", "b:3:6=nop; nop ;\n"},
		{"a: nop # c\n", "a:1:4=nop\n"},
		{"a: .ascii \"#\\\"#\" # c\n", "a:1:4=.ascii \"#\\\"#\"\n"},
		{"sort/8:x: |3\n", "sort/8:x:1:11=|3\n"},
		{"nop\n", "line 1!:1:1: a name and a colon are missing in front of the code, as in "
			  "`chain: imul rax, rax`\n"},
		{"a: \n", "a!:1:3: there is no code behind the name\n"},
		{": nop\n", "line 1!:1:1: the name in front of the colon is missing\n"},
		{"", ": there is no code in it"},
		{"# a: nop\n", ": there is no code in it"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *pieces = describe_list(cases[i].text, strlen(cases[i].text));

		assert_string_equal(pieces, cases[i].pieces);
		free(pieces);
	}
}

TEST(test_no_line_is_lost)
{
	static const char text[] = "a: nop\na: |2\nb: n\0p\nc: nop\n";
	char *pieces = describe_list(text, sizeof(text) - 1);

	assert_non_null(strstr(pieces, "a:1:4=nop\n"));
	assert_non_null(strstr(pieces, "a!:2:1: /tmp/perf0-list-"));
	assert_non_null(strstr(pieces, ":1 has the name 'a', too\n"));
	assert_non_null(strstr(pieces, "line 3!:3:1: there is a NUL byte in it\n"));
	assert_non_null(strstr(pieces, "c:4:4=nop\n"));
	free(pieces);
}

TEST(test_no_file)
{
	struct code_list list;
	struct reason why;

	assert_int_equal(code_list_read(&list, "/no/such", &why), -ENOENT);
	assert_string_equal(why.text, "--list /no/such: No such file or directory");
	code_list_free(&list);
	assert_int_equal(code_list_read(&list, "/tmp", &why), -EIO);
	code_list_free(&list);
}

#define EVENT(name, median) \
	"{\"benchmark\" : \"" name "\", \"event\" : \"cycles\", \"median\" : " median "}\n"

TEST(test_table)
{
	struct buf lines = {0}, table = {0};

	listed_json(&lines, EVENT("a", "3.000000") "not a result\n", 1);
	listed_problem(&lines, 2, "b", "list:2:4: \"no\"");
	listed_json(&lines, EVENT("long name", "0.333333"), 3);
	assert_string_equal(
		buf_text(&lines),
		"{\"piece\" : 1, \"benchmark\" : \"a\", \"event\" : \"cycles\", \"median\" : 3.000000}\n"
		"{\"piece\" : 2, \"benchmark\" : \"b\", \"error\" : \"list:2:4: \\\"no\\\"\"}\n"
		"{\"piece\" : 3, \"benchmark\" : \"long name\", \"event\" : \"cycles\", \"median\" : "
		"0.333333}\n");
	listed_table(&table, buf_text(&lines));
	assert_string_equal(buf_text(&table), "\n"
					      "                cycles\n"
					      " a                3.00\n"
					      " b          list:2:4: \"no\"\n"
					      " long name        0.33\n\n");
	buf_free(&lines);
	buf_free(&table);
}

/* Appends part `shard` of `shards` of a list with `n` pieces, as `bench --list` prints it. */
static void add_list_part(struct buf *out, unsigned shard, unsigned shards, size_t n)
{
	listed_shard(out, shard, shards, n, "a list");
	for (size_t i = shard - 1; i < n; i += shards) {
		listed_json(out, EVENT("x", "1.0") EVENT("x", "2.0"), i + 1);
		if (i % 3 == 2)
			listed_problem(out, i + 1, "x", "it is over");
	}
}

/* Merges the parts, and returns the reason of a failure, or what was merged. */
static char *merge(const struct buf *part, size_t n, int expected, struct buf *lost)
{
	const char *path[PATHS];
	struct buf out = {0};
	struct reason why;
	int err;

	for (size_t i = 0; i < n; i++)
		path[i] = write_list((const char *)part[i].data, part[i].size);
	err = listed_merge(&out, path, n, lost, &why);
	assert_int_equal(err, expected);
	for (size_t i = 0; i < n; i++)
		unlink(path[i]);
	if (err) {
		buf_free(&out);
		buf_printf(&out, "%s", why.text);
	}
	buf_text(&out);
	return (char *)out.data;
}

TEST(test_merge)
{
	struct buf part[3] = {0}, whole = {0}, lost = {0};
	char *merged;

	add_list_part(&whole, 1, 1, 8);
	for (unsigned i = 0; i < 3; i++)
		add_list_part(&part[2 - i], i + 1, 3, 8);
	merged = merge(part, 3, 0, &lost);
	assert_string_equal(merged, strchr(buf_text(&whole), '\n') + 1);
	assert_int_equal(lost.size, 0);
	free(merged);

	merged = merge(part, 2, -ENOENT, &lost);
	assert_string_equal(merged, "of 3 parts 1 is missing or not whole: 1");
	assert_string_equal(
		buf_text(&lost),
		"part 1 is made up by: perf0 bench --list a list --shard 1/3 -j >part1\n");
	free(merged);
	lost.size = 0;

	/* A piece at the end that was not measured, and a line that is cut. */
	part[0].size =
		(size_t)((uint8_t *)strstr(buf_text(&part[0]), "{\"piece\" : 6") - part[0].data);
	merged = merge(part, 3, -ENOENT, &lost);
	assert_string_equal(merged, "of 3 parts 1 is missing or not whole: 3");
	free(merged);
	part[0].size -= 2;
	merged = merge(part, 3, -EINVAL, &lost);
	assert_non_null(strstr(merged, "it is cut off, or no line of JSON"));
	free(merged);
	for (unsigned i = 0; i < 3; i++)
		buf_free(&part[i]);
	buf_free(&whole);
	buf_free(&lost);
}

TEST(test_parts_of_others)
{
	struct buf part[2] = {0}, lost = {0};
	char *merged;

	add_list_part(&part[0], 1, 2, 4);
	add_list_part(&part[1], 2, 2, 5);
	merged = merge(part, 2, -EINVAL, &lost);
	assert_non_null(strstr(merged, ": it is part 2 of 2 of 5 pieces, others of 2 and 4"));
	free(merged);
	part[1].size = 0;
	add_list_part(&part[1], 1, 2, 4);
	merged = merge(part, 2, -EINVAL, &lost);
	assert_non_null(strstr(merged, " are both part 1 of 2"));
	free(merged);
	part[1].size = 0;
	listed_shard(&part[1], 2, 2, 4, "a list");
	listed_json(&part[1], EVENT("x", "1.0"), 3);
	merged = merge(part, 2, -EINVAL, &lost);
	assert_non_null(strstr(merged, ": there is a line that is not of part 2"));
	free(merged);
	part[1].size = 0;
	buf_printf(&part[1], "{\"piece\" : 1}\n");
	merged = merge(part, 2, -EINVAL, &lost);
	assert_non_null(strstr(merged, ": this is no part of a list"));
	free(merged);
	buf_free(&part[0]);
	buf_free(&part[1]);
}
