/* SPDX-License-Identifier: BSD-2-Clause */
/* programs.h - ELF files that a command line names: the image runs them, so it is given them. */
#ifndef TOOLS_MACHINE_PROGRAMS_H
#define TOOLS_MACHINE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/programs.h"
#include "lib/reason.h"

struct program_file {
	char *path; /* the real one */
	uint64_t bytes;
	uint64_t loaded; /* bytes that a process of it takes, all zeros written to */
};

/* A zeroed struct has none. */
struct programs {
	size_t n;
	struct program_file *file;
	/* Bytes that the one command needs which needs most: files and processes; processes alone.
	 */
	uint64_t memory, loaded;
};

/*
 * programs_find() - every word of the command line (terminated by NULL) that has a slash in it and
 * names an ELF file becomes its real path, and is in the list, with which the word goes. -EFBIG
 * with the reason: one, or all together, are larger than can be handed in.
 */
int programs_find(struct programs *programs, const char **words, struct reason *why);

/*
 * program_check() - whether the image would run it. -EINVAL with the reason: it cannot be read, is
 * no ELF file, or one of another kind.
 */
int program_check(const char *path, struct reason *why);

/*
 * programs_machine() - MiB of memory for a machine that runs them: one of few sizes, so that saved
 * machines are used again. -EFBIG with the reason: the largest has no room for them.
 */
int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why);

/* programs_fit() - whether a machine of `mib` MiB that runs has room for them, whatever it was sent
 * before. All files of a line are there at once. */
bool programs_fit(const struct programs *programs, uint32_t mib);

/*
 * programs_pack() - what include/perf0/programs.h describes, as a file in memory. Returns its
 * descriptor, or -E with the reason.
 */
int programs_pack(const struct programs *programs, struct reason *why);

void programs_free(struct programs *programs);

/* program_words_check() - whether it can be given all these `words`, the first of which is its
 * path. -EINVAL with the reason. */
int program_words_check(const char *const *words, struct reason *why);

#endif
