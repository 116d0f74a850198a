/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * look.h - polls serial lines that do not interrupt: each ms at the prompt, and while a recording
 * is sent. While a command runs, it polls some times a second for ^C, but only if there was input
 * before. If all lines interrupt there is no timer. Task context on the boot CPU.
 */
#ifndef RT_CONSOLE_LOOK_H
#define RT_CONSOLE_LOOK_H

#include <stdbool.h>

/* look_init() - sets `due`, which interrupts call when such a line has data for its handler. */
void look_init(void (*due)(void));

/* look_at_prompt() - the prompt waits for a key (`on`), or no longer. look_while_running() - a
 * command begins (`on`), or has ended. */
void look_at_prompt(bool on);
void look_while_running(bool on);

#endif
