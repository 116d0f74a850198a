/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bin_archive.h - makes the files of a folder of the stick into the archive in which programs are
 * found (include/perf0/programs.h). Each file is /perf0/bin/NAME and executable. A file of a page
 * or more begins at a page. The caller provides the memory, and reads the content of the files to
 * the planned places. Pure.
 */
#ifndef RT_PORTABLE_BIN_ARCHIVE_H
#define RT_PORTABLE_BIN_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#define BIN_ARCHIVE_FOLDER "/perf0/bin/"

#define BIN_ARCHIVE_MOST 256 /* files */
#define BIN_NAME_MAX     128 /* bytes of a name, with its end */

struct bin_file {
	char name[BIN_NAME_MAX];
	uint64_t bytes;
	uint64_t at; /* offset of its content in the archive: bin_archive_plan() sets it */
};

/*
 * bin_archive_plan() - sorts the `n` files, places their content, and computes the size of the
 * archive in bytes. -EFBIG: the archive would be too large; -EEXIST: two files have the same name.
 */
int bin_archive_plan(struct bin_file *files, unsigned n, uint64_t *bytes);

/* bin_archive_heads() - writes everything except the content of the files into `archive`, zeroed
 * memory of the planned size. */
void bin_archive_heads(uint8_t *archive, const struct bin_file *files, unsigned n);

#endif
