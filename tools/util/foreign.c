// SPDX-License-Identifier: BSD-2-Clause
/* foreign.c - see foreign.h. */
#include "tools/util/foreign.h"

#include <string.h>

#include "lib/plain.h"

#define MARK '>'
#define TAB  8 /* columns between two tab stops */

/* Beginnings of the tool's own lines. */
static const char *const own[] = {"perf0:", "[ perf0:"};

#define NOWN (sizeof(own) / sizeof(own[0]))

static bool has_prefix(const char *text, size_t n, const char *prefix)
{
	return n >= strlen(prefix) && !memcmp(text, prefix, strlen(prefix));
}

static bool begins_as_own(const char *text, size_t n)
{
	for (size_t i = 0; i < NOWN; i++)
		if (has_prefix(text, n, own[i]))
			return true;
	return false;
}

/* Adds a character of one column. */
static void put_foreign_char(struct foreign *f, struct buf *out, char c)
{
	buf_add(out, &c, 1);
	if (f->column < FOREIGN_BEGIN)
		f->begin[f->column] = c;
	f->column++;
}

/* Returns whether the line, with `c` at the cursor, begins like one of the tool's own. */
static bool completes_own_line(const struct foreign *f, char c)
{
	char begin[FOREIGN_BEGIN];

	if (f->column >= FOREIGN_BEGIN)
		return false;
	memcpy(begin, f->begin, sizeof(begin));
	begin[f->column] = c;
	return begins_as_own(begin, sizeof(begin));
}

static void put_step(struct foreign *f, struct buf *out, const struct plain_step *step)
{
	/* A multi-byte character has one column, and none of the tool's beginnings contains one. */
	if (step->made == step->taken && step->made > 1) {
		buf_add(out, step->text, step->made - 1);
		put_foreign_char(f, out, step->text[step->made - 1]);
		return;
	}
	for (size_t i = 0; i < step->made; i++) {
		if (completes_own_line(f, step->text[i]))
			put_foreign_char(f, out, MARK);
		put_foreign_char(f, out, step->text[i]);
	}
}

void foreign_new_line(struct foreign *f)
{
	memset(f->begin, 0, sizeof(f->begin));
	f->column = 0;
}

/* Writes the control characters that are allowed. */
static bool put_control(struct foreign *f, struct buf *out, char c)
{
	switch (c) {
	case '\n':
		foreign_new_line(f);
		break;
	case '\t':
		f->column += TAB - f->column % TAB;
		break;
	case '\b':
		if (!f->echoes)
			return false;
		f->column -= f->column > 0;
		break;
	default:
		return false;
	}
	buf_add(out, &c, 1);
	return true;
}

static void add_whole(struct foreign *f, struct buf *out, const char *text, size_t n)
{
	while (n) {
		struct plain_step step;

		if (!f->column && begins_as_own(text, n))
			put_foreign_char(f, out, MARK);
		if (put_control(f, out, *text)) {
			text++;
			n--;
			continue;
		}
		step = plain_step(text, n);
		put_step(f, out, &step);
		text += step.taken;
		n -= step.taken;
	}
}

/* Returns the number of bytes at the end that are an incomplete character, at most 3. */
static size_t begun_character(const char *text, size_t n)
{
	for (size_t k = 1; k < 4 && k <= n; k++)
		if (plain_is_begun(text + n - k, k))
			return k;
	return 0;
}

/*
 * Returns the number of bytes at the end that may become the beginning of one of the tool's lines.
 */
static size_t begun_as_own(const struct foreign *f, const char *text, size_t n)
{
	size_t start = n;

	while (start && text[start - 1] != '\n')
		start--;
	if (!start && f->column)
		return 0;
	for (size_t i = 0; i < NOWN; i++)
		if (n - start < strlen(own[i]) && !memcmp(own[i], text + start, n - start))
			return n - start;
	return 0;
}

void foreign_add(struct foreign *f, struct buf *out, const char *text, size_t n)
{
	struct buf whole = {0};
	size_t rest;

	buf_add(&whole, f->held, f->nheld);
	buf_add(&whole, text, n);
	rest = begun_character((const char *)whole.data, whole.size);
	if (!rest && !f->echoes)
		rest = begun_as_own(f, (const char *)whole.data, whole.size);
	f->nheld = rest;
	memcpy(f->held, whole.data + whole.size - rest, rest);
	add_whole(f, out, (const char *)whole.data, whole.size - rest);
	buf_free(&whole);
}

void foreign_end(struct foreign *f, struct buf *out)
{
	const size_t n = f->nheld;

	f->nheld = 0;
	add_whole(f, out, f->held, n);
}
