/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reason.h - why something was refused: one sentence, plain (lib/plain.h) whatever names are in it,
 * without the program's name in front and without a full stop. Functions that can fail fill one in
 * and return -E; whoever gives up prints it.
 */
#ifndef TOOLS_REASON_H
#define TOOLS_REASON_H

struct reason {
	char text[1024];
};

/* reason_set() - writes the sentence, between words cut when too long; returns `err`, for `return
 * reason_set(...)`. */
int reason_set(struct reason *reason, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
