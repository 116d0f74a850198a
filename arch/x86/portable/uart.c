// SPDX-License-Identifier: BSD-2-Clause
/*
 * uart.c - see uart.h. Registers: National Semiconductor PC16550D data sheet, "Registers"; Texas
 * Instruments TL16C750 data sheet for the FIFO of 64 bytes.
 */
#include "arch/x86/portable/uart.h"

#include "arch/x86/insn.h"
#include "arch/x86/dev/ioapic.h"

#include <linux/errno.h>
#include <stddef.h>

#define COM1      0x3f8
#define COM1_IRQ  4
#define BASE_BAUD 115200

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
#define IIR_FIFO     0xc0 /* both bits: it is on, and works */
#define IIR_FIFO_64  0x20
#define LCR_8N1      0x03
#define LCR_DLAB     0x80
#define MCR_DTR      0x01
#define MCR_DTR_RTS  0x03
#define MCR_OUT2     0x08 /* lets the interrupt through */
#define LSR_DATA     0x01
#define LSR_OVERRUN  0x02 /* reading LSR clears it, and the other errors */
#define LSR_ERRORS   0x1e /* that, and parity, framing and break of the byte that is read next */
#define LSR_THR_FREE 0x20
#define LSR_ABSENT   0xff /* a port where nothing is reads all ones */
#define MSR_CTS      0x10

/* A full FIFO takes 139 us at 115200 baud and 167 ms at 960; a port access takes about 1 us. */
#define MAX_POLLS 1000000u

/* An interrupt serves so many causes; what comes later interrupts again. */
#define MAX_ROUNDS 16

/* What is typed while output waits, a power of two: a line that is as fast both ways brings as much
 * as a frame that goes out as a whole. */
#define INPUT_SIZE 8192

static struct uart {
	bool present;
	bool stuck; /* timed out: poll only once from now on, until it moves again */
	enum uart_flow flow;
	bool stopped; /* XOFF came, and no XON yet */
	unsigned fifo;
	uint64_t dropped;
	void (*has_input)(void);   /* NULL: input is only kept */
	unsigned suspect;          /* input is missing before one of as many bytes, the next ones */
	bool told;                 /* of the place before the next byte */
	int16_t input[INPUT_SIZE]; /* bytes, or UART_LOST */
	unsigned input_head, input_tail; /* free running */
	volatile uint8_t ask;            /* XON or XOFF that is to be sent; 0: none */
	volatile bool writing;           /* uart_write() is at the transmitter: it sends `ask` */
	struct {
		uint8_t *bytes; /* NULL: there is none */
		size_t size, head, used;
	} queue;
} uart;

static uint8_t read_uart_register(enum reg reg)
{
	return inb((uint16_t)(COM1 + reg));
}

static void write_uart_register(enum reg reg, uint8_t value)
{
	outb((uint16_t)(COM1 + reg), value);
}

/*
 * Input was lost when a byte came and the FIFO was full. That is behind what the FIFO held then, of
 * which one byte at most was read since the last look; all that it may hold is suspect, for more
 * may have been lost since. Of the other errors the byte at the front is no character.
 */
static uint8_t line_status(void)
{
	uint8_t status = read_uart_register(REG_LSR);

	if (status & LSR_OVERRUN)
		uart.suspect = uart.fifo + 1;
	else if (status & LSR_ERRORS && uart.suspect < 2)
		uart.suspect = 2; /* before and behind it: it may have been a line's end */
	return status;
}

static bool probe_uart(void)
{
	static const uint8_t patterns[] = {0x5a, 0xa5};

	for (size_t i = 0; i < sizeof(patterns); i++) {
		write_uart_register(REG_SCRATCH, patterns[i]);
		if (read_uart_register(REG_SCRATCH) != patterns[i])
			return false;
	}
	return read_uart_register(REG_LSR) != LSR_ABSENT;
}

/* Before the 16550A there was no FIFO, or one that did not work: it shows one bit of two. */
static unsigned enable_fifo(void)
{
	uint8_t iir;

	write_uart_register(REG_LCR, LCR_8N1 | LCR_DLAB);
	write_uart_register(REG_FCR, FCR_ENABLE | FCR_64);
	write_uart_register(REG_LCR, LCR_8N1);
	iir = read_uart_register(REG_IIR);
	if ((iir & IIR_FIFO) != IIR_FIFO) {
		write_uart_register(REG_FCR, 0);
		return 1;
	}
	return iir & IIR_FIFO_64 ? 64 : 16;
}

