// SPDX-License-Identifier: BSD-2-Clause
/* volume_archive.c - see volume_archive.h. */
#include "rt/portable/volume_archive.h"

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"
#include "lib/string.h"
#include "rt/portable/bin_archive.h"

#include <linux/errno.h>
#include <stdbool.h>

/* Where members go: `archive` is NULL while the size is computed. */
struct volume_layout {
	uint8_t *archive;
	uint64_t at;
	uint32_t ino;
};

static bool is_kept_kind(uint32_t mode)
{
	const uint32_t kind = mode & CPIO_KIND;

	return kind == CPIO_FILE || kind == CPIO_DIRECTORY || kind == CPIO_LINK;
}

/* The path without what leads to it: "./bin/a" is "bin/a", and "." is "". */
static const char *relative_path(const char *name)
{
	for (;;) {
		if (name[0] == '/')
			name++;
		else if (name[0] == '.' && (name[1] == '/' || !name[1]))
			name++;
		else
			return name;
	}
}

static bool leads_out(const char *path)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || !part[2]))
			return true;
	}
	return false;
}

/* The content of a page or more begins at a page. `slash` is "/" for a path, "" for another name.
 */
static void put_volume_entry(struct volume_layout *l, const char *slash, const char *name,
			     uint32_t mode, const void *content, size_t bytes)
{
	const size_t nslash = strlen(slash), length = nslash + strlen(name);
	const uint32_t align = bytes >= PROGRAMS_PAGE ? PROGRAMS_PAGE : CPIO_ALIGN;
	const struct cpio_entry entry = {
		.ino = ++l->ino,
		.mode = mode,
		.bytes = (uint32_t)bytes,
		.name_bytes = cpio_name_bytes(l->at, length, align),
	};
	const uint64_t name_at = l->at + CPIO_HEADER, begin = name_at + entry.name_bytes;

	if (l->archive) {
		cpio_header((char *)l->archive + l->at, &entry);
		memcpy(l->archive + name_at, slash, nslash);
		memcpy(l->archive + name_at + nslash, name, length - nslash);
		memcpy(l->archive + begin, content, bytes);
	}
	l->at = begin + bytes;
	l->at += cpio_padding(l->at);
}

static bool is_pack(const void *left, size_t size)
{
	struct cpio_reader reader = {.bytes = left, .size = size};
	struct cpio_member member;

	while (cpio_next(&reader, &member) > 0)
		if (member.name[0] == '/')
			return true;
	return false;
}

static int lay_out_volume(struct volume_layout *l, const void *left, size_t size,
			  struct reason *why)
{
	struct cpio_reader reader = {.bytes = left, .size = size};
	struct cpio_member member;
	int err;

	while ((err = cpio_next(&reader, &member)) > 0) {
		const char *path = relative_path(member.name);

		if (leads_out(path))
			return refuse(why, EINVAL, "%s leads out of the archive", member.name);
		if (*path && is_kept_kind(member.mode))
			put_volume_entry(l, "/", path, member.mode, member.content, member.bytes);
		if (l->at > PROGRAMS_PACK_MOST)
			return refuse(why, EFBIG, "its files are too large");
	}
	if (err)
		return refuse(why, EINVAL,
			      "byte %llu begins no member of a cpio archive (newc), or one that is "
			      "cut off",
			      (unsigned long long)reader.member);
	put_volume_entry(l, "", PROGRAMS_ENV, CPIO_FILE | 0644, BIN_ARCHIVE_ENV,
			 sizeof(BIN_ARCHIVE_ENV));
	put_volume_entry(l, "", CPIO_TRAILER, 0, "", 0);
	return 0;
}

int volume_archive_plan(const void *left, size_t size, uint64_t *bytes, struct reason *why)
{
	struct volume_layout layout = {0};
	int err;

	if (is_pack(left, size)) {
		*bytes = size;
		return 0;
	}
	err = lay_out_volume(&layout, left, size, why);
	*bytes = layout.at;
	return err;
}

void volume_archive_write(uint8_t *archive, const void *left, size_t size)
{
	struct volume_layout layout = {.archive = archive};

	if (is_pack(left, size))
		memcpy(archive, left, size);
	else
		lay_out_volume(&layout, left, size, NULL);
}
