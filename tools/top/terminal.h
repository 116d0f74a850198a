/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal.h - a full screen of text lines and single keys, on the controlling terminal, by the
 * control sequences of ECMA-48 that every terminal of today has. The other screen is used, so that
 * what was there before comes back.
 */
#ifndef TOOLS_TOP_TERMINAL_H
#define TOOLS_TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "tools/util/buf.h"
#include "lib/reason.h"

/* Keys are their characters; those without one: */
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
	int fd; /* to poll for keys */
	struct termios before;
	int width, height; /* columns and lines, at least 1 */
	struct buf keys;   /* bytes that came and are no key yet */
};

/* A line of the screen. */
enum terminal_style { STYLE_PLAIN, STYLE_BAR, STYLE_CHOSEN, STYLE_DIM };

struct screen {
	struct buf out;
	int width, height, line; /* line: the next one */
};

/* terminal_open() - takes the terminal. Returns 0, or -E with the reason. */
int terminal_open(struct terminal *terminal, struct reason *why);

/* terminal_close() - gives it back as it was. Also for one that was never opened (zeroed, fd -1).
 */
void terminal_close(struct terminal *terminal);

/* terminal_resize() - asks for the size anew, and clears: after SIGWINCH. */
void terminal_resize(struct terminal *terminal);

/*
 * terminal_key() - the next key that was pressed, KEY_NONE when there is none. To be called until
 * then whenever `fd` has something. -EIO: the terminal is gone. A lone ESC byte is the key Esc only
 * when nothing follows at once.
 */
int terminal_key(struct terminal *terminal);

/* terminal_show() - draws the screen, all of whose lines are filled. */
void terminal_show(struct terminal *terminal, const struct screen *screen);

/* screen_start() - an empty screen; what is in `out` is dropped. */
void screen_start(struct screen *screen, int width, int height);

/*
 * screen_line() - appends a line, cut to the width; a bar reaches over all of it. Lines beyond the
 * height are dropped. Bytes that are no printable ASCII become question marks.
 */
void screen_line(struct screen *screen, enum terminal_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* screen_fill() - empty lines up to line `line`. */
void screen_fill(struct screen *screen, int line);

#endif
