/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_programs.h - programs that a command line names. The image gets them in one pack
 * (tools/program/packing.h), with all files that they need, and with the files that options name.
 *
 *   programs_begin(&programs, &options);
 *   programs_command()      for each command
 *   programs_end()
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

/* The programs of a command line. A zeroed struct has none. */
struct programs {
	size_t n;
	struct program_file *file;
	/*
	 * Bytes that the largest command needs: for files and processes, and for processes alone.
	 */
	uint64_t memory, loaded;
	const struct program_options *options;
	bool is_begun;
	struct packing packing;
	struct program_file pack;
};

/* programs_begin() - begins a run with these options, which stay the caller's. */
void programs_begin(struct programs *programs, const struct program_options *options);

/*
 * programs_command() - takes the programs of one command (NULL-terminated). The word at index
 * `workload` is a program in any case; another word is a program if it is the path of one. If the
 * image cannot take the workload's words unchanged, the name of a list in the pack replaces its
 * path. Then words[workload + 1] is NULL, and the name is valid as long as `programs`. -E with the
 * reason.
 */
int programs_command(struct programs *programs, const char **words, size_t workload,
		     struct reason *why);

/*
 * programs_end() - ends the last command, and builds the pack if the image needs one. -E with the
 * reason.
 */
int programs_end(struct programs *programs, struct reason *why);

/* programs_finds() - returns whether a name that is no workload of the image is a program. */
bool programs_finds(struct programs *programs, const char *name);

/*
 * programs_machine() - returns in `mib` the MiB of memory of a machine that can run the programs.
 * Few sizes are in use, so that saved machines fit again. -EFBIG with the reason: the largest size
 * is too small.
 */
int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why);

/*
 * programs_fit() - returns whether a running machine of `mib` MiB has room for the programs,
 * regardless of earlier lines. All files of a line are in memory at once.
 */
bool programs_fit(const struct programs *programs, uint32_t mib);

/*
 * programs_pack() - returns the descriptor of the pack, a file in memory that the caller closes, or
 * -E with the reason. program_file_read() - reads a whole file into memory of its size.
 */
int programs_pack(const struct programs *programs, struct reason *why);
int program_file_read(const struct program_file *file, uint8_t *bytes, struct reason *why);

/*
 * programs_each_file() - calls `take` for each file of the pack, with its path in the image and on
 * the host, until it returns something other than 0, which it returns.
 */
int programs_each_file(const struct programs *programs,
		       int (*take)(void *ctx, const char *path, const char *host), void *ctx);

void programs_free(struct programs *programs);

#endif
