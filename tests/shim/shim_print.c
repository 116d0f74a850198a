// SPDX-License-Identifier: BSD-2-Clause
/* shim_print.c - see shim_print.h. */
#include "tests/shim/shim_print.h"

#include "lib/printf.h"
#include "rt/print/print.h"

#include <string.h>

static char kept[16384];
static size_t used, shown;

static void keep_printed(const char *format, va_list args)
{
	used += (size_t)fmt_vprint(kept + used, sizeof(kept) - used, format, args);
}

void out(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep_printed(format, args);
	va_end(args);
}

/* The level shows. */
void out_alarm(unsigned level, const char *format, ...)
{
	va_list args;

	if (level)
		out("<%u>", level);
	va_start(args, format);
	keep_printed(format, args);
	va_end(args);
	if (level)
		out("</%u>", level);
}

void err(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep_printed(format, args);
	va_end(args);
}

const char *shim_printed(void)
{
	memmove(kept, kept + shown, used - shown + 1);
	used -= shown;
	shown = used;
	return kept;
}
