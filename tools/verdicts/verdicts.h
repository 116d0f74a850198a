/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verdicts.h - reads what `doctor -j` wrote (apps/doctor_json.c): a check stands in a line of its
 * own. Nothing in the file is trusted: a line that is none is ignored, and texts are printed as
 * plain text.
 */
#ifndef TOOLS_VERDICTS_VERDICTS_H
#define TOOLS_VERDICTS_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* A check; each text is cut at the member's size. */
struct told_verdict {
	char name[32], state[16], text[192];
	char measured[24], expected[24]; /* decimal; "": the check has no figures */
};

#define VERDICTS_MOST 64
struct verdicts {
	char brand[64], uarch[32], product[72];
	struct told_verdict row[VERDICTS_MOST];
	size_t n;
};

/* verdicts_read() - reads the file. -E with the reason: it cannot be read, or has no check. */
int verdicts_read(struct verdicts *v, const char *path, struct reason *why);

/* verdicts_print() - appends a line for the machine, and one for each check that is not right. */
void verdicts_print(struct buf *out, const struct verdicts *v);

/* verdicts_compare() - appends a line for each check whose verdict or figure differs, or that one
 * of both lacks. Returns their number. */
size_t verdicts_compare(struct buf *out, const struct verdicts *a, const struct verdicts *b);

#endif
