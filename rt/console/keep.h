/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.h - keeps output of commands as files (rt/portable/results.h): the text of each, its counts
 * as JSON, its stream of frames, and once a description of the machine. All of it stays in memory
 * until keep_write(), which may only be called while nothing is measured. Task context, on the CPU
 * that runs commands.
 */
#ifndef RT_CONSOLE_KEEP_H
#define RT_CONSOLE_KEEP_H

#include "lib/reason.h"
#include "rt/portable/results.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * keep_start() - keeps output from now on, for files on `disk`, which stays the caller's (NULL: a
 * disk may come later). The folder is named after `board` and `date` as in results_init(). The
 * output of `caps` is the first file. keep_disk() - changes the disk.
 */
void keep_start(const struct results_disk *disk, const char *board, const char *date);
void keep_disk(const struct results_disk *disk);

/* keep_results() - the kept files and their disk; NULL: keep_start() was not called. */
const struct results *keep_results(void);

/* keep_write() - writes the kept files to the disk; 0, or -E with the reason, as
 * results_write(). */
int keep_write(struct reason *why);

/* keep_file() - keeps a file of the present command; `name` comes behind the command's number. */
void keep_file(const char *name, const void *bytes, size_t n);

/*
 * keep_command_begins() - a command with that title begins. keep_command_ended() - it has ended;
 * `word` is its first word. keep_command_dropped() - it has ended, and nothing of it is kept: its
 * number is the next one's. For the console.
 */
void keep_command_begins(const char *title);
void keep_command_ended(const char *word);
void keep_command_dropped(void);

#endif
