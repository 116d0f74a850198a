// SPDX-License-Identifier: BSD-2-Clause
/* run_output.c - see run_output.h. */
#include "tools/util/run_output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/marks.h"
#include "lib/printf.h"
#include "tools/util/message.h"
#include "tools/util/standard.h"

#define ESC         '\033'
#define DEBRIS_TEXT 16 /* a run of so much text is no accident */

/* Returns whether the file is a terminal, or also gets the tool's own lines. */
static bool is_shared_terminal(FILE *file)
{
	struct stat own, its;

	if (file == stderr || isatty(fileno(file)))
		return true;
	return !fstat(STDERR_FILENO, &own) && !fstat(fileno(file), &its) &&
	       own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

/* Follows https://no-color.org/. */
static bool wants_colors(FILE *file)
{
	const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(fileno(file)) && !(refused && *refused) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void console_init(struct console *console, bool show_firmware, FILE *out, FILE *programs, FILE *log)
{
	*console = (struct console){
		.show_firmware = show_firmware,
		.has_progress = isatty(STDERR_FILENO),
		.out = out ? out : stdout,
		.programs = programs ? programs : stdout,
		.errors = stderr,
		.log = log,
	};
	console->is_shared = is_shared_terminal(console->out);
	console->programs_shared = is_shared_terminal(console->programs);
	console->has_colors = wants_colors(console->out);
}

void console_echo(struct console *console)
{
	console->foreign.echoes = true;
}

void console_wipe(struct console *console)
{
	if (!console->is_drawn)
		return;
	fputs("\r\033[K", stderr);
	console->is_drawn = false;
}

static void draw_status(struct console *console, const char *format, va_list args)
{
	if (!console->has_progress || console->in_line)
		return;
	fputs("\r\033[K", stderr);
	message_progress(format, args);
	console->is_drawn = true;
}

void console_status(struct console *console, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	draw_status(console, format, args);
	va_end(args);
}

/* Text that the machine has begun is not cut by a line. */
static bool is_told_by_line(struct console *console, uint64_t ms)
{
	if (console->has_progress || !console->tells_lines || console->in_line ||
	    ms - console->told < CONSOLE_TELL_MS)
		return false;
	console->told = ms - ms % CONSOLE_TELL_MS;
	return true;
}

void console_progress(struct console *console, const struct console_progress *progress)
{
	struct buf line = {0};
	char samples[32];

	buf_printf(&line, "%s %.1f s", progress->what, (double)progress->ms / 1000);
	if (progress->insns)
		buf_printf(&line, ", some %.1f G instructions", (double)progress->insns / 1e9);
	fmt_print(samples, sizeof(samples), "%'llu", (unsigned long long)progress->samples);
	if (progress->samples)
		buf_printf(&line, ", %s sample%s", samples, progress->samples == 1 ? "" : "s");
	if (progress->steps)
		buf_printf(&line, ", %llu of %llu steps", (unsigned long long)progress->done,
			   (unsigned long long)progress->steps);
	if (progress->left_ms)
		buf_printf(&line, ", some %.0f s left", (double)progress->left_ms / 1000);
	if (progress->bytes)
		buf_printf(&line, ", %.1f KiB", (double)progress->bytes / 1024);
	if (is_told_by_line(console, progress->ms))
		console_say(console, "%s", buf_text(&line));
	else
		console_status(console, "%s", buf_text(&line));
	buf_free(&line);
}

/* Writes text, and drops it if that fails. The first error is kept, except for standard error. */
static void put_terminal_text(struct console *console, FILE *to, const void *text, size_t n)
{
	if (!n)
		return;
	if ((fwrite(text, 1, n, to) != n || fflush(to)) && to != stderr && !console->failed) {
		console->failed = errno;
		console->failed_file = to;
	}
}

/*
 * Writes filtered text. An incomplete character does not continue in another file: its bytes are
 * shown as bytes.
 */
static void put_foreign(struct console *console, FILE *to, const char *text, size_t n)
{
	struct buf plain = {0};

	if (to != console->last) {
		foreign_end(&console->foreign, &plain);
		put_terminal_text(console, console->last ? console->last : to, plain.data,
				  plain.size);
		plain.size = 0;
	}
	console->last = to;
	foreign_add(&console->foreign, &plain, text, n);
	put_terminal_text(console, to, plain.data, plain.size);
	buf_free(&plain);
}

static void write_out(struct console *console, FILE *to, const char *text, size_t n)
{
	if (!n)
		return;
	console_wipe(console);
	if (to == stderr || (to == console->out ? console->is_shared : console->programs_shared))
		put_foreign(console, to, text, n);
	else
		put_terminal_text(console, to, text, n);
	if (console->log)
		fwrite(text, 1, n, console->log);
	console->in_line = text[n - 1] != '\n';
}

/* Returns the colour that perf uses for the kind; NULL: none. */
static const char *color_of(const struct console *console, enum wire_text_kind kind)
{
	static const char *const colors[] = {
		[WIRE_TEXT_ALARM_1] = "\033[33m",
		[WIRE_TEXT_ALARM_2] = "\033[35m",
		[WIRE_TEXT_ALARM_3] = "\033[31m",
	};

	if (!console->has_colors || kind >= sizeof(colors) / sizeof(colors[0]))
		return NULL;
	return colors[kind];
}

void console_text(struct console *console, const char *text, size_t n, enum wire_text_kind kind)
{
	const char *color = color_of(console, kind);

	if (kind == WIRE_TEXT_ERR || kind == WIRE_TEXT_STDERR || kind == WIRE_TEXT_STDOUT) {
		write_out(console, kind == WIRE_TEXT_STDOUT ? console->programs : console->errors,
			  text, n);
		return;
	}
	if (color) {
		console_wipe(console);
		put_terminal_text(console, console->out, color, strlen(color));
	}
	write_out(console, console->out, text, n);
	if (color)
		put_terminal_text(console, console->out, "\033[m", 3);
}

/* Also empties the buffer, which would otherwise fail again when the file is closed. */
int console_failed(struct console *console, const char *name)
{
	const bool is_named = name && console->failed_file == console->out;

	console_wipe(console);
	__fpurge(console->failed_file);
	clearerr(console->failed_file);
	return standard_failed(is_named ? name : "standard output", console->failed);
}

void console_line(struct console *console, const char *line)
{
	write_out(console, stderr, line, strlen(line));
	write_out(console, stderr, "\n", 1);
}

static bool is_text(char c)
{
	return c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
}

/* Skips the bytes of an escape sequence (ECMA-48: ESC [ ... letter, or ESC and one byte). */
static bool is_inside_escape(struct console *console, char c)
{
	switch (console->escape) {
	case NO_ESCAPE:
		console->escape = c == ESC ? AFTER_ESC : NO_ESCAPE;
		return c == ESC;
	case AFTER_ESC:
		console->escape = c == '[' ? IN_SEQUENCE : NO_ESCAPE;
		return true;
	case IN_SEQUENCE:
		if (c >= '@' && c <= '~')
			console->escape = NO_ESCAPE;
		return true;
	}
	return false;
}

/* Writes the plain part of `text`. */
static void write_plain(struct console *console, const char *text, size_t n)
{
	size_t start = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_inside_escape(console, text[i]) && is_text(text[i]))
			continue;
		write_out(console, stderr, text + start, i - start);
		start = i + 1;
	}
	write_out(console, stderr, text + start, n - start);
}

