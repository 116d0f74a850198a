/* SPDX-License-Identifier: BSD-2-Clause */
/* plot.h - writes charts to a file: SVG, or PNG, into which rsvg-convert turns the SVG. */
#ifndef TOOLS_PICTURE_PLOT_H
#define TOOLS_PICTURE_PLOT_H

#include "lib/reason.h"
#include "tools/picture/chart.h"

#define PLOT_CHARTS 64 /* in one file */

/*
 * plot_check() - checks before a run that the file can be made: its name ends in .svg or .png, its
 * folder is there, and for a PNG rsvg-convert is. -E with the reason.
 */
int plot_check(const char *path, struct reason *why);

/*
 * plot_draw() - draws the first PLOT_CHARTS charts, of which there is at least one, into one file.
 * The file is written whole or not at all. -E with the reason.
 */
int plot_draw(const char *path, const struct charts *charts, struct reason *why);

#endif
