/* SPDX-License-Identifier: BSD-2-Clause */
/* chart_svg.h - draws charts into a page or another SVG. */
#ifndef TOOLS_PICTURE_CHART_SVG_H
#define TOOLS_PICTURE_CHART_SVG_H

#include "tools/picture/chart.h"
#include "tools/util/buf.h"

/* chart_svg() - draws a chart of `width` pixels, with its title and the names of its axes.
 * Series have palette.h's colours from `colour` on. */
void chart_svg(struct buf *out, const struct chart *chart, double width, unsigned colour);

/* chart_svg_height() - returns the height in pixels of the drawing of chart_svg(). */
double chart_svg_height(const struct chart *chart);

#endif
