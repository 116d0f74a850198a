// SPDX-License-Identifier: BSD-2-Clause
/* message.c - see message.h. */
#include "tools/util/message.h"

#include <stdio.h>

#include "tools/util/buf.h"
#include "tools/util/plainbuf.h"

/* Prints a message in one write, so that lines of several processes do not mix. */
static void print_message(const char *format, va_list args, const char *end)
{
	struct buf text = {0}, line = {0};

	buf_vprintf(&text, format, args);
	plain_add(&line, (const char *)text.data, text.size);
	buf_printf(&line, "%s", end);
	fwrite(line.data, 1, line.size, stderr);
	buf_free(&text);
	buf_free(&line);
}

void message_list(const char *format, va_list args)
{
	print_message(format, args, "\n");
}

void message_progress(const char *format, va_list args)
{
	print_message(format, args, "");
}

void message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_list(format, args);
	va_end(args);
}
