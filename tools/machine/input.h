/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h - standard input for programs of a machine, by frames INPUT
 * (include/perf0/wire_frames.h): taken when a program reads it, no byte earlier, and kept for those
 * runs that read it again.
 *
 * A read gets all that it asks for, or what there is up to the end: how many bytes come does not
 * depend on when they come. That of a terminal gets a line.
 */
#ifndef TOOLS_MACHINE_INPUT_H
#define TOOLS_MACHINE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/format/frame.h"
#include "tools/util/buf.h"

/* A zeroed struct has read nothing. */
struct input {
	struct buf kept; /* all that was read */
	bool has_ended;
	bool is_terminal;
	bool is_wanted; /* bytes from `at` on, and the machine stands still */
	uint64_t at;
	uint32_t bytes;
	int64_t used; /* of a file, by the program; -1: it does not tell */
};

void input_begin(struct input *input);

/* input_frame() - a frame that came; those that are not INPUT mean nothing. */
void input_frame(struct input *input, const struct frame *frame);

/* input_fd() - what is to be waited for, to be read by input_take(); -1: nothing. */
int input_fd(const struct input *input);
void input_take(struct input *input);

/* input_is_ready() - the answer is there: input_answer() puts it into SHARED_IN at `area`.
 * `interrupted`: it is -EINTR. */
bool input_is_ready(const struct input *input);
void input_answer(struct input *input, uint8_t *area, bool interrupted);

/* input_end() - moves the position of standard input, if that is a file, behind what the program
 * has read of it. */
void input_end(struct input *input);

#endif
