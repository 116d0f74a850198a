/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missing_files.h - missing files that programs of a command looked for: the host tool may have
 * them, and then says how to pass them to the machine.
 */
#ifndef LINUX_SYSCALL_MISSING_FILES_H
#define LINUX_SYSCALL_MISSING_FILES_H

#include "linux/file/inode.h"

/* sought_note() - `path`, from `start` on (NULL: where the process stands), leads to nothing. Each
 * name is kept once, up to some hundreds of them. System call context. */
void sought_note(struct inode *start, const char *path);

/* sought_send() - in frames SOUGHT, if `tell`; none is kept. Behind the programs of a command. */
void sought_send(bool tell);

#endif
