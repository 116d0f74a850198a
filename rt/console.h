/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - the serial line as a terminal: ^C while a workload runs, and a prompt with line
 * editing when nothing came with the boot.
 */
#ifndef RT_CONSOLE_H
#define RT_CONSOLE_H

/* console_init() - listens for ^C from now on. Task context, interrupts off. */
void console_init(void);

/* console_loop() - prompts, reads and runs commands. Task context. */
_Noreturn void console_loop(void);

#endif
