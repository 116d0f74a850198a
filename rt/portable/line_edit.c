// SPDX-License-Identifier: BSD-2-Clause
/* line_edit.c - see line_edit.h. Text behind the cursor is printed anew, and backspaces move the
 * cursor back: a terminal needs no other functions. */
#include "rt/portable/line_edit.h"

#include "lib/string.h"
#include "rt/portable/recall.h"
#include "rt/portable/typeahead.h"

enum key {
	KEY_HOME = 1,
	KEY_INTERRUPT = 3,
	KEY_END = 5,
	KEY_BACKSPACE = 8,
	KEY_TAB = 9,
	KEY_KILL_REST = 11,
	KEY_NEXT = 14,
	KEY_PREVIOUS = 16,
	KEY_KILL_LINE = 21,
	KEY_ESC = 27,
	KEY_DELETE = 127,
};

#define CANDIDATE_MOST 64 /* bytes of a completion, with its terminator */

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

static void ring_line_bell(struct line *line)
{
	line->echo(bell, 1);
}

static void show_again(struct line *line, const char *text, size_t times)
{
	while (times--)
		line->echo(text, strlen(text));
}

/* --- At the end of the line --- */

/* Characters beyond the limit are still counted, for the complaint to name the length. The bell
 * rings once. */
static void append_char(struct line *line, char c)
{
	if (has_line_room(line)) {
		line->text[line->typed] = c;
		line->echo(&c, 1);
	} else if (line->typed == line->size - 1) {
		ring_line_bell(line);
	}
	line->cursor = ++line->typed;
}

static void erase_last(struct line *line)
{
	if (!line->typed)
		return;
	line->cursor = --line->typed;
	if (has_line_room(line))
		line->echo(erasing, sizeof(erasing) - 1);
}

/* --- Anywhere --- */

static void move_cursor_to(struct line *line, size_t to)
{
	if (line->typed >= line->size || to > line->typed)
		return;
	if (to < line->cursor)
		show_again(line, "\b", line->cursor - to);
	else
		line->echo(line->text + line->cursor, to - line->cursor);
	line->cursor = to;
}

/* Prints the text behind the cursor, and `blanks` over removed characters. */
static void show_rest(struct line *line, size_t blanks)
{
	const size_t n = line->typed - line->cursor;

	line->echo(line->text + line->cursor, n);
	show_again(line, " ", blanks);
	show_again(line, "\b", n + blanks);
}

static void add_char(struct line *line, char c)
{
	char *at = line->text + line->cursor;

	if (line->cursor == line->typed) {
		append_char(line, c);
	} else if (!has_line_room(line)) {
		ring_line_bell(line);
	} else {
		memmove(at + 1, at, line->typed - line->cursor);
		*at = c;
		line->typed++;
		line->echo(at, 1);
		line->cursor++;
		show_rest(line, 0);
	}
}

static void delete_char(struct line *line)
{
	char *at = line->text + line->cursor;

	if (line->cursor >= line->typed)
		return;
	memmove(at, at + 1, line->typed - line->cursor - 1);
	line->typed--;
	show_rest(line, 1);
}

static void erase_char(struct line *line)
{
	if (line->cursor == line->typed) {
		erase_last(line);
	} else if (line->cursor) {
		move_cursor_to(line, line->cursor - 1);
		delete_char(line);
	}
}

static void kill_rest(struct line *line)
{
	const size_t n = line->typed - line->cursor;

	if (!n || line->typed >= line->size)
		return;
	line->typed = line->cursor;
	show_rest(line, n);
}

static void kill_line(struct line *line)
{
	move_cursor_to(line, line->typed);
	while (line->typed)
		erase_last(line);
	line->lost = false;
}

static void add_text(struct line *line, const char *text)
{
	while (*text)
		add_char(line, *text++);
}

static enum line_state end_line(struct line *line)
{
	move_cursor_to(line, line->typed);
	line->echo("\n", 1);
	if (line->lost)
		return LINE_LOST;
	if (line->typed >= line->size)
		return LINE_TOO_LONG;
	line->text[line->typed] = '\0';
	if (line->history)
		recall_add(line->history, line->text);
	return LINE_WHOLE;
}

