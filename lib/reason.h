/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reason.h - why something was refused: one sentence, plain (lib/plain.h) whatever names are in it,
 * without the program's name in front and without a full stop. A function that can fail fills one
 * in and returns -E; the caller that gives up prints it.
 */
#ifndef LIB_REASON_H
#define LIB_REASON_H

#define REASON_MAX 512 /* bytes, with the 0 at its end */
struct reason {
	char text[REASON_MAX];
};

/*
 * refuse() - writes the sentence where `why` is not NULL, cut between words when it is too long,
 * and returns -error, for `return refuse(why, EINVAL, ...)`. Any context.
 */
int refuse(struct reason *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
