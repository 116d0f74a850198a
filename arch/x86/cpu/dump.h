/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.h - what a panic shows: reason, registers, backtrace; addresses inside of the image also as
 * offsets, which are the addresses of the ELF file.
 */
#ifndef ARCH_X86_CPU_DUMP_H
#define ARCH_X86_CPU_DUMP_H

#include "arch/x86/cpu/trap.h"

/* dump_init() - makes this the panic handler. Called by trap_init(). */
void dump_init(void);

/*
 * dump_set_output() - where it goes; by default serial_alarm() and fb_write(). dump_set_end(): what
 * is called when all is shown (to say goodbye to a host, to switch off); the machine halts should
 * it return. Both run in any context, NMI too.
 */
void dump_set_output(void (*fn)(const char *text, size_t n));
void dump_set_end(void (*fn)(const char *reason));

/* dump_set_stop() - a panic calls `fn`, which has all other CPUs take an NMI. At start-up. */
void dump_set_stop(void (*fn)(void));

/* dump_panic() - panic about the interrupted registers `frame` rather than about the caller. */
_Noreturn void dump_panic(const struct trap_frame *frame, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * dump_report() - shows the reason, the interrupted registers (`frame` NULL: none) and the
 * backtrace as a panic does, and goes on. Any context; in the middle of whatever else was being
 * written.
 */
void dump_report(const struct trap_frame *frame, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
