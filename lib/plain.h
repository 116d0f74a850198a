/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain.h - foreign text made plain: names of tasks, events, symbols and files, and all else that a
 * workload, a file or a serial line brings, could hold control sequences that a terminal obeys, or
 * a line end with a line behind it that poses as one of ours. What is printable stays as it is;
 * every byte of anything else becomes \xNN: control characters of C0 and C1, bytes that are no
 * UTF-8 (RFC 3629), and the characters of Unicode that show nothing themselves but change how
 * others are shown (directions, joiners, line and paragraph separators, tags).
 *
 * All functions are pure and run in any context.
 */
#ifndef LIB_PLAIN_H
#define LIB_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the first bytes of a text become. */
struct plain_step {
	size_t taken, made; /* bytes of the text; bytes of `text` */
	char text[12];      /* not terminated */
};

/*
 * plain_utf8() - bytes of the character of UTF-8 that the `n` bytes at `at` begin with, with its
 * number in `*code`; 0: they begin with none.
 */
size_t plain_utf8(const void *at, size_t n, uint32_t *code);

/* plain_is_begun() - are these `n` bytes the beginning of a character that is not whole yet? */
bool plain_is_begun(const void *at, size_t n);

/* plain_step() - of `n` bytes, at least 1, the first character, or the first byte as \xNN. */
struct plain_step plain_step(const void *at, size_t n);

/*
 * plain_json_step() - the same inside of a string of JSON (RFC 8259): what is not shown as it is
 * becomes \uNNNN, a byte that is no UTF-8 U+FFFD.
 */
struct plain_step plain_json_step(const void *at, size_t n);

/*
 * plain_csv_quotes() - does a cell of comma-separated values with that (plain) text stand in double
 * quotes, with those in it doubled (RFC 4180)? `separator`: that of the cells.
 */
bool plain_csv_quotes(const char *text, const char *separator);

/*
 * plain_copy() - the first `n` bytes of `text` as plain text, terminated, in `size` bytes at `out`
 * (at least 4); what does not fit is left out, and `...` stands for it. Returns the bytes written
 * without the end.
 */
size_t plain_copy(char *out, size_t size, const char *text, size_t n);

/* PLAIN() - `text` as plain text, of at most PLAIN_ROOM - 1 bytes, until the end of the block. */
#define PLAIN_ROOM  256
#define PLAIN(text) plain_text((char[PLAIN_ROOM]){0}, (text))

/* plain_text() - plain_copy() of a terminated text into PLAIN_ROOM bytes, which it returns. */
const char *plain_text(char *room, const char *text);

#endif
