/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line.h - the line editor of the console: keys in, a whole line out, or the reason why there is
 * none. A line that is too long, or of which input was lost, is never given out: what was typed
 * runs as it was typed, or not at all. Portable, no machine.
 */
#ifndef RT_PORTABLE_LINE_H
#define RT_PORTABLE_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum line_state {
	LINE_GOES_ON,  /* another key is wanted */
	LINE_WHOLE,    /* `text` has it, terminated */
	LINE_GIVEN_UP, /* by ^C */
	LINE_TOO_LONG, /* it has `typed` characters, more than size - 1 */
	LINE_LOST,     /* input was lost in it */
};

/* An escape sequence of a key that means nothing here is swallowed: ESC [ ... letter, ESC O x. */
enum line_escape { LINE_NO_ESCAPE, LINE_AFTER_ESC, LINE_IN_SEQUENCE };

struct line {
	char *text;   /* `size` bytes */
	size_t size;  /* its end included */
	size_t typed; /* characters; those from size - 1 on are not kept */
	bool lost;    /* input was lost since the line was begun */
	enum line_escape escape;
	void (*echo)(const char *text, size_t n);
};

/* line_start() - an empty line; `echo` is given what is to be shown as it is typed. */
void line_start(struct line *line, char *text, size_t size,
		void (*echo)(const char *text, size_t n));

/*
 * line_key() - takes one byte as typeahead_get() gives it. After anything but LINE_GOES_ON the line
 * is to be started anew.
 */
enum line_state line_key(struct line *line, int key);

#endif
