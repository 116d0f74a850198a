// SPDX-License-Identifier: BSD-2-Clause
/* stick.c - see stick.h. */
#include "rt/console/stick.h"

#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/operands.h"
#include "rt/console/carry.h"
#include "rt/console/command.h"
#include "rt/console/console.h"
#include "rt/console/hang_notes.h"
#include "rt/console/keep.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/console/stick_programs.h"
#include "rt/portable/config_file.h"
#include "linux/task/task.h"

#include <linux/errno.h>

#define SECOND_MS 1000
#define RETRY_MS  3000

static bool there;
static bool is_asked;
static struct config config;

/* --- Results --- */

static int list_stick_folder(void *ctx, const char *folder,
			     void (*entry)(void *to, const char *name), void *to)
{
	(void)ctx;
	return firmware_list(folder, entry, to);
}

static int make_folder(void *ctx, const char *folder)
{
	(void)ctx;
	return firmware_make_folder(folder);
}

static int write_bytes(void *ctx, const char *path, uint64_t offset, const void *bytes, size_t n)
{
	(void)ctx;
	return firmware_write(path, offset, bytes, n);
}

/* Nothing to do: each write closes its file. */
static int sync_file(void *ctx, const char *path)
{
	(void)ctx;
	(void)path;
	return 0;
}

static int remove_file(void *ctx, const char *path)
{
	(void)ctx;
	return firmware_remove(path);
}

static const struct results_disk disk = {
	.list = list_stick_folder,
	.make_folder = make_folder,
	.write = write_bytes,
	.sync = sync_file,
	.remove = remove_file,
};

static const char *board_name(void)
{
	const struct smbios *names = smbios_names();

	return *names->name[SMBIOS_BOARD] ? names->name[SMBIOS_BOARD] : names->name[SMBIOS_PRODUCT];
}

void stick_init(const struct handoff *handoff)
{
	there = handoff->has_volume;
	carry_init(handoff);
	if (carry_is_on())
		keep_start(NULL, board_name(), handoff->date);
	if (!there)
		return;
	carry_restore();
	keep_start(&disk, board_name(), handoff->date);
	programs_init();
}

const struct results_disk *stick_disk(void)
{
	return &disk;
}

bool stick_is_there(void)
{
	return there;
}

void stick_save(void)
{
	struct reason why;

	if (there && keep_write(&why))
		err("perf0: %s\n", why.text);
}

void stick_tell(void)
{
	const struct results *results = keep_results();

	if (results && *results->folder)
		out("Results go to %s of the volume that perf0 was started from.\n",
		    results->folder);
	else
		out("Results go nowhere but to the screen and the serial line.\n");
}

/* --- perf0.cfg --- */

static int check_config_command(void *ctx, int argc, char **argv, struct reason *why)
{
	const struct command *command = command_find(argv[0]);

	(void)ctx;
	(void)argc;
	if (!command && !workload_is_program(argv[0]))
		return refuse(why, ENOENT, "there is no command '%s'", argv[0]);
	if (!command || command->options)
		return 0;
	return operands_check(command, (const char *const *)argv + 1, why);
}

static const struct config_checks checks = {.command = check_config_command};

