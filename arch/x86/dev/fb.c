// SPDX-License-Identifier: BSD-2-Clause
/*
 * fb.c - see fb.h.
 *
 * Video memory is slow to read, so what stands on the screen is kept as text beside it: scrolling
 * compares line with line and draws only the cells that change.
 */
#include "arch/x86/dev/fb.h"

#include "arch/x86/dev/font.h"
#include "arch/x86/mem/paging.h"
#include "lib/string.h"

#include <linux/errno.h>

#define CELL_WIDTH  (FONT_COLS + 1)
#define CELL_HEIGHT (FONT_ROWS + 2)
#define COLS_WANTED 106 /* the font is enlarged by a whole factor to come near this */
#define MAX_COLS    212
#define MAX_ROWS    128
#define TAB         8
#define FOREGROUND  0x00d0d0d0u /* grey on black: the order of colours does not matter */
#define BACKGROUND  0u

static struct {
	volatile uint32_t *pixels;
	uint32_t stride, scale, cols, rows;
	uint32_t col, row; /* of the cursor */
	char text[MAX_ROWS][MAX_COLS];
} screen;

static void draw_block(uint32_t x, uint32_t y, uint32_t colour)
{
	volatile uint32_t *line = screen.pixels + (size_t)y * screen.stride + x;

	for (uint32_t i = 0; i < screen.scale; i++, line += screen.stride)
		for (uint32_t j = 0; j < screen.scale; j++)
			line[j] = colour;
}

static void draw_cell(uint32_t col, uint32_t row, char c)
{
	const uint8_t *glyph = font[c - FONT_FIRST];
	uint32_t x = col * CELL_WIDTH, y = row * CELL_HEIGHT;

	for (uint32_t i = 0; i < FONT_ROWS; i++)
		for (uint32_t j = 0; j < FONT_COLS; j++)
			draw_block((x + j) * screen.scale, (y + i) * screen.scale,
				   glyph[i] >> (FONT_COLS - 1 - j) & 1 ? FOREGROUND : BACKGROUND);
}

static void put_cell(uint32_t col, uint32_t row, char c)
{
	if (screen.text[row][col] == c)
		return;
	screen.text[row][col] = c;
	draw_cell(col, row, c);
}

static void scroll_screen(void)
{
	for (uint32_t row = 0; row + 1 < screen.rows; row++)
		for (uint32_t col = 0; col < screen.cols; col++)
			put_cell(col, row, screen.text[row + 1][col]);
	for (uint32_t col = 0; col < screen.cols; col++)
		put_cell(col, screen.rows - 1, ' ');
}

static void start_screen_line(void)
{
	screen.col = 0;
	if (screen.row + 1 < screen.rows)
		screen.row++;
	else
		scroll_screen();
}

static void put_printable(char c)
{
	if (screen.col == screen.cols)
		start_screen_line();
	put_cell(screen.col++, screen.row, c);
}

static void put_char(char c)
{
	if (c == '\n')
		start_screen_line();
	else if (c == '\r')
		screen.col = 0;
	else if (c == '\t')
		do
			put_printable(' ');
		while (screen.col % TAB);
	else if (c >= FONT_FIRST && c < FONT_FIRST + FONT_GLYPHS)
		put_printable(c);
}

void fb_write(const char *text, size_t n)
{
	if (!screen.pixels)
		return;
	while (n--)
		put_char(*text++);
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
	return value < limit ? value : limit;
}

static void clear_screen(const struct handoff_framebuffer *fb)
{
	memset(screen.text, ' ', sizeof(screen.text));
	for (uint32_t y = 0; y < fb->height; y++)
		for (uint32_t x = 0; x < fb->width; x++)
			screen.pixels[(size_t)y * fb->stride + x] = BACKGROUND;
}

int fb_init(const struct handoff_framebuffer *fb)
{
	uint32_t scale = fb->width / (COLS_WANTED * CELL_WIDTH);
	volatile void *memory;

	screen.scale = scale ? scale : 1;
	screen.cols = at_most(fb->width / (CELL_WIDTH * screen.scale), MAX_COLS);
	screen.rows = at_most(fb->height / (CELL_HEIGHT * screen.scale), MAX_ROWS);
	if (!fb->base || fb->stride < fb->width || !screen.cols || !screen.rows)
		return -ENODEV;
	memory = paging_map_wc(fb->base, (size_t)fb->stride * fb->height * sizeof(uint32_t));
	if (!memory)
		return -ENODEV;
	screen.stride = fb->stride;
	screen.pixels = memory;
	clear_screen(fb);
	return 0;
}
