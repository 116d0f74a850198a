// SPDX-License-Identifier: BSD-2-Clause
/*
 * uart.c - see uart.h. Registers: National Semiconductor PC16550D data sheet, "Registers"; Texas
 * Instruments TL16C750 data sheet for the FIFO of 64 bytes.
 */
#include "arch/x86/portable/uart.h"

#include "arch/x86/insn.h"

#include <linux/errno.h>
#include <stddef.h>

#define XON  0x11
#define XOFF 0x13

enum reg {
	REG_DATA,          /* DLAB: divisor, low */
	REG_IER,           /* DLAB: divisor, high */
	REG_FCR,           /* write only */
	REG_IIR = REG_FCR, /* read only */
	REG_LCR,
	REG_MCR,
	REG_LSR,
	REG_MSR,
	REG_SCRATCH,
};

#define IER_RECEIVE  0x01
#define IER_TRANSMIT 0x02
#define IER_MODEM    0x08
#define FCR_ENABLE   0xc7 /* FIFOs on and cleared, interrupt at 14 bytes or on time-out */
#define FCR_64       0x20 /* taken only while DLAB is set */
#define IIR_NO_CAUSE 0x01
#define IIR_FIFO     0xc0 /* both bits: the FIFO is on and works */
#define IIR_FIFO_64  0x20
#define LCR_8N1      0x03
#define LCR_DLAB     0x80
#define MCR_DTR      0x01
#define MCR_DTR_RTS  0x03
#define MCR_OUT2     0x08 /* gate of the interrupt on PCs */
#define LSR_DATA     0x01
#define LSR_OVERRUN  0x02 /* reading LSR clears this and the other errors */
#define LSR_ERRORS   0x1e /* LSR_OVERRUN, and parity, framing and break of the next byte */
#define LSR_THR_FREE 0x20
#define LSR_ABSENT   0xff /* a port without a device reads as all ones */
#define MSR_CTS      0x10

/* A full FIFO takes 139 us at 115200 baud and 167 ms at 960; a port access takes about 1 us. */
#define MAX_POLLS 1000000u

/* An interrupt fills the transmitter so many times at most; later room interrupts again. */
#define MAX_ROUNDS 16

static uint8_t read_uart_register(const struct uart *u, enum reg reg)
{
	const uintptr_t at = u->place.base + (uintptr_t)reg * u->place.stride;

	if (u->place.space == UART_PORTS)
		return inb((uint16_t)at);
	return u->place.width == 4 ? (uint8_t)mmio_read32(at) : mmio_read8(at);
}

static void write_uart_register(const struct uart *u, enum reg reg, uint8_t value)
{
	const uintptr_t at = u->place.base + (uintptr_t)reg * u->place.stride;

	if (u->place.space == UART_PORTS)
		outb((uint16_t)at, value);
	else if (u->place.width == 4)
		mmio_write32(at, value);
	else
		mmio_write8(at, value);
}

/*
 * An overrun means that a byte came while the FIFO was full. The loss is behind the bytes that the
 * FIFO held then. More may have been lost since, so every place in the FIFO is suspect. With the
 * other errors, only the byte at the front is damaged.
 */
static uint8_t line_status(struct uart *u)
{
	uint8_t status = read_uart_register(u, REG_LSR);

	if (status & LSR_OVERRUN)
		u->suspect = u->fifo + 1;
	else if (status & LSR_ERRORS && u->suspect < 2)
		u->suspect = 2; /* before and behind the byte: it may have been a line's end */
	return status;
}

static bool probe_uart(struct uart *u)
{
	static const uint8_t patterns[] = {0x5a, 0xa5};

	for (size_t i = 0; i < sizeof(patterns); i++) {
		write_uart_register(u, REG_SCRATCH, patterns[i]);
		if (read_uart_register(u, REG_SCRATCH) != patterns[i])
			return false;
	}
	return read_uart_register(u, REG_LSR) != LSR_ABSENT;
}

/* UARTs before the 16550A have no FIFO, or a defective one, which sets one bit of two. */
static unsigned enable_fifo(struct uart *u)
{
	uint8_t iir;

	write_uart_register(u, REG_LCR, LCR_8N1 | LCR_DLAB);
	write_uart_register(u, REG_FCR, FCR_ENABLE | FCR_64);
	write_uart_register(u, REG_LCR, LCR_8N1);
	iir = read_uart_register(u, REG_IIR);
	if ((iir & IIR_FIFO) != IIR_FIFO) {
		write_uart_register(u, REG_FCR, 0);
		return 1;
	}
	return iir & IIR_FIFO_64 ? 64 : 16;
}

/* The divisor of the clock for exactly `baud`; 0: no divisor makes it. */
static uint32_t divisor_of(uint32_t clock, uint32_t baud)
{
	const uint32_t divisor = clock / baud;

	return divisor <= UINT16_MAX && divisor * baud == clock ? divisor : 0;
}

static void set_divisor(const struct uart *u, uint32_t divisor)
{
	write_uart_register(u, REG_LCR, LCR_DLAB);
	write_uart_register(u, REG_DATA, (uint8_t)divisor);
	write_uart_register(u, REG_IER, (uint8_t)(divisor >> 8));
}