int uart_init(uint32_t baud, enum uart_flow flow)
{
	uint32_t divisor = baud ? BASE_BAUD / baud : 0;

	if (!divisor || divisor > UINT16_MAX || divisor * baud != BASE_BAUD)
		return -EINVAL;
	uart = (struct uart){.flow = flow, .present = probe_uart()};
	if (!uart.present)
		return -ENODEV;
	write_uart_register(REG_IER, 0);
	write_uart_register(REG_LCR, LCR_DLAB);
	write_uart_register(REG_DATA, (uint8_t)divisor);
	write_uart_register(REG_IER, (uint8_t)(divisor >> 8));
	uart.fifo = enable_fifo();
	write_uart_register(REG_MCR, MCR_DTR_RTS | MCR_OUT2);
	return 0;
}

bool uart_present(void)
{
	return uart.present;
}

unsigned uart_fifo(void)
{
	return uart.fifo;
}

#define NOTHING (-1)

/* The next byte of the FIFO, UART_LOST where input is missing before it, or NOTHING. */
static int receive_byte(void)
{
	for (;;) {
		uint8_t status = line_status(), byte;

		if (uart.suspect && !uart.told) {
			uart.told = true;
			uart.suspect--;
			return UART_LOST;
		}
		if (!(status & LSR_DATA)) {
			uart.suspect = 0;
			return NOTHING;
		}
		byte = read_uart_register(REG_DATA);
		uart.told = false;
		if (uart.flow != UART_FLOW_XONXOFF || (byte != XON && byte != XOFF))
			return byte;
		uart.stopped = byte == XOFF;
	}
}

/* The last place is for the mark of what finds none. */
static void keep_input(int byte)
{
	const unsigned used = uart.input_head - uart.input_tail;

	if (used == INPUT_SIZE)
		return;
	uart.input[uart.input_head++ % INPUT_SIZE] =
		(int16_t)(used == INPUT_SIZE - 1 ? UART_LOST : byte);
	if (uart.has_input)
		uart.has_input();
}

/* Takes what was received while output waits for the transmitter: XON may be in it, or a ^C. */
static void look_for_input(void)
{
	uint64_t flags = irq_save();
	int byte;

	while ((byte = receive_byte()) != NOTHING)
		keep_input(byte);
	irq_restore(flags);
}

/* Does the receiver let us send? */
static bool may_send(void)
{
	if (uart.flow == UART_FLOW_RTSCTS)
		return read_uart_register(REG_MSR) & MSR_CTS;
	return !uart.stopped;
}

/* Waits for the transmitter: without bound while flow control holds it, else a while. */
static bool wait_free(void)
{
	uint32_t polls = uart.stuck ? 1 : MAX_POLLS;

	while (polls) {
		if (uart.flow == UART_FLOW_XONXOFF)
			look_for_input();
		if (!may_send()) {
			cpu_pause();
			continue;
		}
		if (line_status() & LSR_THR_FREE) {
			uart.stuck = false;
			return true;
		}
		polls--;
	}
	uart.stuck = true;
	return false;
}

/* The transmitter is empty: does what it is to take first go in? */
static bool send_ask(void)
{
	const uint8_t ask = uart.ask;

	if (!ask)
		return false;
	uart.ask = 0;
	write_uart_register(REG_DATA, ask);
	return true;
}

/* An empty holding register means an empty FIFO: all that it holds for one look. */
static void write_directly(const uint8_t *p, size_t n)
{
	uart.writing = true;
	while (n) {
		size_t burst = n < uart.fifo ? n : uart.fifo;

		if (!wait_free()) {
			uart.dropped += n;
			break;
		}
		if (send_ask())
			continue;
		n -= burst;
		while (burst--)
			write_uart_register(REG_DATA, *p++);
	}
	uart.writing = false;
}

/* Outside of uart_write(); the request goes out even while the receiver holds back our output. */
static void ask_directly(void)
{
	for (uint32_t polls = MAX_POLLS; uart.ask && polls; polls--)
		if (line_status() & LSR_THR_FREE)
			send_ask();
}

