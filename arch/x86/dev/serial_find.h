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
 * serial_route() - line i interrupts by `vector` + i, SERIAL_MOST of them, where that was seen to
 * come: its transmitter interrupts at once when it is told to. `has_input` as in uart_on_input().
 * Interrupts off; behind ioapic_init() and tsc_init().
 */
void serial_route(unsigned vector, void (*has_input)(void));

/* serial_interrupted() - in the handler, first: line i has. One that does for nothing, again and
 * again, because its input is another device's as well, is looked at from then on. */
void serial_interrupted(unsigned i);

#endif
