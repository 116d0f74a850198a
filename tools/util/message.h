/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * message.h - the tool's own messages on standard error. A message is one line, whatever it
 * contains: names of files, events and tasks come from outside, and are made plain (lib/plain.h).
 */
#ifndef TOOLS_UTIL_MESSAGE_H
#define TOOLS_UTIL_MESSAGE_H

#include <stdarg.h>

/* message() - prints a line to standard error; `format` has no line end. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_list(const char *format, va_list args);

/* message_progress() - the same without a line end. */
void message_progress(const char *format, va_list args);

#endif
