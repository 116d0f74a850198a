/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carry.h - results over a warm reset: where the firmware is gone no file can be written, so
 * `reboot` leaves them in memory that was set apart (boot option results=memory, with mode=own),
 * and the next start writes them. Task context on the boot CPU.
 */
#ifndef RT_CONSOLE_CARRY_H
#define RT_CONSOLE_CARRY_H

#include <stdbool.h>

struct handoff;

/* carry_init() - where that memory is, if there is some. carry_is_on() - results of this start are
 * to be carried. */
void carry_init(const struct handoff *handoff);
bool carry_is_on(void);

/* carry_restore() - writes what the start before has left, to the volume, and tells. carry_save() -
 * before a reset: leaves what is kept, and tells. */
void carry_restore(void);
void carry_save(void);

#endif
