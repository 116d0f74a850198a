/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * palette.h - distinguishes events by eight colours that colour-blind readers can tell apart (Okabe
 * and Ito's), each plain and with seven patterns. That makes 64 looks. Every picture also shows the
 * event's number.
 */
#ifndef TOOLS_PICTURE_PALETTE_H
#define TOOLS_PICTURE_PALETTE_H

#include "tools/util/buf.h"

/*
 * palette_colour() - returns the colour "#rrggbb" of number `i`, from 0. palette_ink() - returns
 * the colour of text on it.
 */
const char *palette_colour(unsigned i);
const char *palette_ink(unsigned i);

/*
 * palette_line() - like palette_colour(), with an order and shades for thin lines on any
 * background.
 */
const char *palette_line(unsigned i);

/* palette_fill() - adds the value of an SVG fill: a colour, or a pattern of palette_patterns(). */
void palette_fill(struct buf *out, unsigned i);

/* palette_patterns() - adds <pattern> elements for the numbers below `n`. */
void palette_patterns(struct buf *out, unsigned n);

#endif