/* -ENOENT: there is no such file. Other errors were reported. */
static int load_stick_config(void)
{
	static const struct {
		enum config_name name;
		enum smbios_name is;
	} rows[] = {
		{CONFIG_BOARD, SMBIOS_BOARD},
		{CONFIG_PRODUCT, SMBIOS_PRODUCT},
		{CONFIG_VERSION, SMBIOS_VERSION},
		{CONFIG_MANUFACTURER, SMBIOS_MANUFACTURER},
		{CONFIG_BOARD_MANUFACTURER, SMBIOS_BOARD_MANUFACTURER},
	};
	static char text[CONFIG_FILE_MAX + 1];
	struct config_machine machine = {{NULL}};
	struct config_error error;
	uint64_t size;
	const int64_t n = firmware_read(STICK_CONFIG, 0, text, CONFIG_FILE_MAX, &size);

	if (n == -ENOENT)
		return -ENOENT;
	if (n < 0) {
		err("perf0: %s cannot be read: error %d\n", STICK_CONFIG, (int)-n);
		return -EIO;
	}
	if (size > CONFIG_FILE_MAX) {
		err("perf0: %s has %llu bytes, more than %d\n", STICK_CONFIG,
		    (unsigned long long)size, CONFIG_FILE_MAX);
		return -EIO;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		machine.name[rows[i].name] = smbios_names()->name[rows[i].is];
	if (!config_parse(&config, text, (size_t)n, &machine, &checks, &error))
		return 0;
	err("perf0: %s:%u:%u: %s; nothing of it ran\n", STICK_CONFIG, error.line, error.column,
	    error.why.text);
	return -EINVAL;
}

/* True: a key was typed. */
static bool is_stopped_by_key(void)
{
	for (unsigned left = config.settings.timeout; left; left--) {
		out("\r%s runs in %u s; any key stops it. ", STICK_CONFIG, left);
		if (console_waits_for_key(SECOND_MS)) {
			out("\n");
			return true;
		}
	}
	if (config.settings.timeout)
		out("\n");
	return false;
}

/* --- A line that hangs --- */

static struct hang_notes notes = {.now = "\\perf0\\config.now", .hung = "\\perf0\\config.hung"};
static bool runs_line; /* with a note */

/* The chipset's watchdog runs from here on. False: the line hung at an earlier start. */
static bool begin_line(const struct config_line *line)
{
	char step[HANG_NOTE_MOST];

	if (!config.settings.reset_after)
		return true;
	fmt_print(step, sizeof(step), "%u: %s:", line->line, line->text);
	if (!hang_notes_begin(&notes, step)) {
		err("perf0: %s:%u: it hung this machine at an earlier boot, and is skipped\n",
		    STICK_CONFIG, line->line);
		return false;
	}
	runs_line = true;
	hw_watchdog_start(config.settings.reset_after);
	return true;
}

void stick_end_line(void)
{
	if (!runs_line)
		return;
	runs_line = false;
	hw_watchdog_stop();
	hang_notes_end(&notes);
}

/* Tells that the watchdog which the file wants is not there; the lines run all the same. */
static void prepare_notes(void)
{
	if (!config.settings.reset_after)
		return;
	hang_notes_read(&notes);
	if (*hw_watchdog_reason())
		err("perf0: there is no watchdog: %s\n", hw_watchdog_reason());
}

/* Runs the lines once. Returns the first status that is not 0. ^C ends all. */
static int run_once(bool *interrupted)
{
	static char line[CONFIG_LINE_MAX + 1];
	int first = 0;

	for (unsigned i = 0; i < config.n && !*interrupted; i++) {
		int status;

		if (!begin_line(&config.commands[i])) {
			first = first ? first : STATUS_FAILED;
			continue;
		}
		memcpy(line, config.commands[i].text, strlen(config.commands[i].text) + 1);
		out("perf0> %s\n", line);
		task_forget_interrupt();
		status = command_line(line);
		stick_end_line();
		first = first ? first : status;
		*interrupted = status == STATUS_INTERRUPTED;
	}
	return first;
}

static int run_commands(bool *interrupted)
{
	int first = 0;

	for (uint32_t i = 0; (i < config.settings.repeat || !config.settings.repeat) && config.n;
	     i++) {
		const int status = run_once(interrupted);

		first = first ? first : status;
		if (*interrupted)
			break;
	}
	return first;
}

/* Results that are only in memory are lost with the machine: writing is retried until it
 * succeeds or a key is typed. */
static bool are_results_written(const char *then)
{
	const struct results *results = keep_results();
	struct reason ignored;

	if (!results || !results->nkept)
		return true;
	err("perf0: `then %s` waits until the results are written; any key brings the prompt\n",
	    then);
	while (results->nkept) {
		if (console_waits_for_key(RETRY_MS))
			return false;
		keep_write(&ignored);
	}
	return true;
}

/* Does the action after the last line. It returns only for the prompt, or if the machine
 * refuses. */
static void do_what_follows(void)
{
	static const char *const commands[] = {
		[CONFIG_THEN_POWEROFF] = "poweroff",
		[CONFIG_THEN_REBOOT] = "reboot",
		[CONFIG_THEN_EXIT] = "exit",
	};
	char line[16];

	if (config.settings.then == CONFIG_THEN_PROMPT || !config.n ||
	    !are_results_written(commands[config.settings.then]))
		return;
	memcpy(line, commands[config.settings.then], strlen(commands[config.settings.then]) + 1);
	command_line(line);
}

int stick_run_config(bool count_down)
{
	bool interrupted = false;
	const int error = there ? load_stick_config() : -ENOENT;
	int status;

	if (error == -ENOENT && !count_down)
		err("perf0: there is no %s\n", STICK_CONFIG);
	if (error)
		return error == -ENOENT && count_down ? 0 : STATUS_FAILED;
	if (count_down && config.n && is_stopped_by_key())
		return 0;
	prepare_notes();
	status = run_commands(&interrupted);
	if (!interrupted)
		do_what_follows();
	return status;
}

void stick_ask_config(void)
{
	is_asked = true;
}

int stick_run_asked(int status)
{
	if (!is_asked)
		return status;
	is_asked = false;
	return stick_run_config(false);
}
