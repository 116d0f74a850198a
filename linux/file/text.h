/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.h - a text that grows as it is written. All zero: empty. A text that could not grow stays
 * unchanged, and text_failed() reports that at the end: writers need no check.
 */
#ifndef LINUX_FILE_TEXT_H
#define LINUX_FILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *bytes; /* not terminated; of the heap */
	size_t size, room;
	bool failed; /* memory was short */
};

void text_add(struct text *text, const void *bytes, size_t n);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* text_end() - puts a 0 behind it, which `size` does not count. NULL: memory was short. */
const char *text_end(struct text *text);

/* text_failed() - 0, or -ENOMEM. */
int text_failed(const struct text *text);

/* text_free() - frees the bytes; the text is empty again. */
void text_free(struct text *text);

#endif
