/* SPDX-License-Identifier: BSD-2-Clause */
/* version_text.h - `perf0 version -v`: which perf0 this is, and what it finds on this host. */
#ifndef TOOLS_DOCTOR_VERSION_TEXT_H
#define TOOLS_DOCTOR_VERSION_TEXT_H

#include <stdbool.h>

#include "tools/util/buf.h"

/*
 * version_put() - prints the lines behind the version: commit, compiler, the QEMU called `qemu`,
 * firmware, libraries, versions of the formats. `is_private`: paths below the user's folders are
 * not shown.
 */
void version_put(const char *qemu, bool is_private);

/* version_of_qemu() - appends the version that the QEMU at `path` reports, such as "7.2.22"; false:
 * it reports none. */
bool version_of_qemu(struct buf *out, const char *path);

/* version_of_libpfm() - appends the version of libpfm4. */
void version_of_libpfm(struct buf *out);

/* version_add_path() - appends the path; where it is private, only of the system's folders. */
void version_add_path(struct buf *out, const char *path, bool is_private);

#endif
