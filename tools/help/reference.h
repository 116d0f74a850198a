/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reference.h - `perf0 help --markdown`: docs/REFERENCE.md, generated from the tables that parse
 * command lines and from the image's own tables.
 */
#ifndef TOOLS_HELP_REFERENCE_H
#define TOOLS_HELP_REFERENCE_H

#include <stdint.h>

/*
 * reference_begin() - prints the start of the document on standard output. reference_command() then
 * adds a command, with the arguments of manual_command() (manual.h). reference_end() adds the text
 * about exit statuses. It returns 0, or STATUS_FAILED after a message: perf0.elf cannot be read.
 */
void reference_begin(void);
void reference_command(const char *name, const char *usage, const char *summary, const char *help,
		       uint64_t takers);
int reference_end(const char *statuses);

#endif
