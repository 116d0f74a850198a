// SPDX-License-Identifier: BSD-2-Clause
/*
 * fb.c - see fb.h.
 *
 * Text is a ring of lines; the screens show a window of it. Video memory is slow to read, so a copy
 * of the screens' text is kept, and only cells that change are drawn. All screens have as many
 * cells as the smallest one.
 */
#include "arch/x86/dev/fb.h"

#include "arch/x86/dev/font.h"
#include "arch/x86/mem/paging.h"
#include "lib/math.h"
#include "lib/string.h"

#include <linux/errno.h>

#define CELL_WIDTH  (FONT_COLS + 1)
#define CELL_HEIGHT (FONT_ROWS + 2)
#define COLS_WANTED 106 /* an integer scale of the font brings the columns near this */
#define MAX_COLS    212
#define MAX_ROWS    128
#define LINES       1024 /* the lines of the ring */
#define TAB         8
#define MARKED      0x80 /* bit of a cell that has the cursor */
#define BACKGROUND  0u

/* The text's brightness, in sixteenths of each colour's maximum: grey on black. */
#define BRIGHTNESS 13u

struct screen {
	volatile uint32_t *pixels;
	uint32_t stride, scale, foreground;
};

struct text {
	char line[LINES][MAX_COLS];
};

static struct {
	struct screen screens[HANDOFF_MAX_SCREENS];
	unsigned nscreens;
	uint32_t cols, rows;
	struct text *text; /* line n is text->line[n % LINES] */
	uint64_t top;      /* the first line of the newest window */
	uint64_t above;    /* lines by which the window is scrolled back */
	uint32_t col, row; /* the cursor's, in the newest window */
	bool marks_cursor;
	bool cuts_words;
	uint8_t drawn[MAX_ROWS][MAX_COLS];
} fb;

unsigned fb_count(void)
{
	return fb.nscreens;
}

static void draw_block(const struct screen *screen, uint32_t x, uint32_t y, uint32_t colour)
{
	volatile uint32_t *line = screen->pixels + (size_t)y * screen->scale * screen->stride +
				  (size_t)x * screen->scale;

	for (uint32_t i = 0; i < screen->scale; i++, line += screen->stride)
		for (uint32_t j = 0; j < screen->scale; j++)
			line[j] = colour;
}

static void draw_glyph(const struct screen *screen, uint32_t col, uint32_t row, uint8_t cell)
{
	const uint8_t *glyph = font[(cell & ~MARKED) - FONT_FIRST];
	const uint8_t inverted = cell & MARKED ? UINT8_MAX : 0;

	for (uint32_t i = 0; i < FONT_ROWS; i++)
		for (uint32_t j = 0; j < FONT_COLS; j++)
			draw_block(screen, col * CELL_WIDTH + j, row * CELL_HEIGHT + i,
				   (glyph[i] ^ inverted) >> (FONT_COLS - 1 - j) & 1
					   ? screen->foreground
					   : BACKGROUND);
}

static char *line_at(uint64_t line)
{
	return fb.text->line[line % LINES];
}

static void show_cell(uint32_t col, uint32_t row)
{
	uint8_t cell = (uint8_t)line_at(fb.top - fb.above + row)[col];

	if (fb.marks_cursor && !fb.above && row == fb.row && col == fb.col)
		cell |= MARKED;
	if (fb.drawn[row][col] == cell)
		return;
	fb.drawn[row][col] = cell;
	for (unsigned i = 0; i < fb.nscreens; i++)
		draw_glyph(&fb.screens[i], col, row, cell);
}

static void show_window(void)
{
	for (uint32_t row = 0; row < fb.rows; row++)
		for (uint32_t col = 0; col < fb.cols; col++)
			show_cell(col, row);
}

static void show_cursor(void)
{
	if (fb.col < fb.cols && !fb.above)
		show_cell(fb.col, fb.row);
}

static void start_screen_line(void)
{
	fb.col = 0;
	if (fb.row + 1 < fb.rows) {
		fb.row++;
		return;
	}
	fb.top++;
	memset(line_at(fb.top + fb.row), ' ', MAX_COLS);
	show_window();
}

static void put_printable(char c)
{
	if (fb.col == fb.cols)
		start_screen_line();
	line_at(fb.top + fb.row)[fb.col] = c;
	show_cell(fb.col, fb.row);
	fb.col++;
}