void console_stray(struct console *console, const char *text, size_t n)
{
	write_plain(console, text, n);
}

void console_firmware(struct console *console, const char *text, size_t n)
{
	size_t keep, drop;

	if (console->show_firmware)
		write_plain(console, text, n);
	if (n > CONSOLE_TAIL) {
		text += n - CONSOLE_TAIL;
		n = CONSOLE_TAIL;
	}
	keep = CONSOLE_TAIL - n < console->ntail ? CONSOLE_TAIL - n : console->ntail;
	drop = console->ntail - keep;
	memmove(console->tail, console->tail + drop, keep);
	memcpy(console->tail + keep, text, n);
	console->ntail = keep + n;
}

/* Finds the next line of vpmu's in the kept text from `at` on; returns its length. 0: there is
 * none.
 */
static size_t find_vpmu_line(const struct console *console, const char **at)
{
	static const char mark[] = "vpmu: ";
	const char *end = console->tail + console->ntail;
	size_t n = 0;

	*at = memmem(*at, (size_t)(end - *at), mark, sizeof(mark) - 1);
	while (*at && *at + n < end && (*at)[n] != '\r' && (*at)[n] != '\n')
		n++;
	return n;
}

void console_vpmu(struct console *console)
{
	const char *at = console->tail;
	size_t n;

	if (console->show_firmware)
		return;
	while ((n = find_vpmu_line(console, &at))) {
		if (memchr(at, ';', n))
			console_say(console, "%.*s", (int)n, at);
		at += n;
	}
}

static bool is_starts_nothing(const char *line, size_t n)
{
	return n == strlen(VPMU_STARTS_NOTHING) && !memcmp(line, VPMU_STARTS_NOTHING, n);
}

bool console_starts_nothing(const struct console *console)
{
	const char *at = console->tail;
	size_t n;

	while ((n = find_vpmu_line(console, &at))) {
		/* the line is complete only if something follows it */
		if (is_starts_nothing(at, n) && at + n < console->tail + console->ntail)
			return true;
		at += n;
	}
	return false;
}

void console_refusal(struct console *console)
{
	const char *at = console->tail, *line = VPMU_STARTS_NOTHING;
	size_t n, nline = strlen(VPMU_STARTS_NOTHING);

	while ((n = find_vpmu_line(console, &at)) && !is_starts_nothing(at, n)) {
		line = at;
		nline = n;
		at += n;
	}
	console_say(console, "%.*s", (int)nline, line);
}

void console_last_words(struct console *console)
{
	if (!console->show_firmware)
		write_plain(console, console->tail, console->ntail);
	if (console->in_line)
		write_out(console, stderr, "\n", 1);
	console->ntail = 0;
}

void console_debris(struct console *console, const void *bytes, size_t n)
{
	const char *text = bytes;
	size_t i = 0;

	while (i < n) {
		size_t run = 0;

		while (i + run < n && (is_text(text[i + run]) || text[i + run] == '\r'))
			run++;
		if (run >= DEBRIS_TEXT)
			write_plain(console, text + i, run);
		i += run + 1;
	}
}

void console_end_line(struct console *console)
{
	if (console->in_line)
		fputc('\n', stderr);
	console->in_line = false;
	foreign_new_line(&console->foreign);
}

void console_say(struct console *console, const char *format, ...)
{
	struct buf line = {0};
	va_list args;

	console_wipe(console);
	console_end_line(console);
	va_start(args, format);
	buf_vprintf(&line, format, args);
	va_end(args);
	message("perf0: %s", buf_text(&line));
	buf_free(&line);
}
