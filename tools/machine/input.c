// SPDX-License-Identifier: BSD-2-Clause
/* input.c - see input.h. */
#include "tools/machine/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "include/perf0/shared.h"
#include "include/perf0/wire_frames.h"

#define BYTES_MOST (SHARED_IN_BYTES - SHARED_PAGE)

void input_begin(struct input *input)
{
	*input = (struct input){.is_terminal = isatty(STDIN_FILENO), .used = -1};
}

void input_frame(struct input *input, const struct frame *frame)
{
	struct wire_input told;

	if (frame->type != WIRE_INPUT || frame->length != sizeof(told))
		return;
	memcpy(&told, frame->payload, sizeof(told));
	if (!told.bytes) {
		input->used = told.at <= INT64_MAX ? (int64_t)told.at : -1;
		return;
	}
	/* A machine that asks beyond the kept bytes has lost its position: it gets the end. */
	input->at = told.at < input->kept.size ? told.at : input->kept.size;
	input->bytes = told.bytes < BYTES_MOST ? told.bytes : BYTES_MOST;
	input->is_wanted = true;
}

/* Returns the available bytes of the request. Those of a terminal end with a line. */
static size_t bytes_there(const struct input *input, bool *is_whole)
{
	const uint8_t *from = input->kept.data + input->at;
	size_t n = input->kept.size - input->at;
	const uint8_t *end;

	n = n < input->bytes ? n : input->bytes;
	end = input->is_terminal && n ? memchr(from, '\n', n) : NULL;
	if (end)
		n = (size_t)(end - from) + 1;
	*is_whole = end || n == input->bytes;
	return n;
}

bool input_is_ready(const struct input *input)
{
	bool is_whole;

	if (!input->is_wanted)
		return false;
	bytes_there(input, &is_whole);
	return is_whole || input->has_ended;
}

int input_fd(const struct input *input)
{
	return input->is_wanted && !input_is_ready(input) ? STDIN_FILENO : -1;
}

void input_take(struct input *input)
{
	static uint8_t piece[1 << 16];
	const size_t lacks = input->at + input->bytes - input->kept.size;
	const ssize_t n = read(STDIN_FILENO, piece, lacks < sizeof(piece) ? lacks : sizeof(piece));

	if (n > 0)
		buf_add(&input->kept, piece, (size_t)n);
	else if (!n || (errno != EINTR && errno != EAGAIN))
		input->has_ended = true;
}

void input_answer(struct input *input, uint8_t *area, bool interrupted)
{
	struct shared_input answer = {.bytes = -EINTR};
	bool ignored;

	if (!interrupted) {
		const size_t n = bytes_there(input, &ignored);

		if (n)
			memcpy(area + SHARED_PAGE, input->kept.data + input->at, n);
		answer.bytes = (int32_t)n;
	}
	memcpy(area, &answer, sizeof(answer));
	input->is_wanted = false;
}

void input_end(struct input *input)
{
	if (input->used >= 0)
		lseek(STDIN_FILENO, input->used, SEEK_CUR);
	buf_free(&input->kept);
}
