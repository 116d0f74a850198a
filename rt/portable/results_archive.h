/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results_archive.h - results as a cpio archive (lib/format/cpio.h) in memory of a given size. It
 * allocates nothing. Portable; any context.
 */
#ifndef RT_PORTABLE_RESULTS_ARCHIVE_H
#define RT_PORTABLE_RESULTS_ARCHIVE_H

#include "rt/portable/results.h"

struct results_archive {
	uint8_t *at;
	uint64_t room, bytes; /* of the memory, and of what is in it */
	unsigned files;
	unsigned left_out; /* files that have found no room */
};

/* archive_begin() - begins an archive in `room` bytes at `at`. */
void archive_begin(struct results_archive *archive, void *at, uint64_t room);

/*
 * archive_text(), archive_pieces() - add a file, or leave it out where it finds no room.
 * archive_all()
 * - adds all kept files of `results`.
 */
void archive_text(struct results_archive *archive, const char *name, const char *text, size_t n);
void archive_pieces(struct results_archive *archive, const char *name,
		    const struct pieces *content);
void archive_all(struct results_archive *archive, const struct results *results);

/* archive_end() - writes the end, for which there is always room, and returns the bytes. */
uint64_t archive_end(struct results_archive *archive);

#endif
