// SPDX-License-Identifier: BSD-2-Clause
/* bin_archive.c - see bin_archive.h. One walk both plans the layout and writes it. */
#include "rt/portable/bin_archive.h"

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

/* Where the next entry goes. */
struct layout {
	uint8_t *archive; /* NULL: nothing is written */
	uint64_t at;
	uint32_t ino;
};

/* Returns where its content goes. */
static uint64_t put_member(struct layout *l, const char *folder, const char *name, uint32_t mode,
			   uint64_t bytes)
{
	const size_t nfolder = strlen(folder), length = nfolder + strlen(name);
	const uint32_t align = bytes >= PROGRAMS_PAGE ? PROGRAMS_PAGE : CPIO_ALIGN;
	const struct cpio_entry entry = {
		.ino = ++l->ino,
		.mode = mode,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(l->at, length, align),
	};
	const uint64_t name_at = l->at + CPIO_HEADER, content = name_at + entry.name_bytes;

	if (l->archive) {
		cpio_header((char *)l->archive + l->at, &entry);
		memcpy(l->archive + name_at, folder, nfolder);
		memcpy(l->archive + name_at + nfolder, name, length - nfolder);
	}
	l->at = content + bytes;
	l->at += cpio_padding(l->at);
	return content;
}

/* `at` gets the offset of each file's content; NULL: they are known. */
static uint64_t lay_out(struct layout *l, const struct bin_file *files, unsigned n,
			struct bin_file *to)
{
	uint64_t at;

	for (unsigned i = 0; i < n; i++) {
		at = put_member(l, BIN_ARCHIVE_FOLDER, files[i].name, CPIO_FILE | 0755,
				files[i].bytes);
		if (to)
			to[i].at = at;
		if (l->at > PROGRAMS_PACK_MOST)
			return l->at;
	}
	at = put_member(l, "", PROGRAMS_ENV, CPIO_FILE | 0644, sizeof(BIN_ARCHIVE_ENV));
	if (l->archive)
		memcpy(l->archive + at, BIN_ARCHIVE_ENV, sizeof(BIN_ARCHIVE_ENV));
	put_member(l, "", CPIO_TRAILER, 0, 0);
	return l->at;
}

static void sort_files(struct bin_file *files, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		const struct bin_file file = files[i];
		unsigned j = i;

		for (; j && strcmp(files[j - 1].name, file.name) > 0; j--)
			files[j] = files[j - 1];
		files[j] = file;
	}
}

int bin_archive_plan(struct bin_file *files, unsigned n, uint64_t *bytes)
{
	struct layout layout = {0};

	sort_files(files, n);
	for (unsigned i = 0; i < n; i++) {
		if (i && !strcmp(files[i - 1].name, files[i].name))
			return -EEXIST;
		if (files[i].bytes > PROGRAMS_PACK_MOST)
			return -EFBIG;
	}
	*bytes = lay_out(&layout, files, n, files);
	return *bytes > PROGRAMS_PACK_MOST ? -EFBIG : 0;
}

void bin_archive_heads(uint8_t *archive, const struct bin_file *files, unsigned n)
{
	struct layout layout = {.archive = archive};

	lay_out(&layout, files, n, NULL);
}
