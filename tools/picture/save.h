/* SPDX-License-Identifier: BSD-2-Clause */
/* save.h - saves pictures in files. A file appears complete or not at all. All users may read
 * it, unless umask(2) forbids that. */
#ifndef TOOLS_PICTURE_SAVE_H
#define TOOLS_PICTURE_SAVE_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * picture_save() - writes `bytes` to the file `path`. -E with the reason; an old file stays then.
 */
int picture_save(const char *path, const struct buf *bytes, struct reason *why);

#endif
