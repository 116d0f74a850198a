// SPDX-License-Identifier: BSD-2-Clause
/* printf.c - the one place that compiles stb_sprintf. */
#include "lib/printf.h"

#include "lib/string.h"

#define STB_SPRINTF_IMPLEMENTATION
#define STB_SPRINTF_STATIC
#define STB_SPRINTF_NOFLOAT
#define STB_SPRINTF_NOUNALIGNED
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_sprintf.h>
#pragma GCC diagnostic pop

int fmt_vprint(char *buf, size_t size, const char *format, va_list args)
{
	if (!size)
		return 0;
	stbsp_vsnprintf(buf, (int)size, format, args);
	return (int)strnlen(buf, size - 1);
}

int fmt_print(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = fmt_vprint(buf, size, format, args);
	va_end(args);
	return n;
}

#define MORE " ..."

/* The last blank of `buf` that leaves room for MORE; `buf` holds a text that was cut. */
static size_t last_gap(const char *buf, size_t size)
{
	size_t most = size - sizeof(MORE), n = most;

	while (n && buf[n] != ' ')
		n--;
	return n ? n : most; /* a single long word is cut */
}

int fmt_vwords(char *buf, size_t size, const char *format, va_list args)
{
	const int wanted = stbsp_vsnprintf(buf, (int)size, format, args);
	size_t n;

	if (wanted >= 0 && (size_t)wanted < size)
		return wanted;
	n = last_gap(buf, size);
	memcpy(buf + n, MORE, sizeof(MORE));
	return (int)(n + sizeof(MORE) - 1);
}

struct pieces {
	void (*piece)(void *ctx, const char *text, size_t n);
	void *ctx;
	char buf[STB_SPRINTF_MIN];
};

static char *pass_piece_on(const char *buf, void *user, int n)
{
	struct pieces *pieces = user;

	pieces->piece(pieces->ctx, buf, (size_t)n);
	return pieces->buf;
}

void fmt_vpieces(void (*piece)(void *ctx, const char *text, size_t n), void *ctx,
		 const char *format, va_list args)
{
	struct pieces pieces = {.piece = piece, .ctx = ctx};

	stbsp_vsprintfcb(pass_piece_on, &pieces, pieces.buf, format, args);
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
		/* rest < den: a denominator above 2^60 loses bits that no digit shows. */
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
