// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_typing.c - typed lines pass from the serial chip, with overruns and damaged bytes, through
 * the queue and the line editor: a line comes out as it was typed, or not at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "arch/x86/portable/uart.h"
#include "include/perf0/handoff.h"
#include "rt/portable/line_edit.h"
#include "rt/portable/recall.h"
#include "rt/portable/typeahead.h"
#include "tests/shim/ports.h"

#define LINE_SIZE (COMMAND_LINE_MAX + 1)

static struct typeahead queue;
static uint8_t memory[TYPEAHEAD_BYTES];
static char text[LINE_SIZE + 1];
static char shown[4096];
static size_t nshown;

static void echo(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		shown[nshown++ % sizeof(shown)] = bytes[i];
}

static struct line start_line(size_t size)
{
	struct line line;

	nshown = 0;
	memset(shown, 0, sizeof(shown));
	text[size] = '!';
	line_start(&line, text, size, echo);
	return line;
}

/* Types `keys`, and returns the state after the last one. No earlier key may end the line. */
static enum line_state type_keys(struct line *line, const char *keys)
{
	enum line_state state = LINE_GOES_ON;

	for (; *keys; keys++) {
		assert_int_equal(state, LINE_GOES_ON);
		state = line_key(line, (unsigned char)*keys);
	}
	return state;
}

static void check_line(const char *keys, enum line_state state, const char *wanted)
{
	struct line line = start_line(LINE_SIZE);

	assert_int_equal(type_keys(&line, keys), state);
	if (state == LINE_WHOLE)
		assert_string_equal(text, wanted);
}

TEST(editing)
{
	check_line("help\r", LINE_WHOLE, "help");
	check_line("help\n", LINE_WHOLE, "help");
	check_line("\r", LINE_WHOLE, "");
	check_line("hex\blp\r", LINE_WHOLE, "help");
	check_line("\b\177x\177help\r", LINE_WHOLE, "help");
	check_line("nosuch\025help\r", LINE_WHOLE, "help");
	check_line("help\003", LINE_GIVEN_UP, NULL);
	check_line("a\tb\r", LINE_WHOLE, "a b");
	check_line("a\033[Ab\033[1;5Dc\033OPd\r", LINE_WHOLE, "abcd");
	check_line("a\033b\r", LINE_WHOLE, "ab");
	check_line("a\033\r", LINE_WHOLE, "a");
	check_line("a\033[\r", LINE_WHOLE, "a");
	check_line("a\033[\003", LINE_GIVEN_UP, NULL);
	check_line("\303\244\377\r", LINE_WHOLE, "\303\244\377");
}

/* Checks the line on a terminal that obeys backspaces: its text is `shown`, with that cursor. */
static size_t terminal_line(char *out, size_t size)
{
	size_t at = 0;

	memset(out, 0, size);
	for (const char *c = shown; *c; c++) {
		if (*c == '\n') {
			memset(out, 0, size);
			at = 0;
		} else if (*c == '\b') {
			assert_true(at > 0);
			at--;
		} else if (*c != '\a') {
			out[at++] = *c;
		}
	}
	for (size_t n = strlen(out); n && out[n - 1] == ' ' && n > at; n--)
		out[n - 1] = '\0';
	return at;
}

static void check_edited(const char *keys, const char *wanted, size_t cursor)
{
	struct line line = start_line(LINE_SIZE);
	char out[256];

	type_keys(&line, keys);
	assert_int_equal(terminal_line(out, sizeof(out)), cursor);
	assert_string_equal(out, wanted);
	assert_int_equal(line_key(&line, '\r'), LINE_WHOLE);
	assert_string_equal(text, wanted);
}

