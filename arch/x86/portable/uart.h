/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart.h - the first serial line, a 16550 or one of its kin at I/O port 0x3f8, 8N1.
 *
 * Without one, or when it stops taking bytes, output is dropped and counted: nothing hangs. The
 * exception is asked for: with flow control the receiver may hold the line for as long as it likes.
 *
 * Bytes go out in one of two ways. uart_write() brings them out itself, and returns when the last
 * is in the transmitter. While there is a queue (uart_set_queue()), bytes are put into it, and the
 * transmitter's interrupts bring them out; order is kept between the two.
 */
#ifndef ARCH_X86_PORTABLE_UART_H
#define ARCH_X86_PORTABLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the receiver says stop: by the characters XOFF and XON, or by the line CTS (its RTS). */
enum uart_flow { UART_FLOW_NONE, UART_FLOW_XONXOFF, UART_FLOW_RTSCTS };

/*
 * uart_init() - probes for it, and for how many bytes its FIFO takes; `baud` divides 115200.
 * -ENODEV: there is none; -EINVAL: bad `baud`. Task context, interrupts off.
 */
int uart_init(uint32_t baud, enum uart_flow flow);
bool uart_present(void);

/* uart_fifo() - bytes that an empty transmitter takes at once: 1, 16 or 64. */
unsigned uart_fifo(void);

/* uart_write() - raw bytes, blocking while the line takes them. Any context but NMI (panic may). */
void uart_write(const void *bytes, size_t n);

/* uart_dropped() - bytes that uart_write() could not bring out. */
uint64_t uart_dropped(void);

/*
 * uart_getc() - a received byte, UART_LOST where input was lost or is damaged (an overrun, a
 * framing or parity error, output that was waited for too long), or -1 at once. XON and XOFF never
 * come out, where they are flow control. Task and IRQ context.
 */
#define UART_LOST 0x100
int uart_getc(void);

/*
 * uart_hold() - asks the other end to stop sending, or to go on: by RTS or XOFF and XON, as flow
 * control is; without it nothing is asked. XOFF and XON go out between two calls of uart_write(),
 * or in the middle of one, so not while frames are sent. Task and IRQ context.
 */
void uart_hold(bool hold);

/*
 * uart_irq() - the interrupts of the line come as `vector` from now on, through the I/O APIC. The
 * handler drains uart_getc(), then calls uart_serve() and apic_eoi(). `has_input` is called when a
 * byte was received outside of the handler: it makes the handler run. -ENODEV: no UART or no route.
 */
int uart_irq(unsigned vector, void (*has_input)(void));

/*
 * uart_lend() - the line does not interrupt, or does again: for while the machine is not ours.
 * uart_status() - the port in which `bits` are set while a byte is there to be read. False: there
 * is no line.
 */
void uart_lend(bool lend);
struct uart_status {
	uint16_t port;
	uint8_t bits;
};
bool uart_status(struct uart_status *status);

/*
 * uart_serve() - in the handler: fills the transmitter from the queue, and makes sure that what
 * happens from now on interrupts again.
 */
void uart_serve(void);

/*
 * uart_set_queue() - output goes by way of `size` bytes at `memory` from now on; NULL: brings out
 * what is queued, blocking, and goes back to writing directly. Needs uart_irq(). Task context.
 */
void uart_set_queue(void *memory, size_t size);

/* uart_queue_room() - bytes that uart_write() can take without blocking; 0 without a queue. */
size_t uart_queue_room(void);

/*
 * uart_panic() - from now on output goes out at once, after what is queued, and no receiver holds
 * it. Any context.
 */
void uart_panic(void);

#endif
