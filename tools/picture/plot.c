// SPDX-License-Identifier: BSD-2-Clause
/* plot.c - see plot.h. Several charts form two columns. */
#include "tools/picture/plot.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/picture/chart_svg.h"
#include "tools/picture/save.h"
#include "tools/picture/svg.h"
#include "tools/util/buf.h"
#include "tools/util/ending.h"
#include "tools/util/helper.h"
#include "tools/util/outfile.h"
#include "tools/util/wholefile.h"

#define CONVERTER "rsvg-convert"
#define PACKAGE   "librsvg2-bin"

/* Lengths in pixels. */
#define WIDTH 520 /* width of each of several charts */
#define ALONE 860 /* width of a single chart */
#define GAP   20

static bool is_png(const char *path)
{
	return ends_in(path, ".png");
}

int plot_check(const char *path, struct reason *why)
{
	static const char *const words[] = {CONVERTER, "--version", NULL};

	if (!is_png(path) && !ends_in(path, ".svg"))
		return refuse(why, EINVAL, "'%s' ends neither in .svg nor in .png", path);
	if (outfile_check(path, why))
		return -EINVAL;
	return is_png(path) ? helper_run(words, PACKAGE, why) : 0;
}

/* Draws chart `i` of `n` and the one beside it. Returns the position of the next row. */
static double draw_chart_row(struct buf *out, const struct chart *chart, unsigned n, unsigned i,
			     double y)
{
	const unsigned columns = n > 1 ? 2 : 1;
	double next = y;

	for (unsigned column = 0; column < columns && i + column < n; column++) {
		const double bottom = y + chart_svg_height(&chart[i + column]) + GAP;

		buf_printf(out, "<g transform=\"translate(%u,%.0f)\">\n",
			   GAP + column * (WIDTH + GAP), y);
		chart_svg(out, &chart[i + column], n > 1 ? WIDTH : ALONE,
			  chart[i + column].n > 1 ? 0 : i + column);
		buf_printf(out, "</g>\n");
		next = bottom > next ? bottom : next;
	}
	return next;
}

static void add_charts(struct buf *out, const struct charts *charts)
{
	const unsigned n = charts->n < PLOT_CHARTS ? (unsigned)charts->n : PLOT_CHARTS;
	const unsigned width = n > 1 ? 2 * WIDTH + 3 * GAP : ALONE + 2 * GAP;
	struct buf drawn = {0};
	double y = GAP;

	for (unsigned i = 0; i < n; i += 2)
		y = draw_chart_row(&drawn, charts->chart, n, i, y);
	svg_begin(out, width, y, charts->chart[0].title, true);
	buf_add(out, drawn.data, drawn.size);
	svg_end(out);
	buf_free(&drawn);
}

/* Converts in a temporary folder, because rsvg-convert reads one file and writes another. */
static int convert_in(const char *folder, const char *path, const struct buf *svg,
		      struct reason *why)
{
	struct buf from = {0}, to = {0}, png = {0};
	const char *words[] = {CONVERTER, "--output", NULL, NULL, NULL};
	int err;

	buf_printf(&from, "%s/svg", folder);
	buf_printf(&to, "%s/png", folder);
	words[2] = buf_text(&to);
	words[3] = buf_text(&from);
	err = picture_save(words[3], svg, why);
	if (!err)
		err = helper_run(words, PACKAGE, why);
	if (!err)
		err = whole_file_read(&png, words[2], SIZE_MAX, why);
	if (!err)
		err = picture_save(path, &png, why);
	unlink(words[2]);
	unlink(words[3]);
	buf_free(&from);
	buf_free(&to);
	buf_free(&png);
	return err;
}

static int save_png(const char *path, const struct buf *svg, struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = {0};
	int err;

	buf_printf(&folder, "%s/perf0-plot-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	buf_text(&folder);
	if (!mkdtemp((char *)folder.data)) {
		err = refuse(why, errno, "%s: %s", buf_text(&folder), strerror(errno));
	} else {
		err = convert_in(buf_text(&folder), path, svg, why);
		rmdir(buf_text(&folder));
	}
	buf_free(&folder);
	return err;
}

int plot_draw(const char *path, const struct charts *charts, struct reason *why)
{
	struct buf svg = {0};
	int err;

	add_charts(&svg, charts);
	err = is_png(path) ? save_png(path, &svg, why) : picture_save(path, &svg, why);
	buf_free(&svg);
	return err;
}