TEST(in_the_middle)
{
	check_edited("ac\033[Db", "abc", 2);
	check_edited("xbc\033[H\033[3~a", "abc", 1);
	check_edited("bc\001a\005d", "abcd", 4);
	check_edited("abxc\033[D\b", "abc", 2);
	check_edited("abxc\033[D\033[D\033[3~\033[C", "abc", 3);
	check_edited("abc\033[D\033[D\013", "a", 1);
	check_edited("abc\001\025xyz", "xyz", 3);
	check_edited("\033[D\033[C\b\033[3~\013a", "a", 1);
	check_edited("\033[1~\033[4~\033OH\033OFa", "a", 1);
	check_edited("abc\033[D\033[5~\033[6~\033[15~x", "abxc", 3);
}

TEST(the_middle_of_a_full_line)
{
	struct line line = start_line(4);

	assert_int_equal(type_keys(&line, "abc\033[Dx\r"), LINE_WHOLE);
	assert_string_equal(text, "abc");
	/* A line that is too long cannot be edited in its middle, because part of it is missing. */
	line = start_line(4);
	assert_int_equal(type_keys(&line, "abcdef\033[D\033[H\033[3~\013\033[Ax\r"), LINE_TOO_LONG);
	assert_int_equal(line.typed, 7);
}

static struct line_history past;

static struct line start_with(const struct line_console *console)
{
	struct line line = start_line(LINE_SIZE);

	line.history = &past;
	line.console = console;
	return line;
}

static void check_recalled(const char *keys, const char *wanted)
{
	struct line line = start_with(NULL);

	assert_int_equal(type_keys(&line, keys), LINE_WHOLE);
	assert_string_equal(text, wanted);
}

TEST(lines_of_before)
{
	memset(&past, 0, sizeof(past));
	check_recalled("\033[A\020x\r", "x");
	check_recalled("first\r", "first");
	check_recalled("\r", "");
	check_recalled("second\r", "second");
	check_recalled("second\r", "second");
	check_recalled("\033[A\033[A\r", "first");
	check_recalled("\020\020\020\r", "first");
	check_recalled("draft\033[A\033[A\033[B\033[B\033[B\r", "draft");
	check_recalled("\020\b\b\r", "dra");
}

/* The history has the newest lines that fit. */
TEST(many_lines_of_before)
{
	char keys[64];

	memset(&past, 0, sizeof(past));
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(keys, sizeof(keys), "line %u\r", i);
		struct line line = start_with(NULL);

		assert_int_equal(type_keys(&line, keys), LINE_WHOLE);
		assert_true(past.used <= sizeof(past.text));
	}
	for (unsigned back = 1; back <= 800; back++) {
		snprintf(keys, sizeof(keys), "line %u", 5000 - back);
		assert_string_equal(recall_line(&past, back), keys);
	}
	assert_null(recall_line(&past, 5000));
}

static int scrolled;

static void complete_names(const char *line, const char *word,
			   void (*each)(void *ctx, const char *candidate), void *ctx)
{
	static const char *const names[] = {"stat", "statistics", "record", "loop", "reboot"};

	(void)word;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && *line != '!'; i++)
		each(ctx, names[i]);
}

static const char *function_text(unsigned n)
{
	return n == 2 ? "caps" : NULL;
}

static void scroll_by(int pages)
{
	scrolled += pages;
}

static const struct line_console whole_console = {"> ", complete_names, function_text, scroll_by};

static void check_completed(const char *keys, const char *wanted)
{
	struct line line = start_with(&whole_console);

	assert_int_equal(type_keys(&line, keys), LINE_WHOLE);
	assert_string_equal(text, wanted);
}

TEST(completion)
{
	struct line line = start_with(&whole_console);

	check_completed("lo\t10\r", "loop 10");
	check_completed("st\t\r", "stat");
	check_completed("st\t\t10\r", "stat 10");
	check_completed("stati\t\r", "statistics ");
	check_completed("x\ty\r", "x y");
	check_completed("\t\r", " ");
	check_completed("!lo\tx\r", "!lo x");
	check_completed("a loop\033[D\t\r", "a loo p");
	type_keys(&line, "a re\t");
	assert_non_null(strstr(shown, "\nrecord  reboot  \n> a re"));
	assert_int_equal(type_keys(&line, "b\t\r"), LINE_WHOLE);
	assert_string_equal(text, "a reboot ");
}

