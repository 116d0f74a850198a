// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_initrd_whole.c - tools/there/initrd_whole.c: archives as distributions make them, compressed
 * by the programs themselves, cut off at many places.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "lib/format/cpio.h"
#include "tests/unit/there/machine_folder.h"
#include "tools/there/initrd_whole.h"
#include "tools/util/buf.h"
#include "tools/util/helper.h"
#include "tools/util/wholefile.h"

#define MICROCODE 8192 /* bytes of the archive in front */

static char folder[] = "/tmp/perf0-initrd-XXXXXX";

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	return remove_machine(folder);
}

GROUP(make_folder, remove_folder);

static void add_member(struct buf *to, const char *name, size_t bytes)
{
	const size_t at = to->size, length = strlen(name);
	const struct cpio_entry entry = {.mode = CPIO_FILE,
					 .bytes = (uint32_t)bytes,
					 .name_bytes = cpio_name_bytes(at, length, CPIO_ALIGN)};
	char header[CPIO_HEADER];

	cpio_header(header, &entry);
	buf_add(to, header, sizeof(header));
	buf_add(to, name, length);
	buf_extend(to, entry.name_bytes - length);
	for (size_t i = 0; i < bytes; i++)
		buf_add(to, &(uint8_t){(uint8_t)(i * i >> 3)}, 1);
	buf_extend(to, cpio_padding(to->size - at));
}

static void put_archive(struct buf *to)
{
	add_member(to, "init", 3000);
	add_member(to, "empty", 0);
	add_member(to, "lib/module.ko", 150001);
	add_member(to, CPIO_TRAILER, 0);
	buf_pad(to, 0, 512);
}

static const char *path_here(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_whole(const char *name, const void *bytes, size_t n)
{
	FILE *file = fopen(path_here(name), "wbe");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

/* The check of the first `n` bytes, in a file and in a block of which ASan knows the end. */
static int check_cut(const struct buf *image, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);
	struct reason why;
	int err;

	memcpy(copy, image->data, n);
	write_whole("image", copy, n);
	err = initrd_check_whole(path_here("image"), copy, n, &why);
	free(copy);
	return err;
}

TEST(as_it_is)
{
	struct buf image = {0};

	put_archive(&image);
	assert_int_equal(check_cut(&image, image.size), 0);
	put_archive(&image);
	assert_int_equal(check_cut(&image, image.size), 0);
	for (size_t n = 0; n < image.size / 2 - 512; n += 1499)
		assert_int_equal(check_cut(&image, n), -EINVAL);
	for (size_t n = image.size / 2 + 512; n < image.size - 512; n += 1499)
		assert_int_equal(check_cut(&image, n), -EINVAL);
	buf_free(&image);
}

/* Makes an archive for early microcode, then one that the command compresses. False: it is not
 * here.
 */
static bool make_compressed(struct buf *image, const char *const *command)
{
	struct buf plain = {0}, ignored = {0};
	struct reason why;
	char found[PATH_MAX];
	bool has = helper_find(found, command[0]);

	put_archive(&plain);
	write_whole("plain", plain.data, plain.size);
	add_member(image, "kernel/x86/microcode/GenuineIntel.bin", 5000);
	add_member(image, CPIO_TRAILER, 0);
	buf_pad(image, 0, MICROCODE);
	if (has) {
		struct buf line = {0};

		buf_printf(&line, "%s <%s/plain >%s/packed", command[1], folder, folder);
		assert_int_equal(helper_output((const char *[]){"sh", "-c", buf_text(&line), NULL},
					       "dash", &ignored, &why),
				 0);
		assert_int_equal(whole_file_read(image, path_here("packed"), 1 << 20, &why), 0);
		buf_free(&line);
	}
	buf_free(&plain);
	buf_free(&ignored);
	return has;
}

TEST(compressed)
{
	static const char *const commands[][2] = {
		{"gzip", "gzip -9"},        {"zstd", "zstd -q -19"}, {"zstd", "zstd -q --no-check"},
		{"xz", "xz --check=crc32"}, {"lz4", "lz4 -l -9"},
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct buf image = {0};
		size_t first;

		if (!make_compressed(&image, commands[i])) {
			printf("skip - test_initrd_whole: %s: it is not here\n", commands[i][0]);
			buf_free(&image);
			continue;
		}
		assert_int_equal(check_cut(&image, image.size), 0);
		first = image.size;
		buf_extend(&image, 400);
		assert_int_equal(check_cut(&image, image.size), 0);
		/* The archive for microcode alone would be whole. */
		for (size_t n = MICROCODE + 100; n < first - 8; n += 97)
			assert_int_equal(check_cut(&image, n), -EINVAL);
		buf_free(&image);
	}
}

TEST(nothing)
{
	struct buf image = {0};

	buf_add(&image, "something else entirely", 23);
	assert_int_equal(check_cut(&image, image.size), -EINVAL);
	assert_int_equal(check_cut(&image, 0), -EINVAL);
	buf_free(&image);
}
