/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * look.h - serial lines that do not interrupt are looked at: each ms at the prompt, and while a
 * recording goes out; else, while a command runs, some times a second for ^C, if something was
 * typed there before. Where all lines interrupt there is no timer. Task context on the boot CPU.
 */
#ifndef RT_CONSOLE_LOOK_H
#define RT_CONSOLE_LOOK_H

#include <stdbool.h>

/* look_init() - sets `due`, which is called in interrupts when such a line has data for its
 * handler. */
void look_init(void (*due)(void));

/* look_at_prompt() - the prompt waits for a key, or no longer. look_while_running() - a command
 * begins, or has ended. */
void look_at_prompt(bool on);
void look_while_running(bool on);

#endif
