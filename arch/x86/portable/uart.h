/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart.h - drives one UART of the 16550 family, 8N1, at I/O ports or in memory. serial.h drives all
 * lines.
 *
 * If the UART stops taking bytes, output is dropped and counted, so that perf0 never hangs. The
 * exception is flow control: there the receiver may stop the line for any time.
 *
 * uart_write() has two ways of output. Without a queue it writes bytes itself and returns when the
 * last is in the transmitter. With a queue (uart_set_queue()) it stores them there, and
 * uart_serve() sends them. Order is kept between both.
 */
#ifndef ARCH_X86_PORTABLE_UART_H
#define ARCH_X86_PORTABLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the receiver stops output: by the characters XOFF and XON, or by the signal CTS (its RTS). */
enum uart_flow { UART_FLOW_NONE, UART_FLOW_XONXOFF, UART_FLOW_RTSCTS };

enum uart_space { UART_PORTS, UART_MEMORY };

struct uart_place {
	enum uart_space space;
	uint8_t stride; /* from one register to the next, bytes */
	uint8_t width;  /* bytes per access to memory: 1 or 4; ports are accessed by bytes */
	uintptr_t base; /* a port, or ring 0's address of the registers */
	uint32_t clock; /* baud rate of a divisor of 1; 0: not known, so the speed is not changed */
};

/* Room for input that arrives while output waits, a power of two. As many bytes can arrive as one
 * frame sends, because both directions have the same speed. */
#define UART_INPUT_SIZE 8192

/* Members are private to uart.c unless they say otherwise. */
struct uart {
	struct uart_place place; /* to be read */
	bool present;            /* to be read */
	bool patient;            /* to be set: flow control may block output; initially true */
	unsigned fifo; /* to be read: bytes that an empty transmitter takes at once: 1, 16 or 64 */
	uint64_t dropped; /* to be read: bytes that uart_write() could not send */
	bool stuck; /* timed out: each byte gets a single poll until the UART takes one again */
	bool interrupts;
	enum uart_flow flow;
	bool stopped;            /* XOFF was received, and no XON since */
	void (*has_input)(void); /* NULL: input is only stored */
	unsigned suspect;        /* how many of the next places may have lost input */
	bool told; /* UART_LOST has been returned for the place before the next byte */
	int16_t input[UART_INPUT_SIZE];  /* bytes, or UART_LOST */
	unsigned input_head, input_tail; /* free running */
	volatile uint8_t ask;            /* XON or XOFF to be sent; 0: none */
	volatile bool writing;           /* uart_write() is writing, and will send `ask` */
	struct {
		uint8_t *bytes; /* NULL: there is none */
		size_t size, head, used;
	} queue;
};

/*
 * uart_init() - probes for a UART at `place`, and for the size of its FIFO. If `baud` is 0 or the
 * clock is unknown, the speed stays as it is. Interrupts of the UART are disabled. -ENODEV: no UART
 * answers; -EINVAL: no divisor of the clock makes `baud`. Task context, interrupts off.
 */
int uart_init(struct uart *u, const struct uart_place *place, uint32_t baud, enum uart_flow flow);

/* uart_write() - writes raw bytes; blocks while the line takes them. Any context but NMI (panic
 * may). */
void uart_write(struct uart *u, const void *bytes, size_t n);

/*
 * uart_getc() - a received byte, UART_LOST where input was lost or is damaged (an overrun, a
 * framing or parity error, a full input buffer), or -1 at once if there is no byte. With
 * UART_FLOW_XONXOFF it never returns XON or XOFF. Task and IRQ context.
 */
#define UART_LOST 0x100
int uart_getc(struct uart *u);

/*
 * uart_hold() - asks the other end to stop sending, or to go on: by RTS, or by XOFF and XON;
 * without flow control it does nothing. XOFF and XON may be sent in the middle of a uart_write(),
 * so do not use it while frames are sent. Task and IRQ context.
 */
void uart_hold(struct uart *u, bool hold);

/*
 * uart_interrupt() - selects when the UART interrupts. OFF: never. ON: for received bytes, and for
 * room in the transmitter once uart_serve() has run. NOW: at once if the transmitter is empty, as a
 * test. The handler drains uart_getc(), then calls uart_serve(). uart_on_input(): sets a function
 * that is called when a byte is received outside of the handler; it makes the handler run. Task
 * context.
 */
enum uart_interrupt { UART_INTERRUPT_OFF, UART_INTERRUPT_ON, UART_INTERRUPT_NOW };
void uart_interrupt(struct uart *u, enum uart_interrupt wanted);
void uart_on_input(struct uart *u, void (*has_input)(void));

/* uart_is_cause() - whether the UART requests an interrupt now; clears the request of an empty
 * transmitter. IRQ context. */
bool uart_is_cause(const struct uart *u);

/* uart_is_due() - whether the handler of a polled UART has something to do. Task and IRQ context,
 * interrupts off. */
bool uart_is_due(struct uart *u);

/*
 * uart_lend() - disables the UART's interrupts while the firmware has the machine, or enables them
 * again. uart_status_place() - the register in which `bits` are set while a received byte is
 * waiting.
 */
void uart_lend(struct uart *u, bool lend);
void uart_status_place(const struct uart *u, struct uart_place *place, uint8_t *bits);

/*
 * uart_serve() - in the handler: fills the transmitter from the queue, and makes later events
 * interrupt again.
 */
void uart_serve(struct uart *u);

/*
 * uart_set_queue() - uses `size` bytes at `memory` as the output queue from now on. NULL: writes
 * the queued bytes, blocking, and writes directly from then on. Task context.
 */
void uart_set_queue(struct uart *u, void *memory, size_t size);

/* uart_queue_room() - bytes that uart_write() can take without blocking; 0 without a queue. */
size_t uart_queue_room(const struct uart *u);

/*
 * uart_panic() - writes the queued bytes, and from then on writes directly and ignores flow
 * control. Any context.
 */
void uart_panic(struct uart *u);

#endif
