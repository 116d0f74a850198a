/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * message.h - the one way for what the tool itself has to say on standard error. A message is one
 * line, whatever is in it: file names, names of events and of tasks, sentences about them come from
 * outside, and are made plain (lib/plain.h).
 */
#ifndef TOOLS_UTIL_MESSAGE_H
#define TOOLS_UTIL_MESSAGE_H

#include <stdarg.h>

/* message() - a line to standard error; `format` has no line end. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_list(const char *format, va_list args);

/* message_progress() - the same without a line end. */
void message_progress(const char *format, va_list args);

#endif
