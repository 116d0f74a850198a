/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial_find.h - which serial lines the machine has: COM1 to COM4, probed; those of the tables
 * SPCR and DBG2; PCI devices of class 07/00. Task context on the boot CPU, while it starts.
 */
#ifndef ARCH_X86_DEV_SERIAL_FIND_H
#define ARCH_X86_DEV_SERIAL_FIND_H

/* serial_find_ports() - COM1 to COM4; behind serial_init(). serial_find_more() - all others; behind
 * paging_init() and acpi_init(). */
void serial_find_ports(void);
void serial_find_more(void);

/*
 * serial_route() - routes the interrupt of each line i, below SERIAL_MOST, to `vector` + i. The
 * transmitter of each line is told to interrupt at once; a line whose interrupt does not come is
 * polled. `has_input` as in uart_on_input(). Interrupts off; after ioapic_init() and tsc_init().
 */
void serial_route(unsigned vector, void (*has_input)(void));

/* serial_interrupted() - the interrupt handler calls it first, for line i. A line whose input
 * another device shares interrupts repeatedly without a cause: it is polled from then on. */
void serial_interrupted(unsigned i);

#endif
