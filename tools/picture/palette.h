/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * palette.h - how events are told apart: eight colours that differ for colour-blind eyes, too
 * (Okabe and Ito's), each as it is and with seven patterns. So 64 look different; every picture
 * gives each its number besides.
 */
#ifndef TOOLS_PICTURE_PALETTE_H
#define TOOLS_PICTURE_PALETTE_H

#include "tools/util/buf.h"

/* palette_colour() - "#rrggbb" of what is number `i`, from 0; palette_ink() - of text on it. */
const char *palette_colour(unsigned i);
const char *palette_ink(unsigned i);

/* palette_line() - as palette_colour(), in an order and shades for thin lines on any ground. */
const char *palette_line(unsigned i);

/* palette_fill() - the value of an SVG fill: a colour, or the pattern that palette_patterns() has
 * defined. */
void palette_fill(struct buf *out, unsigned i);

/* palette_patterns() - <pattern> elements for what is numbered below `n`. */
void palette_patterns(struct buf *out, unsigned n);

#endif
