/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial_find.h - finds the machine's serial lines: COM1 to COM4 by probing, the lines of the
 * tables SPCR and DBG2, and PCI devices of class 07/00. Task context on the boot CPU, while it
 * starts.
 */
#ifndef ARCH_X86_DEV_SERIAL_FIND_H
#define ARCH_X86_DEV_SERIAL_FIND_H

/* serial_find_ports() - finds COM1 to COM4; after serial_init(). serial_find_more() - finds all
 * others; after paging_init() and acpi_init(). */
void serial_find_ports(void);
void serial_find_more(void);

/*
 * serial_route() - routes line i to `vector` + i, for up to SERIAL_MOST lines, and tests it: an
 * empty transmitter interrupts as soon as its interrupt is enabled. A line whose interrupt does not
 * arrive is polled. `has_input` as in uart_on_input(). Interrupts off; after ioapic_init() and
 * tsc_init().
 */
void serial_route(unsigned vector, void (*has_input)(void));

/* serial_interrupted() - the interrupt handler of line i calls it first. A line that interrupts
 * many times without a cause shares its input with another device; it is polled from then on. */
void serial_interrupted(unsigned i);

#endif
