/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h - ELF files that a host has sent to the running machine. They are kept, so that a second
 * run need not send them again. They take up to half of all memory; while a line runs, files that
 * the line does not name take up to an eighth (include/perf0/programs.h). The file that was offered
 * longest ago is evicted first. No file is evicted that was offered since the last line ended: the
 * next line will name it. Task context, at the prompt, except store_find().
 */
#ifndef LINUX_PROGRAM_STORE_H
#define LINUX_PROGRAM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/portable/upload_reader.h"

/* The functions that the receiver of uploads calls. */
extern const struct upload_store store;

/* store_find() - the content of the file with that path; NULL: absent. It stays until a file is
 * sent. Any CPU. */
const void *store_find(const char *path, size_t *bytes);

/* store_line_begins() - evicts files to make room: those offered for this line are about to run. */
void store_line_begins(void);

/* store_line_ended() - the line has run: files offered for it may be evicted. */
void store_line_ended(void);

#endif
