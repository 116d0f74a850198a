// SPDX-License-Identifier: BSD-2-Clause
/* test_missing_report.c - files that a program did not find, but that the host has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/wire_frames.h"
#include "tools/machine/missing_report.h"

static char folder[64];
static struct sought sought;

static void create_empty_file(const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
}

FIXTURE(begin)
{
	strcpy(folder, "/tmp/perf0-sought.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	for (const char *name = "abcd"; *name; name++)
		create_empty_file((const char[]){*name, 0});
	return 0;
}

FIXTURE(end)
{
	char command[128];

	sought_end(&sought);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* Names in the folder, with a blank behind each; one with a slash is a path. */
static void send_names(const char *names)
{
	struct frame frame = {.type = WIRE_SOUGHT, .stream = WIRE_STREAM_MAIN};
	struct buf payload = {0};

	while (*names) {
		const int n = (int)strcspn(names, " ");

		if (names[0] != '/')
			buf_printf(&payload, "%s/", folder);
		buf_printf(&payload, "%.*s", n, names);
		buf_add(&payload, "", 1);
		names += n + 1;
	}
	frame.payload = payload.data;
	frame.length = (uint16_t)payload.size;
	sought_frame(&sought, &frame);
	buf_free(&payload);
}

/* `wanted` with the folder in the place of each `@`. */
static void expect_line(const char *wanted)
{
	struct buf line = {0}, text = {0};

	for (; *wanted; wanted++)
		if (*wanted == '@')
			buf_printf(&text, "%s", folder);
		else
			buf_add(&text, wanted, 1);
	sought_line(&sought, &line);
	assert_string_equal(buf_text(&line), buf_text(&text));
	buf_free(&line);
	buf_free(&text);
}

#define LINE "the program looked for what this host has and the machine has not: "

TEST_WITH(test_nothing_is_told, begin, end)
{
	expect_line("");
	send_names("none . /proc/self/maps /dev/null /etc/nsswitch.conf ");
	expect_line("");
}

TEST_WITH(test_the_last_one_first, begin, end)
{
	send_names("a none ");
	expect_line(LINE "@/a; `--file @/a` takes one along, `--root DIR` a tree");
	send_names("b c ");
	expect_line(LINE "@/c, @/b, @/a; `--file @/c` takes one along, `--root DIR` a tree");
	send_names("d ");
	expect_line(LINE
		    "@/d, @/c, @/b and 1 more; `--file @/d` takes one along, `--root DIR` a tree");
}

/* A command's list of names ends with the command. A name without an end is ignored. */
TEST_WITH(test_frames, begin, end)
{
	const struct frame result = {.type = WIRE_RESULT}, other = {.type = WIRE_BYE},
			   cut = {.type = WIRE_SOUGHT, .length = 4, .payload = "/tmp"},
			   empty = {.type = WIRE_SOUGHT};

	sought_frame(&sought, &cut);
	sought_frame(&sought, &empty);
	expect_line("");
	send_names("a ");
	sought_frame(&sought, &other);
	expect_line(LINE "@/a; `--file @/a` takes one along, `--root DIR` a tree");
	sought_frame(&sought, &result);
	expect_line("");
}
