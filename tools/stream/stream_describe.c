// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream_describe.c - takes the frames that describe a machine, its commands, their events,
 * tracepoints, counts and ends. All of these except counts and ends may be repeated.
 */
#include "tools/stream/takers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

int stream_take_hello(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_hello hello = {0};
	const char *version, *vendor, *brand, *load_options;

	(void)frame;
	payload_take_struct(c, &hello, sizeof(hello));
	if (!c->bad && hello.version != WIRE_VERSION)
		return refuse(why, EPROTO, "the image speaks wire version %u, not %d",
			      hello.version, WIRE_VERSION);
	version = payload_take_string(c);
	vendor = payload_take_string(c);
	brand = payload_take_string(c);
	load_options = payload_take_string(c);
	if (!c->bad && stream->has_hello && !memcmp(&hello, &stream->hello, sizeof(hello)))
		return 0; /* repeated for a listener that came late */
	if (c->bad || stream->has_hello || hello.build_id_size > sizeof(hello.build_id))
		return -EBADMSG;
	stream->has_hello = true;
	stream->hello = hello;
	stream->version = copy_text(version, strlen(version));
	stream->vendor = copy_text(vendor, strlen(vendor));
	stream->brand = copy_text(brand, strlen(brand));
	stream->load_options = copy_text(load_options, strlen(load_options));
	return 0;
}

/* Takes the CPUs of the machine. A repetition has the same contents. */
int stream_take_cpus(struct stream *stream, const struct frame *frame, struct payload *c,
		     struct reason *why)
{
	const size_t n = c->left / sizeof(*stream->cpus);
	struct wire_cpu part[WIRE_MAX_PAYLOAD / sizeof(struct wire_cpu)];
	size_t first;

	(void)frame;
	(void)why;
	if (!n || c->left % sizeof(*stream->cpus))
		return -EBADMSG;
	payload_take_struct(c, part, n * sizeof(*part));
	first = (size_t)part[0].part * WIRE_CPUS_MOST;
	if (first > stream->ncpus)
		return 0; /* an earlier part was lost; a partial list is not used */
	if (first + n > stream->ncpus) {
		stream->ncpus = first + n;
		stream->cpus = memory_checked(
			reallocarray(stream->cpus, stream->ncpus, sizeof(*stream->cpus)));
	}
	memcpy(stream->cpus + first, part, n * sizeof(*part));
	return 0;
}

/* Takes the memory nodes of the machine. A repetition has the same contents. */
int stream_take_nodes(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_nodes head = {0};
	const uint8_t *node_of;
	const void *kib;

	(void)frame;
	(void)why;
	payload_take_struct(c, &head, sizeof(head));
	kib = payload_take(c, head.nodes * sizeof(uint64_t));
	node_of = payload_take(c, head.cpus);
	if (c->bad || c->left || !head.nodes)
		return -EBADMSG;
	for (size_t i = 0; i < head.cpus; i++)
		if (node_of[i] >= head.nodes)
			return -EBADMSG;
	free(stream->nodes);
	free(stream->node_of);
	stream->nodes = memory_checked(calloc(head.nodes, sizeof(uint64_t)));
	stream->node_of = memory_checked(calloc(head.cpus + 1u, 1));
	memcpy(stream->nodes, kib, head.nodes * sizeof(uint64_t));
	memcpy(stream->node_of, node_of, head.cpus);
	stream->nnodes = head.nodes;
	stream->ncpus_placed = head.cpus;
	return 0;
}

int stream_take_begin(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_begin begin = {0};
	struct stream_command *command;
	const char *line;

	(void)frame;
	payload_take_struct(c, &begin, sizeof(begin));
	line = payload_take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, begin.command);
	if (command && !strcmp(command->line, line))
		return 0; /* a repetition */
	if (stream_command_of(stream, begin.command))
		return refuse(why, EBADMSG, "command %u began twice", begin.command);
	stream->commands = memory_grow(stream->commands, stream->ncommands, sizeof(*command));
	index_set(&stream->by_number, begin.command, 0, stream->ncommands);
	command = &stream->commands[stream->ncommands++];
	command->number = begin.command;
	command->line = copy_text(line, strlen(line));
	for (unsigned cpu = 0; cpu < FRAME_STREAMS; cpu++)
		if (stream->unpackers[cpu])
			unpacker_restart(stream->unpackers[cpu]);
	return 0;
}

