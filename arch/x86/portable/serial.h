/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial.h - all serial lines of the machine. Text goes to each line, and bytes received on any
 * line are input. Frames for a host go to one line: the line on which the host has typed.
 *
 * A line either interrupts or is polled (serial_is_due()); serial_find.h tests whether interrupts
 * work.
 */
#ifndef ARCH_X86_PORTABLE_SERIAL_H
#define ARCH_X86_PORTABLE_SERIAL_H

#include "arch/x86/portable/uart.h"

#define SERIAL_MOST      8
#define SERIAL_NAME_SIZE 16
#define SERIAL_PCI_NAME  "PCI %02x:%02x.%x" /* bus, slot, function */

/* The line's interrupt as reported: none, an ISA interrupt, or a global system interrupt. */
enum serial_route { SERIAL_ROUTE_NONE, SERIAL_ROUTE_ISA, SERIAL_ROUTE_GLOBAL };

struct serial_found {
	const char *how;      /* "probed", or the table or bus that reports the line */
	struct uart_place at; /* in memory: a physical address until it is mapped */
	enum serial_route route;
	unsigned input;
	uint32_t baud; /* the firmware's setting; 0: not reported */
	char name[SERIAL_NAME_SIZE];
};

struct serial_line {
	struct uart uart;
	struct serial_found found;
	bool interrupts; /* else the line is polled */
	bool heard;      /* a byte was received here */
	unsigned idle;   /* consecutive interrupts without a cause */
};

/* serial_init() - forgets all lines, and sets flow control and speed of the lines added later. 0:
 * the speed that the firmware has set, or 115200 if it reports none. */
void serial_init(uint32_t baud, enum uart_flow flow);

/*
 * serial_add() - probes for a line and adds it. A line that is already known is completed by what
 * the firmware reports. -ENODEV: no UART answers; -EINVAL: its clock cannot make this speed;
 * -ENOSPC: too many lines. Task context, interrupts off.
 */
int serial_add(const struct serial_found *found);

unsigned serial_count(void);
struct serial_line *serial_at(unsigned i);

/* serial_text() - writes to all lines except the frames' line, while there are frames.
 * serial_frame() - writes to the frames' line. Any context but NMI. */
void serial_text(const void *bytes, size_t n);

/* serial_alarm() - writes to all lines, even between frames: for a watchdog or a panic. Any
 * context. */
void serial_alarm(const void *bytes, size_t n);
void serial_frame(const void *bytes, size_t n);

/* serial_frames() - switches frames on or off. They go to the line of the last input; without input
 * to the first line, until there is input. */
void serial_frames(bool on);

/* serial_getc() - uart_getc() for any line. serial_serve(), serial_hold(), serial_lend() - the
 * functions of uart.h for all lines. */
int serial_getc(void);
void serial_serve(void);
void serial_hold(bool hold);
void serial_lend(bool lend);

/*
 * serial_is_due() - whether a polled line has work for the handler. serial_polled() - whether any
 * line is polled. serial_watched() - whether a polled line is in use: it had input, or has the
 * frames. serial_has_partner() - whether anyone is known to be at a line: it had input, or has the
 * frames. serial_queue_polled() - whether the frames' line is polled and has a queue.
 * serial_host_interrupts() - whether the frames' line interrupts. IRQ and task context, interrupts
 * off.
 */
bool serial_is_due(void);
bool serial_polled(void);
bool serial_watched(void);
bool serial_has_partner(void);
bool serial_queue_polled(void);
bool serial_host_interrupts(void);

/* serial_set_queue(), serial_queue_room() - the functions of uart.h for the frames' line. */
void serial_set_queue(void *memory, size_t size);
size_t serial_queue_room(void);

/* serial_panic() - uart_panic() for all lines. */
void serial_panic(void);

#endif
