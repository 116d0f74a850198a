/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h - one run from power-on to BYE. A session starts QEMU, passes its text on, parses its
 * frames, and ends QEMU in every case: on BYE, on the timeout, on a signal, on its own death. A
 * machine may also stay, and run one line after the other.
 *
 * The session first asks gently: ^C on the serial line asks the image to end the workload, report
 * and say BYE. A guest that then is silent for GRACE_MS, or sends for GRACE_MAX_MS, is killed, and
 * so it is at a second signal. SIGUSR2 asks the image for a snapshot, and ends nothing.
 */
#ifndef TOOLS_MACHINE_SESSION_H
#define TOOLS_MACHINE_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/saved/cache.h"
#include "tools/options/tool_options.h"
#include "tools/stream/stream.h"

#define GRACE_MS     3000
#define GRACE_MAX_MS 15000

struct session_files {
	FILE *raw;      /* every byte of the serial line; may be NULL */
	FILE *text;     /* text as it was shown; may be NULL */
	FILE *out;      /* the image's output goes here; NULL: standard output */
	FILE *programs; /* standard output of programs; NULL: the same as `out` */
	FILE *errors;   /* standard error of programs; NULL: standard error */
	bool is_json;   /* the image's output is objects of JSON */
};

/*
 * session_run() - boots the image, which runs `command_line`. `stream`, which the caller
 * initialises and frees, gets the image's frames. Returns the exit status: the image's own if the
 * run was complete.
 */
int session_run(const struct options *options, const char *command_line,
		const struct session_files *files, struct stream *stream);

/*
 * session_save() - starts the machine, saves it unless it is saved already, and ends it. Prints
 * which of both; returns the exit status.
 */
int session_save(const struct options *options);

/*
 * session_key() - writes the cache key, 16 hexadecimal digits for all inputs of such a machine's
 * state. -E with the reason.
 */
int session_key(const struct machine_options *options, char key[CACHE_KEY_MAX], struct reason *why);

/*
 * session_open() - starts a machine that stays: it prompts, and runs one line after the other.
 * Returns 0, or the exit status after a message. session_close() - ends it, dead or alive.
 */
struct session;
int session_open(struct session **out, const struct options *options);
void session_close(struct session *session);

/*
 * session_line() - like session_run(), on a machine that stays, with options and a time limit for
 * each command of this line. session_is_up() - returns whether the machine can take a line. A
 * machine that was killed with its line, or that has died since, cannot.
 */
int session_line(struct session *session, const struct options *options, const char *line,
		 const struct session_files *files, struct stream *stream);
bool session_is_up(const struct session *session);

#endif