/* Refuses a frame of a command that has no BEGIN, or already has its RESULT. */
static int out_of_turn(struct reason *why, const char *what, const char *name)
{
	return refuse(why, ENOENT, "%s '%s' came out of its turn", what, name);
}

/* Packs the index of an event and the number of one of its ids into one number. */
static size_t id_place(size_t event, uint32_t nth)
{
	return event << 16 | nth;
}

/*
 * Returns whether the event was announced before. Ids are unique: `*is_torn` is set if one of them
 * belongs to another event.
 */
static bool knows_event(const struct stream_command *command, const void *ids, uint32_t nids,
			bool *is_torn)
{
	const struct stream_event *event;
	size_t found;
	uint64_t id;

	*is_torn = false;
	for (uint32_t i = 0; i < nids; i++) {
		memcpy(&id, (const uint8_t *)ids + i * sizeof(id), sizeof(id));
		found = index_find(&command->by_id, id, 0);
		if (found == INDEX_NONE)
			continue;
		event = &command->events[found >> 16];
		if (event->nids >= nids && !memcmp(event->ids, ids, nids * sizeof(id)))
			return true;
		*is_torn = true;
	}
	return false;
}

static void note_ids(struct stream_command *command, size_t number, uint32_t from)
{
	const struct stream_event *event = &command->events[number];

	for (uint32_t i = from; i < event->nids; i++)
		index_add(&command->by_id, event->ids[i], 0, id_place(number, i));
}

/* Takes the CPU of each id. An older image does not send them: then any CPU is possible. */
static uint16_t *take_targets(struct payload *c, uint32_t nids)
{
	uint16_t *cpus = memory_checked(calloc(nids + 1u, sizeof(*cpus)));
	struct payload ahead = *c;
	const void *told = payload_take(&ahead, nids * sizeof(*cpus));

	if (told)
		memcpy(cpus, told, nids * sizeof(*cpus));
	for (uint32_t i = 0; !told && i < nids; i++)
		cpus[i] = WIRE_ANY_CPU;
	return cpus;
}

/*
 * Takes the ids that did not fit into an event's first frame. The first of `ids` identifies the
 * event.
 */
static int take_more_ids(struct stream_command *command, struct payload *c, const uint8_t *ids,
			 uint32_t nids)
{
	struct stream_event *event;
	uint64_t id;
	size_t found;
	uint16_t *cpus;

	if (nids < 2)
		return -EBADMSG;
	memcpy(&id, ids, sizeof(id));
	found = index_find(&command->by_id, id, 0);
	if (found == INDEX_NONE || (found & UINT16_MAX))
		return 0; /* the first frame was lost */
	for (uint32_t i = 1; i < nids; i++) {
		memcpy(&id, ids + i * sizeof(id), sizeof(id));
		if (index_find(&command->by_id, id, 0) != INDEX_NONE)
			return 0; /* a repetition */
	}
	event = &command->events[found >> 16];
	if (event->nids + nids > UINT16_MAX)
		return -EBADMSG;
	cpus = take_targets(c, nids);
	event->ids =
		memory_checked(reallocarray(event->ids, event->nids + nids, sizeof(*event->ids)));
	event->cpus =
		memory_checked(reallocarray(event->cpus, event->nids + nids, sizeof(*event->cpus)));
	memcpy(event->ids + event->nids, ids + sizeof(id), (nids - 1) * sizeof(id));
	memcpy(event->cpus + event->nids, cpus + 1, (nids - 1) * sizeof(*cpus));
	free(cpus);
	event->nids += nids - 1;
	note_ids(command, found >> 16, event->nids - (nids - 1));
	return 0;
}

int stream_take_event(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_event head = {0};
	struct stream_event *event;
	struct stream_command *command;
	const void *attr, *ids;
	const char *name;
	bool is_torn;

	(void)frame;
	payload_take_struct(c, &head, sizeof(head));
	attr = payload_take(c, head.attr_size);
	ids = payload_take(c, head.nids * sizeof(uint64_t));
	name = payload_take_string(c);
	if (c->bad || (head.attr_size && head.attr_size < PERF_ATTR_SIZE_VER0) ||
	    head.attr_size > sizeof(struct perf_event_attr))
		return -EBADMSG;
	command = stream_running(stream, head.command);
	if (!command)
		return out_of_turn(why, "event", name);
	if (!head.attr_size)
		return take_more_ids(command, c, ids, head.nids);
	if (knows_event(command, ids, head.nids, &is_torn))
		return 0;
	if (is_torn)
		return refuse(why, EBADMSG, "event '%s' has an id of another event", name);
	command->events = memory_grow(command->events, command->nevents, sizeof(*event));
	event = &command->events[command->nevents++];
	memcpy(&event->attr, attr, head.attr_size);
	event->attr.size = head.attr_size;
	event->nids = head.nids;
	event->ids = memory_checked(calloc(head.nids + 1u, sizeof(uint64_t)));
	memcpy(event->ids, ids, head.nids * sizeof(uint64_t));
	event->cpus = take_targets(c, head.nids);
	event->name = copy_text(name, strlen(name));
	note_ids(command, command->nevents - 1, 0);
	/* the first EVENT was lost: takes the time of the record before it */
	if (command->last_record.size)
		stream_note_time(command, (const void *)command->last_record.data);
	return 0;
}

