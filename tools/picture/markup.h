/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * markup.h - escapes foreign text for XML and HTML. The result is plain (lib/plain.h) and has no
 * markup.
 */
#ifndef TOOLS_PICTURE_MARKUP_H
#define TOOLS_PICTURE_MARKUP_H

#include "tools/util/buf.h"

/* markup_add() - adds a terminated text as content or as a quoted attribute's value. */
void markup_add(struct buf *out, const char *text);

/* markup_add_fit() - like markup_add(), in at most `columns` columns; a longer text ends with an
 * ellipsis. Returns the number of columns. */
unsigned markup_add_fit(struct buf *out, const char *text, unsigned columns);

/* markup_printf() - formats like printf(), and adds the result like markup_add(). */
void markup_printf(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * markup_number() - adds a number with its thousands set apart by style alone (spans of class k),
 * so that a copy has none of it. Any other text is added unchanged.
 */
void markup_number(struct buf *out, const char *number);

#endif
