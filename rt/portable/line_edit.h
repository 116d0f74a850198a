/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_edit.h - the line editor of the console: it takes keys, and gives a whole line or the reason
 * why there is none. It never gives a line that is too long or has lost input: a line runs exactly
 * as it was typed, or not at all. Portable, no machine.
 *
 * Keys: those of ECMA-48 terminals for left, right, home, end, delete, up, down, page up, page down
 * and F1 to F12; backspace, Tab; ^A ^E ^K ^U ^P ^N as in readline, ^C. Other keys ring the bell or
 * are ignored.
 */
#ifndef RT_PORTABLE_LINE_EDIT_H
#define RT_PORTABLE_LINE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

enum line_state {
	LINE_GOES_ON,  /* the line is not complete */
	LINE_WHOLE,    /* `text` has it, terminated */
	LINE_GIVEN_UP, /* ended by ^C */
	LINE_TOO_LONG, /* it has `typed` characters, more than size - 1 */
	LINE_LOST,     /* a part of the input was lost */
};

/* A sequence of a key: ESC [ parameters letter, or ESC O letter. */
enum line_escape { LINE_NO_ESCAPE, LINE_AFTER_ESC, LINE_IN_SEQUENCE };
#define LINE_SEQUENCE_MOST 6 /* longer sequences mean nothing */

/* Earlier lines, oldest first, each terminated. */
#define LINE_HISTORY_BYTES 8192
#define LINE_DRAFT_BYTES   512
struct line_history {
	char text[LINE_HISTORY_BYTES];
	size_t used;
	char draft[LINE_DRAFT_BYTES]; /* the new line, while an earlier one is shown */
};

/* Callbacks of the editor to its console; each may be NULL. */
struct line_console {
	const char *prompt; /* shown again behind a list of completions */
	/* Calls `each` for every word that begins with `word`, the last word of `line`, and could
	 * replace it. */
	void (*complete)(const char *line, const char *word,
			 void (*each)(void *ctx, const char *candidate), void *ctx);
	/* The line of key F`n`, n from 1; NULL: none. It runs at once. */
	const char *(*function)(unsigned n);
	/* Scrolls the screen up by so many pages: 1 or -1. */
	void (*scroll)(int pages);
};

struct line {
	char *text;    /* `size` bytes */
	size_t size;   /* room, with the terminator */
	size_t typed;  /* number of characters; those from size - 1 on are not kept */
	size_t cursor; /* place of the next character; `typed` if some are not kept */
	bool lost;     /* input was lost since the line was begun */
	enum line_escape escape;
	char sequence[LINE_SEQUENCE_MOST + 1];
	size_t nsequence;
	void (*echo)(const char *text, size_t n);
	const struct line_console *console; /* NULL: keys that need a console do nothing */
	struct line_history *history;       /* NULL: none */
	size_t back; /* number of lines back in the history; 0: the new line */
};

/* line_start() - begins an empty line; `echo` gets the text to show. `console` and `history` are
 * NULL then, and may be set. */
void line_start(struct line *line, char *text, size_t size,
		void (*echo)(const char *text, size_t n));

/*
 * line_key() - takes one byte of typeahead_get(). After any result but LINE_GOES_ON the line has to
 * be started anew. A whole line that is not empty becomes the newest of the history.
 */
enum line_state line_key(struct line *line, int key);

#endif
