/* SPDX-License-Identifier: BSD-2-Clause */
/* dump.h - the output of a panic: reason, registers, backtrace. Addresses inside of the image are
 * also shown as offsets, which are the addresses of the ELF file. */
#ifndef ARCH_X86_CPU_DUMP_H
#define ARCH_X86_CPU_DUMP_H

#include "arch/x86/cpu/trap.h"

/* dump_init() - makes this the panic handler. Called by trap_init(). */
void dump_init(void);

/*
 * dump_set_output() - sets the output function; the default writes by serial_alarm() and
 * fb_write(). dump_set_end() - sets a function to call after the output, which may notify a host or
 * switch the machine off. If it returns, the machine halts. Both functions run in any context, NMI
 * too.
 */
void dump_set_output(void (*fn)(const char *text, size_t n));
void dump_set_end(void (*fn)(const char *reason));

/* dump_set_stopped() - sets a function that each CPU calls which was stopped for the panic of
 * another one, in NMI context. If it returns, that CPU halts. */
void dump_set_stopped(void (*fn)(void));

/* dump_set_stop() - sets the function by which a panic sends an NMI to all other CPUs. At
 * start-up. */
void dump_set_stop(void (*fn)(void));

/* dump_panic() - a panic with the interrupted registers `frame` instead of the caller's. */
_Noreturn void dump_panic(const struct trap_frame *frame, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * dump_report() - prints the reason, the interrupted registers (`frame` NULL: none) and the
 * backtrace as a panic does, and returns. Any context; the report may come in the middle of other
 * output.
 */
void dump_report(const struct trap_frame *frame, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
