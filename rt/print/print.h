/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h - text for people, from commands: results by out(), complaints by err(). It goes to the
 * screen and to the serial line, there as it is or in TEXT frames (boot option text=framed). A
 * complaint is one line, and is always plain (lib/plain.h). In results, names that ring 3 has
 * chosen have to go through print_plain(), PLAIN(), or a form with quotes of its own.
 *
 * Any CPU, task and IRQ context, with no lock held (CPU 0 is called). NMI handlers never print.
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

/* out_alarm() - as out(), for figures: a higher `level` (0 to 3) stands out more, by the colours of
 * the host's terminal. */
void out_alarm(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* print_plain() - prints foreign text of any length as plain text. print_json_text() - prints it as
 * a JSON string. print_csv_cell() - prints it as a cell between `separator`s. */
void print_plain(const char *text);
void print_json_text(const char *text);
void print_csv_cell(const char *text, const char *separator);

/*
 * print_to_host() - with `on`, output of out() and the like on this CPU goes only to the host, as a
 * report (wire_report()). Without frames it is dropped. CPU 0 only, in task context or in an
 * interrupt that came from ring 3.
 */
void print_to_host(bool on);

/* out_text() - prints `n` bytes unchanged: output of a workload. */
void out_text(const char *text, size_t n);

/* out_program() - prints `n` bytes that a program wrote to its standard output (1) or error (2). */
void out_program(unsigned which, const void *bytes, size_t n);

/*
 * print_framed() - sets whether text goes out in frames, like all other data for a host.
 * print_is_framed() - does it?
 */
void print_framed(bool framed);
bool print_is_framed(void);

/* print_set_lines() - all text also goes to `write`, for lines that the firmware drives. It is
 * called on CPU 0. At start-up. */
void print_set_lines(void (*write)(const char *text, size_t n));

#endif
