/* SPDX-License-Identifier: BSD-2-Clause */
/* chart_svg.h - charts as parts of a page or of another SVG. */
#ifndef TOOLS_PICTURE_CHART_SVG_H
#define TOOLS_PICTURE_CHART_SVG_H

#include "tools/picture/chart.h"
#include "tools/util/buf.h"

/* chart_svg() - one of `width` pixels, with its title and the names of its axes; series by
 * palette.h's colours from `colour` on. */
void chart_svg(struct buf *out, const struct chart *chart, double width, unsigned colour);

/* chart_svg_height() - the height in pixels of what chart_svg() draws. */
double chart_svg_height(const struct chart *chart);

#endif
