// SPDX-License-Identifier: BSD-2-Clause
/* line.c - see line.h. */
#include "rt/portable/line.h"

#include "rt/portable/typeahead.h"

enum key {
	KEY_INTERRUPT = 3,
	KEY_BACKSPACE = 8,
	KEY_TAB = 9,
	KEY_KILL_LINE = 21,
	KEY_ESC = 27,
	KEY_DELETE = 127,
};

static const char erasing[] = "\b \b", bell[] = "\a", interrupted[] = "^C\n";

void line_start(struct line *line, char *text, size_t size,
		void (*echo)(const char *text, size_t n))
{
	*line = (struct line){.text = text, .size = size, .echo = echo};
}

static bool has_line_room(const struct line *line)
{
	return line->typed < line->size - 1;
}

/* What is too long goes on being counted: the complaint tells how long. The bell rings once. */
static void add_char(struct line *line, char c)
{
	if (has_line_room(line)) {
		line->text[line->typed] = c;
		line->echo(&c, 1);
	} else if (line->typed == line->size - 1) {
		line->echo(bell, 1);
	}
	line->typed++;
}

static void erase_char(struct line *line)
{
	if (!line->typed)
		return;
	line->typed--;
	if (has_line_room(line))
		line->echo(erasing, sizeof(erasing) - 1);
}

static void kill_line(struct line *line)
{
	while (line->typed)
		erase_char(line);
	line->lost = false;
}

static enum line_state end_line(struct line *line)
{
	line->echo("\n", 1);
	if (line->lost)
		return LINE_LOST;
	if (line->typed >= line->size)
		return LINE_TOO_LONG;
	line->text[line->typed] = '\0';
	return LINE_WHOLE;
}

/* Is `key` a part of an escape sequence (ECMA-48), and not a key of its own? */
static bool is_escape_key(struct line *line, int key)
{
	const enum line_escape was = line->escape;

	line->escape = LINE_NO_ESCAPE;
	if (key < ' ')
		return false;
	if (was == LINE_AFTER_ESC && key != '[' && key != 'O')
		return false;
	if (was == LINE_AFTER_ESC || (was == LINE_IN_SEQUENCE && (key < '@' || key > '~')))
		line->escape = LINE_IN_SEQUENCE;
	return was != LINE_NO_ESCAPE;
}

enum line_state line_key(struct line *line, int key)
{
	if (is_escape_key(line, key))
		return LINE_GOES_ON;
	switch (key) {
	case '\r':
	case '\n':
		return end_line(line);
	case KEY_INTERRUPT:
		line->echo(interrupted, sizeof(interrupted) - 1);
		return LINE_GIVEN_UP;
	case KEY_BACKSPACE:
	case KEY_DELETE:
		erase_char(line);
		break;
	case KEY_KILL_LINE:
		kill_line(line);
		break;
	case KEY_TAB: /* separates words, as a blank does */
		add_char(line, ' ');
		break;
	case TYPEAHEAD_MARK:
		line->lost = true;
		line->echo(bell, 1);
		break;
	case KEY_ESC:
		line->escape = LINE_AFTER_ESC;
		line->echo(bell, 1);
		break;
	default:
		if (key < ' ')
			line->echo(bell, 1);
		else
			add_char(line, (char)key);
	}
	return LINE_GOES_ON;
}
