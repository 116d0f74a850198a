// SPDX-License-Identifier: BSD-2-Clause
/* stream.c - see stream.h. */
#include "tools/stream.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/status.h"

/* What is left of a payload. Once something did not fit, `bad` stays set and nothing more comes. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

static const void *take(struct cursor *c, size_t n)
{
	const void *at = c->at;

	if (c->bad || n > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += n;
	c->left -= n;
	return at;
}

static void take_struct(struct cursor *c, void *out, size_t n)
{
	const void *at = take(c, n);

	if (at)
		memcpy(out, at, n);
}

/* A terminated string, where it stands; "" when there is none. */
static const char *take_string(struct cursor *c)
{
	const char *at = take(c, strnlen((const char *)c->at, c->left) + 1);

	return at ? at : "";
}

static void *checked(void *memory)
{
	if (!memory)
		errx(STATUS_MACHINE, "out of memory");
	return memory;
}

static char *copy_string(const char *s)
{
	return copy_text(s, strlen(s));
}

/* The array with room for one more element behind its `n`, which is zeroed. */
static void *grow(void *array, size_t n, size_t size)
{
	array = checked(reallocarray(array, n + 1, size));
	memset((uint8_t *)array + n * size, 0, size);
	return array;
}

static struct stream_command *find_command(struct stream *stream, uint32_t number)
{
	for (size_t i = 0; i < stream->ncommands; i++)
		if (stream->commands[i].number == number)
			return &stream->commands[i];
	return NULL;
}

/* The command that runs: the last one, unless it has ended. */
static struct stream_command *running_command(struct stream *stream, uint32_t number)
{
	struct stream_command *command = find_command(stream, number);

	return command && !command->ended ? command : NULL;
}

static int take_hello(struct stream *stream, const struct frame *frame, struct cursor *c,
		      struct reason *why)
{
	struct wire_hello hello = {0};
	const char *version, *vendor, *brand, *load_options;

	(void)frame;
	take_struct(c, &hello, sizeof(hello));
	if (!c->bad && hello.version != WIRE_VERSION)
		return reason_set(why, -EPROTO, "the image speaks wire version %u, not %d",
				  hello.version, WIRE_VERSION);
	version = take_string(c);
	vendor = take_string(c);
	brand = take_string(c);
	load_options = take_string(c);
	if (c->bad || stream->has_hello || hello.build_id_size > sizeof(hello.build_id))
		return -EBADMSG;
	stream->has_hello = true;
	stream->hello = hello;
	stream->version = copy_string(version);
	stream->vendor = copy_string(vendor);
	stream->brand = copy_string(brand);
	stream->load_options = copy_string(load_options);
	return 0;
}

static int take_begin(struct stream *stream, const struct frame *frame, struct cursor *c,
		      struct reason *why)
{
	struct wire_begin begin = {0};
	struct stream_command *command;
	const char *line;

	(void)frame;
	take_struct(c, &begin, sizeof(begin));
	line = take_string(c);
	if (c->bad)
		return -EBADMSG;
	if (find_command(stream, begin.command))
		return reason_set(why, -EBADMSG, "command %u began twice", begin.command);
	stream->commands = grow(stream->commands, stream->ncommands, sizeof(*command));
	command = &stream->commands[stream->ncommands++];
	command->number = begin.command;
	command->line = copy_string(line);
	return 0;
}

static int take_event(struct stream *stream, const struct frame *frame, struct cursor *c,
		      struct reason *why)
{
	struct wire_event head = {0};
	struct stream_event *event;
	struct stream_command *command;
	const void *attr, *ids;
	const char *name;

	(void)frame;
	take_struct(c, &head, sizeof(head));
	attr = take(c, head.attr_size);
	ids = take(c, head.nids * sizeof(uint64_t));
	name = take_string(c);
	if (c->bad || head.attr_size < PERF_ATTR_SIZE_VER0 ||
	    head.attr_size > sizeof(struct perf_event_attr))
		return -EBADMSG;
	command = running_command(stream, head.command);
	if (!command || command->received)
		return reason_set(why, -EBADMSG, "event '%s' came out of its turn", name);
	command->events = grow(command->events, command->nevents, sizeof(*event));
	event = &command->events[command->nevents++];
	memcpy(&event->attr, attr, head.attr_size);
	event->attr.size = head.attr_size;
	event->nids = head.nids;
	event->ids = checked(calloc(head.nids + 1u, sizeof(uint64_t)));
	memcpy(event->ids, ids, head.nids * sizeof(uint64_t));
	event->name = copy_string(name);
	return 0;
}

static int take_count(struct stream *stream, const struct frame *frame, struct cursor *c,
		      struct reason *why)
{
	struct wire_count count = {0};
	struct stream_command *command;
	struct stream_count *slot;
	const char *name;

	(void)frame;
	take_struct(c, &count, sizeof(count));
	name = take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = running_command(stream, count.command);
	if (!command)
		return reason_set(why, -EBADMSG, "count '%s' came out of its turn", name);
	command->counts = grow(command->counts, command->ncounts, sizeof(*slot));
	slot = &command->counts[command->ncounts++];
	slot->count = count;
	slot->name = copy_string(name);
	return 0;
}

