// SPDX-License-Identifier: BSD-2-Clause
/* results_archive.c - see results_archive.h. Portable. */
#include "rt/portable/results_archive.h"

#include "lib/format/cpio.h"
#include "lib/string.h"

#define PERMISSIONS 0644

static uint64_t entry_bytes(uint64_t at, size_t name, uint64_t content)
{
	const uint64_t bytes = CPIO_HEADER + cpio_name_bytes(at, name, CPIO_ALIGN) + content;

	return bytes + cpio_padding(at + bytes);
}

static uint64_t end_bytes(uint64_t at)
{
	return entry_bytes(at, sizeof(CPIO_TRAILER) - 1, 0);
}

static void put_archived(struct results_archive *a, const void *bytes, size_t n)
{
	memcpy(a->at + a->bytes, bytes, n);
	a->bytes += n;
}

static void put_zeros(struct results_archive *a, size_t n)
{
	memset(a->at + a->bytes, 0, n);
	a->bytes += n;
}

static void put_head(struct results_archive *a, const char *name, uint64_t bytes)
{
	const size_t length = strlen(name);
	const struct cpio_entry entry = {
		.ino = ++a->files,
		.mode = CPIO_FILE | PERMISSIONS,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(a->bytes, length, CPIO_ALIGN),
	};
	char header[CPIO_HEADER];

	cpio_header(header, &entry);
	put_archived(a, header, sizeof(header));
	put_archived(a, name, length);
	put_zeros(a, entry.name_bytes - length);
}

/* Begins a file. False: there is no room for it and for the end. */
static bool begin_archived(struct results_archive *a, const char *name, uint64_t bytes)
{
	const uint64_t whole =
		bytes <= UINT32_MAX ? entry_bytes(a->bytes, strlen(name), bytes) : UINT64_MAX;
	const uint64_t left = a->room - a->bytes;

	if (whole > left || end_bytes(a->bytes + whole) > left - whole) {
		a->left_out++;
		return false;
	}
	put_head(a, name, bytes);
	return true;
}

void archive_begin(struct results_archive *a, void *at, uint64_t room)
{
	*a = (struct results_archive){.at = at, .room = room};
}

void archive_text(struct results_archive *a, const char *name, const char *text, size_t n)
{
	if (!begin_archived(a, name, n))
		return;
	put_archived(a, text, n);
	put_zeros(a, cpio_padding(a->bytes));
}

void archive_pieces(struct results_archive *a, const char *name, const struct pieces *content)
{
	if (!begin_archived(a, name, content->bytes))
		return;
	for (const struct piece *p = content->first; p; p = p->next)
		put_archived(a, p->bytes, p->n);
	put_zeros(a, cpio_padding(a->bytes));
}

void archive_all(struct results_archive *a, const struct results *results)
{
	for (const struct results_file *file = results->first; file; file = file->next)
		archive_pieces(a, file->name, &file->content);
}

uint64_t archive_end(struct results_archive *a)
{
	if (end_bytes(a->bytes) <= a->room - a->bytes)
		put_head(a, CPIO_TRAILER, 0);
	put_zeros(a, cpio_padding(a->bytes));
	return a->bytes;
}
