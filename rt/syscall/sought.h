/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sought.h - missing files that programs of a command looked for: the host tool may have them,
 * and then says how to pass them to the machine.
 */
#ifndef RT_SYSCALL_SOUGHT_H
#define RT_SYSCALL_SOUGHT_H

#include "rt/file/inode.h"

/* sought_note() - `path`, from `start` on (NULL: where the process stands), leads to nothing. Each
 * name is kept once, up to some hundreds of them. System call context. */
void sought_note(struct inode *start, const char *path);

/* sought_send() - in frames SOUGHT, if `tell`; none is kept. Behind the programs of a command. */
void sought_send(bool tell);

#endif
