/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain.h - makes foreign text safe to print. Names of tasks, events, symbols and files may contain
 * control sequences that a terminal obeys, or a line end and a fake line of output.
 *
 * Printable characters stay as they are. Every byte of other characters becomes \xNN:
 *   - control characters of C0 and C1,
 *   - bytes that are not UTF-8 (RFC 3629),
 *   - characters of Unicode that are invisible but change how others are shown (directions,
 *     joiners, line and paragraph separators, tags).
 *
 * All functions are pure and run in any context.
 */
#ifndef LIB_PLAIN_H
#define LIB_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One step of a conversion. */
struct plain_step {
	size_t taken, made; /* bytes of the input taken; bytes of `text` made */
	char text[12];      /* not terminated */
};

/*
 * plain_utf8() - the length of the UTF-8 character at the start of the `n` bytes at `at`, and its
 * number in `*code`; 0: no character starts there.
 */
size_t plain_utf8(const void *at, size_t n, uint32_t *code);

/*
 * plain_is_begun() - true where the `n` bytes are the beginning of a character that is incomplete.
 */
bool plain_is_begun(const void *at, size_t n);

/*
 * plain_step() - converts the first character of `n` bytes (at least 1), or the first byte to \xNN.
 */
struct plain_step plain_step(const void *at, size_t n);

/*
 * plain_json_step() - the same within a JSON string (RFC 8259): an unprintable character becomes
 * \uNNNN, a byte that is not UTF-8 becomes U+FFFD.
 */
struct plain_step plain_json_step(const void *at, size_t n);

/*
 * plain_csv_quotes() - true where a CSV cell with that (plain) text needs double quotes, with the
 * quotes in it doubled (RFC 4180). `separator` separates the cells.
 */
bool plain_csv_quotes(const char *text, const char *separator);

/*
 * plain_copy() - writes the first `n` bytes of `text` as plain text, terminated, to the `size`
 * bytes (at least 4) at `out`. Text that does not fit is replaced by `...`. Returns the bytes
 * written, without the terminator.
 */
size_t plain_copy(char *out, size_t size, const char *text, size_t n);

/*
 * PLAIN() - `text` as plain text of at most PLAIN_ROOM - 1 bytes, valid until the end of the block.
 */
#define PLAIN_ROOM  256
#define PLAIN(text) plain_text((char[PLAIN_ROOM]){0}, (text))

/*
 * plain_text() - plain_copy() of a terminated text into `room`, of PLAIN_ROOM bytes, which it
 * returns.
 */
const char *plain_text(char *room, const char *text);

#endif
