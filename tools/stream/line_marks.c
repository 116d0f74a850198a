// SPDX-License-Identifier: BSD-2-Clause
/* line_marks.c - see line_marks.h. */
#include "tools/stream/line_marks.h"

#include <stdlib.h>
#include <string.h>

#define STATUS_DIGITS 16

static bool is_hexadecimal(const char *digits)
{
	return strspn(digits, "0123456789abcdef") == STATUS_DIGITS && !digits[STATUS_DIGITS];
}

/* Takes a mark at a place where it is valid; elsewhere it is text. */
static bool take_mark(struct marks *m, const char *word)
{
	static const char end[] = MARK_END " ";

	if (m->part == MARKS_FIRMWARE && !strcmp(word, MARK_AWAIT)) {
		m->awaits(m->ctx);
	} else if (m->part == MARKS_FIRMWARE && !strcmp(word, MARK_BEGIN)) {
		m->part = MARKS_VPMU;
	} else if (m->part == MARKS_VPMU && !strcmp(word, MARK_START)) {
		m->part = MARKS_IMAGE;
		m->was_started = true;
		m->started(m->ctx);
	} else if ((m->part == MARKS_VPMU || m->part == MARKS_IMAGE) &&
		   !strncmp(word, end, sizeof(end) - 1) && is_hexadecimal(word + sizeof(end) - 1)) {
		m->part = MARKS_ENDED;
		m->status = strtoull(word + sizeof(end) - 1, NULL, 16);
	} else if ((m->part == MARKS_VPMU || m->part == MARKS_IMAGE) && !strcmp(word, MARK_DIED)) {
		m->part = MARKS_DIED;
	} else {
		return false;
	}
	return true;
}

static void give_up_mark(struct marks *m)
{
	m->text(m->ctx, m->part, m->held, m->nheld);
	m->nheld = 0;
}

/* Takes one more byte of a possible mark. */
static void hold_byte(struct marks *m, char c)
{
	if (c == MARK_BYTE)
		give_up_mark(m);
	m->held[m->nheld++] = c;
	if (c != '\n') {
		if (m->nheld == sizeof(m->held))
			give_up_mark(m);
		return;
	}
	m->held[m->nheld - 1] = '\0';
	if (take_mark(m, m->held + 1)) {
		m->nheld = 0;
		return;
	}
	m->held[m->nheld - 1] = '\n';
	give_up_mark(m);
}

void marks_add(struct marks *m, const char *bytes, size_t n)
{
	const char *end = bytes + n;

	while (bytes < end) {
		const char *mark = memchr(bytes, MARK_BYTE, (size_t)(end - bytes));

		if (m->nheld) {
			hold_byte(m, *bytes++);
			continue;
		}
		if (mark != bytes)
			m->text(m->ctx, m->part, bytes, (size_t)((mark ? mark : end) - bytes));
		bytes = mark ? mark : end;
		if (mark)
			m->held[m->nheld++] = *bytes++;
	}
}
