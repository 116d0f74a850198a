/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial_tables.h - serial lines that the firmware's tables list: Microsoft, "Serial Port Console
 * Redirection Table (SPCR)" and "Debug Port Table 2 (DBG2)". Pure.
 */
#ifndef ARCH_X86_PORTABLE_SERIAL_TABLES_H
#define ARCH_X86_PORTABLE_SERIAL_TABLES_H

#include "arch/x86/portable/serial.h"

/* serial_read_spcr() - reads the line of an SPCR of `n` bytes, header included. Registers in memory
 * have physical addresses. -ENODEV: the table lists no line, or none that is a 16550. */
int serial_read_spcr(const void *table, size_t n, struct serial_found *found);

/* serial_read_dbg2() - reads up to `room` lines of a DBG2 of `n` bytes; returns the number read. */
unsigned serial_read_dbg2(const void *table, size_t n, struct serial_found *list, unsigned room);

#endif
