/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config_file.h - reads perf0.cfg: what a machine runs by itself when it is started from a stick.
 *
 *	# a comment, to the end of its line
 *	timeout 10                  seconds in which a key stops all of this; 5, and 0 for none
 *	repeat 3                    or `forever`: the list of commands again and again; 1
 *	then poweroff               or `reboot`, `exit` (to the firmware), `prompt`, as without it
 *	stat -e instructions:u -- loop 1000000
 *	[board "X11*" manufacturer "Supermicro"]
 *	stat -a -- sleep 1
 *	[else]
 *	caps
 *
 * What stands above the first section is for all machines; the lines of each section whose patterns
 * all match the machine's SMBIOS names come behind it, and `[else]`, the last section, is for
 * machines that match no other. A setting of a section that matches holds instead of the one above.
 * Patterns are lib/glob.h's, and match a whole name in capitals or not; `manufacturer` is the
 * system's or the board's. A command's line is one of the prompt's, with `;` and quotes.
 *
 * The file is UTF-8, with the mark of Windows at its begin or without, and lines end in LF or
 * CR LF. All of it is read before anything runs, the sections of other machines too, and with any
 * mistake nothing of it runs.
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
#define CONFIG_LINE_MAX     4095   /* bytes, the line's end not counted */
#define CONFIG_COMMANDS_MAX 256    /* lines of commands for one machine */
#define CONFIG_SECTIONS_MAX 64
#define CONFIG_TIMEOUT      5    /* seconds, where the file says nothing */
#define CONFIG_TIMEOUT_MOST 3600 /* seconds */
#define CONFIG_REPEAT_MOST  1000000000
#define CONFIG_FOREVER      0 /* of `repeat` */

enum config_then {
	CONFIG_THEN_PROMPT,
	CONFIG_THEN_POWEROFF,
	CONFIG_THEN_REBOOT,
	CONFIG_THEN_EXIT,
};

/* Names of the machine that sections can match. Where the name is absent, NULL or "", no pattern
 * matches. */
enum config_name {
	CONFIG_BOARD,        /* SMBIOS, "Baseboard Information": product */
	CONFIG_PRODUCT,      /* "System Information": product name */
	CONFIG_VERSION,      /* its version, where some makers have what people call the product */
	CONFIG_MANUFACTURER, /* the system's */
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
	const char *pattern[CONFIG_NAMES]; /* NULL: not asked for; none at all: [else] */
	unsigned line;
};

/* A line of commands, terminated, without blanks around it and without a comment. */
struct config_line {
	const char *text;
	unsigned line; /* from 1 */
};

struct config_settings {
	unsigned timeout; /* seconds */
	uint32_t repeat;  /* times, or CONFIG_FOREVER */
	/* The action after the last repetition. Without commands nothing runs, the prompt comes
	 * and this is ignored: a machine that matches no section is not turned off. */
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
 * config_parse() - reads the `n` bytes at `text`, which are changed and must stay as long as
 * `config` is used; there is room for one more. `machine` is that on which it would run; NULL: no
 * section but [else] matches. 0, or -EINVAL with the first mistake, and then `config` has
 * no command.
 */
int config_parse(struct config *config, char *text, size_t n, const struct config_machine *machine,
		 const struct config_checks *checks, struct config_error *error);

#endif
