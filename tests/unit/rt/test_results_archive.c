// SPDX-License-Identifier: BSD-2-Clause
/* test_results_archive.c - rt/portable/results_archive.c: each file comes back as it was, and what
 * finds no room is left out, whatever the room is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/cpio_read.h"
#include "rt/portable/results_archive.h"

/* Files of 0, 1, 3, 4, 5, ... bytes, and files of many pieces. */
static const size_t sizes[] = {0, 1, 3, 4, 5, 2000, 40000, 100001};
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

static uint8_t content_byte(size_t file, size_t at)
{
	return (uint8_t)(at * 31 + file + (at >> 8));
}

static char *stat_name(char name[RESULTS_NAME_MAX], size_t i)
{
	snprintf(name, RESULTS_NAME_MAX, "%03zu-stat.txt", i);
	return name;
}

static void make_results(struct results *results)
{
	results_init(results, NULL, "Board X", "20260101");
	for (size_t i = 0; i < NSIZES; i++) {
		uint8_t *bytes = malloc(sizes[i] + 1);
		struct pieces content = {0};
		char name[RESULTS_NAME_MAX];

		for (size_t k = 0; k < sizes[i]; k++)
			bytes[k] = content_byte(i, k);
		assert_true(pieces_add(&content, bytes, sizes[i]));
		assert_int_equal(results_add(results, stat_name(name, i), &content), 0);
		free(bytes);
	}
}

static void expect_content(const struct cpio_member *member, size_t i)
{
	assert_int_equal(member->bytes, sizes[i]);
	for (size_t k = 0; k < sizes[i]; k++)
		assert_int_equal(member->content[k], content_byte(i, k));
}

/* Goes over the archive, and returns its number of files, all of which are whole. */
static unsigned read_archived(const uint8_t *memory, uint64_t bytes)
{
	struct cpio_reader reader = {.bytes = memory, .size = bytes};
	struct cpio_member member;
	unsigned n = 0;
	int more;

	while ((more = cpio_next(&reader, &member)) > 0) {
		if (strcmp(member.name, "status.txt") != 0)
			expect_content(&member, (size_t)atoi(member.name));
		else
			assert_memory_equal(member.content, "well\n", member.bytes);
		n++;
	}
	assert_int_equal(more, 0);
	return n;
}

/* Returns the files that were left out. */
static unsigned archive_in(uint64_t room, const struct results *results, unsigned *files)
{
	uint8_t *memory = malloc(room);
	struct results_archive archive;
	uint64_t bytes;

	archive_begin(&archive, memory, room);
	archive_text(&archive, "status.txt", "well\n", 5);
	archive_all(&archive, results);
	bytes = archive_end(&archive);
	assert_true(bytes <= room);
	*files = read_archived(memory, bytes);
	free(memory);
	return archive.left_out;
}

TEST(all_files)
{
	struct results results;
	unsigned files;

	make_results(&results);
	assert_int_equal(archive_in(200000, &results, &files), 0);
	assert_int_equal(files, NSIZES + 1);
	results_free(&results);
}

/* With less room there are fewer files, and each is there or left out. */
TEST(no_room)
{
	struct results results;
	unsigned fewest = NSIZES + 1;

	make_results(&results);
	for (uint64_t room = 150000; room; room -= room > 3000 ? 997 : 1) {
		unsigned files, left_out = archive_in(room, &results, &files);

		assert_int_equal(files + left_out, NSIZES + 1);
		fewest = files < fewest ? files : fewest;
	}
	assert_int_equal(fewest, 0);
	results_free(&results);
}
