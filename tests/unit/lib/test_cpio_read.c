// SPDX-License-Identifier: BSD-2-Clause
/* test_cpio_read.c - lib/format/cpio_read.c: archives one behind the other, cut off at each byte,
 * with sizes that no archive has, and with bytes that are changed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"

#define ROOM 4096

static uint8_t *archive; /* a block of just `size` bytes, of which ASan knows the end */
static size_t size;

FIXTURE(make_room)
{
	archive = malloc(ROOM);
	size = 0;
	return archive ? 0 : -1;
}

FIXTURE(free_room)
{
	free(archive);
	return 0;
}

static void put_newc(const char *name, uint32_t mode, const char *content)
{
	const size_t length = strlen(name), bytes = strlen(content);
	const struct cpio_entry entry = {
		.mode = mode,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(size, length, CPIO_ALIGN),
	};

	assert_true(size + CPIO_HEADER + entry.name_bytes + bytes + CPIO_ALIGN <= ROOM);
	memset(archive + size, 0, CPIO_HEADER + entry.name_bytes + bytes + CPIO_ALIGN);
	cpio_header((char *)archive + size, &entry);
	memcpy(archive + size + CPIO_HEADER, name, length);
	memcpy(archive + size + CPIO_HEADER + entry.name_bytes, content, bytes);
	size += CPIO_HEADER + entry.name_bytes + bytes;
	size += cpio_padding(size);
}

static void put_all(void)
{
	put_newc("bin", CPIO_DIRECTORY | 0755, "");
	put_newc("./bin/a", CPIO_FILE | 0755, "first");
	put_newc("/bin/b", CPIO_FILE | 0644, "");
	put_newc(CPIO_TRAILER, 0, "");
	memset(archive + size, 0, 40);
	size += 40;
	put_newc("bin/a", CPIO_FILE | 0755, "second one");
	put_newc("bin/link", CPIO_LINK | 0777, "a");
	put_newc(CPIO_TRAILER, 0, "");
}

/* The same bytes in a block of their own, of `n` bytes. */
static uint8_t *copy_of(size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	memcpy(copy, archive, n);
	return copy;
}

TEST_WITH(test_members, make_room, free_room)
{
	static const char *const names[] = {"bin", "./bin/a", "/bin/b", "bin/a", "bin/link"};
	struct cpio_member member;

	put_all();
	struct cpio_reader reader = {.bytes = archive, .size = size};

	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(cpio_next(&reader, &member), 1);
		assert_string_equal(member.name, names[i]);
	}
	assert_int_equal(member.mode, CPIO_LINK | 0777);
	assert_int_equal(member.bytes, 1);
	assert_memory_equal(member.content, "a", 1);
	assert_int_equal(cpio_next(&reader, &member), 0);
	assert_int_equal(cpio_next(&reader, &member), 0);
}

/* The later one of two files with one path counts, as in Linux. */
TEST_WITH(test_find, make_room, free_room)
{
	static const char *const paths[] = {"bin/a", "/bin/a", "./bin/a", ".//bin/a"};
	struct cpio_member member;

	put_all();
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(cpio_find(archive, size, paths[i], &member), 0);
		assert_int_equal(member.bytes, 10);
		assert_memory_equal(member.content, "second one", 10);
	}
	assert_int_equal(cpio_find(archive, size, "bin/b", &member), 0);
	assert_int_equal(member.bytes, 0);
	assert_int_equal(cpio_find(archive, size, "bin", &member), -ENOENT);
	assert_int_equal(cpio_find(archive, size, "bin/link", &member), -ENOENT);
	assert_int_equal(cpio_find(archive, size, "", &member), -ENOENT);
	assert_int_equal(cpio_find(archive, 0, "bin/a", &member), -ENOENT);
}

TEST_WITH(test_cut_off, make_room, free_room)
{
	struct cpio_member member;

	put_all();
	for (size_t n = 0; n < size; n++) {
		uint8_t *copy = copy_of(n);
		const int err = cpio_find(copy, n, "bin/link/none", &member);

		assert_true(err == -EINVAL || err == -ENOENT);
		free(copy);
	}
	/* In the middle of a member, it is an error. */
	uint8_t *copy = copy_of(200);

	assert_int_equal(cpio_find(copy, 200, "bin/a", &member), -EINVAL);
	free(copy);
}

static void put_field(unsigned field, const char *digits)
{
	memcpy(archive + 6 + 8 * (size_t)field, digits, 8);
}

TEST_WITH(test_absurd_sizes, make_room, free_room)
{
	static const struct {
		unsigned field;
		const char *digits;
	} rows[] = {{6, "ffffffff"},  {6, "7fffffff"},  {6, "0000ffff"},
		    {11, "ffffffff"}, {11, "00000000"}, {11, "00000002"},
		    {11, "fffffffe"}, {6, "0000000g"},  {1, "-0000001"}};
	struct cpio_member member;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size = 0;
		put_newc("file", CPIO_FILE, "content");
		put_newc(CPIO_TRAILER, 0, "");
		put_field(rows[i].field, rows[i].digits);
		uint8_t *copy = copy_of(size);

		assert_int_equal(cpio_find(copy, size, "file", &member), -EINVAL);
		free(copy);
	}
}

/* Whatever the bytes are, reading ends, and stays inside. */
TEST_WITH(test_changed_bytes, make_room, free_room)
{
	struct cpio_member member;

	srand(3);
	put_all();
	for (int round = 0; round < 20000; round++) {
		uint8_t *copy = copy_of(size);

		for (int i = rand() % 4; i >= 0; i--)
			copy[(size_t)rand() % size] =
				rand() % 2 ? (uint8_t)rand() : (uint8_t) "0fF7A"[rand() % 5];
		if (!cpio_find(copy, size, "bin/a", &member))
			assert_true(member.content >= copy &&
				    member.content + member.bytes <= copy + size);
		free(copy);
	}
}
