/* SPDX-License-Identifier: BSD-2-Clause */
/* plainbuf.h - appends foreign text (lib/plain.h) by the rules of a format. */
#ifndef TOOLS_UTIL_PLAINBUF_H
#define TOOLS_UTIL_PLAINBUF_H

#include "tools/util/buf.h"

/* plain_add() - appends `n` bytes of text as plain text. */
void plain_add(struct buf *out, const char *text, size_t n);

/* plain_add_right() - appends a text, right-aligned in at least `width` columns. */
void plain_add_right(struct buf *out, int width, const char *text);

/* plain_add_json() - appends a JSON string, with its quotes; keeps valid UTF-8 alone. */
void plain_add_json(struct buf *out, const char *text);

/*
 * plain_add_csv() - appends a cell between `separator`s: in quotes if it contains one, or a quote.
 */
void plain_add_csv(struct buf *out, const char *text, const char *separator);

/* plain_width() - columns that the text takes as plain text. */
int plain_width(const char *text);

#endif
