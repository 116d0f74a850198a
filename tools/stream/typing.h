/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typing.h - what is typed at a machine: bytes on their way to it, and a line of commands, from its
 * first key until the machine has done with it.
 *
 *	typing_add(), typing_key()    bytes are to go
 *	typing_send()                 the line may take some of them
 *	typed_line_send()             a line of commands is to go
 *	typed_line_frame()            for each frame that comes
 *	typed_line_is_done(), typed_line_status()
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

/* A machine that talks to people is asked by this line for frames. It counts as no command. */
#define TYPED_ASK_FOR_FRAMES "text framed"

/* Bytes go out as the machine takes them: what it echoes has to be read meanwhile. */
struct typing {
	struct buf waiting;
	uint64_t taken; /* ms; when the machine took something last */
};

void typing_add(struct typing *typing, const void *bytes, size_t n);
void typing_key(struct typing *typing, enum wire_typed key);
void typing_line(struct typing *typing,
		 const char *line); /* in place of what stands at the prompt */

/*
 * typing_send() - as many bytes as `write` takes: it returns how many, or -E with the reason,
 * -EAGAIN: none now. Returns 0, or -E with the reason: the line is broken, or takes nothing for 10
 * s.
 */
int typing_send(struct typing *typing,
		ssize_t (*write)(void *ctx, const void *bytes, size_t n, struct reason *why),
		void *ctx, struct reason *why);

/* A line for a machine to run. */
struct typed_line {
	struct buf text;      /* empty: nothing */
	size_t ncommands;     /* that it consists of */
	bool is_sent;         /* it went out, when the stream had */
	size_t commands_then; /* so many commands */
	bool at_prompt;       /* the machine waits for another line */
};

/* typed_line_words() - the line of these words. -E with the reason, as quote_words() has. */
int typed_line_words(struct typed_line *line, const char *const *words, struct reason *why);

/* typed_line_send() - it goes out. typed_line_frame(): that has come, and is in the stream. */
void typed_line_send(struct typed_line *line, struct typing *typing, const struct stream *stream);
void typed_line_frame(struct typed_line *line, const struct frame *frame);

/*
 * typed_line_is_done() - all is over that the line asked for. typed_line_status(): of the first of
 * its commands that failed, or of the one that ^C ended; else 0.
 */
bool typed_line_is_done(const struct typed_line *line, const struct stream *stream);
int typed_line_status(const struct typed_line *line, const struct stream *stream);

#endif
