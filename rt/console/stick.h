/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick.h - the volume that the image came from, while the firmware lends the machine
 * (mode=borrow): perf0.cfg says what runs by itself, and what commands give is written there.
 * Without such a volume nothing of this does anything. Task context on the boot CPU, between
 * commands.
 */
#ifndef RT_CONSOLE_STICK_H
#define RT_CONSOLE_STICK_H

#include "include/perf0/handoff.h"

#include <stdbool.h>

struct results_disk;

#define STICK_CONFIG "\\perf0\\perf0.cfg"

/* stick_init() - finds the volume, if there is one, and keeps results for it from now on. */
void stick_init(const struct handoff *handoff);

/* stick_is_there() - was there a volume at the start? */
bool stick_is_there(void);

/* stick_disk() - its files, for results. */
const struct results_disk *stick_disk(void);

/* stick_save() - writes new output of commands; reports files that cannot be written. */
void stick_save(void);

/* stick_tell() - prints a line that says where results go. */
void stick_tell(void);

/*
 * stick_run_config() - runs what perf0.cfg asks for; `count_down`: unless a key is typed in the
 * time that it gives. Tells what is wrong with it. Returns the status of the first command that
 * failed; it does not return where the file says so. 0 where there is no such file.
 */
int stick_run_config(bool count_down);

/* stick_ask_config() - of a command: that is to be done when the line has ended. stick_run_asked()
 * - does it, if so; returns its status, else `status`. */
void stick_ask_config(void);
int stick_run_asked(int status);

#endif
