/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial_tables.h - serial lines that the firmware's tables tell of: Microsoft, "Serial Port
 * Console Redirection Table (SPCR)" and "Debug Port Table 2 (DBG2)". Pure.
 */
#ifndef ARCH_X86_PORTABLE_SERIAL_TABLES_H
#define ARCH_X86_PORTABLE_SERIAL_TABLES_H

#include "arch/x86/portable/serial.h"

/* serial_read_spcr() - the line of that table of `n` bytes, header included; registers in memory
 * are at physical addresses. -ENODEV: it tells of none, or of none that is a 16550. */
int serial_read_spcr(const void *table, size_t n, struct serial_found *found);

/* serial_read_dbg2() - up to `room` lines of that table; returns how many. */
unsigned serial_read_dbg2(const void *table, size_t n, struct serial_found *list, unsigned room);

#endif
