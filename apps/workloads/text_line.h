/* SPDX-License-Identifier: BSD-2-Clause */
/* text_line.h - a line of text that a workload puts together and prints: what does not fit is cut
 * off. Ring 3. */
#ifndef APPS_WORKLOADS_TEXT_LINE_H
#define APPS_WORKLOADS_TEXT_LINE_H

#include "apps/workloads/crt.h"

#include <stddef.h>
#include <stdint.h>

struct line {
	char text[320];
	size_t n;
};

static inline void line_text(struct line *l, const char *text)
{
	while (*text && l->n < sizeof(l->text))
		l->text[l->n++] = *text++;
}

static inline void line_number(struct line *l, uint64_t value)
{
	char digits[20];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n && l->n < sizeof(l->text))
		l->text[l->n++] = digits[--n];
}

static inline void line_print(const struct line *l)
{
	linux_write(1, l->text, l->n);
}

#endif
