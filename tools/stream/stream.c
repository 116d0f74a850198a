// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream.c - see stream.h: calls the function for each type of frame, and manages the stream's
 * memory.
 */
#include "tools/stream/stream.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/stream/takers.h"

struct stream_command *stream_command_of(struct stream *stream, uint32_t number)
{
	size_t i = index_find(&stream->by_number, number, 0);

	return i == INDEX_NONE ? NULL : &stream->commands[i];
}

struct stream_command *stream_running(struct stream *stream, uint32_t number)
{
	struct stream_command *command = stream_command_of(stream, number);

	return command && !command->ended ? command : NULL;
}

const struct stream_event *stream_event_of_id(const struct stream_command *command, uint64_t id,
					      uint16_t *cpu)
{
	size_t found = index_find(&command->by_id, id, 0);
	const struct stream_event *event;

	if (found == INDEX_NONE)
		return NULL;
	event = &command->events[found >> 16];
	if (cpu)
		*cpu = event->cpus[found & UINT16_MAX];
	return event;
}

struct frame_taker {
	const char *name;
	int (*take)(struct stream *stream, const struct frame *frame, struct payload *c,
		    struct reason *why);
};

static const struct frame_taker takers[] = {
	[WIRE_HELLO] = {"HELLO", stream_take_hello},
	[WIRE_BEGIN] = {"BEGIN", stream_take_begin},
	[WIRE_EVENT] = {"EVENT", stream_take_event},
	[WIRE_DATA] = {"DATA", stream_take_data},
	[WIRE_NOISE] = {"NOISE", stream_take_noise},
	[WIRE_COUNT] = {"COUNT", stream_take_count},
	[WIRE_RESULT] = {"RESULT", stream_take_result},
	[WIRE_BYE] = {"BYE", stream_take_bye},
	[WIRE_PACKED] = {"PACKED", stream_take_packed},
	[WIRE_KEY] = {"KEY", stream_take_packed},
	[WIRE_PART] = {"PART", stream_take_packed},
	[WIRE_AUX] = {"AUX", stream_take_aux},
	[WIRE_REPORT] = {"REPORT", stream_take_report},
	[WIRE_FORMAT] = {"FORMAT", stream_take_format},
	[WIRE_CPUS] = {"CPUS", stream_take_cpus},
	[WIRE_NODES] = {"NODES", stream_take_nodes},
};

static void note_fault(struct stream_fault *fault, const struct reason *why)
{
	if (!fault->frames++)
		fault->first = *why;
}

void stream_frame(struct stream *stream, const struct frame *frame)
{
	struct payload cursor = {.at = frame->payload, .left = frame->length};
	const struct frame_taker *taker;
	struct reason why;
	int err;

	stream->frames++;
	if (frame->type >= sizeof(takers) / sizeof(takers[0]) || !takers[frame->type].take)
		return;
	taker = &takers[frame->type];
	refuse(&why, 0, "a %s frame of %u bytes makes no sense", taker->name, frame->length);
	err = taker->take(stream, frame, &cursor, &why);
	if (err)
		note_fault(err == -ENOENT ? &stream->stray : &stream->malformed, &why);
}

void stream_init(struct stream *stream)
{
	*stream = (struct stream){.max_size = STREAM_SIZE_DEFAULT};
}

static void free_command(struct stream_command *command)
{
	for (size_t i = 0; i < command->nevents; i++) {
		free(command->events[i].ids);
		free(command->events[i].cpus);
		free(command->events[i].name);
	}
	for (size_t i = 0; i < command->nformats; i++) {
		free(command->formats[i].system);
		free(command->formats[i].name);
		free(command->formats[i].text);
	}
	for (size_t i = 0; i < command->ncounts; i++) {
		free(command->counts[i].name);
		free(command->counts[i].cgroup);
	}
	for (size_t i = 0; i < command->naux; i++)
		buf_free(&command->aux[i].bytes);
	index_free(&command->by_id);
	index_free(&command->by_format);
	index_free(&command->by_trace);
	buf_free(&command->last_record);
	free(command->aux);
	free(command->formats);
	free(command->events);
	free(command->counts);
	free(command->line);
	free(command->noise);
	buf_free(&command->report);
	buf_free(&command->chunks);
}

void stream_free(struct stream *stream)
{
	for (size_t i = 0; i < stream->ncommands; i++)
		free_command(&stream->commands[i]);
	for (unsigned cpu = 0; cpu < FRAME_STREAMS; cpu++)
		free(stream->unpackers[cpu]);
	index_free(&stream->by_number);
	free(stream->commands);
	buf_free(&stream->scratch);
	free(stream->version);
	free(stream->vendor);
	free(stream->brand);
	free(stream->load_options);
	free(stream->cpus);
	free(stream->nodes);
	free(stream->node_of);
	stream_init(stream);
}

bool stream_is_recording(const struct stream_command *command)
{
	return command->nevents > 0;
}

uint64_t stream_scaled_count(const struct wire_count *c)
{
	if (!c->time_running || c->time_running >= c->time_enabled)
		return c->value;
	return (uint64_t)((unsigned __int128)c->value * c->time_enabled / c->time_running);
}

int stream_text(const struct frame *frame, const char **text, size_t *n)
{
	const struct wire_text *head = frame->payload;

	if (frame->length < sizeof(*head))
		return 0;
	*text = (const char *)(head + 1);
	*n = frame->length - sizeof(*head);
	return head->kind;
}
