// SPDX-License-Identifier: BSD-2-Clause
/* markup.c - see markup.h. */
#include "tools/picture/markup.h"

#include <stdarg.h>
#include <string.h>

#include "lib/plain.h"
#include "tools/util/plainbuf.h"

static const char *entity_of(uint8_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void add_escaped(struct buf *out, const uint8_t *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *entity = entity_of(text[i]);

		if (entity)
			buf_printf(out, "%s", entity);
		else
			buf_add(out, &text[i], 1);
	}
}

void markup_add(struct buf *out, const char *text)
{
	struct buf plain = {0};

	plain_add(&plain, text, strlen(text));
	add_escaped(out, plain.data, plain.size);
	buf_free(&plain);
}

/* Returns whether a byte of UTF-8 begins a character. */
static bool begins_character(uint8_t c)
{
	return (c & 0xc0) != 0x80;
}

unsigned markup_add_fit(struct buf *out, const char *text, unsigned columns)
{
	struct buf plain = {0};
	unsigned all = 0, taken = 0;
	size_t n = 0;

	plain_add(&plain, text, strlen(text));
	for (size_t i = 0; i < plain.size; i++)
		all += begins_character(plain.data[i]);
	for (; n < plain.size; n++) {
		if (begins_character(plain.data[n]) && all > columns && taken + 1 == columns)
			break;
		taken += begins_character(plain.data[n]);
	}
	add_escaped(out, plain.data, n);
	if (n < plain.size)
		buf_printf(out, "…");
	buf_free(&plain);
	return all > columns ? columns : all;
}

void markup_printf(struct buf *out, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	markup_add(out, buf_text(&text));
	buf_free(&text);
}

void markup_number(struct buf *out, const char *number)
{
	const size_t sign = *number == '-', whole = strspn(number + sign, "0123456789");
	size_t at = sign + (whole % 3 ? whole % 3 : whole < 3 ? whole : 3);

	if (!whole || number[sign + whole + strspn(number + sign + whole, ".0123456789")]) {
		markup_add(out, number);
		return;
	}
	buf_add(out, number, at);
	for (; at < sign + whole; at += 3)
		buf_printf(out, "<span class=\"k\">%.3s</span>", number + at);
	buf_printf(out, "%s", number + at);
}
