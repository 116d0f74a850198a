/* SPDX-License-Identifier: BSD-2-Clause */
/* archive.h - archives in cpio's newc format, for tests and the fuzzer, and as sources of bytes. */
#ifndef TESTS_UNIT_FILE_ARCHIVE_H
#define TESTS_UNIT_FILE_ARCHIVE_H

#include "linux/tree/tree_cpio.h"
#include "linux/mem/page_ref.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct archive {
	struct cpio_source source; /* must be first: callbacks get its address */
	char bytes[1 << 18];
	char notes[256];  /* names and contents that callbacks got */
	uint64_t fail_at; /* reads beyond that offset fail; 0: none does */
};

static inline void archive_pad(struct archive *a)
{
	while (a->source.bytes % 4)
		a->bytes[a->source.bytes++] = 0;
}

/* Adds a member with `pad` zeros after its name: content can begin at a multiple of 4096. */
static inline void archive_add_at(struct archive *a, const char *name, unsigned mode,
				  const char *content, size_t n, size_t pad)
{
	const size_t name_bytes = strlen(name) + 1 + pad;

	a->source.bytes += (uint64_t)sprintf(
		a->bytes + a->source.bytes,
		"070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", 0, mode, 0, 0, 1, 0,
		(unsigned)n, 0, 0, 0, 0, (unsigned)name_bytes, 0);
	memset(a->bytes + a->source.bytes, 0, name_bytes);
	memcpy(a->bytes + a->source.bytes, name, strlen(name));
	a->source.bytes += name_bytes;
	archive_pad(a);
	memcpy(a->bytes + a->source.bytes, content, n);
	a->source.bytes += n;
	archive_pad(a);
}

static inline void archive_add(struct archive *a, const char *name, unsigned mode,
			       const char *content)
{
	archive_add_at(a, name, mode, content, strlen(content), 0);
}

static inline void archive_end(struct archive *a)
{
	archive_add(a, "TRAILER!!!", 0, "");
}

static inline int archive_read(struct cpio_source *source, uint64_t offset, void *to, size_t n)
{
	const struct archive *a = (struct archive *)source;

	if (offset > source->bytes || n > source->bytes - offset)
		abort();
	if (a->fail_at && offset + n > a->fail_at)
		return -EIO;
	memcpy(to, a->bytes + offset, n);
	return 0;
}

static inline int archive_note(struct cpio_source *source, const char *name, uint64_t offset,
			       uint64_t bytes, struct reason *why)
{
	struct archive *a = (struct archive *)source;
	const size_t used = strlen(a->notes), room = sizeof(a->notes) - used;

	if (strcmp(name, "cwd") != 0 && strcmp(name, "env") != 0 && strcmp(name, "stdin") != 0)
		return refuse(why, EINVAL, "%s is not known", name);
	if (offset > source->bytes || bytes > source->bytes - offset)
		abort();
	snprintf(a->notes + used, room, "%s=%.*s;", name, (int)bytes, a->bytes + offset);
	return 0;
}

static inline struct archive *archive_new(void)
{
	struct archive *a = calloc(1, sizeof(*a));

	a->source.read = archive_read;
	a->source.note = archive_note;
	return a;
}

#endif
