// SPDX-License-Identifier: BSD-2-Clause
/*
 * print.c - text to the screen and to the serial line. A line break becomes CR LF on a bare serial
 * line, and stays as it is inside a frame.
 */
#include "rt/print.h"

#include "arch/x86/fb.h"
#include "arch/x86/uart.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/wire.h"

#define LINE_MAX 1024 /* bytes of one call's text */

static bool framed;

void print_framed(bool on)
{
	framed = on;
}

static void uart_text(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			uart_write("\r", 1);
		uart_write(&text[i], 1);
	}
}

static void put(enum wire_text_kind kind, const char *text, size_t n)
{
	fb_write(text, n);
	if (framed)
		wire_text(kind, text, n);
	else
		uart_text(text, n);
}

void out(const char *format, ...)
{
	char line[LINE_MAX];
	va_list args;

	va_start(args, format);
	put(WIRE_TEXT_OUT, line, (size_t)fmt_vprint(line, sizeof(line), format, args));
	va_end(args);
}

void err(const char *format, ...)
{
	char line[LINE_MAX];
	va_list args;

	va_start(args, format);
	put(WIRE_TEXT_ERR, line, (size_t)fmt_vprint(line, sizeof(line), format, args));
	va_end(args);
}

void out_text(const char *text, size_t n)
{
	put(WIRE_TEXT_OUT, text, n);
}

char *fmt_ratio(char *buf, size_t size, uint64_t num, uint64_t den, unsigned decimals)
{
	uint64_t scale = 1, value, rest;

	if (!den) {
		fmt_print(buf, size, "-");
		return buf;
	}
	value = num / den;
	rest = num % den;
	for (unsigned i = 0; i < decimals; i++) {
		/* rest < den: a denominator above 2^60 gives up bits that no digit shows. */
		while (den >> 60) {
			den >>= 1;
			rest >>= 1;
		}
		rest *= 10;
		value = value * 10 + rest / den;
		rest %= den;
		scale *= 10;
	}
	if (rest >= den - rest)
		value++;
	if (decimals)
		fmt_print(buf, size, "%llu.%0*llu", (unsigned long long)(value / scale),
			  (int)decimals, (unsigned long long)(value % scale));
	else
		fmt_print(buf, size, "%llu", (unsigned long long)value);
	return buf;
}
