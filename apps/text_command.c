// SPDX-License-Identifier: BSD-2-Clause
/* text_command.c - switches the serial line between text for a person and frames for a host. */
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/wire/wire.h"

static int run_text(int argc, char **argv)
{
	const bool framed = !strcmp(argv[1], "framed");

	(void)argc;
	print_framed(framed);
	if (framed)
		wire_hello_again();
	return 0;
}

static const struct command text_command = {
	.name = "text",
	.usage = "framed|plain",
	.summary = "puts all output into frames for a host (perf0 attach), or no longer",
	.help = "  framed    text and records go out in frames; as text=framed at boot\n"
		"  plain     text goes out as it is, and records do not\n",
	.operands = {.kind = OPERANDS_WORD, .needed = true, .words = "framed|plain"},
	.run = run_text,
};
COMMAND(text_command);
