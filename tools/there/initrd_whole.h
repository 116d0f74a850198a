/* SPDX-License-Identifier: BSD-2-Clause */
/* initrd_whole.h - tells whether an initial ram disk was cut off. */
#ifndef TOOLS_THERE_INITRD_WHOLE_H
#define TOOLS_THERE_INITRD_WHOLE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

/*
 * initrd_check_whole() - goes over the archives of an initial ram disk: cpio archives as they are,
 * then one that is compressed. Of zstd and lz4 each block is found, of xz the end; gzip's is
 * tested by gzip(1). Other ways of compression are accepted. `path` names the file. -EINVAL with
 * the reason.
 */
int initrd_check_whole(const char *path, const uint8_t *bytes, size_t n, struct reason *why);

#endif
