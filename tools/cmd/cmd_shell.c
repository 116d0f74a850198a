// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_shell.c - `perf0 shell`: runs command lines one after the other on one machine. The lines are
 * typed or come from a script. Each runs as it would alone (cli_line()), but the machine stays.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/words/number.h"
#include "tools/cmd/cli.h"
#include "tools/cmd/lineedit.h"
#include "tools/machine/standing.h"
#include "tools/util/buf.h"
#include "tools/util/message.h"
#include "tools/util/shellwords.h"
#include "tools/util/status.h"

#define EXIT_STATUS_MOST 255
#define SHOWN_MOST       100 /* characters that a message shows of a failed command */

struct shell {
	const struct options *options;
	const char *name; /* name of the script; NULL: lines are typed */
	FILE *script;
	char *read; /* the script's last line, in getline()'s buffer */
	size_t read_room;
	size_t read_lines; /* lines of the script that were read so far */
	size_t line;       /* line of the script in which the current command begins */
	int status;        /* status of the last command */
	int first_failure; /* status of the first command that failed; 0: none failed */
	bool ended;
};

/* --- Lines --- */

static const char *read_script_line(struct shell *sh)
{
	const ssize_t n = getline(&sh->read, &sh->read_room, sh->script);

	if (n < 0)
		return NULL;
	sh->read_lines++;
	for (ssize_t i = 0; i < n; i++)
		if (!sh->read[i])
			sh->read[i] = '\001'; /* invalid in a command line, and so refused */
	sh->read[strcspn(sh->read, "\n")] = '\0';
	return sh->read;
}

/* Reads a typed line. The prompt shows the status of a command that failed. */
static const char *read_typed_line(const struct shell *sh, bool goes_on)
{
	char prompt[32] = "perf0> ";

	if (goes_on)
		strcpy(prompt, "> ");
	else if (sh->status)
		snprintf(prompt, sizeof(prompt), "perf0 [%d]> ", sh->status);
	return lineedit_read(prompt);
}

static const char *read_one_line(struct shell *sh, bool goes_on)
{
	return sh->script ? read_script_line(sh) : read_typed_line(sh, goes_on);
}

/*
 * Reads and splits one command, which may span several lines. Returns 0, or -E with the reason. At
 * the end of input `text` is empty, and the shell has ended.
 */
static int read_command_line(struct shell *sh, struct shellwords *words, struct buf *text,
			     struct reason *why)
{
	const char *line = read_one_line(sh, false);
	int err = -EAGAIN;

	sh->line = sh->read_lines;
	sh->ended = !line;
	text->size = 0;
	while (line && err == -EAGAIN) {
		buf_add(text, line, strlen(line));
		err = shellwords_split(words, buf_text(text), why);
		if (err != -EAGAIN)
			break;
		text->size--; /* the backslash */
		line = read_one_line(sh, true);
	}
	return err;
}

/* --- Commands --- */

/* Returns whether the last command ended by a signal that also ends the shell. */
static bool ends_all(const struct shell *sh)
{
	static const struct {
		int signal;
		bool only_scripts;
	} ending[] = {
		{SIGHUP, false},  {SIGTERM, false}, {SIGUSR1, false},
		{SIGPIPE, false}, {SIGINT, true},   {SIGQUIT, true},
	};

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sh->status == STATUS_SIGNAL + ending[i].signal)
			return sh->script || !ending[i].only_scripts;
	return false;
}

/*
 * The status of a script is that of its first failure; an interactive shell has its last command's.
 */
static int status_of_shell(const struct shell *sh)
{
	return sh->script ? sh->first_failure : sh->status;
}

/* Describes the command before it runs, because running replaces words: event names and paths. */
static void describe_command(struct buf *text, const char *const *words)
{
	for (; *words; words++)
		buf_printf(text, " %s", *words);
	if (text->size <= SHOWN_MOST)
		return;
	text->size = SHOWN_MOST;
	buf_printf(text, " ...");
}

static void tell_place(const struct shell *sh, struct buf *command)
{
	message("perf0: %s:%zu: status %d:%s", sh->name, sh->line, sh->status, buf_text(command));
}

