// SPDX-License-Identifier: BSD-2-Clause
/*
 * gnuplot.c - see gnuplot.h. Names are foreign: they stand in single quotes, plain, and gnuplot's
 * own markup is off.
 */
#include "tools/picture/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/picture/palette.h"
#include "tools/picture/save.h"
#include "tools/util/buf.h"
#include "tools/util/ending.h"
#include "tools/util/helper.h"
#include "tools/util/outfile.h"
#include "tools/util/plainbuf.h"

#define PACKAGE "gnuplot-nox"
#define WIDTH   520 /* of one chart, in pixels */
#define HEIGHT  300
#define ALONE   860 /* the width of a chart that is alone */

static const struct {
	const char *ending, *terminal;
} terminals[] = {
	{".svg", "svg size %u,%u noenhanced background '#ffffff' font 'DejaVu Sans,11'"},
	{".png", "pngcairo size %u,%u noenhanced background '#ffffff' font 'DejaVu Sans,9'"},
};

static const char *terminal_of(const char *path)
{
	for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (ends_in(path, terminals[i].ending))
			return terminals[i].terminal;
	return NULL;
}

int gnuplot_check(const char *path, struct reason *why)
{
	static const char *const words[] = {"gnuplot", "--version", NULL};

	if (!terminal_of(path))
		return refuse(why, EINVAL, "'%s' ends neither in .svg nor in .png", path);
	if (outfile_check(path, why))
		return -EINVAL;
	return helper_run(words, PACKAGE, why);
}

/* 'a text', in which '' is one quote. */
static void add_quoted(struct buf *out, const char *text)
{
	struct buf plain = {0};

	plain_add(&plain, text, strlen(text));
	buf_printf(out, "'");
	for (size_t i = 0; i < plain.size; i++)
		buf_printf(out, plain.data[i] == '\'' ? "''" : "%c", plain.data[i]);
	buf_printf(out, "'");
	buf_free(&plain);
}

/* x, the bounds of its box, and low, mid, high. */
static void add_data(struct buf *out, const struct chart *chart, const struct chart_range *range,
		     size_t number)
{
	const struct chart_series *s = &chart->series[number];

	buf_printf(out, "$d%zu << EOD\n", number);
	for (size_t i = 0; i < s->n; i++) {
		const struct chart_point *p = &s->point[i];
		const double half = p->x == p->to ? range->bar / 2 : 0;

		buf_printf(out, "%.12g %.12g %.12g %.12g %.12g %.12g\n", p->x, p->x - half,
			   p->to + half, p->low, p->mid, p->high);
	}
	buf_printf(out, "EOD\n");
}

static void add_series(struct buf *out, const struct chart *chart, size_t number, unsigned colour)
{
	const struct chart_series *s = &chart->series[number];

	if (chart->kind != CHART_LINES) {
		buf_printf(out,
			   "$d%zu using 1:5:2:3:(0):5 with boxxyerrorbars fs solid 1 "
			   "noborder lc rgb '%s' notitle",
			   number, palette_colour(colour));
		return;
	}
	if (s->has_band)
		buf_printf(out,
			   "$d%zu using 1:4:6 with filledcurves fs transparent solid 0.28 noborder "
			   "lc rgb '%s' notitle, ",
			   number, palette_line(colour));
	buf_printf(out, "$d%zu using 1:5 with lines lw 2 lc rgb '%s' title ", number,
		   palette_line(colour));
	add_quoted(out, chart->n > 1 ? s->name : "");
}

static void add_chart(struct buf *out, const struct chart *chart, unsigned number)
{
	const struct chart_range range = chart_range(chart);
	const unsigned colour = chart->n > 1 ? 0 : number;

	for (size_t i = 0; i < chart->n; i++)
		add_data(out, chart, &range, i);
	buf_printf(out, "set title ");
	add_quoted(out, chart->title);
	buf_printf(out, "\nset xlabel ");
	add_quoted(out, chart->x);
	buf_printf(out, "\nset ylabel ");
	add_quoted(out, chart->y);
	buf_printf(out, "\nset xrange [%.12g:%.12g]\nset yrange [%.12g:%.12g]\nplot ", range.x1,
		   range.x2, range.y1, range.y2 + (range.y2 - range.y1) / 20);
	for (size_t i = 0; i < chart->n; i++) {
		buf_printf(out, i ? ", " : "");
		add_series(out, chart, i, colour + (unsigned)i);
	}
	buf_printf(out, "\n");
}

static void add_script(struct buf *out, const char *path, const char *file,
		       const struct charts *charts, unsigned n)
{
	const unsigned columns = n > 1 ? 2 : 1, rows = (n + columns - 1) / columns;

	buf_printf(out, "set terminal ");
	buf_printf(out, terminal_of(path), n > 1 ? 2u * WIDTH : ALONE, rows * HEIGHT);
	buf_printf(out, "\nset output ");
	add_quoted(out, file);
	buf_printf(out, "\nset grid ytics lc rgb '#dddddd'\nset border 3 lc rgb '#666666'\n"
			"set tics nomirror\nset key outside below\nset format '%%.10g'\n");
	if (n > 1)
		buf_printf(out, "set multiplot layout %u,%u\n", rows, columns);
	for (unsigned i = 0; i < n; i++)
		add_chart(out, &charts->chart[i], i);
	if (n > 1)
		buf_printf(out, "unset multiplot\n");
	buf_printf(out, "unset output\n");
}

/* The whole file. */
static int read_drawn(struct buf *out, const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char bytes[BUFSIZ];
	ssize_t n = -1;

	while (fd >= 0 && (n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(out, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
	if (n < 0 || !out->size)
		return refuse(why, EIO, "gnuplot has drawn nothing");
	return 0;
}

/* In a folder of its own, whose name has nothing that gnuplot would take for something else. */
static int draw_in(const char *folder, const char *path, const struct charts *charts,
		   struct reason *why)
{
	const unsigned n = charts->n < GNUPLOT_CHARTS ? (unsigned)charts->n : GNUPLOT_CHARTS;
	struct buf script = {0}, commands = {0}, file = {0}, drawn = {0};
	const char *words[] = {"gnuplot", NULL, NULL};
	int err;

	buf_printf(&commands, "%s/commands", folder);
	buf_printf(&file, "%s/drawn", folder);
	add_script(&script, path, buf_text(&file), charts, n);
	words[1] = buf_text(&commands);
	err = picture_save(words[1], &script, why);
	if (!err)
		err = helper_run(words, PACKAGE, why);
	if (!err)
		err = read_drawn(&drawn, buf_text(&file), why);
	if (!err)
		err = picture_save(path, &drawn, why);
	unlink(buf_text(&commands));
	unlink(buf_text(&file));
	buf_free(&script);
	buf_free(&commands);
	buf_free(&file);
	buf_free(&drawn);
	return err;
}

int gnuplot_draw(const char *path, const struct charts *charts, struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = {0};
	int err;

	buf_printf(&folder, "%s/perf0-plot-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	buf_text(&folder);
	if (!mkdtemp((char *)folder.data)) {
		err = refuse(why, errno, "%s: %s", buf_text(&folder), strerror(errno));
	} else {
		err = draw_in(buf_text(&folder), path, charts, why);
		rmdir(buf_text(&folder));
	}
	buf_free(&folder);
	return err;
}
