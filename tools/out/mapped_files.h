/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped_files.h - collects the files that a recording maps, with their build-ids: programs,
 * interpreters and libraries. perf uses a build-id to find a file in its cache, or to notice that a
 * path has another file now.
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

/* The mapped files. A zeroed struct has none. */
struct mapped {
	struct mapped_file *file; /* in the order of their first maps */
	size_t n;
	struct index by_file;
};

/* mapped_record() - adds the file of a map record. It ignores files without a build-id, paths
 * that no file can have, and the image, whose file is `elf` (NULL: unknown). */
void mapped_record(struct mapped *mapped, const struct perf_event_header *record,
		   const struct elf_image *elf);

void mapped_free(struct mapped *mapped);

#endif
