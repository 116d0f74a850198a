// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "tools/reason.h"

#include <stdarg.h>

#include "lib/printf.h"

int reason_set(struct reason *reason, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vwords(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	return err;
}
