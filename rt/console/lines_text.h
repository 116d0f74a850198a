/* SPDX-License-Identifier: BSD-2-Clause */
/* lines_text.h - a description of the serial lines, as text. Task context. */
#ifndef RT_CONSOLE_LINES_TEXT_H
#define RT_CONSOLE_LINES_TEXT_H

/* lines_text() - "none", or for each line: its name, how it was found, its place, and whether it
 * interrupts or is polled. Valid until the next call. */
const char *lines_text(void);

/* lines_tell_polled() - prints a line for people if a serial line does not interrupt. */
void lines_tell_polled(void);

#endif
