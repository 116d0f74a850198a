/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missing_files.h - files that programs of a command looked for and that are missing. The host tool
 * may have them, and then says how to pass them to the machine.
 */
#ifndef LINUX_SYSCALL_MISSING_FILES_H
#define LINUX_SYSCALL_MISSING_FILES_H

#include "linux/file/inode.h"

/* sought_note() - notes that `path` leads to no file from `start`; NULL: from the working
 * directory. Each name is kept once, up to some hundreds of names. System call context. */
void sought_note(struct inode *start, const char *path);

/* sought_end_run() - keeps the names of a run for the end of the command. Outside of runs. */
void sought_end_run(void);

/* sought_send() - sends the names in frames SOUGHT, if `tell`, and forgets them. After the programs
 * of a command. */
void sought_send(bool tell);

#endif
