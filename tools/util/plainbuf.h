/* SPDX-License-Identifier: BSD-2-Clause */
/* plainbuf.h - foreign text (lib/plain.h), by the rules of the form that it is appended to. */
#ifndef TOOLS_UTIL_PLAINBUF_H
#define TOOLS_UTIL_PLAINBUF_H

#include "tools/util/buf.h"

/* plain_add() - appends `n` bytes of text as plain text. */
void plain_add(struct buf *out, const char *text, size_t n);

/* plain_add_right() - a terminated text, at least `width` columns wide, at the right. */
void plain_add_right(struct buf *out, int width, const char *text);

/* plain_add_json() - as a JSON string, with its quotes; of UTF-8 what is valid. */
void plain_add_json(struct buf *out, const char *text);

/* plain_add_csv() - as a cell between `separator`s: in quotes where it has one, or a quote, in it.
 */
void plain_add_csv(struct buf *out, const char *text, const char *separator);

/* plain_width() - columns that the text takes as plain text. */
int plain_width(const char *text);

#endif
