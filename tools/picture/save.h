/* SPDX-License-Identifier: BSD-2-Clause */
/* save.h - files of pictures: there whole or not at all, and readable for all, as umask(2) has it.
 */
#ifndef TOOLS_PICTURE_SAVE_H
#define TOOLS_PICTURE_SAVE_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/* picture_save() - `bytes` as the file `path`. -E with the reason; then an old one stays. */
int picture_save(const char *path, const struct buf *bytes, struct reason *why);

#endif
