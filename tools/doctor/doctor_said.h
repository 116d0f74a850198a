/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_said.h - what a check of the host says, and its line. */
#ifndef TOOLS_DOCTOR_DOCTOR_SAID_H
#define TOOLS_DOCTOR_DOCTOR_SAID_H

#include "tools/util/buf.h"

/* A check that is noted costs accuracy, time or a figure; without one that fails nothing counts. */
enum verdict { FINE, NOTED, FAILS, DOCTOR_VERDICTS };

/* The words of a check: what there is, and what mends it; an empty text: nothing. */
struct said {
	struct buf is, mend;
};

/* The lines of the checks of a host; a zeroed struct is empty. */
struct said_list {
	struct said_line {
		enum verdict verdict;
		char *title, *is, *mend; /* `mend` may be "" */
	} * line;
	size_t n;
};

/* verdict_word() - the word of a check's line: "ok". */
const char *verdict_word(enum verdict verdict);

/*
 * say() - appends to one of the texts. said_put() - prints the check's line, adds it to `list`, and
 * frees the texts.
 */
void say(struct buf *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void said_put(struct said_list *list, enum verdict verdict, const char *title, struct said *said);
void said_list_free(struct said_list *list);

#endif
