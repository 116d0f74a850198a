/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick.h - the volume that the image came from, while the firmware stays in the machine
 * (mode=borrow). perf0.cfg on it says what runs by itself, and results of commands are written to
 * it. Without such a volume none of this has an effect. Task context on the boot CPU, between
 * commands.
 */
#ifndef RT_CONSOLE_STICK_H
#define RT_CONSOLE_STICK_H

#include "include/perf0/handoff.h"

#include <stdbool.h>

struct results_disk;

#define STICK_CONFIG "\\perf0\\perf0.cfg"

/* stick_init() - finds the volume. If there is one, results are kept for it from now on. */
void stick_init(const struct handoff *handoff);

/* stick_is_there() - was there a volume at the start? */
bool stick_is_there(void);

/* stick_disk() - the file system of the volume, for results. */
const struct results_disk *stick_disk(void);

/* stick_save() - writes new output of commands; reports files that cannot be written. */
void stick_save(void);

/* stick_tell() - prints a line that says where results go. */
void stick_tell(void);

/*
 * stick_run_config() - runs the commands of perf0.cfg, or reports its mistakes. With `count_down` a
 * key within its timeout prevents that. It does not return if the file ends the machine. Returns
 * the status of the first command that failed, or 0; STATUS_FAILED: the file has mistakes, or is
 * missing. With `count_down` a missing file gives 0.
 */
int stick_run_config(bool count_down);

/* stick_ask_config() - a command asks for stick_run_config() at the end of the line.
 * stick_run_asked() - runs it if that was asked for, and returns its status; else returns
 * `status`. */
void stick_ask_config(void);
int stick_run_asked(int status);

/* stick_end_line() - the line of perf0.cfg that runs has not hung, as `reboot` in it does not. */
void stick_end_line(void);

#endif
