// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmdline.c - the tokenizer: one pass, words are unquoted where they stand. The write position
 * never overtakes the read position, because unquoting only shortens.
 */
#include "rt/portable/cmdline.h"

#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

_Static_assert(CMDLINE_MAX_ARGS == 64, "as the refusal says");

static bool is_whitespace(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Characters that a backslash outside of quotes takes literally. */
static bool is_special(char c)
{
	return c && strchr(" \t;'\"\\", c);
}

struct cursor {
	const char *start;
	char *read, *write;
	struct cmdline_error *error;
};

static int fail_at(struct cursor *c, const char *at, int err, const char *reason)
{
	c->error->column = (size_t)(at - c->start) + 1;
	c->error->reason = reason;
	return err;
}

static int copy_quoted(struct cursor *c)
{
	char *open = c->read;
	char quote = *c->read++;

	while (*c->read != quote) {
		if (!*c->read)
			return fail_at(c, open, -EINVAL, "quote is not closed");
		if (quote == '"' && *c->read == '\\' && (c->read[1] == '"' || c->read[1] == '\\'))
			c->read++;
		*c->write++ = *c->read++;
	}
	c->read++;
	return 0;
}

/* Copies one word; leaves `read` on what ended it. */
static int copy_word(struct cursor *c)
{
	while (*c->read && !is_whitespace(*c->read) && *c->read != ';') {
		int err;

		if (*c->read == '\'' || *c->read == '"') {
			err = copy_quoted(c);
			if (err)
				return err;
			continue;
		}
		if (*c->read == '\\' && is_special(c->read[1]))
			c->read++;
		*c->write++ = *c->read++;
	}
	return 0;
}

int cmdline_split(char *line, struct cmdline *out, struct cmdline_error *error)
{
	struct cursor c = {.start = line, .read = line, .write = line, .error = error};

	*out = (struct cmdline){0};
	for (;;) {
		char end;
		int err;

		while (is_whitespace(*c.read))
			c.read++;
		if (!*c.read)
			return 0;
		if (*c.read == ';') {
			out->rest = c.read + 1;
			return 0;
		}
		if (out->argc == CMDLINE_MAX_ARGS)
			return fail_at(&c, c.read, -E2BIG, "a command has 64 words at most");
		out->argv[out->argc++] = c.write;
		err = copy_word(&c);
		if (err)
			return err;
		/* The terminator may fall on the character that ended the word: look first. */
		end = *c.read;
		if (end)
			c.read++;
		*c.write++ = '\0';
		if (end == ';') {
			out->rest = c.read;
			return 0;
		}
		if (!end)
			return 0;
	}
}