/* --- History --- */

static void keep_draft(struct line *line)
{
	const size_t n = line->typed < LINE_DRAFT_BYTES ? line->typed : 0;

	memcpy(line->history->draft, line->text, n);
	line->history->draft[n] = '\0';
}

static void go_back_to(struct line *line, size_t back)
{
	const char *text;

	if (!line->history || line->typed >= line->size)
		return;
	text = back ? recall_line(line->history, back) : line->history->draft;
	if (!text) {
		ring_line_bell(line);
		return;
	}
	if (!line->back)
		keep_draft(line);
	kill_line(line);
	add_text(line, text);
	line->back = back;
}

/* --- Completion --- */

struct completion {
	struct line *line;
	const char *word;
	size_t nword;
	unsigned n;    /* candidates */
	bool is_exact; /* one of them is the word */
	bool listing;
	char common[CANDIDATE_MOST]; /* common beginning of all candidates */
};

static void take_candidate(void *ctx, const char *candidate)
{
	struct completion *c = ctx;
	size_t n = 0;

	if (strncmp(candidate, c->word, c->nword) || strlen(candidate) >= CANDIDATE_MOST)
		return;
	if (c->listing) {
		c->line->echo(candidate, strlen(candidate));
		c->line->echo("  ", 2);
		return;
	}
	c->is_exact |= !candidate[c->nword];
	if (!c->n++)
		memcpy(c->common, candidate, strlen(candidate) + 1);
	while (c->common[n] && c->common[n] == candidate[n])
		n++;
	c->common[n] = '\0';
}

static void ask_for_candidates(struct completion *c)
{
	c->line->console->complete(c->line->text, c->word, take_candidate, c);
}

static void list_candidates(struct completion *c)
{
	struct line *line = c->line;

	line->echo("\n", 1);
	c->listing = true;
	ask_for_candidates(c);
	line->echo("\n", 1);
	line->echo(line->console->prompt, strlen(line->console->prompt));
	line->echo(line->text, line->typed);
}

/* Without completion a Tab separates words, as a blank does. */
static void complete_word(struct line *line)
{
	struct completion c = {.line = line};
	const char *start = line->text + line->typed;

	if (line->cursor != line->typed || !has_line_room(line) || !line->console ||
	    !line->console->complete) {
		add_char(line, ' ');
		return;
	}
	line->text[line->typed] = '\0';
	while (start > line->text && start[-1] != ' ')
		start--;
	c.word = start;
	c.nword = strlen(start);
	if (c.nword)
		ask_for_candidates(&c);
	if (!c.n || c.is_exact) {
		add_char(line, ' ');
	} else if (c.common[c.nword]) {
		add_text(line, c.common + c.nword);
		if (c.n == 1)
			add_char(line, ' ');
	} else {
		list_candidates(&c);
	}
}

/* --- Keys that are sequences --- */

static void scroll_pages(struct line *line, int pages)
{
	if (line->console && line->console->scroll)
		line->console->scroll(pages);
}

static enum line_state press_function(struct line *line, unsigned n)
{
	const char *text =
		line->console && line->console->function ? line->console->function(n) : NULL;

	if (!text)
		return LINE_GOES_ON;
	kill_line(line);
	add_text(line, text);
	return end_line(line);
}

enum named_key {
	LEFT,
	RIGHT,
	HOME,
	END,
	UP,
	DOWN,
	DELETE,
	PAGE_UP,
	PAGE_DOWN,
	F1, /* and those that follow */
};

static const struct {
	char sequence[LINE_SEQUENCE_MOST]; /* behind ESC */
	unsigned char key;
} named_keys[] = {
	{"[D", LEFT},     {"[C", RIGHT},     {"[H", HOME},       {"[F", END},
	{"[1~", HOME},    {"[4~", END},      {"[7~", HOME},      {"[8~", END},
	{"OH", HOME},     {"OF", END},       {"[A", UP},         {"[B", DOWN},
	{"[3~", DELETE},  {"[5~", PAGE_UP},  {"[6~", PAGE_DOWN}, {"OP", F1},
	{"OQ", F1 + 1},   {"OR", F1 + 2},    {"OS", F1 + 3},     {"[15~", F1 + 4},
	{"[17~", F1 + 5}, {"[18~", F1 + 6},  {"[19~", F1 + 7},   {"[20~", F1 + 8},
	{"[21~", F1 + 9}, {"[23~", F1 + 10}, {"[24~", F1 + 11},
};

