/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carry.h - carries results over a warm reset. Without the firmware no file can be written, so
 * `reboot` leaves results in reserved memory (boot option results=memory, with mode=own), and
 * the next start writes them. Task context on the boot CPU.
 */
#ifndef RT_CONSOLE_CARRY_H
#define RT_CONSOLE_CARRY_H

#include <stdbool.h>

struct handoff;

/* carry_init() - finds that memory, if there is any. carry_is_on() - will results of this start be
 * carried? */
void carry_init(const struct handoff *handoff);
bool carry_is_on(void);

/* carry_restore() - writes results of the last start to the volume, and reports that. carry_save()
 * - before a reset: copies the kept results to that memory, and reports that. */
void carry_restore(void);
void carry_save(void);

#endif
