/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h - standard input for programs of a machine, by frames INPUT
 * (include/perf0/wire_frames.h). The host reads it only when a program does, and keeps it for runs
 * that read it again. A read gets all bytes that it asks for, or all up to the end: the number of
 * bytes does not depend on when they arrive. A read from a terminal gets a line.
 */
#ifndef TOOLS_MACHINE_INPUT_H
#define TOOLS_MACHINE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/format/frame.h"
#include "tools/util/buf.h"

/* The input of a machine. A zeroed struct has read nothing. */
struct input {
	struct buf kept; /* all bytes that were read */
	bool has_ended;
	bool is_terminal;
	bool is_wanted; /* the machine waits for bytes from `at` on */
	uint64_t at;
	uint32_t bytes;
	int64_t used; /* bytes of a file that the program used; -1: unknown */
};

void input_begin(struct input *input);

/* input_frame() - takes a frame; ignores all but INPUT. */
void input_frame(struct input *input, const struct frame *frame);

/* input_fd() - returns the descriptor to poll before input_take(); -1: none. */
int input_fd(const struct input *input);
void input_take(struct input *input);

/*
 * input_is_ready() - returns whether the answer is complete. input_answer() - puts it into
 * SHARED_IN at `area`. `interrupted`: the answer is -EINTR.
 */
bool input_is_ready(const struct input *input);
void input_answer(struct input *input, uint8_t *area, bool interrupted);

/*
 * input_end() - moves the position of standard input, if that is a file, behind the bytes that the
 * program has read.
 */
void input_end(struct input *input);

#endif
