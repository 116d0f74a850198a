/* SPDX-License-Identifier: BSD-2-Clause */
/* programs.h - ELF files that a command line names: the image runs them, so it is given them. */
#ifndef TOOLS_MACHINE_PROGRAMS_H
#define TOOLS_MACHINE_PROGRAMS_H

#include <limits.h>
#include <stddef.h>

#include "include/perf0/programs.h"
#include "lib/reason.h"

struct programs {
	size_t n;
	char path[PROGRAMS_MAX][PATH_MAX];
};

/*
 * programs_find() - every word of the command line (terminated by NULL) that has a slash in it and
 * names an ELF file becomes its real path, and is in the list. Words that change are allocated and
 * never freed: they live as long as the command line. -E2BIG with the reason: there are too many.
 */
int programs_find(struct programs *programs, const char **words, struct reason *why);

/*
 * program_check() - whether the image would run it. -EINVAL with the reason: it cannot be read, is
 * no ELF file, or one of another kind.
 */
int program_check(const char *path, struct reason *why);

/* program_words_check() - whether it can be given all these `words`, the first of which is its
 * path. -EINVAL with the reason. */
int program_words_check(const char *const *words, struct reason *why);

#endif
