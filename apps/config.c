// SPDX-License-Identifier: BSD-2-Clause
/* config.c - runs the commands of perf0.cfg, as a start without a key does by itself. */
#include "rt/console/command.h"
#include "rt/console/stick.h"

static int run_config(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	stick_ask_config();
	return 0;
}

static const struct command config = {
	.name = "config",
	.usage = "",
	.summary = "runs what \\perf0\\perf0.cfg says",
	.run = run_config,
};
COMMAND(config);
