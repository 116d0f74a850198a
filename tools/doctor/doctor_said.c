// SPDX-License-Identifier: BSD-2-Clause
/* doctor_said.c - see doctor_said.h. */
#include "tools/doctor/doctor_said.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/plain.h"

void say(struct buf *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(to, format, args);
	va_end(args);
}

void said_put(enum verdict verdict, const char *title, struct said *said)
{
	static const char *const words[DOCTOR_VERDICTS] = {"ok", "note", "FAILS"};

	printf("  %-6s%-20s %s\n", words[verdict], title, PLAIN(buf_text(&said->is)));
	if (said->mend.size)
		printf("  %26s mend: %s\n", "", PLAIN(buf_text(&said->mend)));
	buf_free(&said->is);
	buf_free(&said->mend);
}
