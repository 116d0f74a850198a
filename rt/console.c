// SPDX-License-Identifier: BSD-2-Clause
/*
 * console.c - received bytes come by interrupt into a small queue; ^C and ^T act at once. The
 * prompt sleeps in HLT between keys, so that an idle machine is idle.
 */
#include "rt/console.h"

#include "arch/x86/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/trap.h"
#include "arch/x86/uart.h"
#include "lib/string.h"
#include "rt/command.h"
#include "rt/print.h"
#include "rt/task.h"
#include "rt/vectors.h"
#include "rt/wire.h"

#define QUEUE_SIZE 2048 /* a power of two; a host types a whole line at once */
#define LINE_SIZE  1024

enum key {
	KEY_INTERRUPT = WIRE_TYPED_INTERRUPT,
	KEY_BACKSPACE = 8,
	KEY_SNAPSHOT = WIRE_TYPED_SNAPSHOT,
	KEY_KILL_LINE = 21,
	KEY_DELETE = 127,
};

static struct {
	volatile uint8_t bytes[QUEUE_SIZE];
	volatile unsigned head, tail; /* free running; head is the interrupt's */
} queue;

static void (*volatile take_snapshot)(void); /* NULL: there is nothing to take one of */

static void on_line(struct trap_frame *frame)
{
	bool interrupt = false, snapshot = false;
	int c;

	(void)frame;
	while ((c = uart_getc()) >= 0) {
		interrupt |= c == KEY_INTERRUPT;
		snapshot |= c == KEY_SNAPSHOT;
		if ((c == KEY_INTERRUPT || c == KEY_SNAPSHOT) && task_runs())
			continue;
		if (queue.head - queue.tail < QUEUE_SIZE)
			queue.bytes[queue.head++ % QUEUE_SIZE] = (uint8_t)c;
	}
	uart_serve();
	wire_line_served();
	apic_eoi();
	if (snapshot && task_runs() && take_snapshot)
		take_snapshot();
	if (interrupt)
		task_interrupt();
}

void console_on_snapshot(void (*fn)(void))
{
	take_snapshot = fn;
}

static void has_input(void)
{
	apic_send_self(VECTOR_UART);
}

void console_init(void)
{
	trap_set_irq(VECTOR_UART, on_line);
	trap_name_irq(VECTOR_UART, "serial");
	if (uart_present() && uart_irq(VECTOR_UART, has_input))
		err("perf0: the serial line has no interrupt: ^C will not be heard\n");
}

static int next_key(void)
{
	irq_disable();
	while (queue.head == queue.tail) {
		irq_enable_and_halt();
		irq_disable();
	}
	irq_enable();
	return queue.bytes[queue.tail++ % QUEUE_SIZE];
}

static void erase(size_t *n)
{
	if (*n) {
		(*n)--;
		out("\b \b");
	}
}

/* One edited line, without its end. False: given up with ^C. */
static bool read_line(char *line, size_t size)
{
	size_t n = 0;

	for (;;) {
		int c = next_key();

		switch (c) {
		case '\r':
		case '\n':
			out("\n");
			line[n] = '\0';
			return true;
		case KEY_INTERRUPT:
			out("^C\n");
			return false;
		case KEY_BACKSPACE:
		case KEY_DELETE:
			erase(&n);
			break;
		case KEY_KILL_LINE:
			while (n)
				erase(&n);
			break;
		default:
			if (c < ' ' || n + 1 >= size)
				break;
			line[n++] = (char)c;
			out_text(&line[n - 1], 1);
		}
	}
}

void console_loop(void)
{
	static char line[LINE_SIZE];

	for (;;) {
		out("perf0> ");
		if (!read_line(line, sizeof(line)))
			continue;
		task_forget_interrupt();
		command_line(line);
	}
}