int uart_init(struct uart *u, const struct uart_place *place, uint32_t baud, enum uart_flow flow)
{
	const bool sets_speed = baud && place->clock;
	const uint32_t divisor = sets_speed ? divisor_of(place->clock, baud) : 0;

	if (sets_speed && !divisor)
		return -EINVAL;
	*u = (struct uart){.place = *place, .flow = flow, .patient = true};
	u->present = probe_uart(u);
	if (!u->present)
		return -ENODEV;
	write_uart_register(u, REG_IER, 0);
	if (sets_speed)
		set_divisor(u, divisor);
	u->fifo = enable_fifo(u);
	write_uart_register(u, REG_MCR, MCR_DTR_RTS | MCR_OUT2);
	return 0;
}

#define NOTHING (-1)

/* The next byte of the FIFO, UART_LOST where input is missing before it, or NOTHING. */
static int receive_byte(struct uart *u)
{
	for (;;) {
		uint8_t status = line_status(u), byte;

		if (u->suspect && !u->told) {
			u->told = true;
			u->suspect--;
			return UART_LOST;
		}
		if (!(status & LSR_DATA)) {
			u->suspect = 0;
			return NOTHING;
		}
		byte = read_uart_register(u, REG_DATA);
		u->told = false;
		if (u->flow != UART_FLOW_XONXOFF || (byte != XON && byte != XOFF))
			return byte;
		u->stopped = byte == XOFF;
	}
}

/* The last free place gets UART_LOST, so that the loss of later bytes is reported. */
static void keep_input(struct uart *u, int byte)
{
	const unsigned used = u->input_head - u->input_tail;

	if (used == UART_INPUT_SIZE)
		return;
	u->input[u->input_head++ % UART_INPUT_SIZE] =
		(int16_t)(used == UART_INPUT_SIZE - 1 ? UART_LOST : byte);
	if (u->has_input)
		u->has_input();
}

/* Receives bytes while output waits for the transmitter: they may contain XON or ^C. */
static void look_for_input(struct uart *u)
{
	uint64_t flags = irq_save();
	int byte;

	while ((byte = receive_byte(u)) != NOTHING)
		keep_input(u, byte);
	irq_restore(flags);
}

/* Returns whether flow control permits output. */
static bool may_send(struct uart *u)
{
	if (u->flow == UART_FLOW_RTSCTS)
		return read_uart_register(u, REG_MSR) & MSR_CTS;
	return !u->stopped;
}

/* Waits for the transmitter: without limit while flow control stops a patient line, else for
 * MAX_POLLS polls. */
static bool wait_free(struct uart *u)
{
	uint32_t polls = u->stuck ? 1 : MAX_POLLS;

	while (polls) {
		if (u->flow == UART_FLOW_XONXOFF)
			look_for_input(u);
		if (!may_send(u)) {
			if (!u->patient)
				return false;
			cpu_pause();
			continue;
		}
		if (line_status(u) & LSR_THR_FREE) {
			u->stuck = false;
			return true;
		}
		polls--;
	}
	u->stuck = true;
	return false;
}

/* Sends a pending XON or XOFF. The transmitter is empty. Returns whether there was one. */
static bool send_ask(struct uart *u)
{
	const uint8_t ask = u->ask;

	if (!ask)
		return false;
	u->ask = 0;
	write_uart_register(u, REG_DATA, ask);
	return true;
}

/* An empty holding register means an empty FIFO, so a single poll allows a whole FIFO of bytes. */
static void write_directly(struct uart *u, const uint8_t *p, size_t n)
{
	u->writing = true;
	while (n) {
		size_t burst = n < u->fifo ? n : u->fifo;

		if (!wait_free(u)) {
			u->dropped += n;
			break;
		}
		if (send_ask(u))
			continue;
		n -= burst;
		while (burst--)
			write_uart_register(u, REG_DATA, *p++);
	}
	u->writing = false;
}

/* Sends XON or XOFF outside of uart_write(), even while the receiver has stopped our output. */
static void ask_directly(struct uart *u)
{
	for (uint32_t polls = MAX_POLLS; u->ask && polls; polls--)
		if (line_status(u) & LSR_THR_FREE)
			send_ask(u);
}

void uart_hold(struct uart *u, bool hold)
{
	const uint64_t flags = irq_save();

	if (u->present && u->flow == UART_FLOW_RTSCTS)
		write_uart_register(u, REG_MCR, hold ? MCR_DTR | MCR_OUT2 : MCR_DTR_RTS | MCR_OUT2);
	if (u->present && u->flow == UART_FLOW_XONXOFF) {
		u->ask = hold ? XOFF : XON;
		if (!u->writing && !u->queue.used)
			ask_directly(u);
	}
	irq_restore(flags);
}

/* The queue. Its functions run with interrupts off. */

