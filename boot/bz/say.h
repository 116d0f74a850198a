/* SPDX-License-Identifier: BSD-2-Clause */
/* say.h - text before any console is there: to COM1, and to a screen of text if there is one. */
#ifndef BOOT_BZ_SAY_H
#define BOOT_BZ_SAY_H

#include <stdbool.h>

/* say_begin() - `has_text`: the screen has 80x25 characters at 0xb8000. say() - ASCII; a line ends
 * by "\n". say_and_halt() - the same, and nothing after it. */
void say_begin(bool has_text);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void say_and_halt(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
