// SPDX-License-Identifier: BSD-2-Clause
/* cpio.c - see cpio.h. */
#include "lib/format/cpio.h"

#include "lib/string.h"

#define FIELD_DIGITS 8

/* The fields in their order after the magic. */
enum cpio_field {
	CPIO_INO,
	CPIO_MODE,
	CPIO_UID,
	CPIO_GID,
	CPIO_NLINK,
	CPIO_MTIME,
	CPIO_FILESIZE,
	CPIO_DEVMAJOR,
	CPIO_DEVMINOR,
	CPIO_RDEVMAJOR,
	CPIO_RDEVMINOR,
	CPIO_NAMESIZE,
	CPIO_CHECK,
	CPIO_FIELDS,
};
_Static_assert(sizeof(CPIO_MAGIC) - 1 + CPIO_FIELDS * FIELD_DIGITS == CPIO_HEADER,
	       "the header has no holes");

static void write_field(char *digits, uint32_t value)
{
	for (int i = FIELD_DIGITS - 1; i >= 0; i--, value >>= 4)
		digits[i] = "0123456789abcdef"[value & 15];
}

uint32_t cpio_name_bytes(uint64_t offset, size_t length, uint32_t align)
{
	const uint64_t end = offset + CPIO_HEADER + length + 1;

	return (uint32_t)(length + 1 + -end % align);
}

void cpio_header(char header[CPIO_HEADER], const struct cpio_entry *entry)
{
	const uint32_t fields[CPIO_FIELDS] = {
		[CPIO_INO] = entry->ino,
		[CPIO_MODE] = entry->mode,
		[CPIO_NLINK] = 1,
		[CPIO_FILESIZE] = entry->bytes,
		[CPIO_NAMESIZE] = entry->name_bytes,
	};

	memcpy(header, CPIO_MAGIC, sizeof(CPIO_MAGIC) - 1);
	for (int i = 0; i < CPIO_FIELDS; i++)
		write_field(header + sizeof(CPIO_MAGIC) - 1 + i * FIELD_DIGITS, fields[i]);
}
