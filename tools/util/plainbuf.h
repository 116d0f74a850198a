/* SPDX-License-Identifier: BSD-2-Clause */
/* plainbuf.h - appends foreign text (lib/plain.h) in the syntax of a format. */
#ifndef TOOLS_UTIL_PLAINBUF_H
#define TOOLS_UTIL_PLAINBUF_H

#include "tools/util/buf.h"

/* plain_add() - appends `n` bytes of text as plain text. */
void plain_add(struct buf *out, const char *text, size_t n);

/* plain_add_right() - appends a text, right-aligned in at least `width` columns. */
void plain_add_right(struct buf *out, int width, const char *text);

/* plain_add_json() - appends a JSON string with its quotes. Only valid UTF-8 stays unchanged. */
void plain_add_json(struct buf *out, const char *text);

/* plain_add_csv() - appends a cell of CSV: in quotes if it contains `separator` or a quote. */
void plain_add_csv(struct buf *out, const char *text, const char *separator);

/* plain_width() - returns the number of columns of the text as plain text. */
int plain_width(const char *text);

#endif
