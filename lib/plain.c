// SPDX-License-Identifier: BSD-2-Clause
/* plain.c - see plain.h. */
#include "lib/plain.h"

#include "lib/string.h"

#define SURROGATES  0x10000 /* characters from here on are two escapes \uNNNN in JSON */
#define HIGH_HALF   0xd800
#define LOW_HALF    0xdc00
#define REPLACEMENT 0xfffd

/*
 * RFC 3629, "Syntax of UTF-8 Byte Sequences": no overlong form, no surrogate, nothing above
 * U+10FFFF.
 */
static const struct utf8_row {
	uint8_t first, last, low, high; /* range of the first byte; range of the second byte */
	uint8_t n, bits; /* length in bytes; bits of the first byte that belong to the number */
} rows[] = {
	{0x00, 0x7f, 0x00, 0xff, 1, 0x7f}, {0xc2, 0xdf, 0x80, 0xbf, 2, 0x1f},
	{0xe0, 0xe0, 0xa0, 0xbf, 3, 0x0f}, {0xe1, 0xec, 0x80, 0xbf, 3, 0x0f},
	{0xed, 0xed, 0x80, 0x9f, 3, 0x0f}, {0xee, 0xef, 0x80, 0xbf, 3, 0x0f},
	{0xf0, 0xf0, 0x90, 0xbf, 4, 0x07}, {0xf1, 0xf3, 0x80, 0xbf, 4, 0x07},
	{0xf4, 0xf4, 0x80, 0x8f, 4, 0x07},
};

/* First and last of each range. */
static const uint32_t not_shown[][2] = {
	{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f},   {0x2028, 0x202e},
	{0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
};

static const struct utf8_row *utf8_row_of(uint8_t first)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (first >= rows[i].first && first <= rows[i].last)
			return &rows[i];
	return NULL;
}

/* The number of the `n` bytes that match the row. */
static size_t bytes_agreeing(const struct utf8_row *row, const uint8_t *at, size_t n)
{
	size_t k = 1;

	while (k < n && k < row->n) {
		const uint8_t low = k == 1 ? row->low : 0x80, high = k == 1 ? row->high : 0xbf;

		if (at[k] < low || at[k] > high)
			break;
		k++;
	}
	return k;
}

size_t plain_utf8(const void *text, size_t n, uint32_t *code)
{
	const uint8_t *at = text;
	const struct utf8_row *row = n ? utf8_row_of(*at) : NULL;

	if (!row || bytes_agreeing(row, at, n) < row->n)
		return 0;
	*code = *at & row->bits;
	for (size_t k = 1; k < row->n; k++)
		*code = *code << 6 | (at[k] & 0x3f);
	return row->n;
}

bool plain_is_begun(const void *text, size_t n)
{
	const uint8_t *at = text;
	const struct utf8_row *row = n ? utf8_row_of(*at) : NULL;

	return row && n < row->n && bytes_agreeing(row, at, n) == n;
}

static bool is_code_shown(uint32_t code)
{
	for (size_t i = 0; i < sizeof(not_shown) / sizeof(not_shown[0]); i++)
		if (code >= not_shown[i][0] && code <= not_shown[i][1])
			return false;
	return true;
}

static void add_hex(struct plain_step *step, char letter, uint32_t value, unsigned digits)
{
	step->text[step->made++] = '\\';
	step->text[step->made++] = letter;
	while (digits--)
		step->text[step->made++] = "0123456789abcdef"[value >> 4 * digits & 15];
}

struct plain_step plain_step(const void *text, size_t n)
{
	struct plain_step step = {.taken = 1};
	uint32_t code;
	size_t bytes = plain_utf8(text, n, &code);

	if (!bytes || !is_code_shown(code)) {
		add_hex(&step, 'x', *(const uint8_t *)text, 2);
		return step;
	}
	memcpy(step.text, text, bytes);
	step.taken = step.made = bytes;
	return step;
}

struct plain_step plain_json_step(const void *text, size_t n)
{
	struct plain_step step = {.taken = 1};
	uint32_t code = REPLACEMENT;
	size_t bytes = plain_utf8(text, n, &code);

	step.taken = bytes ? bytes : 1;
	if (code == '"' || code == '\\') {
		step.text[0] = '\\';
		step.text[1] = (char)code;
		step.made = 2;
	} else if (bytes && is_code_shown(code)) {
		memcpy(step.text, text, bytes);
		step.made = bytes;
	} else if (code < SURROGATES) {
		add_hex(&step, 'u', code, 4);
	} else {
		add_hex(&step, 'u', HIGH_HALF + ((code - SURROGATES) >> 10), 4);
		add_hex(&step, 'u', LOW_HALF + (code & 0x3ff), 4);
	}
	return step;
}

bool plain_csv_quotes(const char *text, const char *separator)
{
	return strchr(text, '"') || (*separator && strstr(text, separator));
}

size_t plain_copy(char *out, size_t size, const char *text, size_t n)
{
	static const char cut[] = "...";
	size_t at = 0, fits = 0; /* `fits`: the length that leaves room for the dots */

	while (n) {
		const struct plain_step step = plain_step(text, n);

		if (at + step.made >= size) {
			at = fits;
			memcpy(out + at, cut, sizeof(cut) - 1);
			at += sizeof(cut) - 1;
			break;
		}
		memcpy(out + at, step.text, step.made);
		at += step.made;
		text += step.taken;
		n -= step.taken;
		if (at + sizeof(cut) <= size)
			fits = at;
	}
	out[at] = '\0';
	return at;
}

const char *plain_text(char *room, const char *text)
{
	plain_copy(room, PLAIN_ROOM, text, strlen(text));
	return room;
}