TEST(function_keys)
{
	check_completed("rubbish\033OQ", "caps");
	check_completed("a\033OP\033[24~b\r", "ab");
	scrolled = 0;
	check_completed("\033[5~\033[5~\033[6~x\r", "x");
	assert_int_equal(scrolled, 1);
}

TEST(what_is_shown)
{
	struct line line = start_line(LINE_SIZE);

	type_keys(&line, "ab\bc\006\r");
	assert_string_equal(shown, "ab\b \bc\a\n");
}

/* Lines of all lengths around the longest one that fits into a buffer of `size` bytes. */
TEST(lengths)
{
	static const size_t sizes[] = {2, 16, 1024, LINE_SIZE};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (size_t n = sizes[s] - 2; n <= sizes[s] + 3; n++) {
			struct line line = start_line(sizes[s]);
			const bool fits = n <= sizes[s] - 1;

			for (size_t i = 0; i < n; i++)
				assert_int_equal(line_key(&line, 'a' + (int)(i % 26)),
						 LINE_GOES_ON);
			assert_int_equal(line_key(&line, '\r'), fits ? LINE_WHOLE : LINE_TOO_LONG);
			assert_int_equal(line.typed, n);
			assert_int_equal(text[sizes[s]], '!');
			if (fits)
				assert_int_equal(strlen(text), n);
		}
	}
}

TEST(a_line_that_was_too_long_is_shortened)
{
	struct line line = start_line(4);

	assert_int_equal(type_keys(&line, "abcdef\b\b\b\r"), LINE_WHOLE);
	assert_string_equal(text, "abc");
	line = start_line(4);
	assert_int_equal(type_keys(&line, "abcdef\025xyz\r"), LINE_WHOLE);
	assert_string_equal(text, "xyz");
}

TEST(a_gap)
{
	struct line line = start_line(16);

	type_keys(&line, "ab");
	line_key(&line, TYPEAHEAD_MARK);
	assert_int_equal(type_keys(&line, "c\r"), LINE_LOST);
	assert_int_equal(line.typed, 3);
	/* A line that begins anew has no gap. */
	line = start_line(16);
	line_key(&line, TYPEAHEAD_MARK);
	assert_int_equal(type_keys(&line, "ab\025cd\r"), LINE_WHOLE);
	assert_string_equal(text, "cd");
}

/*
 * Lines that contain their own number twice go in and come out in pieces of different sizes. A line
 * that comes out without a gap is whole, and lines are in order.
 */
static uint64_t seed;

static unsigned draw_below(unsigned n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(seed >> 33) % n;
}

struct reading {
	struct line line;
	unsigned whole, lost, last;
};

static void check_whole(struct reading *r)
{
	char wanted[256];
	unsigned n = 0;

	assert_int_equal(sscanf(text, "line %u", &n), 1);
	snprintf(wanted, sizeof(wanted), "line %u %0*u", n, 10 + (int)n % 90, n);
	assert_string_equal(text, wanted);
	assert_true(n > r->last);
	r->last = n;
	r->whole++;
}

static void read_some(struct reading *r, unsigned most)
{
	int key;

	while (most-- && (key = typeahead_get(&queue)) >= 0) {
		enum line_state state = line_key(&r->line, key);

		if (state == LINE_GOES_ON)
			continue;
		if (state == LINE_WHOLE)
			check_whole(r);
		else
			assert_int_equal(state, LINE_LOST);
		r->lost += state == LINE_LOST;
		r->line = start_line(LINE_SIZE);
	}
}

