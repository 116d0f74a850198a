/* SPDX-License-Identifier: BSD-2-Clause */
/* gnuplot.h - charts as a file that gnuplot draws: .svg or .png, by the file's ending. */
#ifndef TOOLS_PICTURE_GNUPLOT_H
#define TOOLS_PICTURE_GNUPLOT_H

#include "lib/reason.h"
#include "tools/picture/chart.h"

#define GNUPLOT_CHARTS 64 /* in one file */

/* gnuplot_check() - whether there will be such a file: its ending, its folder, and gnuplot. -E with
 * the reason. */
int gnuplot_check(const char *path, struct reason *why);

/* gnuplot_draw() - the first GNUPLOT_CHARTS of them, of which there is one at least, in one file,
 * which is there whole or not at all. -E with the reason. */
int gnuplot_draw(const char *path, const struct charts *charts, struct reason *why);

#endif
