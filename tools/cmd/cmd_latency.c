// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_latency.c - `perf0 latency`: builds a program from a list of instructions
 * (tools/bench/pieces.h), and lets the image's `bench` print a table of its measurements. It also
 * runs a set that ships with perf0.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "tools/bench/pieces.h"
#include "tools/cmd/bench_program.h"
#include "tools/cmd/pictured.h"
#include "tools/util/artifact.h"
#include "tools/util/ending.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/* The forms that are measured if the command line names none. */
static const char *const common[] = {
	"ADD (R64, R64)",
	"ADC (R64, R64)",
	"LEA (R64, M)",
	"IMUL (R64, R64)",
	"MUL (R64)",
	"DIV (R32)",
	"DIV (R64)",
	"SHL (R64, I8)",
	"POPCNT (R64, R64)",
	"MOV (R64, R64)",
	"MOV (R64, M64)",
	"MOV (M64, R64)",
	"ADD (M64, R64)",
	"LOCK ADD (M64, R64)",
	"XCHG (R64, R64)",
	"PADDQ (XMM, XMM)",
	"ADDPS (XMM, XMM)",
	"MULPD (XMM, XMM)",
	"DIVPD (XMM, XMM)",
	"SQRTPD (XMM, XMM)",
	"VADDPS (YMM, YMM, YMM)",
	"VPERMD (YMM, YMM, YMM)",
	"MOVQ (R64, XMM)",
	"MOVQ (XMM, R64)",
};

static int make_pieces(void *ctx, const char *folder, const char *program, struct reason *why)
{
	return pieces_build(ctx, folder, program, why);
}

/* A shell makes several words of an instruction that has no quotes: `imul r64, r64`. */
static int check_quotes(const char **words, struct reason *why)
{
	for (size_t i = 0; words[i]; i++)
		if (!strchr(words[i], ' ') && ends_in(words[i], ","))
			return refuse(why, EINVAL,
				      "'%s' is no instruction: one with its operands is a word in "
				      "quotes, as 'imul r64, r64'",
				      words[i]);
	return 0;
}

static int gather_forms(struct form_list *list, const struct options *options, const char **words,
			struct reason *why)
{
	const size_t at = made_operands(options, words);
	int err = check_quotes(words + at, why);

	for (size_t i = 0; i < options->bench.nlists && !err; i++)
		err = forms_add_file(list, options->bench.lists[i], why);
	for (size_t i = at; words[i] && !err; i++)
		err = forms_add(list, words[i], why);
	if (options->bench.set || (!list->n && !err))
		for (size_t i = 0; i < sizeof(common) / sizeof(common[0]) && !err; i++)
			err = forms_add(list, common[i], why);
	return err;
}

/* Reports an omitted line of a file; `ctx` counts the reports. */
static void tell_left_out(void *ctx, const struct reason *why)
{
	unsigned *n = ctx;

	++*n;
	message("perf0 latency: left out: %s", why->text);
}

static int usage_error(const struct reason *why)
{
	message("perf0 latency: %s", why->text);
	return STATUS_USAGE;
}

/* Runs the memory set. One call measures each of its programs often enough. */
static int run_memory(const struct options *options, const char **words)
{
	static const char *const first[] = {"bench", "--table", "-u", "1", "-n",
					    "3",     "-w",      "1",  NULL};
	char path[PATH_MAX];
	struct reason why;

	if (options->bench.nlists || options->output.path) {
		refuse(&why, EINVAL, "--set memory is a program of its own: without -f and -o");
		return usage_error(&why);
	}
	if (artifact_path(path, sizeof(path), ARTIFACT_MEMORY, &why))
		return usage_error(&why);
	return made_run(options, first, words, path, true);
}

int cmd_latency(const struct options *options, const char **words)
{
	static const char *const first[] = {"bench", "--table", "-u", "1", NULL};
	unsigned left_out = 0;
	struct form_list list = {.leave_out = tell_left_out, .ctx = &left_out};
	const struct made made = {.command = "latency", .make = make_pieces, .ctx = &list};
	const char *set = options->bench.set;
	struct reason why;
	int status;

	if (made_check_operands(options, words, &why))
		return usage_error(&why);
	if (pictured_check(&options->output, &why)) {
		message("perf0 latency: %s", why.text);
		return STATUS_FAILED;
	}
	if (set && !strcmp(set, "memory"))
		return run_memory(options, words);
	if (gather_forms(&list, options, words, &why))
		status = usage_error(&why);
	else
		status = made_run_once(&made, options, first, words);
	forms_free(&list);
	return status || !left_out ? status : STATUS_FAILED;
}
