// SPDX-License-Identifier: BSD-2-Clause
/* out.c - see out.h. */
#include "tools/out.h"

#include <string.h>

#include "tools/perfdata.h"
#include "tools/perfpipe.h"

static int build_perfdata(struct buf *out, const struct out_source *source, struct reason *why)
{
	return perfdata_build(out, source->stream, source->command, source->elf, why);
}

static int build_pipe(struct buf *out, const struct out_source *source, struct reason *why)
{
	return perfpipe_build(out, source->stream, source->command, source->elf, why);
}

const struct out_format out_perfdata = {
	.name = "perf.data", .file = PERFDATA_DEFAULT, .is_binary = true, .build = build_perfdata};
const struct out_format out_pipe = {.name = "pipe", .is_binary = true, .build = build_pipe};

static const struct out_format formats[] = {
	{.name = "csv", .of_counts = true, .build = out_csv},
	{.name = "json", .of_counts = true, .build = out_json},
	{.name = "folded", .build = out_folded},
	{.name = "speedscope", .build = out_speedscope},
	{.name = "text", .build = out_text},
};

const struct out_format *out_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

void out_printable(struct buf *out, int width, const char *text)
{
	size_t start = out->size;

	buf_printf(out, "%*s", width, text);
	for (size_t i = start; i < out->size; i++)
		if (out->data[i] < ' ' || out->data[i] > '~')
			out->data[i] = '?';
}

/*
 * Bytes of the character of UTF-8 at `text`, 0 when it is none (RFC 3629, "Syntax of UTF-8 Byte
 * Sequences"): no longer form than needed, no surrogate, nothing above U+10FFFF.
 */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char first, last, low, high; /* of the first byte; of the second */
		size_t n;
	} rows[] = {
		{0x20, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (text[0] < rows[i].first || text[0] > rows[i].last)
			continue;
		if (rows[i].n > 1 && (text[1] < rows[i].low || text[1] > rows[i].high))
			return 0;
		for (size_t k = 2; k < rows[i].n; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].n;
	}
	return 0;
}

void out_json_string(struct buf *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	buf_printf(out, "\"");
	while (*at) {
		size_t n = utf8_length(at);

		if (*at == '"' || *at == '\\')
			buf_printf(out, "\\%c", *at);
		else if (n)
			buf_add(out, at, n);
		else
			buf_printf(out, "\\u%04x", *at < ' ' ? *at : 0xfffdu);
		at += n ? n : 1;
	}
	buf_printf(out, "\"");
}
