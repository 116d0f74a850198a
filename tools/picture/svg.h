/* SPDX-License-Identifier: BSD-2-Clause */
/* svg.h - what pictures in SVG have in common: the frame, the style for light, dark and paper, and
 * labels. Lengths are in pixels. */
#ifndef TOOLS_PICTURE_SVG_H
#define TOOLS_PICTURE_SVG_H

#include <stdbool.h>

#include "tools/util/buf.h"

/* Rules of CSS for the classes that pictures use; a page has them once. */
extern const char svg_style[];

/*
 * svg_begin() - <svg>, with `title` for readers aloud; `alone`: a file of its own, with its
 * style and a ground, else a part of a page.
 */
void svg_begin(struct buf *out, double width, double height, const char *title, bool alone);
void svg_end(struct buf *out);

/* svg_text() - a label of class `class`, at most `columns` wide; what is longer is cut, and shows
 * all of it when it is pointed at. */
void svg_text(struct buf *out, double x, double y, const char *class, const char *text,
	      unsigned columns);

/* svg_textf() - a short one, formatted. */
void svg_textf(struct buf *out, double x, double y, const char *class, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* svg_line() - of class `class`. */
void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *class);

#endif
