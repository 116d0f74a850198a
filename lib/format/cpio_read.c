// SPDX-License-Identifier: BSD-2-Clause
/* cpio_read.c - see cpio_read.h. */
#include "lib/format/cpio_read.h"

#include "lib/format/cpio.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

#define MAGIC_BYTES  6
#define FIELD_DIGITS 8
#define MAGIC_CRC    "070702"

/* Fields of a header, each of FIELD_DIGITS hexadecimal digits. */
enum { FIELD_MODE = 1, FIELD_BYTES = 6, FIELD_NAME = 11 };

static bool is_magic(const uint8_t *bytes)
{
	return !memcmp(bytes, CPIO_MAGIC, MAGIC_BYTES) || !memcmp(bytes, MAGIC_CRC, MAGIC_BYTES);
}

/* The value of a hexadecimal digit; -1: it is none. */
static int digit_of(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* False: a digit is none. */
static bool read_cpio_field(const uint8_t *header, unsigned field, uint32_t *value)
{
	const uint8_t *digits = header + MAGIC_BYTES + (size_t)field * FIELD_DIGITS;

	*value = 0;
	for (unsigned i = 0; i < FIELD_DIGITS; i++) {
		const int digit = digit_of(digits[i]);

		if (digit < 0)
			return false;
		*value = *value << 4 | (uint32_t)digit;
	}
	return true;
}

/* Goes over the zeros between two archives. */
static void skip_zeros(struct cpio_reader *reader)
{
	while (reader->at < reader->size && !reader->bytes[reader->at])
		reader->at++;
}

/* Takes `bytes` and their padding. NULL: they are not all there. */
static const uint8_t *take_bytes(struct cpio_reader *reader, size_t bytes)
{
	const uint8_t *taken = reader->bytes + reader->at;

	if (bytes > reader->size - reader->at)
		return NULL;
	reader->at += bytes;
	reader->at += cpio_padding(reader->at);
	if (reader->at > reader->size)
		reader->at = reader->size;
	return taken;
}

static int read_member(struct cpio_reader *reader, struct cpio_member *member)
{
	const uint8_t *header = reader->bytes + reader->at;
	uint32_t name_bytes, bytes;

	reader->member = reader->at;
	if (reader->size - reader->at < CPIO_HEADER || !is_magic(header) ||
	    !read_cpio_field(header, FIELD_MODE, &member->mode) ||
	    !read_cpio_field(header, FIELD_BYTES, &bytes) ||
	    !read_cpio_field(header, FIELD_NAME, &name_bytes))
		return -EINVAL;
	/* The name begins behind the header, which is not padded. */
	reader->at += CPIO_HEADER;
	member->name = (const char *)take_bytes(reader, name_bytes);
	if (!member->name || !name_bytes || member->name[name_bytes - 1])
		return -EINVAL;
	member->content = take_bytes(reader, bytes);
	member->bytes = bytes;
	return member->content ? 1 : -EINVAL;
}

int cpio_next(struct cpio_reader *reader, struct cpio_member *member)
{
	for (;;) {
		int err;

		skip_zeros(reader);
		if (reader->at == reader->size)
			return 0;
		err = read_member(reader, member);
		if (err < 0 || strcmp(member->name, CPIO_TRAILER))
			return err;
	}
}

static const char *plain_path(const char *path)
{
	while (*path == '/' || (path[0] == '.' && path[1] == '/'))
		path++;
	return path;
}

int cpio_find(const void *archive, size_t size, const char *path, struct cpio_member *member)
{
	struct cpio_reader reader = {.bytes = archive, .size = size};
	struct cpio_member next;
	bool is_found = false;
	int err;

	path = plain_path(path);
	while ((err = cpio_next(&reader, &next)) > 0) {
		if ((next.mode & CPIO_KIND) != CPIO_FILE || strcmp(plain_path(next.name), path))
			continue;
		*member = next;
		is_found = true;
	}
	return err ? err : is_found ? 0 : -ENOENT;
}
