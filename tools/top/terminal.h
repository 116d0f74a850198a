/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.h - shows a full screen of text lines on the controlling terminal, and reads single
 * keys. It uses control sequences of ECMA-48 that all current terminals have. The alternate screen
 * is used, so that the previous text comes back.
 */
#ifndef TOOLS_TOP_TERMINAL_H
#define TOOLS_TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "tools/util/buf.h"
#include "lib/reason.h"

/* A key is its character. Keys without a character: */
enum terminal_key {
	KEY_NONE = 0,
	KEY_TAB = '\t',
	KEY_ENTER = '\r',
	KEY_ESC = 27,
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
};

struct terminal {
	int fd; /* descriptor to poll for keys */
	struct termios before;
	int width, height; /* columns and lines, at least 1 */
	struct buf keys;   /* bytes that do not make a complete key yet */
};

/* Styles of a line on the screen. */
enum terminal_style { STYLE_PLAIN, STYLE_BAR, STYLE_CHOSEN, STYLE_DIM };

struct screen {
	struct buf out;
	int width, height, line; /* `line` is the next line */
};

/* terminal_open() - takes over the terminal. Returns 0, or -E with the reason. */
int terminal_open(struct terminal *terminal, struct reason *why);

/* terminal_close() - restores the terminal. Also accepts one that was never opened (zeroed, fd
 * -1). */
void terminal_close(struct terminal *terminal);

/* terminal_resize() - reads the new size and clears the screen; to call after SIGWINCH. */
void terminal_resize(struct terminal *terminal);

/*
 * terminal_key() - returns the next key, or KEY_NONE if there is none. When `fd` is readable, call
 * it until it returns KEY_NONE. A lone ESC byte is the key Esc only if no other byte follows
 * immediately. -EIO: the terminal is gone.
 */
int terminal_key(struct terminal *terminal);

/* terminal_show() - draws the screen, which must have all of its lines. */
void terminal_show(struct terminal *terminal, const struct screen *screen);

/* screen_start() - starts an empty screen, and drops the content of `out`. */
void screen_start(struct screen *screen, int width, int height);

/*
 * screen_line() - appends a line, cut to the width; a bar fills the whole width. Lines beyond the
 * height are dropped. Bytes other than printable ASCII become question marks.
 */
void screen_line(struct screen *screen, enum terminal_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* screen_fill() - appends empty lines up to line `line`. */
void screen_fill(struct screen *screen, int line);

#endif
