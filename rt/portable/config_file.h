/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config_file.h - reads perf0.cfg: the commands that a machine runs by itself when it starts from a
 * stick.
 *
 * 	# a comment, to the end of its line
 * 	timeout 10                  seconds in which a key stops all of this; 0: none; default 5
 * 	repeat 3                    how often the commands run, or `forever`; default 1
 * 	reset-after 300             a command that takes longer ends in a reset; default: none
 * 	then poweroff               or `reboot`, `exit` (to the firmware), `prompt`; default
 * `prompt` stat -e instructions:u -- loop 1000000 [board "X11*" manufacturer "Supermicro"] stat -a
 * -- sleep 1 [else] caps
 *
 * Lines above the first section are for all machines. The lines of a section follow them if all of
 * its patterns match the machine's SMBIOS names. `[else]`, the last section, is for machines that
 * match no other. A setting of a matching section replaces the one above. Patterns are those of
 * lib/glob.h; they match a whole name, in capitals or not. `manufacturer` is that of the system or
 * of the board. A command is a line as at the prompt, with `;` and quotes.
 *
 * The file is UTF-8, with or without the byte order mark of Windows. Lines end in LF or CR LF. All
 * of it is read before anything runs, also the sections of other machines. With any mistake nothing
 * of it runs.
 *
 * Portable: no machine, no state. Any context.
 */
#ifndef RT_PORTABLE_CONFIG_FILE_H
#define RT_PORTABLE_CONFIG_FILE_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_FILE_MAX     262144 /* bytes */
#define CONFIG_LINE_MAX     4095   /* bytes, without the end of the line */
#define CONFIG_COMMANDS_MAX 256    /* lines of commands for one machine */
#define CONFIG_SECTIONS_MAX 64
#define CONFIG_TIMEOUT      5    /* seconds, if the file sets none */
#define CONFIG_TIMEOUT_MOST 3600 /* seconds */
#define CONFIG_RESET_LEAST  4
#define CONFIG_RESET_MOST   600
#define CONFIG_REPEAT_MOST  1000000000
#define CONFIG_FOREVER      0 /* value of `repeat` */

enum config_then {
	CONFIG_THEN_PROMPT,
	CONFIG_THEN_POWEROFF,
	CONFIG_THEN_REBOOT,
	CONFIG_THEN_EXIT,
};

/* Names of the machine that sections can match. An absent name, NULL or "", matches no pattern. */
enum config_name {
	CONFIG_BOARD,        /* SMBIOS, "Baseboard Information": product */
	CONFIG_PRODUCT,      /* "System Information": product name */
	CONFIG_VERSION,      /* its version; some makers put the product's usual name here */
	CONFIG_MANUFACTURER, /* manufacturer of the system */
	CONFIG_NAMES,
	CONFIG_BOARD_MANUFACTURER = CONFIG_NAMES, /* `manufacturer` matches this one, too */
	CONFIG_MACHINE_NAMES,
};

struct config_machine {
	const char *name[CONFIG_MACHINE_NAMES];
};

/*
 * Further checks of each command, also in sections of other machines: -E with the reason. `argv`
 * is terminated by NULL. `command` NULL: all commands pass.
 */
struct config_checks {
	int (*command)(void *ctx, int argc, char **argv, struct reason *why);
	void *ctx;
};

struct config_section {
	const char *pattern[CONFIG_NAMES]; /* NULL: not asked for; all NULL: [else] */
	unsigned line;
};

/* A line of commands, terminated, without blanks around it and without a comment. */
struct config_line {
	const char *text;
	unsigned line; /* from 1 */
};

struct config_settings {
	unsigned timeout;     /* seconds */
	uint32_t repeat;      /* times, or CONFIG_FOREVER */
	unsigned reset_after; /* seconds that a command may take; 0: any */
	/* The action after the last repetition. Without commands it is ignored and the prompt
	 * comes: a machine that matches no section is not turned off. */
	enum config_then then;
};

struct config {
	struct config_settings settings;
	unsigned n; /* lines of commands for this machine */
	struct config_line commands[CONFIG_COMMANDS_MAX];
	/* While the file is read. */
	unsigned nsections;
	struct config_section sections[CONFIG_SECTIONS_MAX];
	char words[CONFIG_LINE_MAX + 1];
};

struct config_error {
	unsigned line, column; /* from 1; a column is a character */
	struct reason why;
};

/*
 * config_parse() - reads the `n` bytes at `text`, which are changed and have to stay as long as
 * `config` is used. `text` has room for one more byte. `machine` is the machine that would run the
 * commands; NULL: only [else] matches. 0, or -EINVAL with the first mistake; `config` then has no
 * command.
 */
int config_parse(struct config *config, char *text, size_t n, const struct config_machine *machine,
		 const struct config_checks *checks, struct config_error *error);

#endif
