// SPDX-License-Identifier: BSD-2-Clause
/* recall.c - see recall.h. */
#include "rt/portable/recall.h"

#include "lib/string.h"

const char *recall_line(const struct line_history *history, size_t back)
{
	size_t at = history->used;

	for (; back && at; back--)
		for (at--; at && history->text[at - 1]; at--)
			;
	return back || at == history->used ? NULL : history->text + at;
}

static void forget_oldest(struct line_history *history)
{
	const size_t n = strlen(history->text) + 1;

	memmove(history->text, history->text + n, history->used - n);
	history->used -= n;
}

void recall_add(struct line_history *history, const char *text)
{
	const size_t n = strlen(text) + 1;
	const char *newest = recall_line(history, 1);

	if (n == 1 || n > LINE_HISTORY_BYTES || (newest && !strcmp(newest, text)))
		return;
	while (history->used + n > LINE_HISTORY_BYTES)
		forget_oldest(history);
	memcpy(history->text + history->used, text, n);
	history->used += n;
}