TEST(lines_that_overflow)
{
	struct reading r = {.line = start_line(LINE_SIZE)};
	unsigned dropped = 0;

	typeahead_init(&queue, memory);
	queue.head = queue.tail = (unsigned)-TYPEAHEAD_BYTES; /* free running: past 2^32, too */
	for (unsigned n = 1; n <= 20000; n++) {
		char line[256];
		int size = snprintf(line, sizeof(line), "line %u %0*u\r", n, 10 + (int)n % 90, n);

		for (int i = 0; i < size; i++)
			dropped += !typeahead_put(&queue, (uint8_t)line[i]);
		if (!draw_below(1000))
			read_some(&r, draw_below(2 * TYPEAHEAD_BYTES));
	}
	read_some(&r, TYPEAHEAD_BYTES);
	assert_true(dropped > 1000);
	assert_true(r.lost > 0 && r.whole > 1000);
}

/* Without an overflow nothing is lost. All places but the mark's are usable. */
TEST(a_full_queue)
{
	typeahead_init(&queue, memory);
	for (unsigned i = 0; i < TYPEAHEAD_BYTES - 1; i++)
		assert_true(typeahead_put(&queue, (uint8_t)(i % 255 + 1)));
	for (unsigned i = 0; i < 5; i++)
		assert_false(typeahead_put(&queue, 'x'));
	assert_int_equal(typeahead_used(&queue), TYPEAHEAD_BYTES);
	for (unsigned i = 0; i < TYPEAHEAD_BYTES - 1; i++)
		assert_int_equal(typeahead_get(&queue), i % 255 + 1);
	assert_int_equal(typeahead_get(&queue), TYPEAHEAD_MARK);
	assert_int_equal(typeahead_get(&queue), -1);
	assert_true(typeahead_put(&queue, 'y'));
	assert_int_equal(typeahead_get(&queue), 'y');
}

/* A megabyte of noise from a seed: no key sequence does harm, and the next line is right. */
TEST(noise)
{
	unsigned ended[LINE_LOST + 1] = {0};

	typeahead_init(&queue, memory);
	for (seed = 1; seed <= 4; seed++) {
		const uint64_t this = seed;
		struct line line = start_line(64);

		for (unsigned i = 0; i < 1 << 20; i++) {
			enum line_state end;

			typeahead_put(&queue, (uint8_t)draw_below(256));
			if (!draw_below(500))
				typeahead_lost(&queue);
			end = line_key(&line, typeahead_get(&queue));
			ended[end]++;
			assert_int_equal(text[64], '!');
			assert_true(end != LINE_WHOLE || strlen(text) < 64);
			if (end != LINE_GOES_ON)
				line = start_line(64);
			while (typeahead_used(&queue) > 100)
				typeahead_get(&queue);
		}
		line_key(&line, '\r');
		line = start_line(64);
		assert_int_equal(type_keys(&line, "stat loop 1000\r"), LINE_WHOLE);
		assert_string_equal(text, "stat loop 1000");
		seed = this;
	}
	for (unsigned i = 0; i <= LINE_LOST; i++)
		assert_true(ended[i] > 100);
}

static struct uart uart;
static const struct uart_place com1 = {UART_PORTS, 1, 1, 0x3f8, 115200};

/* The receiver of a 16550, as in the data sheet, holds 16 bytes. Later bytes are lost, which it
 * reports once. */
static struct {
	uint8_t bytes[16];
	bool bad[16]; /* a framing error */
	unsigned n;
	bool overrun;
	uint8_t scratch, mcr;
	uint8_t sent;
} chip;

static void receive_typed(uint8_t byte, bool bad)
{
	if (chip.n == sizeof(chip.bytes)) {
		chip.overrun = true;
		return;
	}
	chip.bytes[chip.n] = byte;
	chip.bad[chip.n++] = bad;
}

