/* SPDX-License-Identifier: BSD-2-Clause */
/* ending.h - the ending of a name. */
#ifndef TOOLS_UTIL_ENDING_H
#define TOOLS_UTIL_ENDING_H

#include <stdbool.h>
#include <string.h>

/* ends_in() - returns whether `text` ends in `ending` and has something before it. */
static inline bool ends_in(const char *text, const char *ending)
{
	const size_t n = strlen(text), m = strlen(ending);

	return n > m && !strcmp(text + n - m, ending);
}

#endif