/* Finds the oldest queued bytes: contiguous, and no more than the FIFO takes. */
static size_t oldest_queued(struct uart *u, const uint8_t **p)
{
	size_t n = u->queue.size - u->queue.head;

	*p = u->queue.bytes + u->queue.head;
	n = n < u->queue.used ? n : u->queue.used;
	return n < u->fifo ? n : u->fifo;
}

static void drop_oldest(struct uart *u, size_t n)
{
	u->queue.head = (u->queue.head + n) % u->queue.size;
	u->queue.used -= n;
}

/* Makes room in the queue by writing its oldest bytes directly. */
static void push_out(struct uart *u)
{
	const uint8_t *p;
	size_t n = oldest_queued(u, &p);

	write_directly(u, p, n);
	drop_oldest(u, n);
}

static void enqueue_output(struct uart *u, const uint8_t *p, size_t n)
{
	while (n--) {
		if (u->queue.used == u->queue.size)
			push_out(u);
		u->queue.bytes[(u->queue.head + u->queue.used) % u->queue.size] = *p++;
		u->queue.used++;
	}
}

/* Enables the interrupts that are needed. The I/O APIC's input is edge-triggered: disabling and
 * enabling makes an edge for each condition that already holds. */
static void rearm_interrupts(struct uart *u)
{
	uint8_t ier = IER_RECEIVE;

	if (!u->interrupts)
		return;
	if (u->queue.used && may_send(u))
		ier |= IER_TRANSMIT;
	else if (u->queue.used && u->flow == UART_FLOW_RTSCTS)
		ier |= IER_MODEM;
	write_uart_register(u, REG_IER, 0);
	write_uart_register(u, REG_IER, ier);
}

void uart_serve(struct uart *u)
{
	for (unsigned i = 0; i < MAX_ROUNDS && u->queue.used; i++) {
		const uint8_t *p;
		size_t n;

		if (!may_send(u) || !(line_status(u) & LSR_THR_FREE))
			break;
		if (send_ask(u))
			continue;
		n = oldest_queued(u, &p);
		for (size_t k = 0; k < n; k++)
			write_uart_register(u, REG_DATA, p[k]);
		drop_oldest(u, n);
	}
	rearm_interrupts(u);
}

void uart_set_queue(struct uart *u, void *memory, size_t size)
{
	uint64_t flags;

	while (u->queue.used) {
		flags = irq_save();
		if (u->queue.used)
			push_out(u);
		irq_restore(flags);
	}
	flags = irq_save();
	u->queue.bytes = memory;
	u->queue.size = memory ? size : 0;
	u->queue.head = 0;
	irq_restore(flags);
}

size_t uart_queue_room(const struct uart *u)
{
	return u->queue.size - u->queue.used;
}

void uart_panic(struct uart *u)
{
	u->flow = UART_FLOW_NONE;
	u->stopped = false;
	while (u->queue.used)
		push_out(u);
	u->queue.bytes = NULL;
	u->queue.size = 0;
}

void uart_write(struct uart *u, const void *bytes, size_t n)
{
	if (!u->present) {
		u->dropped += n;
	} else if (u->queue.bytes) {
		uint64_t flags = irq_save();

		enqueue_output(u, bytes, n);
		rearm_interrupts(u);
		irq_restore(flags);
	} else {
		write_directly(u, bytes, n);
		/* An interrupt handler may have set `ask` after the last byte. */
		if (u->ask)
			ask_directly(u);
	}
}

int uart_getc(struct uart *u)
{
	if (u->input_head != u->input_tail)
		return u->input[u->input_tail++ % UART_INPUT_SIZE];
	return u->present ? receive_byte(u) : NOTHING;
}

void uart_lend(struct uart *u, bool lend)
{
	if (u->present)
		write_uart_register(u, REG_IER, lend || !u->interrupts ? 0 : IER_RECEIVE);
}

void uart_status_place(const struct uart *u, struct uart_place *place, uint8_t *bits)
{
	*place = u->place;
	place->base += (uintptr_t)REG_LSR * place->stride;
	*bits = LSR_DATA;
}

void uart_on_input(struct uart *u, void (*has_input)(void))
{
	u->has_input = has_input;
}

void uart_interrupt(struct uart *u, enum uart_interrupt wanted)
{
	static const uint8_t enabled[] = {
		[UART_INTERRUPT_OFF] = 0,
		[UART_INTERRUPT_ON] = IER_RECEIVE,
		[UART_INTERRUPT_NOW] = IER_TRANSMIT,
	};

	if (!u->present)
		return;
	u->interrupts = wanted == UART_INTERRUPT_ON;
	write_uart_register(u, REG_IER, 0);
	(void)read_uart_register(u, REG_IIR); /* clears a pending transmitter interrupt */
	write_uart_register(u, REG_IER, enabled[wanted]);
}

bool uart_is_cause(const struct uart *u)
{
	return !(read_uart_register(u, REG_IIR) & IIR_NO_CAUSE);
}

bool uart_is_due(struct uart *u)
{
	if (!u->present)
		return false;
	if (u->input_head != u->input_tail)
		return true;
	return line_status(u) & LSR_DATA || u->suspect ||
	       (u->queue.used && may_send(u) && line_status(u) & LSR_THR_FREE);
}
