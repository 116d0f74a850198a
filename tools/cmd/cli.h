/* SPDX-License-Identifier: BSD-2-Clause */
/* cli.h - the tool's commands: a table, of which main() is the only user. */
#ifndef TOOLS_CMD_CLI_H
#define TOOLS_CMD_CLI_H

/* cli_main() - runs the command that argv[1] names; returns the exit status. */
int cli_main(int argc, char **argv);

#endif
