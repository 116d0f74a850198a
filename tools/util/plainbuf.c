// SPDX-License-Identifier: BSD-2-Clause
/* plainbuf.c - see plainbuf.h. */
#include "tools/util/plainbuf.h"

#include <string.h>

#include "lib/plain.h"

static void add_steps(struct buf *out, struct plain_step (*next)(const void *at, size_t n),
		      const char *text, size_t n)
{
	while (n) {
		const struct plain_step step = next(text, n);

		buf_add(out, step.text, step.made);
		text += step.taken;
		n -= step.taken;
	}
}

void plain_add(struct buf *out, const char *text, size_t n)
{
	add_steps(out, plain_step, text, n);
}

int plain_width(const char *text)
{
	size_t n = strlen(text);
	int width = 0;

	while (n) {
		const struct plain_step step = plain_step(text, n);

		/* a character that stays takes one column; an escaped one takes one per byte */
		width += step.taken == step.made ? 1 : (int)step.made;
		text += step.taken;
		n -= step.taken;
	}
	return width;
}

void plain_add_right(struct buf *out, int width, const char *text)
{
	for (int column = plain_width(text); column < width; column++)
		buf_add(out, " ", 1);
	plain_add(out, text, strlen(text));
}

void plain_add_json(struct buf *out, const char *text)
{
	buf_add(out, "\"", 1);
	add_steps(out, plain_json_step, text, strlen(text));
	buf_add(out, "\"", 1);
}

void plain_add_csv(struct buf *out, const char *text, const char *separator)
{
	struct buf plain = {0};
	const char *at;

	plain_add(&plain, text, strlen(text));
	at = buf_text(&plain);
	if (!plain_csv_quotes(at, separator)) {
		buf_add(out, at, plain.size);
	} else {
		buf_add(out, "\"", 1);
		for (; *at; at++)
			buf_add(out, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
		buf_add(out, "\"", 1);
	}
	buf_free(&plain);
}
