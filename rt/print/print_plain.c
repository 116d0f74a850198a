// SPDX-License-Identifier: BSD-2-Clause
/* print_plain.c - prints foreign text in results, by out(); see print.h. */
#include "lib/plain.h"
#include "lib/string.h"
#include "rt/print/print.h"

#define PIECE 256 /* bytes of one out() */

static void out_steps(struct plain_step (*next)(const void *at, size_t n), const char *text,
		      size_t n)
{
	char piece[PIECE];
	size_t made = 0;

	while (n) {
		const struct plain_step step = next(text, n);

		if (made + step.made > sizeof(piece)) {
			out("%.*s", (int)made, piece);
			made = 0;
		}
		memcpy(piece + made, step.text, step.made);
		made += step.made;
		text += step.taken;
		n -= step.taken;
	}
	out("%.*s", (int)made, piece);
}

void print_plain(const char *text)
{
	out_steps(plain_step, text, strlen(text));
}

void print_json_text(const char *text)
{
	out("\"");
	out_steps(plain_json_step, text, strlen(text));
	out("\"");
}

void print_csv_cell(const char *text, const char *separator)
{
	const bool quoted = plain_csv_quotes(text, separator);
	const char *quote;

	if (quoted)
		out("\"");
	while (quoted && (quote = strchr(text, '"'))) {
		out_steps(plain_step, text, (size_t)(quote - text));
		out("\"\"");
		text = quote + 1;
	}
	print_plain(text);
	if (quoted)
		out("\"");
}
