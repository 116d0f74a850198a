/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped_files.h - the files that a recording's maps name, with their build-ids: programs,
 * interpreters and libraries. perf finds by these what lies in its cache, or under a path that has
 * another file by now.
 */
#ifndef TOOLS_OUT_MAPPED_FILES_H
#define TOOLS_OUT_MAPPED_FILES_H

#include "tools/symbols/elf_image.h"
#include "tools/stream/stream.h"
#include "tools/util/index.h"

struct mapped_file {
	char *path;
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;
};

/* A zeroed struct has none. */
struct mapped {
	struct mapped_file *file; /* in the order of their first maps */
	size_t n;
	struct index by_file;
};

/* mapped_record() - takes what a record says of a file; those without a build-id, with a
 * path that no file can have, and the image, which `elf` is (NULL: unknown), are none. */
void mapped_record(struct mapped *mapped, const struct perf_event_header *record,
		   const struct elf_image *elf);

void mapped_free(struct mapped *mapped);

#endif
