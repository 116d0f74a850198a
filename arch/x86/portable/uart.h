/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart.h - one 16550 or one of its kin, 8N1, at I/O ports or in memory. serial.h has all of them.
 *
 * Where it stops taking bytes, output is dropped and counted: nothing hangs. The exception is asked
 * for: with flow control the receiver may hold the line for as long as it likes.
 *
 * Bytes go out in one of two ways. uart_write() brings them out itself, and returns when the last
 * is in the transmitter. While there is a queue (uart_set_queue()), bytes are put into it, and
 * uart_serve() brings them out; order is kept between the two.
 */
#ifndef ARCH_X86_PORTABLE_UART_H
#define ARCH_X86_PORTABLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the receiver says stop: by the characters XOFF and XON, or by the line CTS (its RTS). */
enum uart_flow { UART_FLOW_NONE, UART_FLOW_XONXOFF, UART_FLOW_RTSCTS };

enum uart_space { UART_PORTS, UART_MEMORY };

struct uart_place {
	enum uart_space space;
	uint8_t stride; /* from one register to the next, bytes */
	uint8_t width;  /* of an access to memory, bytes: 1 or 4; ports are read by bytes */
	uintptr_t base; /* a port, or the address at which ring 0 has the registers */
	uint32_t
		clock; /* bauds that a divisor of 1 makes; 0: not known, the speed stays as it is */
};

/* Room for the input that arrives while output waits, a power of two: a line that is as fast both
 * ways brings as much as a frame that goes out as a whole. */
#define UART_INPUT_SIZE 8192

/* Members are uart.c's but for those that say otherwise. */
struct uart {
	struct uart_place place; /* to be read */
	bool present;            /* to be read */
	bool patient;            /* to be set: flow control may hold output; true at first */
	unsigned fifo; /* to be read: bytes that an empty transmitter takes at once: 1, 16 or 64 */
	uint64_t dropped; /* to be read: bytes that uart_write() could not bring out */
	bool stuck;       /* timed out: poll only once from now on, until it moves again */
	bool interrupts;
	enum uart_flow flow;
	bool stopped;            /* XOFF came, and no XON yet */
	void (*has_input)(void); /* NULL: input is only kept */
	unsigned suspect;        /* input is missing before one of as many bytes, the next ones */
	bool told;               /* of the place before the next byte */
	int16_t input[UART_INPUT_SIZE];  /* bytes, or UART_LOST */
	unsigned input_head, input_tail; /* free running */
	volatile uint8_t ask;            /* XON or XOFF that is to be sent; 0: none */
	volatile bool writing;           /* uart_write() is at the transmitter: it sends `ask` */
	struct {
		uint8_t *bytes; /* NULL: there is none */
		size_t size, head, used;
	} queue;
};

/*
 * uart_init() - probes for one at `place`, and for how many bytes its FIFO takes; `baud` divides
 * the clock, where that is known; 0: the speed stays as it is. It does not interrupt. -ENODEV:
 * there is none; -EINVAL: bad `baud`. Task context, interrupts off.
 */
int uart_init(struct uart *u, const struct uart_place *place, uint32_t baud, enum uart_flow flow);

/* uart_write() - raw bytes, blocking while the line takes them. Any context but NMI (panic may). */
void uart_write(struct uart *u, const void *bytes, size_t n);

/*
 * uart_getc() - a received byte, UART_LOST where input was lost or is damaged (an overrun, a
 * framing or parity error, output that was waited for too long), or -1 at once. XON and XOFF never
 * come out, where they are flow control. Task and IRQ context.
 */
#define UART_LOST 0x100
int uart_getc(struct uart *u);

/*
 * uart_hold() - asks the other end to stop sending, or to go on: by RTS or XOFF and XON, as flow
 * control is; without it nothing is asked. XOFF and XON go out between two calls of uart_write(),
 * or in the middle of one, so not while frames are sent. Task and IRQ context.
 */
void uart_hold(struct uart *u, bool hold);

/*
 * uart_interrupt() - whether it interrupts: never, or for what is received and, from uart_serve()
 * on, for room; or once and now, if its transmitter is empty, to see whether that comes. The
 * handler drains uart_getc(), then calls uart_serve(). uart_on_input(): called when a byte was
 * received outside of the handler: it makes the handler run. Task context.
 */
enum uart_interrupt { UART_INTERRUPT_OFF, UART_INTERRUPT_ON, UART_INTERRUPT_NOW };
void uart_interrupt(struct uart *u, enum uart_interrupt wanted);
void uart_on_input(struct uart *u, void (*has_input)(void));

/* uart_is_cause() - it interrupts now; forgets that the transmitter became empty. IRQ context. */
bool uart_is_cause(const struct uart *u);

/* uart_is_due() - one that does not interrupt: the handler has something to do. Task and IRQ
 * context, interrupts off. */
bool uart_is_due(struct uart *u);

/*
 * uart_lend() - the line does not interrupt, or does again: for while the machine is not ours.
 * uart_status_place() - the register in which `bits` are set while a byte is there to be read.
 */
void uart_lend(struct uart *u, bool lend);
void uart_status_place(const struct uart *u, struct uart_place *place, uint8_t *bits);

/*
 * uart_serve() - in the handler: fills the transmitter from the queue, and makes sure that what
 * happens from now on interrupts again.
 */
void uart_serve(struct uart *u);

/*
 * uart_set_queue() - output goes by way of `size` bytes at `memory` from now on; NULL: brings out
 * what is queued, blocking, and goes back to writing directly. Task context.
 */
void uart_set_queue(struct uart *u, void *memory, size_t size);

/* uart_queue_room() - bytes that uart_write() can take without blocking; 0 without a queue. */
size_t uart_queue_room(const struct uart *u);

/*
 * uart_panic() - from now on output goes out at once, after what is queued, and no receiver holds
 * it. Any context.
 */
void uart_panic(struct uart *u);

#endif
