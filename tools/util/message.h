/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * message.h - prints the tool's own messages to standard error. A message is always one line: names
 * of files, events and tasks come from outside, and are made plain (lib/plain.h).
 */
#ifndef TOOLS_UTIL_MESSAGE_H
#define TOOLS_UTIL_MESSAGE_H

#include <stdarg.h>

/* message() - prints a line; `format` has no line end. message_list() - the same with a va_list. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_list(const char *format, va_list args);

/* message_progress() - like message_list(), without a line end. */
void message_progress(const char *format, va_list args);

#endif
