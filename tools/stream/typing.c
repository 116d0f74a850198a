// SPDX-License-Identifier: BSD-2-Clause
/* typing.c - see typing.h. */
#include "tools/stream/typing.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "tools/util/clock.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

#define KILL_LINE '\025' /* ^U */
#define TAKEN_MS  10000  /* a line that takes nothing for so long is broken */

void typing_add(struct typing *typing, const void *bytes, size_t n)
{
	if (!typing->waiting.size)
		typing->taken = clock_now_ms();
	buf_add(&typing->waiting, bytes, n);
}

void typing_key(struct typing *typing, enum wire_typed key)
{
	const char c = (char)key;

	typing_add(typing, &c, 1);
}

void typing_line(struct typing *typing, const char *line)
{
	struct buf keys = {0};

	buf_printf(&keys, "%c%s\r", KILL_LINE, line);
	typing_add(typing, keys.data, keys.size);
	buf_free(&keys);
}

int typing_send(struct typing *typing,
		ssize_t (*write)(void *ctx, const void *bytes, size_t n, struct reason *why),
		void *ctx, struct reason *why)
{
	struct buf *waiting = &typing->waiting;
	const ssize_t n = write(ctx, waiting->data, waiting->size, why);

	if (n > 0) {
		memmove(waiting->data, waiting->data + n, waiting->size - (size_t)n);
		waiting->size -= (size_t)n;
		typing->taken = clock_now_ms();
		return 0;
	}
	if (n != -EAGAIN)
		return (int)n;
	if (clock_now_ms() - typing->taken > TAKEN_MS)
		return refuse(why, ETIMEDOUT, "the line takes nothing");
	return 0;
}

int typed_line_words(struct typed_line *line, const char *const *words, struct reason *why)
{
	line->ncommands = count_commands(words);
	return quote_words(&line->text, words, count_words(words), why);
}

void typed_line_send(struct typed_line *line, struct typing *typing, const struct stream *stream)
{
	line->is_sent = true;
	line->at_prompt = false;
	line->commands_then = stream->ncommands;
	typing_line(typing, buf_text(&line->text));
}

void typed_line_frame(struct typed_line *line, const struct frame *frame)
{
	line->at_prompt = frame->type == WIRE_PROMPT;
}

/* Returns the command number `n` since the line began; requests for frames do not count. */
static const struct stream_command *own_command(const struct typed_line *line,
						const struct stream *stream, size_t n)
{
	for (size_t i = line->commands_then; i < stream->ncommands; i++)
		if (strcmp(stream->commands[i].line, TYPED_ASK_FOR_FRAMES) && !n--)
			return &stream->commands[i];
	return NULL;
}

/*
 * If the image refuses the line, wholly or partly, or ^C ends it, fewer commands run than expected,
 * and the prompt shows the end. Before the line's first command, a prompt belongs to an earlier
 * line.
 */
bool typed_line_is_done(const struct typed_line *line, const struct stream *stream)
{
	const size_t last = line->at_prompt ? 0 : line->ncommands - 1;
	const struct stream_command *command = own_command(line, stream, last);

	return line->is_sent && command && command->ended;
}

int typed_line_status(const struct typed_line *line, const struct stream *stream)
{
	const struct stream_command *command;
	int status = 0;

	for (size_t i = 0; (command = own_command(line, stream, i)); i++)
		if (!status || command->result.status == STATUS_SIGNAL + SIGINT)
			status = command->result.status & 0xff;
	return status;
}
