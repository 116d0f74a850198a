// SPDX-License-Identifier: BSD-2-Clause
/* test_volume_archive.c - rt/portable/volume_archive.c: an initrd becomes an archive of programs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"
#include "rt/portable/volume_archive.h"

#define ROOM   65536
#define DEVICE 0020000u

static uint8_t left[ROOM];
static size_t size;

static void put_left(const char *name, uint32_t mode, const void *content, size_t bytes)
{
	const size_t length = strlen(name);
	const struct cpio_entry entry = {
		.mode = mode,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(size, length, CPIO_ALIGN),
	};

	cpio_header((char *)left + size, &entry);
	memcpy(left + size + CPIO_HEADER, name, length + 1);
	memcpy(left + size + CPIO_HEADER + entry.name_bytes, content, bytes);
	size += CPIO_HEADER + entry.name_bytes + bytes;
	size += cpio_padding(size);
	assert_true(size < ROOM - 256);
}

static void begin_initrd(void)
{
	memset(left, 0, sizeof(left));
	size = 0;
}

static uint8_t *make_volume(uint64_t *bytes)
{
	struct reason why;
	uint8_t *archive;

	assert_int_equal(volume_archive_plan(left, size, bytes, &why), 0);
	archive = calloc(1, *bytes);
	volume_archive_write(archive, left, size);
	return archive;
}

TEST(test_initrd)
{
	static const char *const names[] = {"/bin", "/bin/large", "/a", "/b", "env"};
	static uint8_t large[9000];
	struct cpio_member member;
	uint64_t bytes;

	begin_initrd();
	memset(large, 7, sizeof(large));
	put_left(".", CPIO_DIRECTORY | 0755, "", 0);
	put_left("./bin", CPIO_DIRECTORY | 0755, "", 0);
	put_left("dev/console", DEVICE | 0600, "", 0);
	put_left("bin/large", CPIO_FILE | 0755, large, sizeof(large));
	put_left(CPIO_TRAILER, 0, "", 0);
	put_left("./a", CPIO_LINK | 0777, "bin", 3);
	put_left("b", CPIO_FILE | 0600, "", 0);
	put_left(CPIO_TRAILER, 0, "", 0);
	uint8_t *archive = make_volume(&bytes);
	struct cpio_reader reader = {.bytes = archive, .size = bytes};

	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(cpio_next(&reader, &member), 1);
		assert_string_equal(member.name, names[i]);
		if (i != 1)
			continue;
		assert_int_equal(member.bytes, sizeof(large));
		assert_memory_equal(member.content, large, sizeof(large));
		assert_int_equal((member.content - archive) % 4096, 0);
	}
	assert_int_equal(cpio_next(&reader, &member), 0);
	assert_int_equal(cpio_find(archive, bytes, "a", &member), -ENOENT); /* a link */
	free(archive);
}

/* An archive with absolute names is a pack of the host tool, in which other names are no files. */
TEST(test_pack)
{
	uint64_t bytes;

	begin_initrd();
	put_left("cwd", CPIO_FILE | 0644, "/x", 2);
	put_left("/x/a", CPIO_FILE | 0644, "1", 1);
	put_left(CPIO_TRAILER, 0, "", 0);
	uint8_t *archive = make_volume(&bytes);

	assert_int_equal(bytes, size);
	assert_memory_equal(archive, left, size);
	free(archive);
}

static void expect_refused(const char *reason)
{
	struct reason why;
	uint64_t bytes;

	assert_int_equal(volume_archive_plan(left, size, &bytes, &why), -EINVAL);
	assert_string_equal(why.text, reason);
}

TEST(test_refused)
{
	static const char *const names[] = {"..", "../a", "a/../../b", "./../a", "a/.."};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char reason[64];

		begin_initrd();
		put_left(names[i], CPIO_FILE | 0644, "", 0);
		snprintf(reason, sizeof(reason), "%s leads out of the archive", names[i]);
		expect_refused(reason);
	}
	begin_initrd();
	put_left("a", CPIO_FILE | 0644, "1", 1);
	put_left("b", CPIO_FILE | 0644, "0123456789", 10);
	size -= 8;
	expect_refused(
		"byte 116 begins no member of a cpio archive (newc), or one that is cut off");
	memcpy(left, "\037\213\010", 3);
	expect_refused("byte 0 begins no member of a cpio archive (newc), or one that is cut off");
}
