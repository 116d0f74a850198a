// SPDX-License-Identifier: BSD-2-Clause
/* palette.c - see palette.h. */
#include "tools/picture/palette.h"

#include <stddef.h>

static const struct {
	const char *colour, *ink;
} colours[] = {
	{"#56b4e9", "#000"}, {"#e69f00", "#000"}, {"#009e73", "#fff"}, {"#cc79a7", "#000"},
	{"#0072b2", "#fff"}, {"#f0e442", "#000"}, {"#d55e00", "#fff"}, {"#b3b3b3", "#000"},
};
#define NCOLOURS (sizeof(colours) / sizeof(colours[0]))

/* Strokes in a square of 8 by 8. The first entry is the plain colour. */
static const char *const strokes[] = {
	NULL,
	"M-2,2l4,-4M0,8l8,-8M6,10l4,-4",
	"M-2,6l4,4M0,0l8,8M6,-2l4,4",
	"M0,4h8",
	"M4,0v8",
	"M0,4h8M4,0v8",
	"M0,8l8,-8M0,0l8,8",
	"M1,2h2M5,6h2",
};
#define NSTROKES (sizeof(strokes) / sizeof(strokes[0]))

static unsigned stroke_of(unsigned i)
{
	return i / NCOLOURS % NSTROKES;
}

const char *palette_colour(unsigned i)
{
	return colours[i % NCOLOURS].colour;
}

const char *palette_line(unsigned i)
{
	static const char *const lines[] = {"#2383c4", "#d55e00", "#009e73", "#cc79a7",
					    "#56b4e9", "#e69f00", "#8c8c8c", "#b8a800"};

	return lines[i % (sizeof(lines) / sizeof(lines[0]))];
}

const char *palette_ink(unsigned i)
{
	return colours[i % NCOLOURS].ink;
}

void palette_fill(struct buf *out, unsigned i)
{
	if (stroke_of(i))
		buf_printf(out, "url(#p%u)", i % (unsigned)(NCOLOURS * NSTROKES));
	else
		buf_printf(out, "%s", palette_colour(i));
}

void palette_patterns(struct buf *out, unsigned n)
{
	for (unsigned i = NCOLOURS; i < n && i < NCOLOURS * NSTROKES; i++)
		buf_printf(out,
			   "<pattern id=\"p%u\" width=\"8\" height=\"8\" "
			   "patternUnits=\"userSpaceOnUse\"><rect width=\"8\" height=\"8\" "
			   "fill=\"%s\"/><path d=\"%s\" stroke=\"%s\" stroke-opacity=\".5\" "
			   "stroke-width=\"1.5\"/></pattern>\n",
			   i, palette_colour(i), strokes[stroke_of(i)], palette_ink(i));
}
