// SPDX-License-Identifier: BSD-2-Clause
/*
 * print.c - text to the screen and to the serial line. A line break becomes CR LF on a bare serial
 * line, and is unchanged inside a frame. CPU 0 owns the line and the screen. Other CPUs have CPU 0
 * print their text. On CPU 0 no line of text interrupts another.
 */
#include "rt/print/print.h"

#include "arch/x86/dev/fb.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/portable/serial.h"
#include "lib/percpu.h"
#include "lib/plain.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/wire/kept.h"
#include "rt/wire/wire.h"

#define LINE_MAX 1024 /* maximum number of bytes that go out in one piece */

static bool framed;
static void (*write_more)(const char *text, size_t n); /* NULL: the firmware has no lines */
static PERCPU bool reports;

/* Text for the next frame: a frame for each piece of a line would be mostly header. */
static struct {
	size_t n;
	char bytes[LINE_MAX];
} report;

static void send_report(void)
{
	if (framed)
		wire_report(report.bytes, report.n);
	report.n = 0;
}

static void add_to_report(const char *bytes, size_t n)
{
	while (n) {
		const size_t room = sizeof(report.bytes) - report.n;
		const size_t part = n < room ? n : room;

		memcpy(report.bytes + report.n, bytes, part);
		report.n += part;
		bytes += part;
		n -= part;
		if (report.n == sizeof(report.bytes))
			send_report();
	}
}

void print_set_lines(void (*write)(const char *text, size_t n))
{
	write_more = write;
}

void print_framed(bool on)
{
	framed = on;
	serial_frames(on);
	wire_enable(on);
}

void print_to_host(bool on)
{
	reports = on;
	if (!on)
		send_report();
}

bool print_is_framed(void)
{
	return framed;
}

static void write_lines(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			serial_text("\r", 1);
		serial_text(&text[i], 1);
	}
}

struct text {
	enum wire_text_kind kind;
	const char *bytes;
	size_t n;
};

static void put_here(void *arg)
{
	const struct text *text = arg;

	kept_text(text->bytes, text->n);
	if (kept_is_quiet())
		return;
	fb_write(text->bytes, text->n);
	if (framed || kept_is_on())
		wire_text(text->kind, text->bytes, text->n);
	if (write_more)
		write_more(text->bytes, text->n);
	if (!framed || serial_count() > 1)
		write_lines(text->bytes, text->n);
}

static void put_console_text(enum wire_text_kind kind, const char *bytes, size_t n)
{
	struct text text = {kind, bytes, n};

	if (reports && kind == WIRE_TEXT_OUT)
		add_to_report(bytes, n);
	else
		smp_call(0, put_here, &text);
}

static void put_piece(void *ctx, const char *text, size_t n)
{
	put_console_text(*(const enum wire_text_kind *)ctx, text, n);
}

static void put_formatted(enum wire_text_kind kind, const char *format, va_list args)
{
	char line[LINE_MAX];
	va_list again;
	size_t n;

	va_copy(again, args);
	n = (size_t)fmt_vprint(line, sizeof(line), format, args);
	if (n < sizeof(line) - 1)
		put_console_text(kind, line, n);
	else
		fmt_vpieces(put_piece, &kind, format, again);
	va_end(again);
}

void out(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_formatted(WIRE_TEXT_OUT, format, args);
	va_end(args);
}

void out_alarm(unsigned level, const char *format, ...)
{
	static const enum wire_text_kind kinds[] = {
		WIRE_TEXT_OUT,
		WIRE_TEXT_ALARM_1,
		WIRE_TEXT_ALARM_2,
		WIRE_TEXT_ALARM_3,
	};
	va_list args;

	va_start(args, format);
	put_formatted(kinds[level & 3], format, args);
	va_end(args);
}

/* A complaint is one line, whatever names it contains. */
void err(const char *format, ...)
{
	char line[LINE_MAX] = "", plain[LINE_MAX];
	size_t n, made;
	bool ends;
	va_list args;

	va_start(args, format);
	n = (size_t)fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	ends = n && line[n - 1] == '\n';
	made = plain_copy(plain, sizeof(plain) - 1, line, n - ends);
	if (ends)
		plain[made++] = '\n';
	put_console_text(WIRE_TEXT_ERR, plain, made);
}

void out_text(const char *text, size_t n)
{
	put_console_text(WIRE_TEXT_OUT, text, n);
}

void out_program(unsigned which, const void *bytes, size_t n)
{
	put_console_text(which == 2 ? WIRE_TEXT_STDERR : WIRE_TEXT_STDOUT, bytes, n);
}