static uint8_t chip_in(uint16_t port)
{
	uint8_t value = 0;

	switch (port - 0x3f8) {
	case 0:
		assert_true(chip.n > 0);
		value = chip.bytes[0];
		memmove(chip.bytes, chip.bytes + 1, --chip.n);
		memmove(chip.bad, chip.bad + 1, chip.n * sizeof(chip.bad[0]));
		return value;
	case 2:
		return 0xc1;
	case 5:
		value = (uint8_t)(0x60 | (chip.n ? 1 : 0) | (chip.overrun ? 2 : 0) |
				  (chip.n && chip.bad[0] ? 8 : 0));
		chip.overrun = false;
		if (chip.n)
			chip.bad[0] = false;
		return value;
	case 7:
		return chip.scratch;
	}
	return value;
}

static void chip_out(uint16_t port, uint8_t value)
{
	if (port == 0x3f8)
		chip.sent = value;
	if (port == 0x3f8 + 4)
		chip.mcr = value;
	if (port == 0x3f8 + 7)
		chip.scratch = value;
}

static void start_chip(enum uart_flow flow)
{
	memset(&chip, 0, sizeof(chip));
	shim_ports = (struct shim_ports){.in = chip_in, .out = chip_out};
	assert_int_equal(uart_init(&uart, &com1, 115200, flow), 0);
	typeahead_init(&queue, memory);
}

/* Does the same as the line's interrupt handler, for at most `most` bytes. */
static void take_received(unsigned most)
{
	int c;

	while (most-- && (c = uart_getc(&uart)) >= 0) {
		if (c == UART_LOST)
			typeahead_lost(&queue);
		else
			typeahead_put(&queue, (uint8_t)c);
	}
}

/* The interrupt is late by any number of bytes: no incomplete line comes out. */
TEST(overruns)
{
	struct reading r = {.line = start_line(LINE_SIZE)};
	unsigned missed = 0;

	seed = 7;
	start_chip(UART_FLOW_NONE);
	for (unsigned n = 1; n <= 20000; n++) {
		char line[256];
		int size = snprintf(line, sizeof(line), "line %u %0*u\r", n, 10 + (int)n % 90, n);

		for (int i = 0; i < size; i++) {
			missed += chip.n == sizeof(chip.bytes);
			receive_typed((uint8_t)line[i], false);
			if (!draw_below(12))
				take_received(1 + draw_below(40));
		}
		read_some(&r, TYPEAHEAD_BYTES);
	}
	assert_true(missed > 1000);
	assert_true(r.lost > 100 && r.whole > 100);
}

/* A damaged byte may have been the end of a line: neither the part before it nor the part after it
 * runs. */
TEST(damaged_bytes)
{
	static const char keys[] = "ab?cd\ref\r";
	struct line line = start_line(LINE_SIZE);
	int key;

	start_chip(UART_FLOW_NONE);
	for (const char *k = keys; *k; k++)
		receive_typed(*k == '?' ? '\r' : (uint8_t)*k, *k == '?');
	take_received(100);
	for (unsigned i = 0; i < 3; i++) {
		enum line_state end = LINE_GOES_ON;

		while (end == LINE_GOES_ON && (key = typeahead_get(&queue)) >= 0)
			end = line_key(&line, key);
		assert_int_equal(end, i < 2 ? LINE_LOST : LINE_WHOLE);
		if (i < 2)
			line = start_line(LINE_SIZE);
	}
	assert_string_equal(text, "ef");
}

TEST(asking_the_sender)
{
	start_chip(UART_FLOW_XONXOFF);
	uart_hold(&uart, true);
	assert_int_equal(chip.sent, 0x13);
	uart_hold(&uart, false);
	assert_int_equal(chip.sent, 0x11);
	start_chip(UART_FLOW_RTSCTS);
	assert_int_equal(chip.mcr & 3, 3);
	uart_hold(&uart, true);
	assert_int_equal(chip.mcr & 3, 1);
	uart_hold(&uart, false);
	assert_int_equal(chip.mcr & 3, 3);
	start_chip(UART_FLOW_NONE);
	chip.sent = 0;
	uart_hold(&uart, true);
	assert_int_equal(chip.sent, 0);
	assert_int_equal(chip.mcr & 3, 3);
}