static void go_back(void)
{
	if (!fb.col && fb.row) {
		fb.row--;
		fb.col = fb.cols;
	}
	fb.col -= fb.col != 0;
}

static void put_char(char c)
{
	if (c == '\n')
		start_screen_line();
	else if (c == '\r')
		fb.col = 0;
	else if (c == '\b')
		go_back();
	else if (c == '\t')
		do
			put_printable(' ');
		while (fb.col % TAB);
	else if (c >= FONT_FIRST && c < FONT_FIRST + FONT_GLYPHS)
		put_printable(c);
}

/* A word that begins here, and that a whole line would hold, has no room in this one. */
static bool is_cut(const char *text, size_t n, bool begins)
{
	size_t length = 0;

	if (fb.cuts_words || !begins || !fb.col)
		return false;
	while (length < n && text[length] > ' ')
		length++;
	return fb.col + length > fb.cols && length <= fb.cols;
}

void fb_keep_words(bool on)
{
	fb.cuts_words = !on;
}

void fb_write(const char *text, size_t n)
{
	const bool was_above = fb.above;
	bool begins = true;

	if (!fb.nscreens)
		return;
	fb.above = 0;
	if (was_above)
		show_window();
	fb_cursor(false);
	for (; n; n--, text++) {
		if (is_cut(text, n, begins))
			start_screen_line();
		begins = *text <= ' ';
		if (*text != ' ' || fb.col < fb.cols || fb.cuts_words)
			put_char(*text);
	}
}

void fb_cursor(bool on)
{
	if (!fb.nscreens || fb.marks_cursor == on)
		return;
	fb.marks_cursor = on;
	show_cursor();
}

void fb_scroll(int pages)
{
	const uint64_t kept = LINES - fb.rows, most = fb.top < kept ? fb.top : kept;
	const uint64_t step = fb.rows - 1;

	if (!fb.nscreens)
		return;
	if (pages > 0)
		fb.above = least_of(fb.above + step * (uint64_t)pages, most);
	else
		fb.above -= least_of(fb.above, step * (uint64_t)-pages);
	show_window();
}

/* --- Start-up --- */

static uint32_t foreground_of(const struct handoff_framebuffer *screen)
{
	uint32_t colour = 0;

	for (unsigned i = 0; i < 3; i++) {
		const uint32_t mask = screen->masks[i], lowest = mask & -mask;

		if (mask)
			colour |= mask / lowest * BRIGHTNESS / 16 * lowest;
	}
	return colour;
}

static void clear_screen(const struct handoff_framebuffer *screen, volatile uint32_t *pixels)
{
	for (uint32_t y = 0; y < screen->height; y++)
		for (uint32_t x = 0; x < screen->width; x++)
			pixels[(size_t)y * screen->stride + x] = BACKGROUND;
}

static void add_screen(const struct handoff_framebuffer *screen)
{
	const uint32_t enlarged = screen->width / (COLS_WANTED * CELL_WIDTH);
	const uint32_t scale = enlarged ? enlarged : 1;
	const uint32_t cols = screen->width / (CELL_WIDTH * scale);
	const uint32_t rows = screen->height / (CELL_HEIGHT * scale);
	volatile uint32_t *pixels;

	if (!screen->base || screen->stride < screen->width || !cols || rows < 2)
		return;
	pixels = paging_map_wc(screen->base,
			       (size_t)screen->stride * screen->height * sizeof(uint32_t));
	if (!pixels)
		return;
	clear_screen(screen, pixels);
	fb.cols = (uint32_t)least_of(fb.nscreens ? fb.cols : MAX_COLS, cols);
	fb.rows = (uint32_t)least_of(fb.nscreens ? fb.rows : MAX_ROWS, rows);
	fb.screens[fb.nscreens++] =
		(struct screen){pixels, screen->stride, scale, foreground_of(screen)};
}

int fb_init(const struct handoff_framebuffer *screens, unsigned n)
{
	fb.text = page_alloc(pages_of(sizeof(*fb.text)));
	if (!fb.text)
		return -ENOMEM;
	memset(fb.text, ' ', sizeof(*fb.text));
	memset(fb.drawn, ' ', sizeof(fb.drawn));
	for (unsigned i = 0; i < n; i++)
		add_screen(&screens[i]);
	return fb.nscreens ? 0 : -ENODEV;
}
