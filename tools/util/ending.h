/* SPDX-License-Identifier: BSD-2-Clause */
/* ending.h - how a name ends. */
#ifndef TOOLS_UTIL_ENDING_H
#define TOOLS_UTIL_ENDING_H

#include <stdbool.h>
#include <string.h>

/* ends_in() - does `text` end in `ending`, with something before it? */
static inline bool ends_in(const char *text, const char *ending)
{
	const size_t n = strlen(text), m = strlen(ending);

	return n > m && !strcmp(text + n - m, ending);
}

#endif
