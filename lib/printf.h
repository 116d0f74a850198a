/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * printf.h - formatted print into a buffer, by stb_sprintf (no floating point in the images). `%'u`
 * groups digits by thousands. The output is always terminated when size > 0. Returns the number of
 * bytes written without the terminator: at most size - 1. Any context.
 */
#ifndef LIB_PRINTF_H
#define LIB_PRINTF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

int fmt_vprint(char *buf, size_t size, const char *format, va_list args);
int fmt_print(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * fmt_vwords() - the same for a sentence: a sentence that does not fit is cut between words and
 * ends in " ...". `size` is at least 8.
 */
int fmt_vwords(char *buf, size_t size, const char *format, va_list args);

/*
 * fmt_vpieces() - formats a text of any length and passes it to `piece` in pieces of up to 512
 * bytes.
 */
void fmt_vpieces(void (*piece)(void *ctx, const char *text, size_t n), void *ctx,
		 const char *format, va_list args);

/*
 * fmt_ratio() - num / den with `decimals` digits (0 to 9) after the point, rounded half up, without
 * floating point; "-" where den is 0. num times 10^decimals / den must stay below 2^64.
 * Returns buf.
 */
char *fmt_ratio(char *buf, size_t size, uint64_t num, uint64_t den, unsigned decimals);

#endif
