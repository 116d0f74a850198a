/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run_output.h - the people's side of a run: the image's text on standard output and standard error
 * as it comes, and one line of progress on a terminal, which is wiped before anything else is
 * written.
 *
 * Standard error is the tool's own as well, so the machine's text there is filtered (see
 * tools/util/foreign.h): it can neither steer a terminal nor pose as the tool. So is what goes to
 * standard output where that is a terminal, or the same file; a file or pipe of its own, and the
 * log, get it to the byte.
 *
 * Text from outside of frames (the firmware's, a panic's) goes to standard error, with everything
 * taken out that a terminal would obey. Before HELLO it is the firmware's, and kept back: the last
 * of it is shown only when no HELLO comes.
 */
#ifndef TOOLS_UTIL_RUN_OUTPUT_H
#define TOOLS_UTIL_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "include/perf0/wire_frames.h"
#include "tools/util/foreign.h"

#define CONSOLE_TAIL 1024 /* bytes of the firmware's text that are kept */

/* Where the text is in an escape sequence of a terminal. */
enum console_escape { NO_ESCAPE, AFTER_ESC, IN_SEQUENCE };

struct console {
	bool show_firmware; /* --verbose */
	bool has_progress;  /* standard error is a terminal */
	bool is_drawn;      /* the progress line stands there now */
	bool in_line;       /* the last text did not end with a newline */
	enum console_escape escape;
	bool has_colors;      /* `out` is a terminal, and NO_COLOR is not set */
	bool is_shared;       /* `out` is standard error's file, or a terminal */
	bool programs_shared; /* `programs` is */
	struct foreign foreign;
	FILE *last;        /* where foreign text went; NULL: nowhere yet */
	FILE *out;         /* where the image's output goes */
	FILE *programs;    /* where that of the user's programs goes */
	FILE *errors;      /* and what they write to their descriptor 2 */
	FILE *failed_file; /* which of the two could not be written */
	int failed;        /* errno of that, 0: nothing */
	FILE *log;         /* text goes here too; may be NULL */
	size_t ntail;
	char tail[CONSOLE_TAIL];
};

/* console_init() - `out`, `programs` NULL: standard output. */
void console_init(struct console *console, bool show_firmware, FILE *out, FILE *programs,
		  FILE *log);

/* console_echo() - what is typed goes to the machine, whose echo may have backspaces. */
void console_echo(struct console *console);

/* console_text() - `n` bytes of text, for the image's output, that of programs or, as complaints
 * go, standard error. */
void console_text(struct console *console, const char *text, size_t n, enum wire_text_kind kind);

/*
 * console_failed() - of output that could not be written (`failed`) to `name`, NULL: standard
 * output, says so in a line, and returns the status; see standard_failed().
 */
int console_failed(struct console *console, const char *name);

/* console_line() - a line from QEMU, without its end, to standard error. */
void console_line(struct console *console, const char *line);

/* console_firmware() - text from before HELLO. */
void console_firmware(struct console *console, const char *text, size_t n);

/* console_stray() - text from outside of frames after HELLO. */
void console_stray(struct console *console, const char *text, size_t n);

/*
 * console_debris() - what a damaged frame left over: shows the runs in it that are clearly text,
 * since a panic may break into a frame.
 */
void console_debris(struct console *console, const void *bytes, size_t n);

/*
 * console_vpmu() - shows what vpmu said before the image came up, when it is more than that it
 * runs: no SVM, estimates instead of counts. Such lines have a semicolon.
 */
void console_vpmu(struct console *console);

/* console_last_words() - shows what console_firmware() kept back. */
void console_last_words(struct console *console);

/* console_say() - "perf0: " and one line of the tool's own to standard error. */
void console_say(struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * console_progress() - the progress line: what is going on, for how long; and where these are not
 * 0, how many instructions the machine has executed, roughly, how many samples it has taken, and
 * how many bytes have come; of what is done in steps how many are, and for how long it will still
 * take.
 */
struct console_progress {
	const char *what;
	uint64_t ms, insns, samples, bytes;
	uint64_t done, steps, left_ms;
};
void console_progress(struct console *console, const struct console_progress *progress);

/* console_status() - the progress line, in other words; nothing where it is no terminal. */
void console_status(struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* console_end_line() - what comes next begins a line, on which progress can be shown. */
void console_end_line(struct console *console);

/* console_wipe() - takes the progress line away. */
void console_wipe(struct console *console);

#endif