void uart_hold(bool hold)
{
	const uint64_t flags = irq_save();

	if (uart.present && uart.flow == UART_FLOW_RTSCTS)
		write_uart_register(REG_MCR, hold ? MCR_DTR | MCR_OUT2 : MCR_DTR_RTS | MCR_OUT2);
	if (uart.present && uart.flow == UART_FLOW_XONXOFF) {
		uart.ask = hold ? XOFF : XON;
		if (!uart.writing && !uart.queue.used)
			ask_directly();
	}
	irq_restore(flags);
}

/* The queue. Its functions run with interrupts off. */

/* Up to one load of the transmitter, in one piece. */
static size_t oldest_queued(const uint8_t **p)
{
	size_t n = uart.queue.size - uart.queue.head;

	*p = uart.queue.bytes + uart.queue.head;
	n = n < uart.queue.used ? n : uart.queue.used;
	return n < uart.fifo ? n : uart.fifo;
}

static void drop_oldest(size_t n)
{
	uart.queue.head = (uart.queue.head + n) % uart.queue.size;
	uart.queue.used -= n;
}

/* Waits for the line, with which room is made. */
static void push_out(void)
{
	const uint8_t *p;
	size_t n = oldest_queued(&p);

	write_directly(p, n);
	drop_oldest(n);
}

static void enqueue_output(const uint8_t *p, size_t n)
{
	while (n--) {
		if (uart.queue.used == uart.queue.size)
			push_out();
		uart.queue.bytes[(uart.queue.head + uart.queue.used) % uart.queue.size] = *p++;
		uart.queue.used++;
	}
}

/*
 * What is to interrupt. The route through the I/O APIC knows edges only: off and on again makes one
 * of whatever is the case already.
 */
static void rearm_interrupts(void)
{
	uint8_t ier = IER_RECEIVE;

	if (uart.queue.used && may_send())
		ier |= IER_TRANSMIT;
	else if (uart.queue.used && uart.flow == UART_FLOW_RTSCTS)
		ier |= IER_MODEM;
	write_uart_register(REG_IER, 0);
	write_uart_register(REG_IER, ier);
}

void uart_serve(void)
{
	for (unsigned i = 0; i < MAX_ROUNDS && uart.queue.used; i++) {
		const uint8_t *p;
		size_t n;

		if (!may_send() || !(line_status() & LSR_THR_FREE))
			break;
		if (send_ask())
			continue;
		n = oldest_queued(&p);
		for (size_t k = 0; k < n; k++)
			write_uart_register(REG_DATA, p[k]);
		drop_oldest(n);
	}
	rearm_interrupts();
}

void uart_set_queue(void *memory, size_t size)
{
	uint64_t flags;

	while (uart.queue.used) {
		flags = irq_save();
		if (uart.queue.used)
			push_out();
		irq_restore(flags);
	}
	flags = irq_save();
	uart.queue.bytes = memory;
	uart.queue.size = memory ? size : 0;
	uart.queue.head = 0;
	irq_restore(flags);
}

size_t uart_queue_room(void)
{
	return uart.queue.size - uart.queue.used;
}

void uart_panic(void)
{
	uart.flow = UART_FLOW_NONE;
	uart.stopped = false;
	while (uart.queue.used)
		push_out();
	uart.queue.bytes = NULL;
	uart.queue.size = 0;
}

void uart_write(const void *bytes, size_t n)
{
	if (!uart.present) {
		uart.dropped += n;
	} else if (uart.queue.bytes) {
		uint64_t flags = irq_save();

		enqueue_output(bytes, n);
		rearm_interrupts();
		irq_restore(flags);
	} else {
		write_directly(bytes, n);
		/* An interrupt may have wanted to ask behind the last byte. */
		if (uart.ask)
			ask_directly();
	}
}

uint64_t uart_dropped(void)
{
	return uart.dropped;
}

int uart_getc(void)
{
	if (uart.input_head != uart.input_tail)
		return uart.input[uart.input_tail++ % INPUT_SIZE];
	return uart.present ? receive_byte() : NOTHING;
}

void uart_lend(bool lend)
{
	if (uart.present)
		write_uart_register(REG_IER, lend || !uart.has_input ? 0 : IER_RECEIVE);
}

bool uart_status(struct uart_status *status)
{
	*status = (struct uart_status){COM1 + REG_LSR, LSR_DATA};
	return uart.present;
}

int uart_irq(unsigned vector, void (*has_input)(void))
{
	if (!uart.present || ioapic_route_isa(COM1_IRQ, vector))
		return -ENODEV;
	uart.has_input = has_input;
	write_uart_register(REG_IER, IER_RECEIVE);
	return 0;
}
