// SPDX-License-Identifier: BSD-2-Clause
/* listed.c - see listed.h. */
#include "lib/words/listed.h"

#include "lib/string.h"

#include <stddef.h>

bool listed_next(const char **list, struct listed_word *word)
{
	const char *comma = strchr(*list, ','), *colon;
	const size_t n = comma ? (size_t)(comma - *list) : strlen(*list);

	if (n >= sizeof(word->text))
		return false;
	memcpy(word->text, *list, n);
	word->text[n] = '\0';
	colon = strchr(word->text, ':');
	word->name = (unsigned)(colon ? (size_t)(colon - word->text) : n);
	word->number = colon ? colon + 1 : NULL;
	*list = comma ? comma + 1 : NULL;
	return true;
}

bool listed_is(const struct listed_word *word, const char *name)
{
	return strlen(name) == word->name && !strncmp(word->text, name, word->name);
}
