/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * volume_archive.h - makes an archive that a loader left in memory into one in which programs are
 * found (include/perf0/programs.h). The loader's is an initrd of any kind: names may be relative,
 * several archives may follow each other, and there may be devices. A pack of the host tool, which
 * has names that begin with a slash, stays as it is. Pure.
 */
#ifndef RT_PORTABLE_VOLUME_ARCHIVE_H
#define RT_PORTABLE_VOLUME_ARCHIVE_H

#include "lib/reason.h"

#include <stddef.h>
#include <stdint.h>

/*
 * volume_archive_plan() - computes the size of the archive in bytes. -EINVAL with the reason: the
 * loader's is malformed, or has a path that leads out of it; -EFBIG.
 */
int volume_archive_plan(const void *left, size_t size, uint64_t *bytes, struct reason *why);

/* volume_archive_write() - writes the archive to zeroed memory of the planned size. */
void volume_archive_write(uint8_t *archive, const void *left, size_t size);

#endif
