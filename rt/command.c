// SPDX-License-Identifier: BSD-2-Clause
/* command.c - finds and runs commands; each is bracketed on the wire by BEGIN and RESULT. */
#include "rt/command.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "rt/cmdline.h"
#include "rt/print.h"
#include "rt/program.h"
#include "rt/task.h"
#include "rt/wire.h"

#define TITLE_MAX 512

const struct command *command_find(const char *name)
{
	for (const struct command *const *c = __commands_start; c < __commands_end; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command = command_find(argv[0]);

	if (!command) {
		err("perf0: unknown command '%s'; `help` lists them\n", argv[0]);
		return STATUS_NOT_FOUND;
	}
	return command->run(argc, argv);
}

/* What it ran is gone with it: the next command finds the memory that this one found. */
static int run_one(int argc, char **argv)
{
	char title[TITLE_MAX];
	int n = 0, status;

	for (int i = 0; i < argc; i++)
		n += fmt_print(title + n, sizeof(title) - (size_t)n, "%s%s", i ? " " : "", argv[i]);
	wire_begin(title);
	status = dispatch(argc, argv);
	task_forget_memory();
	program_forget_all();
	wire_result(status);
	return status;
}

int command_line(char *line)
{
	struct cmdline_error error;
	struct cmdline words;
	int first_failure = 0;

	/* ^C is meant for all that was asked for. */
	for (; line && first_failure != STATUS_INTERRUPTED; line = words.rest) {
		int status = 0;

		if (cmdline_split(line, &words, &error)) {
			err("perf0: column %zu: %s\n", error.column, error.reason);
			return first_failure ? first_failure : STATUS_USAGE;
		}
		if (words.argc)
			status = run_one(words.argc, words.argv);
		if (status && (!first_failure || status == STATUS_INTERRUPTED))
			first_failure = status;
	}
	return first_failure;
}
