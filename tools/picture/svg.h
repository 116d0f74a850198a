/* SPDX-License-Identifier: BSD-2-Clause */
/* svg.h - the common parts of SVG pictures: the frame, labels, and the style for light, dark and
 * paper. Lengths are in pixels. */
#ifndef TOOLS_PICTURE_SVG_H
#define TOOLS_PICTURE_SVG_H

#include <stdbool.h>

#include "tools/util/buf.h"

/* CSS rules for the classes that pictures use; a page includes them once. */
extern const char svg_style[];

/*
 * svg_begin() - adds <svg>, with `title` for screen readers. `alone`: the picture is a file, and
 * has its own style and background; otherwise it is part of a page. svg_begin_links() - likewise
 * for a part of a page in which links are.
 */
void svg_begin_links(struct buf *out, double width, double height, const char *title);
void svg_begin(struct buf *out, double width, double height, const char *title, bool alone);
void svg_end(struct buf *out);

/* svg_text() - adds a label of class `class`, at most `columns` wide. A longer text is cut, and
 * the pointer shows all of it. */
void svg_text(struct buf *out, double x, double y, const char *class, const char *text,
	      unsigned columns);

/* svg_textf() - adds a short formatted label. */
void svg_textf(struct buf *out, double x, double y, const char *class, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* svg_line() - adds a line of class `class`. */
void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *class);

#endif
