// SPDX-License-Identifier: BSD-2-Clause
/* command.c - finds and runs commands; each is bracketed on the wire by BEGIN and RESULT. */
#include "rt/console/command.h"

#include "arch/x86/mem/paging.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/near.h"
#include "lib/words/operands.h"
#include "rt/portable/cmdline.h"
#include "rt/console/keep.h"
#include "rt/console/keyboard.h"
#include "rt/console/look.h"
#include "rt/print/print.h"
#include "rt/console/stick.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/firmware/firmware_lines.h"
#include "rt/base/heap.h"
#include "linux/program/program_pack.h"
#include "linux/task/task.h"
#include "rt/wire/wire.h"

#define TITLE_MAX     (WIRE_MAX_PAYLOAD - sizeof(struct wire_begin))
#define ROOM_OF_WORDS 16 /* with less room in a title no word is added */
#define REFUSAL_MAX   320

const struct command *command_find(const char *name)
{
	for (const struct command *const *c = __commands_start; c < __commands_end; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* Runs a program in place of a command; nothing is measured. */
static int run_program(int argc, char **argv)
{
	struct task_outcome outcome;
	struct workload_call call;
	int status;

	if (workload_parse("perf0", argc, argv, &call))
		return STATUS_USAGE;
	status = task_run(&call, keyboard_limit_ns(), &outcome);
	if (outcome.end != TASK_EXITED)
		err("perf0: '%s' ended: %s\n", call.title, outcome.why);
	return status;
}

/* Returns the command that was probably meant; NULL: none is near. */
static const char *command_meant(const char *typed)
{
	static const struct {
		const char *typed, *meant;
	} others[] = {{"quit", "exit"}, {"halt", "poweroff"}, {"shutdown", "poweroff"}};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(typed, others[i].typed))
			return others[i].meant;
	for (const struct command *const *c = __commands_start; c < __commands_end; c++)
		if (near_word(typed, strlen(typed), (*c)->name))
			return (*c)->name;
	return NULL;
}

static void refuse_command(const char *typed)
{
	const char *meant = command_meant(typed);

	if (!strcmp(typed, "perf0"))
		err("perf0: this is perf0: a command comes first; `help` lists them\n");
	else if (meant)
		err("perf0: unknown command '%s'; did you mean '%s'?\n", typed, meant);
	else if (workload_is_known(typed))
		err("perf0: unknown command '%s'; it is a workload: `stat %s`\n", typed, typed);
	else
		err("perf0: unknown command '%s'; `help` lists them\n", typed);
}

static int dispatch_command(int argc, char **argv)
{
	const struct command *command = command_find(argv[0]);
	struct reason why;

	if (!command && workload_is_program(argv[0]))
		return run_program(argc, argv);
	if (!command) {
		refuse_command(argv[0]);
		return STATUS_NOT_FOUND;
	}
	/* A command with options finds the begin of its operands itself. */
	if (!command->options && operands_check(command, (const char *const *)argv + 1, &why)) {
		err("%s: %s\n", argv[0], why.text);
		return STATUS_USAGE;
	}
	return command->run(argc, argv);
}

__attribute__((format(printf, 3, 4))) static int print_words(char *buf, size_t size,
							     const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = fmt_vwords(buf, size, format, args);
	va_end(args);
	return n;
}

/* BEGIN has the words of a command; words without room in its frame become an ellipsis. */
static void announce_command(int argc, char **argv, bool kept)
{
	static char title[TITLE_MAX];
	size_t n = 0;

	title[0] = '\0';
	for (int i = 0; i < argc && sizeof(title) - n > ROOM_OF_WORDS; i++)
		n += (size_t)print_words(title + n, sizeof(title) - n, "%s%s", i ? " " : "",
					 argv[i]);
	if (kept)
		keep_command_begins(title);
	wire_begin(title);
}

/* Modelled cycles depend on the addresses of the stack, as those of a CPU do. Each command begins
 * at the same place of a page, by a line that is typed as by one that came with the boot. */
static __attribute__((noinline)) int dispatch_on_page(int argc, char **argv)
{
	void *rest = __builtin_alloca((uintptr_t)__builtin_frame_address(0) % PAGE_SIZE);

	__asm__ volatile("" : : "r"(rest) : "memory");
	return dispatch_command(argc, argv);
}

/* Help and mistakes at the prompt are no results. Those of perf0.cfg are kept: their text may be
 * the only trace of a mistake. */
static bool is_kept(const char *name, int status)
{
	if (!keyboard_line_is_typed())
		return true;
	return strcmp(name, "help") != 0 && status != STATUS_USAGE && status != STATUS_NOT_FOUND;
}

/* Runs one command and frees its memory, so that the next command finds the memory as this one
 * did. */
static int run_one(int argc, char **argv)
{
	int status;

	announce_command(argc, argv, true);
	keyboard_listen(true);
	look_while_running(true);
	firmware_quiet(true);
	status = dispatch_on_page(argc, argv);
	firmware_quiet(false);
	look_while_running(false);
	keyboard_listen(false);
	task_end_command();
	pack_forget();
	heap_trim();
	page_clean_some(0); /* the next command allocates where it would without this one */
	wire_result(status);
	if (is_kept(argv[0], status))
		keep_command_ended(argv[0]);
	else
		keep_command_dropped();
	stick_save();
	firmware_lines_flush();
	return status;
}

int command_refuse(const char *line, const char *format, ...)
{
	char why[REFUSAL_MAX];
	va_list args;

	va_start(args, format);
	fmt_vwords(why, sizeof(why), format, args);
	va_end(args);
	announce_command(1, (char *[]){(char *)line}, false);
	err("perf0: %s\n", why);
	wire_result(STATUS_USAGE);
	return STATUS_USAGE;
}

int command_line(char *line)
{
	struct cmdline_error error;
	struct cmdline words;
	int first_failure = 0;

	/* ^C ends the whole line. */
	for (; line && first_failure != STATUS_INTERRUPTED; line = words.rest) {
		int status = 0;

		if (cmdline_split(line, &words, &error)) {
			status = command_refuse(words.argc ? words.argv[0] : "", "column %zu: %s",
						error.column, error.reason);
			return first_failure ? first_failure : status;
		}
		if (words.argc)
			status = run_one(words.argc, words.argv);
		if (status && (!first_failure || status == STATUS_INTERRUPTED))
			first_failure = status;
	}
	return first_failure;
}
