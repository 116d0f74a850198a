// SPDX-License-Identifier: BSD-2-Clause
/* panic.c - see panic.h. */
#include "lib/panic.h"

#include "lib/printf.h"

#include <stddef.h>

static panic_handler *handler;

panic_handler *panic_set_handler(panic_handler *fn)
{
	panic_handler *old = handler;

	handler = fn;
	return old;
}

_Noreturn void panic(const char *format, ...)
{
	char reason[256];
	va_list args;

	va_start(args, format);
	fmt_vprint(reason, sizeof(reason), format, args);
	va_end(args);
	if (handler)
		handler(reason);
	__builtin_trap();
}
