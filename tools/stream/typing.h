/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typing.h - types at a machine: single bytes, or a line of commands, which is followed until the
 * machine has finished it.
 *
 *   typing_add(), typing_key()    queue bytes
 *   typing_send()                 sends as many as the line takes
 *   typed_line_send()             queues a line of commands
 *   typed_line_frame()            takes each frame that arrives
 *   typed_line_is_done(), typed_line_status()
 */
#ifndef TOOLS_STREAM_TYPING_H
#define TOOLS_STREAM_TYPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/reason.h"
#include "tools/stream/stream.h"
#include "tools/util/buf.h"

/* This line asks a machine that sends plain text for frames. It does not count as a command. */
#define TYPED_ASK_FOR_FRAMES "text framed"

/* Bytes on their way to the machine. The caller has to read its echo while they are sent. */
struct typing {
	struct buf waiting;
	uint64_t taken; /* ms; when the machine last took bytes */
};

void typing_add(struct typing *typing, const void *bytes, size_t n);
void typing_key(struct typing *typing, enum wire_typed key);
void typing_line(struct typing *typing, const char *line); /* replaces the text at the prompt */

/*
 * typing_send() - passes as many bytes to `write` as it takes. `write` returns their number, or -E
 * with the reason; -EAGAIN: none now. Returns 0, or -E with the reason: the line is broken, or
 * takes nothing for 10 s.
 */
int typing_send(struct typing *typing,
		ssize_t (*write)(void *ctx, const void *bytes, size_t n, struct reason *why),
		void *ctx, struct reason *why);

/* A line of commands for a machine. */
struct typed_line {
	struct buf text;      /* empty: no line */
	size_t ncommands;     /* number of its commands */
	bool is_sent;         /* the line was sent */
	size_t commands_then; /* commands of the stream at that time */
	bool at_prompt;       /* the machine waits for another line */
};

/* typed_line_words() - makes the line from words. -E with the reason of quote_words(). */
int typed_line_words(struct typed_line *line, const char *const *words, struct reason *why);

/*
 * typed_line_send() - queues the line. typed_line_frame() - takes a frame that is in the stream
 * already.
 */
void typed_line_send(struct typed_line *line, struct typing *typing, const struct stream *stream);
void typed_line_frame(struct typed_line *line, const struct frame *frame);

/*
 * typed_line_is_done() - returns whether all commands of the line have ended. typed_line_status() -
 * returns the status of the first command that failed, or of the one that ^C ended; otherwise 0.
 */
bool typed_line_is_done(const struct typed_line *line, const struct stream *stream);
int typed_line_status(const struct typed_line *line, const struct stream *stream);

#endif