/* Are these whole records? Counts the samples as far as they are. */
static bool count_records(struct stream_command *command, const uint8_t *at, size_t left)
{
	while (left) {
		struct perf_event_header record;

		if (left < sizeof(record))
			return false;
		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size % 8 || record.size > left)
			return false;
		command->samples += record.type == PERF_RECORD_SAMPLE;
		at += record.size;
		left -= record.size;
	}
	return true;
}

static int take_data(struct stream *stream, const struct frame *frame, struct cursor *c,
		     struct reason *why)
{
	struct stream_chunk chunk = {.cpu = frame->stream, .size = frame->length};
	struct stream_command *command =
		stream->ncommands ? &stream->commands[stream->ncommands - 1] : NULL;

	if (!command || command->ended || !command->nevents)
		return reason_set(why, -EBADMSG, "records of CPU %u belong to no recording",
				  frame->stream);
	if (!count_records(command, c->at, c->left))
		return reason_set(why, -EBADMSG, "a record of CPU %u is torn", frame->stream);
	buf_add(&command->chunks, &chunk, sizeof(chunk));
	buf_add(&command->chunks, c->at, c->left);
	command->received += c->left;
	return 0;
}

static int take_result(struct stream *stream, const struct frame *frame, struct cursor *c,
		       struct reason *why)
{
	struct wire_result result = {0};
	struct stream_command *command;

	(void)frame;
	take_struct(c, &result, sizeof(result));
	if (c->bad)
		return -EBADMSG;
	command = running_command(stream, result.command);
	if (!command)
		return reason_set(why, -EBADMSG, "result of command %u, which does not run",
				  result.command);
	command->result = result;
	command->ended = true;
	return 0;
}

static int take_bye(struct stream *stream, const struct frame *frame, struct cursor *c,
		    struct reason *why)
{
	(void)frame;
	(void)why;
	if (c->left < sizeof(stream->bye) || stream->has_bye)
		return -EBADMSG;
	take_struct(c, &stream->bye, sizeof(stream->bye));
	stream->has_bye = true;
	return 0;
}

struct frame_taker {
	const char *name;
	int (*take)(struct stream *stream, const struct frame *frame, struct cursor *c,
		    struct reason *why);
};

static const struct frame_taker takers[] = {
	[WIRE_HELLO] = {"HELLO", take_hello}, [WIRE_BEGIN] = {"BEGIN", take_begin},
	[WIRE_EVENT] = {"EVENT", take_event}, [WIRE_DATA] = {"DATA", take_data},
	[WIRE_COUNT] = {"COUNT", take_count}, [WIRE_RESULT] = {"RESULT", take_result},
	[WIRE_BYE] = {"BYE", take_bye},
};

static void note_malformed(struct stream *stream, const struct reason *why)
{
	if (!stream->malformed++)
		stream->first_malformed = *why;
}

void stream_frame(struct stream *stream, const struct frame *frame)
{
	struct cursor cursor = {.at = frame->payload, .left = frame->length};
	const struct frame_taker *taker;
	struct reason why;

	stream->frames++;
	if (frame->type >= sizeof(takers) / sizeof(takers[0]) || !takers[frame->type].take)
		return;
	taker = &takers[frame->type];
	reason_set(&why, 0, "a %s frame of %u bytes makes no sense", taker->name, frame->length);
	if (taker->take(stream, frame, &cursor, &why))
		note_malformed(stream, &why);
}

void stream_init(struct stream *stream)
{
	*stream = (struct stream){0};
}

static void free_command(struct stream_command *command)
{
	for (size_t i = 0; i < command->nevents; i++) {
		free(command->events[i].ids);
		free(command->events[i].name);
	}
	for (size_t i = 0; i < command->ncounts; i++)
		free(command->counts[i].name);
	free(command->events);
	free(command->counts);
	free(command->line);
	buf_free(&command->chunks);
}

void stream_free(struct stream *stream)
{
	for (size_t i = 0; i < stream->ncommands; i++)
		free_command(&stream->commands[i]);
	free(stream->commands);
	free(stream->version);
	free(stream->vendor);
	free(stream->brand);
	free(stream->load_options);
	stream_init(stream);
}

const struct perf_event_header *stream_next_record(const struct stream_command *command,
						   struct stream_cursor *cursor)
{
	while (cursor->chunk < command->chunks.size) {
		const struct stream_chunk *chunk =
			(const void *)(command->chunks.data + cursor->chunk);
		const uint8_t *bytes = (const void *)(chunk + 1);
		const struct perf_event_header *record;

		if (cursor->offset < chunk->size) {
			record = (const void *)(bytes + cursor->offset);
			cursor->offset += record->size;
			return record;
		}
		cursor->chunk += sizeof(*chunk) + chunk->size;
		cursor->offset = 0;
	}
	return NULL;
}

bool stream_is_recording(const struct stream_command *command)
{
	return command->nevents > 0;
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