static enum line_state press_named(struct line *line, unsigned key)
{
	switch (key) {
	case LEFT:
		move_cursor_to(line, line->cursor ? line->cursor - 1 : 0);
		break;
	case RIGHT:
		move_cursor_to(line, line->cursor + 1);
		break;
	case HOME:
		move_cursor_to(line, 0);
		break;
	case END:
		move_cursor_to(line, line->typed);
		break;
	case UP:
		go_back_to(line, line->back + 1);
		break;
	case DOWN:
		if (line->back)
			go_back_to(line, line->back - 1);
		break;
	case DELETE:
		if (line->typed < line->size)
			delete_char(line);
		break;
	case PAGE_UP:
	case PAGE_DOWN:
		scroll_pages(line, key == PAGE_UP ? 1 : -1);
		break;
	default:
		return press_function(line, key - F1 + 1);
	}
	return LINE_GOES_ON;
}

static enum line_state end_sequence(struct line *line)
{
	for (size_t i = 0; i < sizeof(named_keys) / sizeof(named_keys[0]); i++)
		if (!strcmp(named_keys[i].sequence, line->sequence))
			return press_named(line, named_keys[i].key);
	return LINE_GOES_ON;
}

static void note_sequence(struct line *line, int key)
{
	if (line->nsequence < LINE_SEQUENCE_MOST)
		line->sequence[line->nsequence++] = (char)key;
	line->sequence[line->nsequence] = '\0';
}

/* Is `key` a part of an escape sequence (ECMA-48), and not a key of its own? */
static bool is_escape_key(struct line *line, int key, enum line_state *state)
{
	const enum line_escape was = line->escape;

	line->escape = LINE_NO_ESCAPE;
	if (was == LINE_NO_ESCAPE || key < ' ')
		return false;
	if (was == LINE_AFTER_ESC && key != '[' && key != 'O')
		return false;
	note_sequence(line, key);
	if (was == LINE_AFTER_ESC || key < '@' || key > '~')
		line->escape = LINE_IN_SEQUENCE;
	else
		*state = end_sequence(line);
	return true;
}

/* --- Keys --- */

static void begin_escape(struct line *line)
{
	line->escape = LINE_AFTER_ESC;
	line->nsequence = 0;
}

static void press_control(struct line *line, int key)
{
	switch (key) {
	case KEY_HOME:
		press_named(line, HOME);
		break;
	case KEY_END:
		press_named(line, END);
		break;
	case KEY_PREVIOUS:
		press_named(line, UP);
		break;
	case KEY_NEXT:
		press_named(line, DOWN);
		break;
	case KEY_BACKSPACE:
	case KEY_DELETE:
		erase_char(line);
		break;
	case KEY_KILL_REST:
		kill_rest(line);
		break;
	case KEY_KILL_LINE:
		kill_line(line);
		break;
	case KEY_TAB:
		complete_word(line);
		break;
	case KEY_ESC:
		begin_escape(line);
		break;
	default:
		ring_line_bell(line);
	}
}

enum line_state line_key(struct line *line, int key)
{
	enum line_state state = LINE_GOES_ON;

	if (is_escape_key(line, key, &state))
		return state;
	if (key == '\r' || key == '\n')
		return end_line(line);
	if (key == KEY_INTERRUPT) {
		line->echo(interrupted, sizeof(interrupted) - 1);
		return LINE_GIVEN_UP;
	}
	if (key == TYPEAHEAD_MARK) {
		line->lost = true;
		ring_line_bell(line);
	} else if (key < ' ' || key == KEY_DELETE) {
		press_control(line, key);
	} else {
		add_char(line, (char)key);
	}
	return LINE_GOES_ON;
}
