// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "tools/reason.h"

#include <stdarg.h>
#include <stdio.h>

int reason_set(struct reason *reason, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	return err;
}
