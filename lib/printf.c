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