static void note_status(struct shell *sh, int status)
{
	sh->status = status;
	if (!sh->first_failure)
		sh->first_failure = status;
	sh->ended |= ends_all(sh) || (status && sh->script && sh->options->stops);
}

/* Without a number, exit returns the status with which the shell would end by itself. */
static int exit_shell(struct shell *sh, const char *const *words)
{
	uint64_t status = (uint64_t)status_of_shell(sh);

	if (words[1] &&
	    (words[2] || number_parse(words[1], &status) || status > EXIT_STATUS_MOST)) {
		message("perf0 shell: exit takes one status, 0 to %d", EXIT_STATUS_MOST);
		return STATUS_USAGE;
	}
	sh->ended = true;
	sh->status = sh->first_failure = (int)status;
	return 0;
}

static void run_command(struct shell *sh, const char **words)
{
	struct buf command = {0};
	int status;

	describe_command(&command, words);
	if (strcmp(words[0], "exit") != 0)
		status = cli_line(sh->options, words);
	else
		status = exit_shell(sh, words);
	if (!sh->ended) {
		note_status(sh, status);
		if (sh->script && status)
			tell_place(sh, &command);
	}
	buf_free(&command);
}

static void run_commands(struct shell *sh, const struct shellwords *words)
{
	const char **at = words->word;

	for (size_t i = 0; i < words->ncommands && !sh->ended; i++) {
		run_command(sh, at);
		while (*at++)
			;
	}
}

static void refuse_line(struct shell *sh, const struct reason *why)
{
	if (sh->script)
		message("perf0: %s:%zu: %s", sh->name, sh->line, why->text);
	else
		message("perf0: %s", why->text);
	note_status(sh, STATUS_USAGE);
}

static void run_line(struct shell *sh, struct buf *text)
{
	struct shellwords words;
	struct reason why;
	int err = read_command_line(sh, &words, text, &why);

	if (!sh->script && text->size && buf_text(text)[0] != ' ')
		lineedit_remember(buf_text(text));
	if (!text->size && sh->ended)
		return;
	if (err) {
		refuse_line(sh, &why);
		return;
	}
	run_commands(sh, &words);
	shellwords_free(&words);
}

static int run_lines(struct shell *sh)
{
	struct buf text = {0};

	while (!sh->ended)
		run_line(sh, &text);
	buf_free(&text);
	return status_of_shell(sh);
}

/* --- The two kinds of shells --- */

static void stay(int signal)
{
	(void)signal;
}

/* Runs an interactive shell. ^C does not end it while no command runs. */
static int run_typed(struct shell *sh)
{
	struct reason why;
	int status = standing_start();

	if (status)
		return status;
	if (lineedit_open(sh->options->machine.vpmu.uarch, &why)) {
		message("perf0 shell: %s", why.text);
		return STATUS_FAILED;
	}
	signal(SIGINT, stay);
	status = run_lines(sh);
	lineedit_close();
	return status;
}

static int run_script(struct shell *sh)
{
	int status = run_lines(sh);

	free(sh->read);
	if (!ferror(sh->script))
		return status;
	message("perf0: %s: %s", sh->name, strerror(errno));
	return status ? status : STATUS_FAILED;
}

/* Returns NULL after a message if the script cannot be read. */
static FILE *open_script(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		message("perf0: %s: %s", path, strerror(errno));
	return file;
}

static int run_file(struct shell *sh, const char *path)
{
	int status;

	sh->name = path;
	sh->script = open_script(path);
	if (!sh->script)
		return STATUS_FAILED;
	status = run_script(sh);
	fclose(sh->script);
	return status;
}

static int run_input(struct shell *sh)
{
	if (isatty(STDIN_FILENO))
		return run_typed(sh);
	sh->name = "standard input";
	sh->script = stdin;
	return run_script(sh);
}

int cmd_shell(const struct options *options, const char **words)
{
	struct shell sh = {.options = options};
	int status;

	if (words[1] && words[2]) {
		message("perf0 shell: there is a word too many: '%s'", words[2]);
		return STATUS_USAGE;
	}
	standing_begin(options);
	status = words[1] && strcmp(words[1], "-") ? run_file(&sh, words[1]) : run_input(&sh);
	standing_end();
	return status;
}
