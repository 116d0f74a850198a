// SPDX-License-Identifier: BSD-2-Clause
/* text.c - see text.h. */
#include "linux/file/text.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

#define FIRST_ROOM 256

static bool make_room(struct text *text, size_t n)
{
	size_t room = text->room ? text->room : FIRST_ROOM;
	char *bytes;

	if (text->failed)
		return false;
	if (n <= text->room - text->size)
		return true;
	while (room - text->size < n)
		room *= 2;
	bytes = heap_alloc(room);
	text->failed = !bytes;
	if (!bytes)
		return false;
	if (text->size)
		memcpy(bytes, text->bytes, text->size);
	heap_free(text->bytes);
	text->bytes = bytes;
	text->room = room;
	return true;
}

void text_add(struct text *text, const void *bytes, size_t n)
{
	if (!n || !make_room(text, n))
		return;
	memcpy(text->bytes + text->size, bytes, n);
	text->size += n;
}

static void add_text_piece(void *ctx, const char *piece, size_t n)
{
	text_add(ctx, piece, n);
}

void text_print(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vpieces(add_text_piece, text, format, args);
	va_end(args);
}

const char *text_end(struct text *text)
{
	if (!make_room(text, 1))
		return NULL;
	text->bytes[text->size] = 0;
	return text->bytes;
}

int text_failed(const struct text *text)
{
	return text->failed ? -ENOMEM : 0;
}

void text_free(struct text *text)
{
	heap_free(text->bytes);
	*text = (struct text){0};
}
