// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_bench.c - `perf0 bench`: builds a program from the code in the options (tools/bench/), and
 * lets the image's `bench` run it. It also runs a program that was built before.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bench/assemble.h"
#include "tools/bench/compile.h"
#include "tools/bench/nanobench_events.h"
#include "tools/cmd/bench_program.h"
#include "tools/cmd/pictured.h"
#include "tools/explain/explain_bench.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

#define FIXED_EVENTS "instructions,cycles,ref-cycles"

/*
 * The most events of a file that one command of the image takes. EVENTS_MOST also has to hold those
 * of -e and -M.
 */
#define FILE_EVENTS_MOST 48

static int complain(int status, const struct reason *why)
{
	message("perf0 bench: %s", why->text);
	return status;
}

static bool has_code(const struct bench_options *options)
{
	for (unsigned i = 0; i < BENCH_PARTS; i++)
		if (options->assembly[i] || options->machine[i])
			return true;
	return false;
}

/* Adds the events of options other than -e. */
static int gather_events(const struct bench_options *options, struct buf *list, struct reason *why)
{
	if (options->fixed)
		buf_printf(list, "%s", FIXED_EVENTS);
	return options->config ? config_read(options->config, list, why) : 0;
}

/* Returns the comma behind the first FILE_EVENTS_MOST events of `list`; NULL: there are no more. */
static char *end_of_events(char *list)
{
	bool in_slashes = false;
	unsigned n = 0;

	for (; *list; list++) {
		in_slashes ^= *list == '/';
		if (*list == ',' && !in_slashes && ++n == FILE_EVENTS_MOST)
			return list;
	}
	return NULL;
}

/*
 * Splits `list` into heads of commands: its commas become terminators. The caller frees the array.
 */
static const char **bench_heads(struct buf *list)
{
	size_t n = 0;
	const char **head = memory_checked(calloc(list->size / 8 + 4, sizeof(*head)));
	char *at = (char *)list->data;

	head[n++] = "bench";
	while (at) {
		char *end = end_of_events(at);

		head[n++] = "-e";
		head[n++] = at;
		if (end) {
			*end++ = '\0';
			head[n++] = command_separator;
			head[n++] = "bench";
		}
		at = end;
	}
	return head;
}

static int make_assembled(void *ctx, const char *folder, const char *program, struct reason *why)
{
	const struct options *options = ctx;

	return bench_assemble(&options->bench, folder, program, why);
}

static int make_compiled(void *ctx, const char *folder, const char *program, struct reason *why)
{
	const struct options *options = ctx;

	(void)folder;
	return bench_compile(&options->bench, program, why);
}

static bool ends_with(const char *word, const char *end)
{
	const size_t n = strlen(word), nend = strlen(end);

	return n > nend && !strcmp(word + n - nend, end);
}

/* Refuses a source or an object in place of a program. */
static int refuse_source(const char *program, struct reason *why)
{
	static const struct {
		const char *end, *way;
	} others[] = {
		{".c", "a source in C: `--c %s`"},
		{".cc", "a source in C++: `--cxx %s`"},
		{".cpp", "a source in C++: `--cxx %s`"},
		{".cxx", "a source in C++: `--cxx %s`"},
		{".s", "a source for the assembler: `as -o code.o %s && objcopy -O binary -j .text "
		       "code.o code && perf0 bench --code code`"},
		{".S", "a source for the assembler: `gcc -c -o code.o %s && objcopy -O binary -j "
		       ".text code.o code && perf0 bench --code code`"},
		{".o",
		 "an object file, not linked yet: `objcopy -O binary -j .text %s code && perf0 "
		 "bench --code code`"},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct buf way = {0};

		if (!ends_with(program, others[i].end))
			continue;
		buf_printf(&way, others[i].way, program);
		refuse(why, EINVAL, "%s: it is %s", program, buf_text(&way));
		buf_free(&way);
		return -EINVAL;
	}
	return 0;
}

static int check_sources(const struct options *options, const char **words, struct reason *why)
{
	const struct bench_options *bench = &options->bench;
	const bool has_operand = words[made_operands(options, words)];

	if (has_code(bench) && bench->source)
		return refuse(why, EINVAL, "either code by --asm or --code, or a source, not both");
	if (has_code(bench) && has_operand)
		return refuse(why, EINVAL,
			      "either code by --asm or --code, or a PROGRAM, not both");
	if (!has_code(bench) && !bench->source && !has_operand)
		return refuse(
			why, EINVAL,
			"nothing is to be measured: --asm 'CODE', --code FILE, --c FILE, --cxx FILE, or a PROGRAM that -o has made");
	if (bench->cflags && !bench->source)
		return refuse(why, EINVAL, "--cflags: there is no --c or --cxx that they are for");
	if (has_operand && !bench->source &&
	    refuse_source(words[made_operands(options, words)], why))
		return -EINVAL;
	return made_check_operands(options, words, why);
}

static bool has_word(const struct options *options, const char **words, const char *word)
{
	for (size_t i = 1; i < 1 + options->nkept; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

static int explain_asked(const struct options *options, const char **words)
{
	const struct explain_options explain = {
		.json = has_word(options, words, "-j") || has_word(options, words, "--json-output"),
		.html = options->output.html,
	};

	return explain_bench(&options->bench, options->machine.vpmu.uarch->name, &explain,
			     options->typed);
}

int cmd_bench(const struct options *options, const char **words)
{
	const struct bench_options *bench = &options->bench;
	const struct made made = {
		.command = "bench",
		.make = bench->source ? make_compiled : make_assembled,
		.ctx = (void *)(uintptr_t)options,
		.operands = true, /* a source file's operands select functions */
	};
	const char **first;
	struct buf events = {0};
	struct reason why;
	int status;

	if (check_sources(options, words, &why) || gather_events(bench, &events, &why)) {
		buf_free(&events);
		return complain(STATUS_USAGE, &why);
	}
	if (bench->explain) {
		buf_free(&events);
		return explain_asked(options, words);
	}
	if (pictured_is_asked(&options->output) && pictured_check(&options->output, &why)) {
		buf_free(&events);
		return complain(STATUS_FAILED, &why);
	}
	if (events.size)
		buf_text(&events);
	first = bench_heads(&events);
	status = has_code(bench) || bench->source ? made_run_once(&made, options, first, words)
						  : made_run(options, first, words, NULL, true);
	free(first);
	buf_free(&events);
	return status;
}
