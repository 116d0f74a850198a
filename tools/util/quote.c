// SPDX-License-Identifier: BSD-2-Clause
/* quote.c - see quote.h. */
#include "tools/util/quote.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "include/perf0/handoff.h"

const char command_separator[] = ";";

static bool is_printable_ascii(const char *word)
{
	for (; *word; word++)
		if (*word < ' ' || *word > '~')
			return false;
	return true;
}

static bool is_plain_word(const char *word)
{
	return *word && !strpbrk(word, " \"'\\;");
}

static void add_in_double_quotes(struct buf *line, const char *word)
{
	buf_add(line, "\"", 1);
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			buf_add(line, "\\", 1);
		buf_add(line, word, 1);
	}
	buf_add(line, "\"", 1);
}

static void add_word(struct buf *line, const char *word)
{
	if (is_plain_word(word) || is_separator(word))
		buf_add(line, word, strlen(word));
	else if (!strchr(word, '\''))
		buf_printf(line, "'%s'", word);
	else
		add_in_double_quotes(line, word);
}

int quote_words(struct buf *line, const char *const *words, size_t n, struct reason *why)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_printable_ascii(words[i]))
			return refuse(why, EINVAL,
				      "argument %zu has a byte that is not printable ASCII", i + 1);
		if (i)
			buf_add(line, " ", 1);
		add_word(line, words[i]);
	}
	if (line->size > COMMAND_LINE_MAX)
		return refuse(why, E2BIG, "the command line has %zu characters, more than %d",
			      line->size, COMMAND_LINE_MAX);
	return 0;
}

/*
 * Returns the `;` at the end of a word whose other characters are backslashes; NULL: another word.
 */
static const char *escaped_semicolon(const char *word)
{
	const char *end = word + strspn(word, "\\");

	return strcmp(end, ";") ? NULL : end;
}

void split_at_semicolons(const char **words)
{
	for (; *words; words++) {
		const char *semicolon = escaped_semicolon(*words);

		if (semicolon)
			*words = semicolon == *words ? command_separator : *words + 1;
	}
}

size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

const char **command_end(const char **words)
{
	while (*words && !is_separator(*words))
		words++;
	return words;
}

const char **command_next(const char **words)
{
	const char **end = command_end(words);

	return *end ? end + 1 : end;
}

size_t count_commands(const char *const *words)
{
	const char **at = (const char **)words; /* only read through */
	size_t n = 0;

	for (; *at; at = command_next(at))
		n += !is_separator(*at);
	return n;
}
