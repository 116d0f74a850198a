// SPDX-License-Identifier: BSD-2-Clause
/* say.c - see say.h. The line is a 16550, whose rate stays as the firmware or Linux has set it. */
#include "boot/bz/say.h"

#include "arch/x86/insn.h"
#include "lib/printf.h"

#include <stdarg.h>
#include <stdint.h>

#define COM1         0x3f8
#define LINE_STATUS  5
#define LINE_EMPTY   0x20
#define LINE_ABSENT  0xff
#define LINE_POLLS   100000
#define SCREEN       0xb8000u
#define COLUMNS      80
#define ROWS         25
#define GREY         0x0700
#define MESSAGE_MOST 1024

static unsigned at;
static bool shows;

void say_begin(bool has_text)
{
	shows = has_text;
	at = 0;
}

static void send_byte(char c)
{
	uint8_t status = inb(COM1 + LINE_STATUS);

	for (int i = 0; i < LINE_POLLS && !(status & LINE_EMPTY); i++)
		status = inb(COM1 + LINE_STATUS);
	if (status != LINE_ABSENT && status & LINE_EMPTY)
		outb(COM1, (uint8_t)c);
}

/* The screen begins at its first row again, where it is full. */
static void show_byte(char c)
{
	volatile uint16_t *screen = (volatile uint16_t *)(uintptr_t)SCREEN;

	if (c == '\n')
		at = (at / COLUMNS + 1) * COLUMNS;
	else
		screen[at++] = (uint16_t)(GREY | (uint8_t)c);
	at %= COLUMNS * ROWS;
}

static void say_arguments(const char *format, va_list args)
{
	char text[MESSAGE_MOST];

	fmt_vprint(text, sizeof(text), format, args);
	for (const char *c = text; *c; c++) {
		if (*c == '\n')
			send_byte('\r');
		send_byte(*c);
		if (shows)
			show_byte(*c);
	}
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_arguments(format, args);
	va_end(args);
}

_Noreturn void say_and_halt(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_arguments(format, args);
	va_end(args);
	for (;;) {
		irq_disable();
		cpu_halt();
	}
}
