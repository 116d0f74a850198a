/* SPDX-License-Identifier: BSD-2-Clause */
/* gzip.h - puts bytes into a gzip file (RFC 1952) as they are, in stored blocks (RFC 1951). */
#ifndef TOOLS_FORMS_GZIP_H
#define TOOLS_FORMS_GZIP_H

#include "tools/util/buf.h"

/* gzip_stored() - appends a gzip file with the bytes. */
void gzip_stored(struct buf *out, const struct buf *bytes);

#endif
