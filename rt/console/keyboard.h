/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keyboard.h - ^C while a command runs with mode=borrow: the firmware, which drives all keyboards,
 * does not run then. Interrupts of an 8042 are used. A USB keyboard has no effect until the command
 * ends.
 */
#ifndef RT_CONSOLE_KEYBOARD_H
#define RT_CONSOLE_KEYBOARD_H

#include <stdbool.h>

/* keyboard_init() - finds the 8042; after world_init() and ioapic_init(). Task context. */
void keyboard_init(void);

/* keyboard_listen() - a command begins (`on`), or has ended. Task context. keyboard_is_heard() - is
 * there a keyboard whose ^C works while a command runs? */
void keyboard_listen(bool on);
bool keyboard_is_heard(void);

#endif
