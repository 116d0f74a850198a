/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - programs that a command line names: the image runs them, so it is given them, with
 * what they need and what options say, as one pack (tools/program/packing.h).
 *
 *	programs_begin(&programs, &given);
 *	programs_command()      for each command
 *	programs_end()
 */
#ifndef TOOLS_MACHINE_PROGRAMS_H
#define TOOLS_MACHINE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/programs.h"
#include "lib/reason.h"
#include "tools/program/packing.h"

#define PROGRAMS_NO_WORKLOAD SIZE_MAX

/* A file for the image. */
struct program_file {
	char *path; /* by which the image knows it */
	uint64_t bytes;
	int fd;
};

/* A zeroed struct has none. */
struct programs {
	size_t n;
	struct program_file *file;
	/* Bytes that the one command needs which needs most: all files and its processes; these
	 * alone. */
	uint64_t memory, loaded;
	const struct program_given *given;
	bool is_begun;
	struct packing packing;
	struct program_file pack;
};

/* programs_begin() - for a run with these options, which stay the caller's. */
void programs_begin(struct programs *programs, const struct program_given *given);

/*
 * programs_command() - the programs that the words (NULL-terminated) of one command name: the word
 * number `workload` is one, whatever it is; of others each that is the path of one. Where the image
 * could not be given the workload's words as they are, its path is replaced by the name of a list
 * in the pack, and all behind it goes: words[workload + 1] is NULL then, and the name lives as long
 * as `programs`. -E with the reason.
 */
int programs_command(struct programs *programs, const char **words, size_t workload,
		     struct reason *why);

/* programs_end() - all commands were looked at: there is a pack, if there is anything to hand over.
 * -E with the reason. */
int programs_end(struct programs *programs, struct reason *why);

/* programs_finds() - whether a workload of that name, which is none of the image's, is a program.
 */
bool programs_finds(struct programs *programs, const char *name);

/*
 * programs_machine() - MiB of memory for a machine that runs them: one of few sizes, so that saved
 * machines are used again. -EFBIG with the reason: the largest has no room for them.
 */
int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why);

/* programs_fit() - whether a machine of `mib` MiB that runs has room for them, whatever it was sent
 * before. All files of a line are there at once. */
bool programs_fit(const struct programs *programs, uint32_t mib);

/* programs_pack() - the pack, as a file in memory that the caller closes. Its descriptor, or -E
 * with the reason. program_file_read(): all of a file, to memory of its size. */
int programs_pack(const struct programs *programs, struct reason *why);
int program_file_read(const struct program_file *file, uint8_t *bytes, struct reason *why);

void programs_free(struct programs *programs);

#endif
