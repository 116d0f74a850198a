// SPDX-License-Identifier: BSD-2-Clause
/*
 * uart.c - see uart.h. Registers: National Semiconductor PC16550D data sheet, "Registers".
 */
#include "arch/x86/uart.h"

#include "arch/x86/insn.h"
#include "arch/x86/ioapic.h"

#include <linux/errno.h>

#define COM1      0x3f8
#define COM1_IRQ  4
#define BASE_BAUD 115200

enum reg {
	REG_DATA, /* DLAB: divisor, low */
	REG_IER,  /* DLAB: divisor, high */
	REG_FCR,  /* write only */
	REG_LCR,
	REG_MCR,
	REG_LSR,
	REG_MSR,
	REG_SCRATCH,
};

#define IER_RECEIVE  0x01
#define FCR_ENABLE   0xc7 /* FIFOs on and cleared, interrupt at 14 bytes or on time-out */
#define LCR_8N1      0x03
#define LCR_DLAB     0x80
#define MCR_DTR_RTS  0x03
#define MCR_OUT2     0x08 /* lets the interrupt through */
#define LSR_DATA     0x01
#define LSR_THR_FREE 0x20
#define LSR_ABSENT   0xff /* a port where nothing is reads all ones */
#define FIFO_BYTES   16

/* A full FIFO takes 139 us at 115200 baud and 167 ms at 960; a port access takes about 1 us. */
#define MAX_POLLS 1000000u

static bool present;
static bool stuck; /* timed out: poll only once from now on, until it moves again */
static uint64_t dropped;

static uint8_t get(enum reg reg)
{
	return inb((uint16_t)(COM1 + reg));
}

static void set(enum reg reg, uint8_t value)
{
	outb((uint16_t)(COM1 + reg), value);
}

static bool probe(void)
{
	static const uint8_t patterns[] = {0x5a, 0xa5};

	for (size_t i = 0; i < sizeof(patterns); i++) {
		set(REG_SCRATCH, patterns[i]);
		if (get(REG_SCRATCH) != patterns[i])
			return false;
	}
	return get(REG_LSR) != LSR_ABSENT;
}

int uart_init(uint32_t baud)
{
	uint32_t divisor = baud ? BASE_BAUD / baud : 0;

	if (!divisor || divisor > UINT16_MAX || divisor * baud != BASE_BAUD)
		return -EINVAL;
	present = probe();
	if (!present)
		return -ENODEV;
	set(REG_IER, 0);
	set(REG_LCR, LCR_DLAB);
	set(REG_DATA, (uint8_t)divisor);
	set(REG_IER, (uint8_t)(divisor >> 8));
	set(REG_LCR, LCR_8N1);
	set(REG_FCR, FCR_ENABLE);
	set(REG_MCR, MCR_DTR_RTS | MCR_OUT2);
	return 0;
}

bool uart_present(void)
{
	return present;
}

static bool wait_free(void)
{
	for (uint32_t polls = stuck ? 1 : MAX_POLLS; polls; polls--) {
		if (get(REG_LSR) & LSR_THR_FREE) {
			stuck = false;
			return true;
		}
	}
	stuck = true;
	return false;
}

/* An empty holding register means an empty FIFO: 16 bytes for one look. */
void uart_write(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	while (n) {
		size_t burst = n < FIFO_BYTES ? n : FIFO_BYTES;

		if (!present || !wait_free()) {
			dropped += n;
			return;
		}
		n -= burst;
		while (burst--)
			set(REG_DATA, *p++);
	}
}

uint64_t uart_dropped(void)
{
	return dropped;
}

int uart_getc(void)
{
	if (!present || !(get(REG_LSR) & LSR_DATA))
		return -1;
	return get(REG_DATA);
}

int uart_rx_irq(unsigned vector)
{
	if (!present || ioapic_route_isa(COM1_IRQ, vector))
		return -ENODEV;
	set(REG_IER, IER_RECEIVE);
	return 0;
}
