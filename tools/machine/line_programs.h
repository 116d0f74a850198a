/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_programs.h - programs that a command line names: the image runs them, so it is given them,
 *with what they need and what options say, as one pack (tools/program/packing.h).
 *
 *	programs_begin(&programs, &given);
 *	programs_command()      for each command
 *	programs_end()
 */
#ifndef TOOLS_MACHINE_LINE_PROGRAMS_H
#define TOOLS_MACHINE_LINE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/programs.h"
#include "lib/reason.h"
#include "tools/program/packing.h"

#define PROGRAMS_NO_WORKLOAD SIZE_MAX

/* A file for the image. */
struct program_file {
	char *path; /* the path that the image knows */
	uint64_t bytes;
	int fd;
};

/* A zeroed struct has none. */
struct programs {
	size_t n;
	struct program_file *file;
	/* Bytes for the one command that needs most: with files and processes; processes alone. */
	uint64_t memory, loaded;
	const struct program_given *given;
	bool is_begun;
	struct packing packing;
	struct program_file pack;
};

/* programs_begin() - begins a run with these options, which stay the caller's. */
void programs_begin(struct programs *programs, const struct program_given *given);

/*
 * programs_command() - takes the programs of one command (NULL-terminated). The word number
 * `workload` is one in any case; another word is one if it is the path of one. If the image cannot
 * take the workload's words as they are, the name of a list in the pack replaces its path. Then
 * words[workload + 1] is NULL, and the name lives as long as `programs`. -E with the reason.
 */
int programs_command(struct programs *programs, const char **words, size_t workload,
		     struct reason *why);

/*
 * programs_end() - ends the last command, and builds the pack if there is anything to hand over. -E
 * with the reason.
 */
int programs_end(struct programs *programs, struct reason *why);

/* programs_finds() - whether a workload name that the image does not have is a program. */
bool programs_finds(struct programs *programs, const char *name);

/*
 * programs_machine() - MiB of memory for a machine that runs the programs. There are few sizes, so
 * that saved machines are used again. -EFBIG with the reason: the largest is too small.
 */
int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why);

/*
 * programs_fit() - whether a running machine of `mib` MiB has room for the programs, whatever it
 * got before. All files of a line are in memory at once.
 */
bool programs_fit(const struct programs *programs, uint32_t mib);

/*
 * programs_pack() - returns the descriptor of the pack, a file in memory that the caller closes, or
 * -E with the reason. program_file_read() - reads a whole file into memory of its size.
 */
int programs_pack(const struct programs *programs, struct reason *why);
int program_file_read(const struct program_file *file, uint8_t *bytes, struct reason *why);

void programs_free(struct programs *programs);

#endif
