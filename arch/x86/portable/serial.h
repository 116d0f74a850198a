/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial.h - all serial lines of the machine. What is text goes to each of them, what is typed at
 * any is input, and frames for a host go to one: that from which the host has typed.
 *
 * A line either interrupts, or it is looked at (serial_is_due()): serial_find.h measures which.
 */
#ifndef ARCH_X86_PORTABLE_SERIAL_H
#define ARCH_X86_PORTABLE_SERIAL_H

#include "arch/x86/portable/uart.h"

#define SERIAL_MOST      8
#define SERIAL_NAME_SIZE 16
#define SERIAL_PCI_NAME  "PCI %02x:%02x.%x" /* bus, slot, function */

/* Where its interrupt is said to come: nowhere, at an input of the ISA bus, or at a global one. */
enum serial_route { SERIAL_ROUTE_NONE, SERIAL_ROUTE_ISA, SERIAL_ROUTE_GLOBAL };

struct serial_found {
	const char *how;      /* "probed", or the table or bus that tells of it */
	struct uart_place at; /* in memory: the physical address, until it is mapped */
	enum serial_route route;
	unsigned input;
	uint32_t baud; /* that the firmware has set there; 0: not told */
	char name[SERIAL_NAME_SIZE];
};

struct serial_line {
	struct uart uart;
	struct serial_found found;
	bool interrupts; /* else it is looked at */
	bool heard;      /* something was typed there */
	unsigned idle;   /* interrupts without a cause, one behind the other */
};

/* serial_init() - there is none yet; all that are added have this flow control, and this speed; 0:
 * that which the firmware has set, or 115200 where it does not tell. */
void serial_init(uint32_t baud, enum uart_flow flow);

/*
 * serial_add() - probes for a line, and has it from now on. One that is there already gets what the
 * firmware tells of it. -ENODEV: there is none; -EINVAL: a speed that its clock does not make;
 * -ENOSPC. Task context, interrupts off.
 */
int serial_add(const struct serial_found *found);

unsigned serial_count(void);
struct serial_line *serial_at(unsigned i);

/* serial_text() - to all lines but that which has frames, while there are any. Any context but NMI;
 * so is serial_frame(): to that line. */
void serial_text(const void *bytes, size_t n);

/* serial_alarm() - to all lines, between frames, too: what a watchdog or a panic finds. Any
 * context.
 */
void serial_alarm(const void *bytes, size_t n);
void serial_frame(const void *bytes, size_t n);

/* serial_frames() - there are frames from now on, for the line at which something was typed last;
 * before that for the first one, until something is typed. */
void serial_frames(bool on);

/* serial_getc() - as uart_getc(), of any line. serial_serve(), serial_hold(), serial_lend(): as
 * those of uart.h, all lines. */
int serial_getc(void);
void serial_serve(void);
void serial_hold(bool hold);
void serial_lend(bool lend);

/*
 * serial_is_due() - a line that does not interrupt has something for the handler. serial_polled():
 * there is such a line; serial_watched(): and one of these is in use: something was typed there, or
 * frames go there. serial_queue_polled(): it has a queue. serial_host_interrupts(): frames go to
 * one that interrupts. IRQ and task context, interrupts off.
 */
bool serial_is_due(void);
bool serial_polled(void);
bool serial_watched(void);
bool serial_queue_polled(void);
bool serial_host_interrupts(void);

/* serial_set_queue(), serial_queue_room() - as those of uart.h, of the line that has frames. */
void serial_set_queue(void *memory, size_t size);
size_t serial_queue_room(void);

/* serial_panic() - as uart_panic(), all lines. */
void serial_panic(void);

#endif
