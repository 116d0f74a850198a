// SPDX-License-Identifier: BSD-2-Clause
/* test_copied_out.c - files that a machine sends back: whole, or not at all and with a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/wire_frames.h"
#include "tools/machine/copied_out.h"
#include "tools/util/status.h"

static char folder[64], before[4096];
static const char *words[] = {"/var/out.txt", "sub/data:other", "x:dir", "y:dir/"};
static const struct option_values brings = {words, 4};
static struct bring bring;

FIXTURE(begin)
{
	strcpy(folder, "/tmp/perf0-bring.XXXXXX");
	if (!getcwd(before, sizeof(before)) || !mkdtemp(folder) || chdir(folder) ||
	    mkdir("dir", 0777))
		return -1;
	bring_begin(&bring, &brings);
	return 0;
}

FIXTURE(end)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir(before) || system(command);
}

static void send_piece(uint32_t index, uint64_t offset, const char *text, uint16_t flags,
		       uint16_t error)
{
	const struct wire_file head = {
		.index = index, .offset = offset, .flags = flags, .error = error, .mode = 0755};
	struct buf payload = {0};
	struct frame frame = {.type = WIRE_FILE, .stream = WIRE_STREAM_MAIN};

	buf_add(&payload, &head, sizeof(head));
	buf_add(&payload, text, strlen(text));
	frame.payload = payload.data;
	frame.length = (uint16_t)payload.size;
	bring_frame(&bring, &frame);
	buf_free(&payload);
}

static void check_file(const char *path, const char *wanted)
{
	char text[64] = "";
	FILE *file = fopen(path, "rb");

	if (!wanted) {
		assert_null(file);
		return;
	}
	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, file), strlen(wanted));
	assert_string_equal(text, wanted);
	fclose(file);
}

TEST_WITH(test_files, begin, end)
{
	struct stat st;

	send_piece(0, 0, "one ", 0, 0);
	send_piece(0, 4, "file", WIRE_FILE_LAST, 0);
	send_piece(1, 0, "", WIRE_FILE_LAST, 0);
	send_piece(2, 0, "x", WIRE_FILE_LAST, 0);
	send_piece(3, 0, "y", WIRE_FILE_LAST, 0);
	send_piece(3, 0, "y again", WIRE_FILE_LAST, 0);
	send_piece(3, 0, "", WIRE_FILE_LAST, ENOENT); /* of a later command, that made none */
	assert_int_equal(bring_end(&bring), 0);
	check_file("out.txt", "one file");
	check_file("other", "");
	check_file("dir/x", "x");
	check_file("dir/y", "y again");
	assert_int_equal(stat("out.txt", &st), 0);
	assert_true(st.st_mode & S_IXUSR);
	assert_int_equal(bring_end(&bring), 0); /* of nothing */
}

static void check_not_there(const char *path)
{
	assert_int_equal(bring_end(&bring), STATUS_FAILED);
	check_file(path, NULL);
}

TEST_WITH(test_missing, begin, end)
{
	send_piece(0, 0, "", WIRE_FILE_LAST, ENOENT);
	send_piece(1, 0, "x", 0, 0);
	assert_string_equal(bring.file[0].wrong.text, "No such file or directory");
	assert_string_equal(bring.file[2].wrong.text, "the image did not send it");
	check_not_there("other");
}

TEST_WITH(test_lost, begin, end)
{
	send_piece(0, 0, "one", 0, 0);
	send_piece(0, 4, "x", 0, 0); /* not where it goes on */
	assert_string_equal(bring.file[0].wrong.text, "a part of it was lost on the line");
	send_piece(0, 5, "x", WIRE_FILE_LAST, 0);
	send_piece(1, 7, "x", WIRE_FILE_LAST, 0); /* not its start */
	send_piece(2, 0, "x", 0, 0);
	send_piece(3, 0, "y", WIRE_FILE_LAST, 0);
	assert_string_equal(bring.file[2].wrong.text, "its end was lost on the line");
	send_piece(4, 0, "of nothing", WIRE_FILE_LAST, 0);
	assert_int_equal(bring.file[3].is_there, true);
	check_not_there("out.txt");
	check_file("other", NULL);
	check_file("dir/x", NULL);
	check_file("dir/y", "y");
}

/* A file that there is no room for, or no folder, leaves nothing. */
TEST_WITH(test_no_place, begin, end)
{
	assert_int_equal(rmdir("dir"), 0);
	send_piece(3, 0, "y", WIRE_FILE_LAST, 0);
	assert_non_null(strstr(bring.file[3].wrong.text, "No such file or directory"));
	check_not_there("dir/y");
}

TEST_WITH(test_other_frames, begin, end)
{
	const struct frame text = {.type = WIRE_TEXT, .length = 4, .payload = "\1abc"};
	const struct frame cut = {.type = WIRE_FILE, .length = 4, .payload = "\1abc"};

	bring_frame(&bring, &text);
	bring_frame(&bring, &cut);
	check_not_there("out.txt");
}
