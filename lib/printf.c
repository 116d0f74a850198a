// SPDX-License-Identifier: BSD-2-Clause
/* printf.c - the one place that compiles stb_sprintf. */
#include "lib/printf.h"

#include "lib/string.h"

#define STB_SPRINTF_IMPLEMENTATION
#define STB_SPRINTF_STATIC
#define STB_SPRINTF_NOFLOAT
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
