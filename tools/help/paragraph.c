// SPDX-License-Identifier: BSD-2-Clause
/* paragraph.c - see paragraph.h. */
#include "tools/help/paragraph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static size_t unbroken_length(const char *word)
{
	bool is_code = false;
	size_t n = 0;

	for (; word[n] && (is_code || !strchr(" \n", word[n])); n++)
		is_code ^= word[n] == '`';
	return n;
}

void paragraph_put(const char *text, unsigned width)
{
	size_t column = 0;

	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		const size_t n = unbroken_length(text);
		const bool fits = column + 1 + n <= width;

		if (column)
			putchar(fits ? ' ' : '\n');
		column = column && fits ? column + 1 + n : n;
		printf("%.*s", (int)n, text);
		text += n;
	}
	putchar('\n');
}
