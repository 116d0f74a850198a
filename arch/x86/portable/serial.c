// SPDX-License-Identifier: BSD-2-Clause
/* serial.c - see serial.h. */
#include "arch/x86/portable/serial.h"

#include <linux/errno.h>

#define BAUD 115200

static struct {
	struct serial_line lines[SERIAL_MOST];
	unsigned n;
	uint32_t baud;
	enum uart_flow flow;
	bool framed;
	bool typed;    /* a byte has been typed, at line `last` */
	unsigned last; /* the line of the last typed byte */
	unsigned host; /* the line of the frames, while `framed` */
	void *queue;   /* of the host's line; NULL: none */
} serial;

void serial_init(uint32_t baud, enum uart_flow flow)
{
	serial.n = 0;
	serial.baud = baud;
	serial.flow = flow;
	serial.framed = serial.typed = false;
	serial.last = serial.host = 0;
	serial.queue = NULL;
}

unsigned serial_count(void)
{
	return serial.n;
}

struct serial_line *serial_at(unsigned i)
{
	return &serial.lines[i];
}

/* The speed given to serial_init(), else the firmware's, else BAUD. 0: the line's clock is unknown,
 * so it keeps the firmware's speed. */
static uint32_t speed_of(const struct serial_found *found)
{
	if (serial.baud)
		return serial.baud;
	return found->baud || !found->at.clock ? found->baud : BAUD;
}

static struct serial_line *serial_line_at(const struct uart_place *at)
{
	for (unsigned i = 0; i < serial.n; i++) {
		struct serial_line *line = &serial.lines[i];

		if (line->found.at.space == at->space && line->found.at.base == at->base)
			return line;
	}
	return NULL;
}

/* Adds what the firmware's tables report to a line that is already known. */
static int learn_more(struct serial_line *line, const struct serial_found *found)
{
	struct uart_place at = line->found.at;

	line->found.how = found->how;
	if (found->route != SERIAL_ROUTE_NONE) {
		line->found.route = found->route;
		line->found.input = found->input;
	}
	if (!found->baud || serial.baud)
		return 0;
	at.clock = found->at.clock ? found->at.clock : at.clock;
	line->found.at = at;
	line->found.baud = found->baud;
	return uart_init(&line->uart, &at, found->baud, serial.flow);
}

int serial_add(const struct serial_found *found)
{
	struct serial_line *line = serial_line_at(&found->at);
	int err;

	if (line)
		return learn_more(line, found);
	if (serial.n == SERIAL_MOST)
		return -ENOSPC;
	line = &serial.lines[serial.n];
	err = uart_init(&line->uart, &found->at, speed_of(found), serial.flow);
	if (err)
		return err;
	line->found = *found;
	line->interrupts = line->heard = false;
	line->idle = 0;
	/* Flow control of a line without a receiver would block output forever. So only the first
	 * line waits for its receiver; other lines do after input has shown that they have one. */
	line->uart.patient = !serial.n;
	serial.n++;
	return 0;
}

/* --- Output --- */

void serial_text(const void *bytes, size_t n)
{
	for (unsigned i = 0; i < serial.n; i++)
		if (!serial.framed || i != serial.host)
			uart_write(&serial.lines[i].uart, bytes, n);
}

void serial_alarm(const void *bytes, size_t n)
{
	for (unsigned i = 0; i < serial.n; i++)
		uart_write(&serial.lines[i].uart, bytes, n);
}

void serial_frame(const void *bytes, size_t n)
{
	uart_write(&serial.lines[serial.host].uart, bytes, n);
}

void serial_frames(bool on)
{
	serial.framed = on;
	serial.host = serial.last;
}

void serial_set_queue(void *memory, size_t size)
{
	uart_set_queue(&serial.lines[serial.host].uart, memory, size);
	serial.queue = memory;
}

size_t serial_queue_room(void)
{
	return uart_queue_room(&serial.lines[serial.host].uart);
}

void serial_panic(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		uart_panic(&serial.lines[i].uart);
}

/* --- Input --- */

/* Before the first input, frames go to the first line. The first line with input then gets them,
 * and keeps them whatever arrives on others. */
static void note_typed(unsigned i)
{
	if (serial.framed && !serial.typed && !serial.queue)
		serial.host = i;
	serial.typed = true;
	serial.last = i;
	serial.lines[i].heard = true;
	serial.lines[i].uart.patient = true;
}

int serial_getc(void)
{
	for (unsigned i = 0; i < serial.n; i++) {
		const int byte = uart_getc(&serial.lines[i].uart);

		if (byte >= 0 && byte != UART_LOST)
			note_typed(i);
		if (byte >= 0)
			return byte;
	}
	return -1;
}

void serial_serve(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		uart_serve(&serial.lines[i].uart);
}

void serial_hold(bool hold)
{
	for (unsigned i = 0; i < serial.n; i++)
		uart_hold(&serial.lines[i].uart, hold);
}

void serial_lend(bool lend)
{
	for (unsigned i = 0; i < serial.n; i++)
		uart_lend(&serial.lines[i].uart, lend);
}

bool serial_is_due(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		if (!serial.lines[i].interrupts && uart_is_due(&serial.lines[i].uart))
			return true;
	return false;
}

bool serial_polled(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		if (!serial.lines[i].interrupts)
			return true;
	return false;
}

static bool has_partner(unsigned i)
{
	return serial.lines[i].heard || (serial.framed && i == serial.host);
}

bool serial_watched(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		if (!serial.lines[i].interrupts && has_partner(i))
			return true;
	return false;
}

bool serial_has_partner(void)
{
	for (unsigned i = 0; i < serial.n; i++)
		if (has_partner(i))
			return true;
	return false;
}

bool serial_host_interrupts(void)
{
	return serial.lines[serial.host].interrupts;
}

bool serial_queue_polled(void)
{
	return serial.queue && !serial_host_interrupts();
}