int stream_take_format(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why)
{
	struct wire_format head = {0};
	struct stream_command *command;
	struct stream_format *format;
	const char *system, *name, *text;

	(void)frame;
	payload_take_struct(c, &head, sizeof(head));
	system = payload_take_string(c);
	name = payload_take_string(c);
	text = payload_take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, head.command);
	if (!command)
		return out_of_turn(why, "the format of", name);
	if (index_find(&command->by_format, head.id, 0) != INDEX_NONE)
		return 0; /* a repetition */
	index_set(&command->by_format, head.id, 0, command->nformats);
	command->formats = memory_grow(command->formats, command->nformats, sizeof(*format));
	format = &command->formats[command->nformats++];
	*format = (struct stream_format){head.id, copy_text(system, strlen(system)),
					 copy_text(name, strlen(name)),
					 copy_text(text, strlen(text))};
	return 0;
}

int stream_take_count(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_count count = {0};
	struct stream_command *command;
	struct stream_count *slot;
	const char *name, *cgroup = NULL;

	(void)frame;
	payload_take_struct(c, &count, sizeof(count));
	name = payload_take_string(c);
	if (c->left)
		cgroup = payload_take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, count.command);
	if (!command)
		return out_of_turn(why, "count", name);
	command->counts = memory_grow(command->counts, command->ncounts, sizeof(*slot));
	slot = &command->counts[command->ncounts++];
	slot->count = count;
	slot->name = copy_text(name, strlen(name));
	slot->cgroup = cgroup ? copy_text(cgroup, strlen(cgroup)) : NULL;
	return 0;
}

int stream_take_report(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why)
{
	struct wire_report head = {0};
	struct stream_command *command;
	size_t n;

	(void)frame;
	payload_take_struct(c, &head, sizeof(head));
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, head.command);
	if (!command)
		return out_of_turn(why, "report", "");
	n = c->left;
	buf_add(&command->report, payload_take(c, n), n);
	return 0;
}

/*
 * Takes the noise certificate. A command sends it once; if there are several, the last one counts.
 */
int stream_take_noise(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why)
{
	struct wire_noise head = {0};
	struct stream_command *command;
	const char *line;

	(void)frame;
	payload_take_struct(c, &head, sizeof(head));
	line = payload_take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, head.command);
	if (!command)
		return out_of_turn(why, "certificate", line);
	free(command->noise);
	command->noise = copy_text(line, strlen(line));
	command->noise_flags = head.flags;
	return 0;
}

/*
 * Returns the number of samples that should have been sent, and that are neither received nor known
 * to be lost.
 */
static uint64_t missing_samples(const struct stream_command *command)
{
	const struct wire_books *books = &command->result.books;
	uint64_t known = command->samples + command->lost + books->overwritten;

	return books->written > known ? books->written - known : 0;
}

int stream_take_result(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why)
{
	struct wire_result result = {0};
	struct stream_command *command;

	(void)frame;
	payload_take_struct(c, &result, sizeof(result));
	if (c->bad)
		return -EBADMSG;
	command = stream_running(stream, result.command);
	if (!command)
		return refuse(why, ENOENT, "result of command %u, which does not run",
			      result.command);
	command->result = result;
	if (!stream->left_out)
		stream_add_lost(command, 0, missing_samples(command));
	command->ended = true;
	return 0;
}

int stream_take_bye(struct stream *stream, const struct frame *frame, struct payload *c,
		    struct reason *why)
{
	(void)frame;
	(void)why;
	if (c->left < sizeof(stream->bye) || stream->has_bye)
		return -EBADMSG;
	payload_take_struct(c, &stream->bye, sizeof(stream->bye));
	stream->has_bye = true;
	return 0;
}
