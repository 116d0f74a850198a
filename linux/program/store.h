/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h - ELF files that were sent to the machine while it ran. They stay, so that one that is
 * run again need not be sent again: up to a half of all memory, and while a line runs up to an
 * eighth that it does not name (include/perf0/programs.h). Beyond that the one goes that was not
 * offered for the longest time. None goes that was offered since the last line ended: the line that
 * comes next will name it. Task context, at the prompt, but for store_find().
 */
#ifndef LINUX_PROGRAM_STORE_H
#define LINUX_PROGRAM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/portable/upload_reader.h"

/* For the receiver of uploads. */
extern const struct upload_store store;

/* store_find() - the content of the file of that path; NULL: absent. It stays as long as no file
 * is sent. Any CPU. */
const void *store_find(const char *path, size_t *bytes);

/* store_line_begins() - files offered for this line are about to run, which needs memory. */
void store_line_begins(void);

/* store_line_ended() - what was offered for the line has been run. */
void store_line_ended(void);

#endif
