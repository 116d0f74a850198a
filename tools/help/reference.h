/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reference.h - `perf0 help --markdown`: docs/REFERENCE.md, out of the tables by which perf0 reads
 * its command lines, and of what the image beside it has.
 */
#ifndef TOOLS_HELP_REFERENCE_H
#define TOOLS_HELP_REFERENCE_H

#include <stdint.h>

/*
 * reference_begin(), then reference_command() for each command (as manual_command() of manual.h
 * takes it), then reference_end() with the text about exit statuses: the document on standard
 * output. Returns 0, STATUS_FAILED: perf0.elf cannot be read, which was told.
 */
void reference_begin(void);
void reference_command(const char *name, const char *usage, const char *summary, const char *help,
		       uint64_t takers);
int reference_end(const char *statuses);

#endif
