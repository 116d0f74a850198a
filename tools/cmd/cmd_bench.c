// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_bench.c - `perf0 bench`: makes a program of the code that options give (tools/bench/), and
 * has the image's `bench` run it; or a program that was made so before.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bench/assemble.h"
#include "tools/bench/config.h"
#include "tools/cmd/pictured.h"
#include "tools/machine/boot.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define FIXED_EVENTS "instructions,cycles,ref-cycles"

static int complain(int status, const struct reason *why)
{
	message("perf0 bench: %s", why->text);
	return status;
}

static bool has_code(const struct bench_given *given)
{
	for (unsigned i = 0; i < BENCH_PARTS; i++)
		if (given->assembly[i] || given->machine[i])
			return true;
	return false;
}

/* The words behind the options: where they begin. */
static size_t operand_at(const struct options *options, const char **words)
{
	const size_t at = 1 + options->nkept;

	return words[at] && !strcmp(words[at], "--") ? at + 1 : at;
}

/* Events that options give beside -e. */
static int gather_events(const struct bench_given *given, struct buf *list, struct reason *why)
{
	if (given->fixed)
		buf_printf(list, "%s", FIXED_EVENTS);
	return given->config ? config_read(given->config, list, why) : 0;
}

/* The command line of the image: `events` where there are any, and the program. */
static int run_program(const struct options *options, const char **words, struct buf *events,
		       const char *program)
{
	const size_t noptions = 1 + options->nkept, operand = operand_at(options, words);
	struct session_files none = {0};
	struct stream stream;
	const char **line;
	size_t n = 0;
	int status;

	for (size_t i = 0; words[i]; i++)
		n++;
	line = calloc(n + 6, sizeof(*line));
	if (!line)
		return STATUS_MACHINE;
	n = 0;
	line[n++] = words[0];
	if (pictured_is_asked(options))
		line[n++] = "--also-json";
	if (events->size) {
		line[n++] = "-e";
		line[n++] = buf_text(events);
	}
	for (size_t i = 1; i < noptions; i++)
		line[n++] = words[i];
	line[n++] = "--";
	if (program)
		line[n++] = program;
	for (size_t i = operand; words[i]; i++)
		line[n++] = words[i];
	status = boot_check(options, line);
	if (!status) {
		stream_init(&stream);
		stream.max_size = options->max_size;
		status = boot_image(options, &none, &stream);
		if (pictured_is_asked(options))
			status = pictured_save(options, line, &stream, status);
		stream_free(&stream);
	}
	free(line);
	return status;
}

static int make_and_run(const struct options *options, const char **words, struct buf *events)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = {0}, program = {0};
	struct reason why;
	int status = 0;

	buf_printf(&folder, "%s/perf0-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	buf_text(&folder);
	if (!mkdtemp((char *)folder.data)) {
		refuse(&why, errno, "%s: %s", buf_text(&folder), strerror(errno));
		status = complain(STATUS_FAILED, &why);
		buf_free(&folder);
		return status;
	}
	buf_printf(&program, "%s/code", buf_text(&folder));
	if (bench_assemble(&options->bench, buf_text(&folder),
			   options->output ? options->output : buf_text(&program), &why))
		status = complain(STATUS_USAGE, &why);
	else if (!options->output)
		status = run_program(options, words, events, buf_text(&program));
	unlink(buf_text(&program));
	rmdir(buf_text(&folder));
	buf_free(&folder);
	buf_free(&program);
	return status;
}

int cmd_bench(const struct options *options, const char **words)
{
	const struct bench_given *given = &options->bench;
	const bool has_operand = words[operand_at(options, words)];
	struct buf events = {0};
	struct reason why;
	int status;

	if (has_code(given) == has_operand) {
		refuse(&why, EINVAL,
		       has_operand ? "either code by --asm or --code, or a PROGRAM, not both"
				   : "nothing is to be measured: --asm 'CODE', --code FILE, "
				     "or a PROGRAM that -o has made");
		return complain(STATUS_USAGE, &why);
	}
	if (pictured_is_asked(options) && pictured_check(options, &why))
		return complain(STATUS_FAILED, &why);
	if (gather_events(given, &events, &why))
		status = complain(STATUS_USAGE, &why);
	else if (has_operand)
		status = run_program(options, words, &events, NULL);
	else
		status = make_and_run(options, words, &events);
	buf_free(&events);
	return status;
}
