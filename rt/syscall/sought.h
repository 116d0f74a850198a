/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sought.h - files that programs of a command looked for and that are not in the tree: the host
 * tool may have them, and then says how they are taken along.
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
