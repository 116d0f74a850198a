// SPDX-License-Identifier: BSD-2-Clause
/* doctor_said.c - see doctor_said.h. */
#include "tools/doctor/doctor_said.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/plain.h"
#include "tools/util/memory.h"

void say(struct buf *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(to, format, args);
	va_end(args);
}

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[DOCTOR_VERDICTS] = {"ok", "note", "FAILS"};

	return words[verdict];
}

static void add_said_line(struct said_list *list, enum verdict verdict, const char *title,
			  struct said *said)
{
	list->line = memory_grow(list->line, list->n, sizeof(*list->line));
	list->line[list->n++] = (struct said_line){
		.verdict = verdict,
		.title = copy_text(title, strlen(title)),
		.is = copy_text(buf_text(&said->is), said->is.size),
		.mend = copy_text(buf_text(&said->mend), said->mend.size),
	};
}

void said_put(struct said_list *list, enum verdict verdict, const char *title, struct said *said)
{
	printf("  %-6s%-20s %s\n", verdict_word(verdict), title, PLAIN(buf_text(&said->is)));
	if (said->mend.size)
		printf("  %26s mend: %s\n", "", PLAIN(buf_text(&said->mend)));
	add_said_line(list, verdict, title, said);
	buf_free(&said->is);
	buf_free(&said->mend);
}

void said_list_free(struct said_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->line[i].title);
		free(list->line[i].is);
		free(list->line[i].mend);
	}
	free(list->line);
	*list = (struct said_list){0};
}
