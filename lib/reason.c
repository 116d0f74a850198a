// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "lib/reason.h"

#include "lib/plain.h"
#include "lib/printf.h"
#include "lib/string.h"

int refuse(struct reason *why, int error, const char *format, ...)
{
	char raw[REASON_MAX];
	va_list args;

	if (!why)
		return -error;
	va_start(args, format);
	fmt_vwords(raw, sizeof(raw), format, args);
	va_end(args);
	plain_copy(why->text, sizeof(why->text), raw, strlen(raw));
	return -error;
}
