/* SPDX-License-Identifier: BSD-2-Clause */
/* markup.h - foreign text in XML and HTML: plain (lib/plain.h), and nothing of it is markup. */
#ifndef TOOLS_PICTURE_MARKUP_H
#define TOOLS_PICTURE_MARKUP_H

#include "tools/util/buf.h"

/* markup_add() - a terminated text, for content and for the value of an attribute in quotes. */
void markup_add(struct buf *out, const char *text);

/* markup_add_fit() - the same in at most `columns` columns, the last of them an ellipsis where it
 * is longer. Returns the columns that it takes. */
unsigned markup_add_fit(struct buf *out, const char *text, unsigned columns);

/* markup_printf() - formatted as by printf(), then as markup_add(). */
void markup_printf(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * markup_number() - digits, which are set apart by thousands to look at, and copied without: spans
 * of class k. Anything but a number is text.
 */
void markup_number(struct buf *out, const char *number);

#endif
