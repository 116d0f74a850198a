/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.h - the serial line as a terminal: ^C and ^T while a workload runs, and a prompt with
 * line editing if no commands came with the boot.
 */
#ifndef RT_CONSOLE_CONSOLE_H
#define RT_CONSOLE_CONSOLE_H

#include <stdbool.h>

/* console_init() - begins to listen for ^C. Task context, interrupts off. */
void console_init(void);

/*
 * console_on_snapshot() - sets the function that is called when a snapshot is asked for while a
 * workload runs; NULL: none. It is called in an IRQ of CPU 0 that came from ring 3 or from an idle
 * CPU. So it may do what a system call may. Task context.
 */
void console_on_snapshot(void (*fn)(void));

/* console_await() - sleeps until `key` is typed; other keys are ignored. Task context. */
void console_await(int key);

/* console_waits_for_key() - mode=borrow: waits up to `ms` milliseconds; true: a key was typed. The
 * key is consumed. console_key_within() - the same, and returns the key; -1: none. Task context. */
bool console_waits_for_key(unsigned ms);
int console_key_within(unsigned ms);

/* console_loop() - prompts, reads and runs commands. Task context. */
_Noreturn void console_loop(void);

#endif
