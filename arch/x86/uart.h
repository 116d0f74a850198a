/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart.h - the first serial line, a 16550 at I/O port 0x3f8, 8N1. Without one, or when it stops
 * taking bytes (every wait is bounded), output is dropped and counted: nothing hangs.
 */
#ifndef ARCH_X86_UART_H
#define ARCH_X86_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* uart_init() - probes for it; `baud` divides 115200. -ENODEV: there is none; -EINVAL: bad `baud`.
 */
int uart_init(uint32_t baud);
bool uart_present(void);

/* uart_write() - raw bytes, blocking while the line takes them. Any context but NMI (panic may). */
void uart_write(const void *bytes, size_t n);

/* uart_dropped() - bytes that uart_write() could not bring out. */
uint64_t uart_dropped(void);

/* uart_getc() - a received byte, or -1 at once. Task and IRQ context. */
int uart_getc(void);

/*
 * uart_rx_irq() - received bytes interrupt as `vector` from now on, through the I/O APIC. The
 * handler drains uart_getc(), then apic_eoi(). -ENODEV: no UART or no route.
 */
int uart_rx_irq(unsigned vector);

#endif
