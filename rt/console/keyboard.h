/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keyboard.h - ^C while a command runs with mode=borrow: the firmware, which drives all keyboards,
 * does not run then. Interrupts of an 8042 are used. A USB keyboard has no effect until the command
 * ends.
 */
#ifndef RT_CONSOLE_KEYBOARD_H
#define RT_CONSOLE_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

/* keyboard_init() - finds the 8042; after world_init() and ioapic_init(). Task context. */
void keyboard_init(void);

/* keyboard_listen() - a command begins (`on`), or has ended. Task context. keyboard_is_heard() - is
 * there a keyboard whose ^C works while a command runs? */
void keyboard_listen(bool on);
bool keyboard_is_heard(void);

/*
 * keyboard_note_line() - a typed line begins, or has ended. keyboard_line_is_typed() - whether the
 * line that runs was typed. keyboard_limit_ns() - how long a workload of such a line may run by
 * default, where no key could end it: no keyboard is heard, and no serial line had input. 0: no
 * limit. Task context.
 */
#define KEYBOARD_LIMIT_S 60
void keyboard_note_line(bool begins);
bool keyboard_line_is_typed(void);
uint64_t keyboard_limit_ns(void);

#endif
