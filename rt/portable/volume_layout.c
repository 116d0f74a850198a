// SPDX-License-Identifier: BSD-2-Clause
/* volume_layout.c - see volume_layout.h. */
#include "rt/portable/volume_layout.h"

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/string.h"

/* The environment that the host tool gives by default. */
static const char environment[] = "PATH=/perf0/bin:/usr/bin:/bin\0HOME=/\0LANG=C\0TERM=dumb";

uint64_t volume_put(struct volume_layout *l, const char *folder, const char *name, uint32_t mode,
		    const void *content, uint64_t bytes)
{
	const size_t nfolder = strlen(folder), length = nfolder + strlen(name);
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
		memcpy(l->archive + name_at, folder, nfolder);
		memcpy(l->archive + name_at + nfolder, name, length - nfolder);
		if (content)
			memcpy(l->archive + begin, content, bytes);
	}
	l->at = begin + bytes;
	l->at += cpio_padding(l->at);
	return begin;
}

void volume_end(struct volume_layout *l)
{
	volume_put(l, "", PROGRAMS_ENV, CPIO_FILE | 0644, environment, sizeof(environment));
	volume_put(l, "", CPIO_TRAILER, 0, NULL, 0);
}
