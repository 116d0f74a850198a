// SPDX-License-Identifier: BSD-2-Clause
/*
 * shellwords.c - see shellwords.h. All words are in one text, which moves while it grows, so they
 * are stored as offsets.
 */
#include "tools/util/shellwords.h"

#include "lib/ascii.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NO_WORD SIZE_MAX /* ends a command */

/* Unquoted characters that have a meaning in a shell, and that are refused here. */
static const struct {
	char character;
	const char *why;
} refused[] = {
	{'|', "there are no pipes here"},
	{'<', "there are no redirections here"},
	{'>', "there are no redirections here; -o FILE writes to a file"},
	{'&', "nothing runs in the background here"},
	{'$', "there are no variables here"},
	{'`', "commands are not replaced by their output here"},
};

struct splitter {
	const char *line, *at;
	struct buf text, offsets; /* text of the words, and size_t offsets of their starts */
	size_t ncommands;
	bool in_command; /* the current command has a word */
	struct reason *why;
};

static int fail_at(const struct splitter *s, const char *at, const char *what)
{
	return refuse(s->why, EINVAL, "column %zu: %s", (size_t)(at - s->line) + 1, what);
}

static int refuse_character(const struct splitter *s, const char *at)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (*at == refused[i].character)
			return refuse(s->why, EINVAL,
				      "column %zu: %s: '%c' is written in '...' if it is meant",
				      (size_t)(at - s->line) + 1, refused[i].why, *at);
	return 0;
}

static bool ends_word(char c)
{
	return !c || ascii_is_blank(c) || c == ';';
}

static void add_offset(struct splitter *s, size_t offset)
{
	buf_add(&s->offsets, &offset, sizeof(offset));
}

static int copy_single(struct splitter *s)
{
	const char *end = strchr(s->at + 1, '\'');

	if (!end)
		return fail_at(s, s->at, "the quote is not closed");
	buf_add(&s->text, s->at + 1, (size_t)(end - s->at) - 1);
	s->at = end + 1;
	return 0;
}

static int copy_double(struct splitter *s)
{
	const char *open = s->at++;

	for (; *s->at != '"'; s->at++) {
		if (*s->at == '\\' && s->at[1] && strchr("\"\\$`", s->at[1]))
			s->at++;
		else if (*s->at == '$' || *s->at == '`')
			return refuse_character(s, s->at);
		if (!*s->at)
			return fail_at(s, open, "the quote is not closed");
		buf_add(&s->text, s->at, 1);
	}
	s->at++;
	return 0;
}

static int copy_plain(struct splitter *s)
{
	int err = refuse_character(s, s->at);

	if (err)
		return err;
	if (*s->at == '\\' && !*++s->at)
		return refuse(s->why, EAGAIN, "a backslash at the end, and no line behind it");
	buf_add(&s->text, s->at++, 1);
	return 0;
}

static void copy_home(struct splitter *s)
{
	const char *home = getenv("HOME");

	if (*s->at != '~' || (s->at[1] != '/' && !ends_word(s->at[1])) || !home)
		return;
	buf_add(&s->text, home, strlen(home));
	s->at++;
}

static int copy_word(struct splitter *s)
{
	int err = 0;

	add_offset(s, s->text.size);
	copy_home(s);
	while (!err && !ends_word(*s->at))
		err = *s->at == '\''  ? copy_single(s)
		      : *s->at == '"' ? copy_double(s)
				      : copy_plain(s);
	buf_add(&s->text, "", 1);
	s->in_command = true;
	return err;
}

static void end_command(struct splitter *s)
{
	if (!s->in_command)
		return;
	add_offset(s, NO_WORD);
	s->ncommands++;
	s->in_command = false;
}

static int split_all(struct splitter *s)
{
	int err = 0;

	while (!err && *s->at && *s->at != '#') {
		if (ascii_is_blank(*s->at)) {
			s->at++;
		} else if (*s->at == ';') {
			end_command(s);
			s->at++;
		} else {
			err = copy_word(s);
		}
	}
	end_command(s);
	return err;
}

static void make_pointers(struct shellwords *out, struct splitter *s)
{
	const size_t *offset = (const void *)s->offsets.data;

	out->nwords = s->offsets.size / sizeof(*offset);
	out->ncommands = s->ncommands;
	out->text = s->text;
	out->word = (void *)s->offsets.data;
	_Static_assert(sizeof(*offset) == sizeof(*out->word),
		       "a pointer takes the place of an offset");
	for (size_t i = 0; i < out->nwords; i++) {
		const size_t at = offset[i];

		out->word[i] = at == NO_WORD ? NULL : (const char *)s->text.data + at;
	}
}

int shellwords_split(struct shellwords *out, const char *line, struct reason *why)
{
	struct splitter s = {.line = line, .at = line, .why = why};
	int err = split_all(&s);

	*out = (struct shellwords){0};
	if (!err) {
		make_pointers(out, &s);
		return 0;
	}
	buf_free(&s.text);
	buf_free(&s.offsets);
	return err;
}

void shellwords_free(struct shellwords *words)
{
	free(words->word);
	buf_free(&words->text);
	*words = (struct shellwords){0};
}

size_t shellwords_begin(const char *line)
{
	size_t begin = strlen(line);

	while (begin && (!ends_word(line[begin - 1]) ||
			 (begin > 1 && line[begin - 1] != ';' && line[begin - 2] == '\\')))
		begin--;
	return begin;
}
