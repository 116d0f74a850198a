/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run_output.h - shows a run to people: the image's text on standard output and standard error as
 * it arrives. On a terminal it also shows one line of progress, which is erased before any other
 * text.
 *
 * Standard error also has the tool's own messages, so the machine's text there is filtered (see
 * tools/util/foreign.h): it can neither control a terminal nor imitate the tool. Standard output is
 * filtered if it is a terminal or the same file. Any other file or pipe, and the log, get the text
 * byte for byte.
 *
 * Text outside of frames (the firmware's, a panic's) goes to standard error, without the sequences
 * that a terminal would obey. Text before HELLO is the firmware's and is held back. The last part
 * of it is shown if no HELLO comes.
 */
#ifndef TOOLS_UTIL_RUN_OUTPUT_H
#define TOOLS_UTIL_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "include/perf0/wire_frames.h"
#include "tools/util/foreign.h"

#define CONSOLE_TAIL    1024 /* bytes kept of the firmware's text */
#define CONSOLE_TELL_MS 10000

/* The position of the text in an escape sequence of a terminal. */
enum console_escape { NO_ESCAPE, AFTER_ESC, IN_SEQUENCE };

struct console {
	bool show_firmware; /* --verbose */
	bool has_progress;  /* standard error is a terminal */
	bool tells_lines;   /* otherwise, progress is told by a line each CONSOLE_TELL_MS */
	uint64_t told;      /* ms of the last one of these lines */
	bool is_drawn;      /* standard error shows the progress line now */
	bool in_line;       /* the last text did not end in a newline */
	enum console_escape escape;
	bool has_colors;      /* `out` is a terminal, and NO_COLOR is not set */
	bool is_shared;       /* `out` is standard error's file, or a terminal */
	bool programs_shared; /* like is_shared, for `programs` */
	struct foreign foreign;
	FILE *last;        /* the last destination of foreign text; NULL: none yet */
	FILE *out;         /* output of the image */
	FILE *programs;    /* standard output of the user's programs */
	FILE *errors;      /* standard error of the user's programs */
	FILE *failed_file; /* the first file that could not be written */
	int failed;        /* errno of that write; 0: none failed */
	FILE *log;         /* gets a copy of the text; may be NULL */
	size_t ntail;
	char tail[CONSOLE_TAIL];
};

/* console_init() - prepares `console`. `out` or `programs` NULL: standard output. */
void console_init(struct console *console, bool show_firmware, FILE *out, FILE *programs,
		  FILE *log);

/* console_echo() - announces typed keys, whose echo may contain backspaces. */
void console_echo(struct console *console);

/*
 * console_text() - writes `n` bytes of text to the image's output, the programs' output or standard
 * error, depending on `kind`.
 */
void console_text(struct console *console, const char *text, size_t n, enum wire_text_kind kind);

/*
 * console_failed() - reports that output to `name` (NULL: standard output) could not be written.
 * Returns the exit status; see standard_failed().
 */
int console_failed(struct console *console, const char *name);

/* console_line() - writes a line from QEMU, without its end, to standard error. */
void console_line(struct console *console, const char *line);

/* console_firmware() - takes text that precedes HELLO. */
void console_firmware(struct console *console, const char *text, size_t n);

/* console_stray() - takes text from outside of frames after HELLO. */
void console_stray(struct console *console, const char *text, size_t n);

/*
 * console_debris() - takes the bytes of a damaged frame. Shows the parts that are clearly text,
 * because a panic may interrupt a frame.
 */
void console_debris(struct console *console, const void *bytes, size_t n);

/*
 * console_vpmu() - shows those of vpmu's lines before the image's start that report a restriction:
 * no SVM, estimates instead of counts. Such lines contain a semicolon.
 */
void console_vpmu(struct console *console);

/* console_starts_nothing() - returns whether vpmu has said that it starts no image; see marks.h.
 * console_refusal() - shows its reason. */
bool console_starts_nothing(const struct console *console);
void console_refusal(struct console *console);

/* console_last_words() - shows the text that console_firmware() kept. */
void console_last_words(struct console *console);

/* console_say() - writes "perf0: " and one line of the tool's own to standard error. */
void console_say(struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * console_progress() - draws the progress line, or tells it (`tells_lines`): the activity and its
 * duration. Figures other than 0 follow: an approximate number of executed instructions; samples;
 * received bytes; finished steps of all steps, and the remaining time.
 */
struct console_progress {
	const char *what;
	uint64_t ms, insns, samples, bytes;
	uint64_t done, steps, left_ms;
};
void console_progress(struct console *console, const struct console_progress *progress);

/* console_status() - draws the progress line with other text. Has no effect without a terminal. */
void console_status(struct console *console, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* console_end_line() - ends the line, so that the next text or progress starts a new one. */
void console_end_line(struct console *console);

/* console_wipe() - erases the progress line. */
void console_wipe(struct console *console);

#endif
