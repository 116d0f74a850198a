// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_parts.c - the parts of a profile: what does not count, parts one by one, and all of
 * them together. */
#include "tools/profile/profile_parts.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"

enum { PIECES, FUNCTIONS, EDGES, NODES, UNDONE, TOTAL }; /* regions */

static struct profile_file *file;
static int fd;

static bool ends_command; /* of the parts that are appended */

static void append(const uint64_t *word, size_t n)
{
	const uint64_t bytes = n * sizeof(*word);
	const struct profile_part head = {.bytes = bytes, .ends_command = ends_command};

	assert_int_equal(
		pwrite(fd, &head, sizeof(head), (off_t)(sizeof(*file) + file->header.parts)),
		sizeof(head));
	file->header.parts += sizeof(head);
	assert_int_equal(pwrite(fd, word, bytes, (off_t)(sizeof(*file) + file->header.parts)),
			 bytes);
	file->header.parts += bytes;
	file->header.nparts++;
}

#define KEY(region, i) ((uint64_t)(region) << 32 | (i))
#define APPEND(...)                             \
	append((const uint64_t[]){__VA_ARGS__}, \
	       sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

FIXTURE(begin_file)
{
	fd = memfd_create("parts", 0);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, sizeof(*file)), 0);
	file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(file, MAP_FAILED);
	file->header.npieces = 2;
	file->header.nsymbols = 1;
	file->header.nedges = file->header.nnodes = file->header.nundone = 1;
	file->piece[0] = (struct profile_piece){.count = 100, .excluded = 90};
	file->piece[1].count = 7;
	file->function[1].calls = 3;
	file->function[1].inclusive[0] = 30;
	file->header.total[0] = 17;
	return 0;
}

FIXTURE(end_file)
{
	munmap(file, sizeof(*file));
	return close(fd);
}

/* Collecting may end, begin and end: what is executed meanwhile does not count. */
TEST_WITH(test_executions, begin_file, end_file)
{
	assert_int_equal(profile_executions(file, 0), 10);
	file->piece[0].excluded -= file->piece[0].count;
	file->header.is_excluding = true;
	assert_int_equal(profile_executions(file, 0), 10);
	file->piece[0].count += 5;
	assert_int_equal(profile_executions(file, 0), 10);
	file->piece[0].excluded += file->piece[0].count;
	file->header.is_excluding = false;
	file->piece[0].count++;
	assert_int_equal(profile_executions(file, 0), 11);
}

TEST_WITH(test_load, begin_file, end_file)
{
	struct reason why;
	uint64_t at = 0;

	APPEND(KEY(PIECES, 1), 4, KEY(FUNCTIONS, 1), 1, 20, 0, 0, 0, 0, 0, 0, 0, KEY(TOTAL, 0), 21,
	       0, 0, 0, 0, 0, 0, 0);
	APPEND(KEY(PIECES, 0), 6, KEY(UNDONE, 0), 2);
	assert_int_equal(profile_parts_load(file, fd, &at, &why), 0);
	assert_int_equal(profile_executions(file, 0), 0);
	assert_int_equal(profile_executions(file, 1), 4);
	assert_int_equal(file->function[1].calls, 1);
	assert_int_equal(file->function[1].inclusive[0], 20);
	assert_int_equal(file->header.total[0], 21);
	assert_int_equal(profile_parts_load(file, fd, &at, &why), 0);
	assert_int_equal(profile_executions(file, 0), 6);
	assert_int_equal(profile_executions(file, 1), 0);
	assert_int_equal(file->function[1].calls, 0);
	assert_int_equal(file->undone[0].count, 2);
	assert_int_equal(at, file->header.parts);
}

static uint64_t executions_of_command(size_t command)
{
	struct reason why;

	assert_int_equal(profile_parts_load_command(file, fd, command, &why), 0);
	return profile_executions(file, 0);
}

/* The first command dumps once itself. The third one has not ended. */
TEST_WITH(test_commands, begin_file, end_file)
{
	struct reason why;

	APPEND(KEY(PIECES, 0), 1);
	ends_command = true;
	APPEND(KEY(PIECES, 0), 2);
	APPEND(KEY(PIECES, 0), 5);
	ends_command = false;
	APPEND(KEY(PIECES, 0), 8);
	assert_int_equal(executions_of_command(1), 5);
	assert_int_equal(executions_of_command(0), 1 + 2);
	assert_int_equal(executions_of_command(1), 5);
	assert_int_equal(profile_parts_load_command(file, fd, 2, &why), -ENODATA);
	assert_int_equal(profile_parts_load_command(file, fd, 3, &why), -ENODATA);
}

TEST_WITH(test_join, begin_file, end_file)
{
	struct reason why;

	APPEND(KEY(PIECES, 0), 1, KEY(PIECES, 1), 2);
	APPEND(KEY(PIECES, 1), 3, KEY(NODES, 0), 0, 9, 0, 0, 0, 0, 0, 0, 0, KEY(EDGES, 0), 1, 2, 0,
	       0, 0, 0, 0, 0, 0);
	file->piece[0].excluded -= file->piece[0].count;
	file->piece[1].excluded -= file->piece[1].count;
	file->header.is_excluding = true; /* the program ended so */
	assert_int_equal(profile_parts_join(file, fd, &why), 0);
	assert_int_equal(profile_executions(file, 0), 10 + 1);
	assert_int_equal(profile_executions(file, 1), 7 + 2 + 3);
	assert_int_equal(file->node[0].self[0], 9);
	assert_int_equal(file->edge[0].inclusive[0], 2);
	assert_int_equal(file->header.nparts, 0);
	assert_int_equal(profile_parts_join(file, fd, &why), 0);
	assert_int_equal(profile_executions(file, 0), 10 + 1);
}

TEST_WITH(test_clear, begin_file, end_file)
{
	APPEND(KEY(PIECES, 0), 1);
	profile_parts_clear(file);
	assert_int_equal(profile_executions(file, 0), 0);
	assert_int_equal(profile_executions(file, 1), 0);
	assert_int_equal(file->function[1].calls + file->header.total[0], 0);
	assert_int_equal(file->header.parts, 0);
	file->piece[0].count++;
	assert_int_equal(profile_executions(file, 0), 1);
}

static void expect_damaged(void)
{
	struct reason why;
	uint64_t at = 0;

	assert_int_equal(profile_parts_load(file, fd, &at, &why), -EBADMSG);
	assert_non_null(strstr(why.text, "damaged"));
	profile_parts_clear(file);
}

TEST_WITH(test_damage, begin_file, end_file)
{
	APPEND(KEY(PIECES, 2), 1); /* no such piece */
	expect_damaged();
	APPEND(KEY(TOTAL + 1, 0), 1);
	expect_damaged();
	APPEND(KEY(FUNCTIONS, 1), 1); /* too short */
	expect_damaged();
	APPEND(KEY(PIECES, 0), 1);
	file->header.parts -= 8; /* its end is missing */
	expect_damaged();
	assert_int_equal(ftruncate(fd, sizeof(*file)), 0);
	file->header.parts = 64;
	expect_damaged();
}
