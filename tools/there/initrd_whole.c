// SPDX-License-Identifier: BSD-2-Clause
/*
 * initrd_whole.c - see initrd_whole.h. Linux, Documentation/driver-api/early-userspace/
 * buffer-format.rst; RFC 8878, "Zstandard Frames"; "LZ4 Frame Format Description", "Legacy frame";
 * "The .xz File Format", "Stream Footer".
 */
#include "tools/there/initrd_whole.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"
#include "tools/util/helper.h"

/* The part of the file that was not looked at yet. */
struct rest {
	const uint8_t *at;
	size_t n;
};

static int refuse_cut(const char *path, struct reason *why)
{
	return refuse(why, EINVAL,
		      "%s is cut off: the kernel would not start from it; make it again "
		      "(`update-initramfs -u`, `dracut -f`)",
		      path);
}

static bool skip_bytes(struct rest *rest, uint64_t n)
{
	if (n > rest->n)
		return false;
	rest->at += n;
	rest->n -= n;
	return true;
}

static bool begins_with_magic(const struct rest *rest, const void *magic, size_t n)
{
	return rest->n >= n && !memcmp(rest->at, magic, n);
}

static uint32_t little(const uint8_t *bytes, unsigned n)
{
	uint32_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

/* --- Compressed archives --- */

#define ZSTD_BLOCK_HEADER 3

static bool skip_zstd_blocks(struct rest *rest)
{
	uint32_t header;

	do {
		if (rest->n < ZSTD_BLOCK_HEADER)
			return false;
		header = little(rest->at, ZSTD_BLOCK_HEADER);
		/* A block of one repeated byte has one byte; the size tells how often. */
		if (!skip_bytes(rest,
				ZSTD_BLOCK_HEADER + ((header >> 1 & 3) == 1 ? 1 : header >> 3)))
			return false;
	} while (!(header & 1));
	return true;
}

static bool skip_zstd(struct rest *rest)
{
	static const uint8_t of_dictionary[] = {0, 1, 2, 4}, of_content[] = {0, 2, 4, 8};
	uint8_t flags;
	bool single;

	if (rest->n < 5)
		return false;
	flags = rest->at[4];
	single = flags >> 5 & 1;
	return skip_bytes(rest, 5u + !single + of_dictionary[flags & 3] +
					(flags >> 6 || !single ? of_content[flags >> 6] : 1)) &&
	       skip_zstd_blocks(rest) && skip_bytes(rest, flags & 4 ? 4 : 0);
}

static bool skip_lz4(struct rest *rest)
{
	if (!skip_bytes(rest, 4))
		return false;
	while (rest->n >= 4 && little(rest->at, 4))
		if (!skip_bytes(rest, 4 + (uint64_t)little(rest->at, 4)))
			return false;
	return true;
}

/* The end of a stream, with zeros after it. */
static bool skip_xz(struct rest *rest)
{
	while (rest->n && !rest->at[rest->n - 1])
		rest->n--;
	return rest->n >= 2 && !memcmp(rest->at + rest->n - 2, "YZ", 2) &&
	       skip_bytes(rest, rest->n);
}

static const struct {
	uint8_t magic[6];
	uint8_t n;
	bool (*skip)(struct rest *rest); /* NULL: it cannot be told */
} ways[] = {
	{{0x28, 0xb5, 0x2f, 0xfd}, 4, skip_zstd},
	{{0x02, 0x21, 0x4c, 0x18}, 4, skip_lz4},
	{{0xfd, '7', 'z', 'X', 'Z', 0}, 6, skip_xz},
	{{'B', 'Z', 'h'}, 3, NULL},
	{{0x5d, 0, 0}, 3, NULL},
	{{0x89, 'L', 'Z', 'O'}, 4, NULL},
};

/* The whole file, of which the first part may be an archive as it is. */
static int test_gzip(const char *path, size_t from, struct reason *why)
{
	static const char script[] = "tail -c +\"$2\" \"$1\" | gzip -t";
	struct buf offset = {0}, output = {0};
	int status;

	buf_printf(&offset, "%zu", from + 1);
	status = helper_output(
		(const char *[]){"sh", "-c", script, "sh", path, buf_text(&offset), NULL}, "gzip",
		&output, why);
	buf_free(&offset);
	buf_free(&output);
	if (status < 0)
		return status;
	return status ? refuse_cut(path, why) : 0;
}

static int check_compressed(const char *path, struct rest *rest, size_t from, struct reason *why)
{
	if (begins_with_magic(rest, "\x1f\x8b", 2))
		return test_gzip(path, from, why);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (begins_with_magic(rest, ways[i].magic, ways[i].n))
			return !ways[i].skip || ways[i].skip(rest) ? 0 : refuse_cut(path, why);
	return refuse_cut(path, why);
}

/* Does the last archive have its last member? It ends with zeros. */
static bool has_trailer(const uint8_t *bytes, size_t n)
{
	static const char trailer[] = CPIO_TRAILER;
	const size_t length = sizeof(trailer) - 1;

	while (n && !bytes[n - 1])
		n--;
	return n >= length && !memcmp(bytes + n - length, trailer, length);
}

int initrd_check_whole(const char *path, const uint8_t *bytes, size_t n, struct reason *why)
{
	struct cpio_reader reader = {.bytes = bytes, .size = n};
	struct cpio_member member;
	struct rest rest;
	int err;

	while ((err = cpio_next(&reader, &member)) > 0)
		;
	rest = (struct rest){bytes + reader.at, n - reader.at};
	if (err)
		return check_compressed(path, &rest, reader.at, why);
	return has_trailer(bytes, n) ? 0 : refuse_cut(path, why);
}
