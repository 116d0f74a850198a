// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_bench.c - `perf0 bench`: builds a program from the code in the options (tools/bench/), and
 * lets the image's `bench` run it. It also runs a program that was built before.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bench/assemble.h"
#include "tools/bench/code_list.h"
#include "tools/bench/compile.h"
#include "tools/bench/listed_results.h"
#include "tools/bench/nanobench_events.h"
#include "tools/cmd/bench_program.h"
#include "tools/cmd/pictured.h"
#include "tools/explain/explain_bench.h"
#include "tools/machine/standing.h"
#include "tools/machine/warm.h"
#include "tools/util/clock.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/plainbuf.h"
#include "tools/util/signals.h"
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
static const char **bench_heads(struct buf *list, bool json)
{
	size_t n = 0;
	const char **head = memory_checked(calloc(list->size / 8 + 5, sizeof(*head)));
	char *at = (char *)list->data;

	head[n++] = "bench";
	if (json)
		head[n++] = "-j";
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
	if (bench->list && has_operand)
		return refuse(why, EINVAL, "either --list FILE or a PROGRAM, not both");
	if (bench->shards && !bench->list)
		return refuse(why, EINVAL, "--shard is of a list of pieces, --list FILE");
	if (!has_code(bench) && !bench->source && !has_operand && !bench->list)
		return refuse(
			why, EINVAL,
			"nothing is to be measured: --asm 'CODE', --list FILE, --code FILE, --c FILE, --cxx FILE, or a PROGRAM that -o has made");
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

/* --- Lists of pieces --- */

#define TELL_MS 10000

struct listing {
	const struct options *options;
	const char **words;
	const char *const *first; /* head of the image's command */
	struct code_list list;
	struct made_folder made;
	struct buf lines;             /* of JSON, for the table */
	size_t of_part, done, failed; /* pieces of this part */
	uint64_t began, told;         /* ms */
};

static bool is_of_part(const struct bench_options *bench, size_t i)
{
	return !bench->shards || i % bench->shards + 1 == bench->shard;
}

static void tell_pieces(struct listing *l)
{
	const uint64_t now = clock_now_ms(), passed = now - l->began;

	if (!l->done || now - l->told < TELL_MS)
		return;
	l->told = now;
	message("perf0 bench: %zu of %zu pieces, %llu s left", l->done, l->of_part,
		(unsigned long long)(passed * (l->of_part - l->done) / l->done / 1000));
}

/* Signals that end the list behind a piece, so that what was measured is printed. While the machine
 * runs, the session takes them. */
static const int list_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
static volatile sig_atomic_t list_signal; /* 0: none has come */

#define NLIST_SIGNALS (sizeof(list_signals) / sizeof(list_signals[0]))

static void note_list_signal(int signal)
{
	list_signal = signal;
}

/* Sets the handlers, or restores what was there. */
static void take_list_signals(bool begins, struct sigaction before[NLIST_SIGNALS])
{
	const struct sigaction note = {.sa_handler = note_list_signal, .sa_flags = SA_RESTART};

	for (size_t i = 0; i < NLIST_SIGNALS; i++)
		if (!begins)
			sigaction(list_signals[i], &before[i], NULL);
		else if (!signals_ignored(list_signals[i]))
			sigaction(list_signals[i], &note, &before[i]);
		else
			sigaction(list_signals[i], NULL, &before[i]);
}

/* Returns whether ^C or another signal to perf0 has ended the piece, and so the list. */
static bool is_ended_by_user(int status)
{
	for (size_t i = 0; i < NLIST_SIGNALS; i++)
		if (status == STATUS_SIGNAL + list_signals[i])
			return true;
	return status == STATUS_SIGNAL + SIGPIPE;
}

/* The last line of what the image said is the reason why a piece failed. */
static void reason_of_failure(struct buf *reason, const struct listed_code *piece, struct buf *said,
			      int status)
{
	const char *text = buf_text(said), *last = text;
	size_t n = said->size;

	while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n')
			last = text + i + 1;
	last += strncmp(last, "bench: ", 7) ? 0 : 7;
	buf_printf(reason, "%s:%zu: ", piece->place, piece->column);
	if (n)
		buf_printf(reason, "%.*s", (int)(text + n - last), last);
	else
		buf_printf(reason, status == STATUS_TIMEOUT ? "its time is over" : "status %d",
			   status);
}

static void put_piece_lines(struct listing *l, struct buf *lines)
{
	const struct bench_options *bench = &l->options->bench;

	if (bench->json || bench->separator) {
		fwrite(lines->data, 1, lines->size, stdout);
		fflush(stdout);
	} else {
		buf_add(&l->lines, lines->data, lines->size);
	}
	buf_free(lines);
}

static void fail_piece(struct listing *l, size_t i, const char *problem)
{
	const char *separator = l->options->bench.separator;
	const struct listed_code *piece = &l->list.one[i];
	struct buf line = {0};

	l->failed++;
	message("perf0 bench: %s", problem);
	if (separator) {
		plain_add_csv(&line, piece->name, separator);
		buf_printf(&line, "%serror%s", separator, separator);
		plain_add_csv(&line, problem, separator);
		buf_printf(&line, "\n");
	} else {
		listed_problem(&line, i + 1, piece->name, problem);
	}
	put_piece_lines(l, &line);
}

static int assemble_piece(struct listing *l, const struct listed_code *piece, struct reason *why)
{
	struct bench_options one = l->options->bench;
	struct reason what;
	int err;

	one.assembly[BENCH_CODE] = piece->code;
	one.title = piece->name;
	one.place = piece->place;
	one.column = piece->column;
	err = bench_assemble(&one, buf_text(&l->made.folder), buf_text(&l->made.program), &what);
	if (!err)
		return 0;
	if (strncmp(what.text, piece->place, strlen(piece->place)))
		return refuse(why, -err, "%s:%zu: %s", piece->place, piece->column, what.text);
	*why = what;
	return err;
}

/* Runs piece `i`. Returns 0, also if it fails, or the status that ends the list. */
static int run_piece(struct listing *l, size_t i)
{
	const struct listed_code *piece = &l->list.one[i];
	struct buf out = {0}, said = {0}, result = {0};
	struct reason why;
	int status;

	if (piece->problem || assemble_piece(l, piece, &why)) {
		if (list_signal)
			return STATUS_SIGNAL + list_signal;
		fail_piece(l, i, piece->problem ? piece->problem : why.text);
		return 0;
	}
	status = list_signal ? STATUS_SIGNAL + list_signal : standing_start();
	if (status)
		return status;
	status = made_collect(l->options, l->first, l->words, buf_text(&l->made.program), &out,
			      &said);
	if (is_ended_by_user(status)) {
		buf_free(&out);
		buf_free(&said);
		return status;
	}
	if (status) {
		reason_of_failure(&result, piece, &said, status);
		fail_piece(l, i, buf_text(&result));
		buf_free(&result);
	} else {
		if (l->options->bench.separator)
			buf_add(&result, out.data, out.size);
		else
			listed_json(&result, buf_text(&out), i + 1);
		put_piece_lines(l, &result);
	}
	buf_free(&out);
	buf_free(&said);
	return 0;
}

/* The core's model keeps what it has learnt of a piece, so each has the saved machine, unless it is
 * a shell's. */
static int run_piece_alone(struct listing *l, size_t i)
{
	int status;

	if (standing_is_shared())
		return run_piece(l, i);
	standing_begin(l->options);
	status = run_piece(l, i);
	standing_end();
	return status;
}

static int run_pieces(struct listing *l)
{
	const struct bench_options *bench = &l->options->bench;
	struct sigaction before[NLIST_SIGNALS];
	int status = 0;

	for (size_t i = 0; i < l->list.n; i++)
		l->of_part += is_of_part(bench, i);
	l->began = l->told = clock_now_ms();
	list_signal = 0;
	take_list_signals(true, before);
	if (!standing_is_shared())
		warm_tell_unsaved(&l->options->machine);
	for (size_t i = 0; i < l->list.n && !status; i++) {
		if (!is_of_part(bench, i))
			continue;
		status = run_piece_alone(l, i);
		l->done += !status;
		tell_pieces(l);
	}
	take_list_signals(false, before);
	return status;
}

static void put_table(struct listing *l)
{
	struct buf table = {0};

	listed_table(&table, buf_text(&l->lines));
	fwrite(table.data, 1, table.size, stdout);
	fflush(stdout);
	buf_free(&table);
}

/* Runs the list, and prints what it has measured, also if it ends early. */
static int run_listing(struct listing *l)
{
	const struct bench_options *bench = &l->options->bench;
	struct buf head = {0};
	int status;

	if (bench->shards) {
		listed_shard(&head, bench->shard, bench->shards, l->list.n, bench->list);
		put_piece_lines(l, &head);
	}
	status = run_pieces(l);
	if (!bench->json && !bench->separator && l->done)
		put_table(l);
	if (l->done < l->of_part)
		message("perf0 bench: %zu of %zu pieces were not measured", l->of_part - l->done,
			l->of_part);
	else if (l->failed)
		message("perf0 bench: %zu of %zu pieces failed", l->failed, l->of_part);
	return status ? status : l->failed ? STATUS_FAILED : 0;
}

static int run_list(const struct options *options, const char **words, const char *const *first)
{
	struct listing l = {.options = options, .words = words, .first = first};
	struct reason why;
	int status;

	if (count_commands(first) > 1) {
		refuse(&why, EINVAL,
		       "--config has more than %d events, which is too many for --list",
		       FILE_EVENTS_MOST);
		return complain(STATUS_USAGE, &why);
	}
	if (code_list_read(&l.list, options->bench.list, &why)) {
		code_list_free(&l.list);
		return complain(STATUS_USAGE, &why);
	}
	status = STATUS_FAILED;
	if (made_folder_begin(&l.made, "bench")) {
		status = run_listing(&l);
		made_folder_end(&l.made);
	}
	buf_free(&l.lines);
	code_list_free(&l.list);
	return status;
}

/* Puts the results of all parts of a list together, on standard output. */
static int merge_parts(const char **path)
{
	struct buf out = {0}, lost = {0};
	struct reason why;
	int err;

	if (!*path) {
		message("perf0 bench merge: the files of all parts are needed");
		return STATUS_USAGE;
	}
	err = listed_merge(&out, path, count_words(path), &lost, &why);
	if (err)
		message("perf0 bench merge: %s", why.text);
	for (char *line = strtok((char *)(uintptr_t)buf_text(&lost), "\n"); line;
	     line = strtok(NULL, "\n"))
		message("perf0 bench merge: %s", line);
	fwrite(out.data, 1, out.size, stdout);
	buf_free(&out);
	buf_free(&lost);
	return err ? STATUS_USAGE : 0;
}

/* AVX-512 ends in #UD, which does not tell why. */
static int explain_failure(const struct options *options, int status)
{
	const char *code = options->bench.assembly[BENCH_CODE];

	if (status == STATUS_FAILED && code && strcasestr(code, "zmm") &&
	    options->machine.accel == ACCEL_TCG)
		message("perf0 bench: AVX-512 is in no CPU that QEMU emulates; -o FILE makes a "
			"program for a stick");
	return status;
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

	if (words[1] && !strcmp(words[1], "merge"))
		return merge_parts(words + 2);
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
	first = bench_heads(&events, bench->list && !bench->json && !bench->separator);
	if (bench->list)
		status = run_list(options, words, first);
	else if (has_code(bench) || bench->source)
		status = explain_failure(options, made_run_once(&made, options, first, words));
	else
		status = made_run(options, first, words, NULL, true);
	free(first);
	buf_free(&events);
	return status;
}
