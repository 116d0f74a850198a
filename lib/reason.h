/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reason.h - the reason of a refusal: one sentence without the program's name in front and without
 * a full stop. It is plain text (lib/plain.h), whatever names are in it. A function that can fail
 * fills one in and returns -E; the caller that gives up prints it.
 */
#ifndef LIB_REASON_H
#define LIB_REASON_H

#define REASON_MAX 512 /* bytes, with the terminator */
struct reason {
	char text[REASON_MAX];
};

/*
 * refuse() - writes the sentence if `why` is not NULL and returns -error, for `return refuse(why,
 * EINVAL, ...)`. A sentence that is too long is cut between words. Any context.
 */
int refuse(struct reason *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
