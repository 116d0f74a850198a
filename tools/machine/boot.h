/* SPDX-License-Identifier: BSD-2-Clause */
/* boot.h - words of a command line to a machine that runs them. */
#ifndef TOOLS_MACHINE_BOOT_H
#define TOOLS_MACHINE_BOOT_H

#include "tools/machine/line_programs.h"
#include "tools/options/tool_options.h"
#include "tools/machine/session.h"

/*
 * boot_check() - gets `words` (terminated by NULL) ready to be the image's command line: event
 * names of libpfm4 are encoded, programs found. 0, or after one line of complaint STATUS_USAGE or
 * STATUS_NOT_FOUND: the image would not run them.
 */
int boot_check(const struct options *options, const char **words);

/*
 * boot_programs() - the programs that the commands of `words` name, into `programs`, which is
 * empty; what a list in the pack takes over is taken out of them. -E with the reason; with `all`,
 * what is wrong with a program is told, and the others are there.
 */
int boot_programs(struct programs *programs, const struct program_given *given, const char **words,
		  bool all, struct reason *why);

/* boot_image() - boots the image, which runs what boot_check() took last; or the machine that
 * stands (standing.h) does. As session_run() otherwise. */
int boot_image(const struct options *options, const struct session_files *files,
	       struct stream *stream);

#endif
