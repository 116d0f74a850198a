/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h - text for people, from commands: results by out(), complaints by err(). Goes to the
 * screen, and to the serial line as it is or in TEXT frames (boot option text=framed). Complaints
 * are one line each, and plain (lib/plain.h) whatever is in them; for results, names that ring 3
 * has chosen go by print_plain(), or PLAIN(), and the forms that have quotes of their own.
 *
 * Any CPU, task and IRQ context, with no lock held (CPU 0 is called); the NMI path never prints.
 */
#ifndef RT_PRINT_PRINT_H
#define RT_PRINT_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Texts of any length; a text below 1 KiB is not interleaved with other CPUs' output.
 */
void out(const char *format, ...) __attribute__((format(printf, 1, 2)));
void err(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* out_alarm() - as out(), for figures: a higher `level` (0 to 3) stands out more, by colours of
 * the host's terminal. */
void out_alarm(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* print_plain() - foreign text, plain and of any length; print_json_text() - as a string of JSON;
 * print_csv_cell()
 * - as a cell between `separator`s. */
void print_plain(const char *text);
void print_json_text(const char *text);
void print_csv_cell(const char *text, const char *separator);

/*
 * print_to_host() - from now on what out() and its kin print on this CPU goes to the host as a
 * report (wire_report()), and nowhere else; or no longer. Without frames a report goes nowhere. For
 * CPU 0 alone, in task context or in an interrupt that came from ring 3.
 */
void print_to_host(bool on);

/* out_text() - `n` bytes unchanged, for output of a workload. */
void out_text(const char *text, size_t n);

/* out_program() - `n` bytes that a program wrote to its standard output (1) or error (2). */
void out_program(unsigned which, const void *bytes, size_t n);

/*
 * print_framed() - sets whether text goes out in frames, with everything else for a host.
 * print_is_framed() - does it?
 */
void print_framed(bool framed);
bool print_is_framed(void);

/* print_set_lines() - all text goes to `write` as well: lines that the firmware drives. It is
 * called on CPU 0. At start-up. */
void print_set_lines(void (*write)(const char *text, size_t n));

#endif
