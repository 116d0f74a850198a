// SPDX-License-Identifier: BSD-2-Clause
/* version.c - prints the version of this perf0. */
#include "include/perf0/version.h"

#include "rt/console/command.h"
#include "rt/print/print.h"

static int run_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	out("perf0 version %s\n", PERF0_VERSION);
	return 0;
}

static const struct command version = {
	.name = "version",
	.usage = "",
	.summary = "says which perf0 this is",
	.run = run_version,
};
COMMAND(version);
