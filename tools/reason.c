// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "tools/reason.h"

#include "lib/plain.h"
#include "lib/printf.h"

#include <stdarg.h>
#include <string.h>

int reason_set(struct reason *reason, int err, const char *format, ...)
{
	char raw[sizeof(reason->text)];
	va_list args;

	va_start(args, format);
	fmt_vwords(raw, sizeof(raw), format, args);
	va_end(args);
	plain_copy(reason->text, sizeof(reason->text), raw, strlen(raw));
	return err;
}
