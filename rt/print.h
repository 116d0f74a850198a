/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h - text for people, from commands: results by out(), complaints by err(). Goes to the
 * screen, and to the serial line as it is or in TEXT frames (boot option text=framed).
 *
 * Any CPU, task and IRQ context, with no lock held (CPU 0 is called); the NMI path never prints.
 */
#ifndef RT_PRINT_H
#define RT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Texts of any length; those of less than 1 KiB come in one piece, whatever other CPUs print.
 */
void out(const char *format, ...) __attribute__((format(printf, 1, 2)));
void err(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* out_text() - `n` bytes as they are, for what a workload prints. */
void out_text(const char *text, size_t n);

/*
 * print_framed() - from now on text goes in frames, with everything else for a host, or not.
 * print_is_framed() tells.
 */
void print_framed(bool framed);
bool print_is_framed(void);

#endif
