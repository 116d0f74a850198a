// SPDX-License-Identifier: BSD-2-Clause
/* volume_archive.c - see volume_archive.h. */
#include "rt/portable/volume_archive.h"

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/format/cpio_read.h"
#include "lib/string.h"
#include "rt/portable/volume_layout.h"

#include <linux/errno.h>
#include <stdbool.h>

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
			volume_put(l, "/", path, member.mode, member.content, member.bytes);
		if (l->at > PROGRAMS_PACK_MOST)
			return refuse(why, EFBIG, "its files are too large");
	}
	if (err)
		return refuse(why, EINVAL,
			      "byte %llu begins no member of a cpio archive (newc), or one that is "
			      "cut off",
			      (unsigned long long)reader.member);
	volume_end(l);
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
