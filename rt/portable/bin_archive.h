/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bin_archive.h - files of a folder of the stick as the archive that programs are found in
 * (include/perf0/programs.h): each is /perf0/bin/NAME, executable, and one that has a page begins
 * at one. The caller has the memory, and reads what is in the files to where it says. Pure.
 */
#ifndef RT_PORTABLE_BIN_ARCHIVE_H
#define RT_PORTABLE_BIN_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#define BIN_ARCHIVE_FOLDER "/perf0/bin/"
#define BIN_ARCHIVE_MOST   256 /* files */
#define BIN_NAME_MAX       128 /* bytes of a name, with its end */

struct bin_file {
	char name[BIN_NAME_MAX];
	uint64_t bytes;
	uint64_t at; /* of its content in the archive: bin_archive_plan() sets it */
};

/*
 * bin_archive_plan() - puts the `n` files in order, says where their content goes, and how many
 * bytes the archive has. -EFBIG: more than an archive can have; -EEXIST: two have the same name.
 */
int bin_archive_plan(struct bin_file *files, unsigned n, uint64_t *bytes);

/* bin_archive_heads() - writes all but the content of the files into `archive`, zeroed memory of
 * so many bytes. */
void bin_archive_heads(uint8_t *archive, const struct bin_file *files, unsigned n);

#endif
