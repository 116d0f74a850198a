/* SPDX-License-Identifier: BSD-2-Clause */
/* cli.h - the table of the tool's commands. */
#ifndef TOOLS_CMD_CLI_H
#define TOOLS_CMD_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "tools/options/tool_options.h"

/* cli_main() - runs the command that argv[1] names; returns the exit status. */
int cli_main(int argc, char **argv);

/*
 * cli_line() - runs a command line inside of a shell. `base` holds the shell's options. `words`, at
 * least one and NULL-terminated, are words for the tool or for the image. A command that needs a
 * machine uses the standing one (tools/machine/standing.h); any other gets a process of its own.
 * Returns the exit status.
 */
int cli_line(const struct options *base, const char **words);

/*
 * cli_command_name() - returns the name of the tool's command `index`; NULL past the last one.
 * cli_command_takers() - returns bits for the sets of options that a command of the tool or of the
 * image accepts; 0: it has no options.
 */
const char *cli_command_name(size_t index);
uint64_t cli_command_takers(const char *name);

#endif
