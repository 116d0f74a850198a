// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "tools/reason.h"

#include <stdarg.h>

#include "lib/plain.h"
#include "tools/buf.h"

int reason_set(struct reason *reason, int err, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	plain_copy(reason->text, sizeof(reason->text), (const char *)text.data, text.size);
	buf_free(&text);
	return err;
}
