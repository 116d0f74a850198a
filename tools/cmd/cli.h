/* SPDX-License-Identifier: BSD-2-Clause */
/* cli.h - the tool's commands: a table. */
#ifndef TOOLS_CMD_CLI_H
#define TOOLS_CMD_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "tools/options/tool_options.h"

/* cli_main() - runs the command that argv[1] names; returns the exit status. */
int cli_main(int argc, char **argv);

/*
 * cli_line() - runs a command line inside of a shell, whose options are `base`: `words`, with at
 * least one, NULL-terminated, as they would stand behind the tool's name, or for the image. Those
 * that need a machine have the one that stands (tools/machine/standing.h); what needs none has a
 * process of its own. Returns the exit status.
 */
int cli_line(const struct options *base, const char **words);

/*
 * cli_command_name() - the tool's commands one by one; NULL past the last one.
 * cli_command_takers() - bits of what takes the options of a command of the tool or of the image;
 * 0: it has none.
 */
const char *cli_command_name(size_t index);
uint64_t cli_command_takers(const char *name);

#endif
