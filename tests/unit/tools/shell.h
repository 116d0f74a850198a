/* SPDX-License-Identifier: BSD-2-Clause */
/* shell.h - runs commands of the shell that a test needs. */
#ifndef TESTS_UNIT_TOOLS_SHELL_H
#define TESTS_UNIT_TOOLS_SHELL_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test.h"

static __attribute__((format(printf, 1, 2))) void run(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
}

#endif
