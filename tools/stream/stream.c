// SPDX-License-Identifier: BSD-2-Clause
/* stream.c - see stream.h. */
#include "tools/stream/stream.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stream/record.h"
#include "tools/util/status.h"

#define CHUNK_ALIGN 8

/* What is left of a payload. Once something did not fit, `bad` stays set and nothing more comes. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

static const void *take_bytes(struct cursor *c, size_t n)
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
	const void *at = take_bytes(c, n);

	if (at)
		memcpy(out, at, n);
}

/* A terminated string, where it stands; "" when there is none. */
static const char *take_string(struct cursor *c)
{
	const char *at = take_bytes(c, strnlen((const char *)c->at, c->left) + 1);

	return at ? at : "";
}

static void *checked_memory(void *memory)
{
	if (!memory)
		errx(STATUS_MACHINE, "out of memory");
	return memory;
}

static char *duplicate_string(const char *s)
{
	return copy_text(s, strlen(s));
}

/*
 * The array with room for one more element behind its `n`, which is zeroed. Its room is the power
 * of two that holds them, so that it moves seldom.
 */
static void *grow_array(void *array, size_t n, size_t size)
{
	if (!(n & (n - 1)))
		array = checked_memory(reallocarray(array, n ? 2 * n : 1, size));
	memset((uint8_t *)array + n * size, 0, size);
	return array;
}

static struct stream_command *find_command(struct stream *stream, uint32_t number)
{
	size_t i = index_find(&stream->by_number, number, 0);

	return i == INDEX_NONE ? NULL : &stream->commands[i];
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
		return refuse(why, EPROTO, "the image speaks wire version %u, not %d",
			      hello.version, WIRE_VERSION);
	version = take_string(c);
	vendor = take_string(c);
	brand = take_string(c);
	load_options = take_string(c);
	if (!c->bad && stream->has_hello && !memcmp(&hello, &stream->hello, sizeof(hello)))
		return 0; /* sent again for a listener that comes late */
	if (c->bad || stream->has_hello || hello.build_id_size > sizeof(hello.build_id))
		return -EBADMSG;
	stream->has_hello = true;
	stream->hello = hello;
	stream->version = duplicate_string(version);
	stream->vendor = duplicate_string(vendor);
	stream->brand = duplicate_string(brand);
	stream->load_options = duplicate_string(load_options);
	return 0;
}

/* Said again it is the same. */
static int take_cpus(struct stream *stream, const struct frame *frame, struct cursor *c,
		     struct reason *why)
{
	const size_t n = c->left / sizeof(*stream->cpus);

	(void)frame;
	(void)why;
	if (!n || c->left % sizeof(*stream->cpus))
		return -EBADMSG;
	stream->cpus = checked_memory(reallocarray(stream->cpus, n, sizeof(*stream->cpus)));
	stream->ncpus = n;
	take_struct(c, stream->cpus, n * sizeof(*stream->cpus));
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
	command = running_command(stream, begin.command);
	if (command && !strcmp(command->line, line))
		return 0; /* said again */
	if (find_command(stream, begin.command))
		return refuse(why, EBADMSG, "command %u began twice", begin.command);
	stream->commands = grow_array(stream->commands, stream->ncommands, sizeof(*command));
	index_set(&stream->by_number, begin.command, 0, stream->ncommands);
	command = &stream->commands[stream->ncommands++];
	command->number = begin.command;
	command->line = duplicate_string(line);
	for (unsigned cpu = 0; cpu < FRAME_STREAMS; cpu++)
		if (stream->unpackers[cpu])
			unpacker_restart(stream->unpackers[cpu]);
	return 0;
}

/* Of a command of which no BEGIN came, or whose RESULT came already. */
static int out_of_turn(struct reason *why, const char *what, const char *name)
{
	return refuse(why, ENOENT, "%s '%s' came out of its turn", what, name);
}

/* Keeps the time of the last record that says one. */
static void note_time(struct stream_command *command, const struct perf_event_header *record)
{
	const struct record_format format = stream_format(command);
	uint64_t time;

	if (command->nevents && record_time(&format, record, &time))
		command->last_time = time;
}

/* Which event has an id, and which of its ids it is, in one number. */
static size_t id_place(size_t event, uint32_t nth)
{
	return event << 16 | nth;
}

/*
 * Was this event announced before? Ids are never used twice: `*is_torn` is set when another event
 * has one of them.
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
		if (event->nids == nids && !memcmp(event->ids, ids, nids * sizeof(id)))
			return true;
		*is_torn = true;
	}
	return false;
}

static void note_ids(struct stream_command *command, size_t number)
{
	const struct stream_event *event = &command->events[number];

	for (uint32_t i = 0; i < event->nids; i++)
		index_add(&command->by_id, event->ids[i], 0, id_place(number, i));
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

/* Image and tool may not be of one age: where the CPUs are not told, any may be. */
static uint16_t *take_targets(struct cursor *c, uint32_t nids)
{
	uint16_t *cpus = checked_memory(calloc(nids + 1u, sizeof(*cpus)));
	struct cursor ahead = *c;
	const void *told = take_bytes(&ahead, nids * sizeof(*cpus));

	if (told)
		memcpy(cpus, told, nids * sizeof(*cpus));
	for (uint32_t i = 0; !told && i < nids; i++)
		cpus[i] = WIRE_ANY_CPU;
	return cpus;
}

static int take_event(struct stream *stream, const struct frame *frame, struct cursor *c,
		      struct reason *why)
{
	struct wire_event head = {0};
	struct stream_event *event;
	struct stream_command *command;
	const void *attr, *ids;
	const char *name;
	bool is_torn;

	(void)frame;
	take_struct(c, &head, sizeof(head));
	attr = take_bytes(c, head.attr_size);
	ids = take_bytes(c, head.nids * sizeof(uint64_t));
	name = take_string(c);
	if (c->bad || head.attr_size < PERF_ATTR_SIZE_VER0 ||
	    head.attr_size > sizeof(struct perf_event_attr))
		return -EBADMSG;
	command = running_command(stream, head.command);
	if (!command)
		return out_of_turn(why, "event", name);
	if (knows_event(command, ids, head.nids, &is_torn))
		return 0;
	if (is_torn)
		return refuse(why, EBADMSG, "event '%s' has an id of another event", name);
	command->events = grow_array(command->events, command->nevents, sizeof(*event));
	event = &command->events[command->nevents++];
	memcpy(&event->attr, attr, head.attr_size);
	event->attr.size = head.attr_size;
	event->nids = head.nids;
	event->ids = checked_memory(calloc(head.nids + 1u, sizeof(uint64_t)));
	memcpy(event->ids, ids, head.nids * sizeof(uint64_t));
	event->cpus = take_targets(c, head.nids);
	event->name = duplicate_string(name);
	note_ids(command, command->nevents - 1);
	/* Of a record that came before, where the first EVENT was lost. */
	if (command->last_record.size)
		note_time(command, (const void *)command->last_record.data);
	return 0;
}

static int take_format(struct stream *stream, const struct frame *frame, struct cursor *c,
		       struct reason *why)
{
	struct wire_format head = {0};
	struct stream_command *command;
	struct stream_format *format;
	const char *system, *name, *text;

	(void)frame;
	take_struct(c, &head, sizeof(head));
	system = take_string(c);
	name = take_string(c);
	text = take_string(c);
	if (c->bad)
		return -EBADMSG;
	command = running_command(stream, head.command);
	if (!command)
		return out_of_turn(why, "the format of", name);
	if (index_find(&command->by_format, head.id, 0) != INDEX_NONE)
		return 0; /* said again */
	index_set(&command->by_format, head.id, 0, command->nformats);
	command->formats = grow_array(command->formats, command->nformats, sizeof(*format));
	format = &command->formats[command->nformats++];
	*format = (struct stream_format){head.id, duplicate_string(system), duplicate_string(name),
					 duplicate_string(text)};
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
		return out_of_turn(why, "count", name);
	command->counts = grow_array(command->counts, command->ncounts, sizeof(*slot));
	slot = &command->counts[command->ncounts++];
	slot->count = count;
	slot->name = duplicate_string(name);
	return 0;
}

/* Are these whole records? Counts the samples. */
static bool count_records(const uint8_t *at, size_t left, uint64_t *samples)
{
	while (left) {
		struct perf_event_header record;

		if (left < sizeof(record))
			return false;
		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size % 8 || record.size > left)
			return false;
		*samples += record.type == PERF_RECORD_SAMPLE;
		at += record.size;
		left -= record.size;
	}
	return true;
}

/* The command that records; NULL with the reason. Its events may yet come, when said again. */
static struct stream_command *recording_command(struct stream *stream, unsigned cpu,
						struct reason *why)
{
	struct stream_command *command =
		stream->ncommands ? &stream->commands[stream->ncommands - 1] : NULL;

	if (command && !command->ended)
		return command;
	refuse(why, 0, "records of CPU %u belong to no recording", cpu);
	return NULL;
}

static void add_chunk(struct stream_command *command, uint32_t cpu, enum stream_chunk_kind kind,
		      const void *bytes, size_t n)
{
	const struct stream_chunk chunk = {.cpu = cpu, .size = (uint32_t)n, .kind = kind};

	buf_add(&command->chunks, &chunk, sizeof(chunk));
	buf_add(&command->chunks, bytes, n);
	buf_pad(&command->chunks, 0, CHUNK_ALIGN);
}

/* Says in the place of `lost` samples that they are missing, as soon as it is known what of. */
static void add_lost(struct stream_command *command, uint32_t cpu, uint64_t lost)
{
	const struct record_format format = stream_format(command);
	struct buf record = {0};

	command->lost += lost;
	command->untold += lost;
	if (!command->untold || !command->nevents)
		return;
	record_add_lost(&record, &format, command->last_time, command->untold);
	add_chunk(command, cpu, STREAM_PLAIN, record.data, record.size);
	command->untold = 0;
	buf_free(&record);
}

/* Whole records, aligned to 8, of one frame, and how they are kept. */
struct records {
	const uint8_t *bytes;
	size_t n;
	uint64_t samples;
	enum stream_chunk_kind kind;
	const void *kept;
	size_t nkept; /* bytes */
};

static void add_records(struct stream *stream, struct stream_command *command, uint32_t cpu,
			const struct records *records)
{
	const struct perf_event_header *record = NULL;

	add_chunk(command, cpu, records->kind, records->kept, records->nkept);
	for (size_t at = 0; at < records->n; at += record->size) {
		record = (const void *)(records->bytes + at);
		note_time(command, record);
	}
	if (record) {
		command->last_record.size = 0;
		buf_add(&command->last_record, record, record->size);
	}
	command->samples += records->samples;
	command->received += records->n;
	stream->size += records->n;
}

/* Is there no room for `n` more bytes? From then on nothing is taken, lest there be holes. */
static bool is_too_much(struct stream *stream, size_t n)
{
	if (!stream->left_out && n <= stream->max_size - stream->size)
		return false;
	stream->left_out++;
	return true;
}

static int take_data(struct stream *stream, const struct frame *frame, struct cursor *c,
		     struct reason *why)
{
	struct stream_command *command = recording_command(stream, frame->stream, why);
	struct records records = {c->at, c->left, 0, STREAM_PLAIN, c->at, c->left};

	if (!command)
		return -ENOENT;
	if (!count_records(c->at, c->left, &records.samples))
		return refuse(why, EBADMSG, "a record of CPU %u is torn", frame->stream);
	if (!is_too_much(stream, records.n))
		add_records(stream, command, frame->stream, &records);
	return 0;
}

static struct unpacker *unpacker_of(struct unpacker **unpackers, unsigned cpu)
{
	struct unpacker **u = &unpackers[cpu];

	if (!*u) {
		*u = checked_memory(malloc(sizeof(**u)));
		unpacker_init(*u);
	}
	return *u;
}

static void on_unpacked(void *ctx, const struct perf_event_header *record)
{
	buf_add(ctx, record, record->size);
}

/* What was unpacked is counted and forgotten; the payload is kept. */
static void take_unpacked(struct stream *stream, struct stream_command *command,
			  const struct frame *frame, uint32_t lost)
{
	const struct unpacker *unpacker = stream->unpackers[frame->stream];
	struct records records = {
		.bytes = stream->scratch.data,
		.n = stream->scratch.size,
		.kind = frame->type == WIRE_KEY ? STREAM_KEY : STREAM_PACKED,
		.kept = frame->type == WIRE_PART ? unpacker->blob : frame->payload,
		.nkept = frame->type == WIRE_PART ? unpacker->part_have : frame->length,
	};

	if (is_too_much(stream, records.n))
		return;
	count_records(records.bytes, records.n, &records.samples);
	add_lost(command, frame->stream, lost);
	add_records(stream, command, frame->stream, &records);
}

/* Nothing of a frame is believed before all of it is. */
static int take_packed(struct stream *stream, const struct frame *frame, struct cursor *c,
		       struct reason *why)
{
	struct stream_command *command = recording_command(stream, frame->stream, why);
	enum unpack_verdict verdict;
	uint32_t lost;

	if (!command)
		return -ENOENT;
	if (stream->left_out) {
		stream->left_out++;
		return 0;
	}
	stream->scratch.size = 0;
	verdict = unpacker_frame(unpacker_of(stream->unpackers, frame->stream),
				 (enum wire_type)frame->type, c->at, c->left, &lost, on_unpacked,
				 &stream->scratch);
	if (verdict == UNPACK_RECORDS)
		take_unpacked(stream, command, frame, lost);
	return verdict == UNPACK_MALFORMED || verdict == UNPACK_REPEATED ? -EBADMSG : 0;
}

/* The last part of the same trace; NULL: there is none. */
static struct stream_aux *find_part(struct stream_command *command, uint64_t id, uint32_t cpu)
{
	size_t i = index_find(&command->by_trace, id, cpu);

	return i == INDEX_NONE ? NULL : &command->aux[i];
}

/* A snapshot is a part, and behind a gap a new one begins, too, which can be decoded by itself:
 * stream_check() finds the gap. */
static struct stream_aux *aux_part(struct stream_command *command, const struct wire_aux *head,
				   uint32_t cpu)
{
	struct stream_aux *aux = find_part(command, head->id, cpu);
	size_t before;

	if (aux && !(head->flags & WIRE_AUX_BEGIN) &&
	    aux->head.offset + aux->bytes.size == head->offset)
		return aux;
	before = aux ? (size_t)(aux - command->aux) : INDEX_NONE;
	command->aux = grow_array(command->aux, command->naux, sizeof(*aux));
	index_set(&command->by_trace, head->id, cpu, command->naux);
	aux = &command->aux[command->naux++];
	aux->before = before;
	aux->head = *head;
	aux->cpu = cpu;
	return aux;
}

static int take_aux_part(struct stream *stream, const struct frame *frame, struct cursor *c,
			 struct reason *why)
{
	struct stream_command *command;
	struct wire_aux head = {0};
	struct stream_aux *part;

	take_struct(c, &head, sizeof(head));
	if (c->bad || head.time_shift > 63 || !head.tsc)
		return -EBADMSG;
	command = running_command(stream, head.command);
	if (!command || !command->nevents)
		return refuse(why, EBADMSG, "trace of CPU %u belongs to no recording",
			      frame->stream);
	part = aux_part(command, &head, frame->stream);
	buf_add(&part->bytes, c->at, c->left);
	part->last = head;
	return 0;
}

/* Of what was to be sent, neither received nor known to be lost. */
static uint64_t missing_samples(const struct stream_command *command)
{
	const struct wire_books *books = &command->result.books;
	uint64_t known = command->samples + command->lost + books->overwritten;

	return books->written > known ? books->written - known : 0;
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
		return refuse(why, ENOENT, "result of command %u, which does not run",
			      result.command);
	command->result = result;
	if (!stream->left_out)
		add_lost(command, 0, missing_samples(command));
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
	[WIRE_BYE] = {"BYE", take_bye},       [WIRE_PACKED] = {"PACKED", take_packed},
	[WIRE_KEY] = {"KEY", take_packed},    [WIRE_PART] = {"PART", take_packed},
	[WIRE_AUX] = {"AUX", take_aux_part},  [WIRE_FORMAT] = {"FORMAT", take_format},
	[WIRE_CPUS] = {"CPUS", take_cpus},
};

static void note_fault(struct stream_fault *fault, const struct reason *why)
{
	if (!fault->frames++)
		fault->first = *why;
}

void stream_frame(struct stream *stream, const struct frame *frame)
{
	struct cursor cursor = {.at = frame->payload, .left = frame->length};
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
	for (size_t i = 0; i < command->ncounts; i++)
		free(command->counts[i].name);
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
	stream_init(stream);
}

/* What a cursor needs to unpack: the templates of each CPU, and the records of one chunk. */
struct stream_unpacked {
	struct unpacker *unpackers[FRAME_STREAMS]; /* NULL where nothing packed came from */
	struct buf records;
};

/* The same frames in the same order as when they came: so they unpack to the same. */
static void open_chunk(struct stream_cursor *cursor, const struct stream_chunk *chunk)
{
	struct stream_unpacked *unpacked = cursor->unpacked;
	uint32_t lost;

	cursor->is_open = true;
	if (chunk->kind == STREAM_PLAIN)
		return;
	if (!unpacked)
		unpacked = cursor->unpacked = checked_memory(calloc(1, sizeof(*unpacked)));
	unpacked->records.size = 0;
	unpacker_frame(unpacker_of(unpacked->unpackers, chunk->cpu),
		       chunk->kind == STREAM_KEY ? WIRE_KEY : WIRE_PACKED, chunk + 1, chunk->size,
		       &lost, on_unpacked, &unpacked->records);
}

const struct perf_event_header *stream_next_record(const struct stream_command *command,
						   struct stream_cursor *cursor)
{
	while (cursor->chunk < command->chunks.size) {
		const struct stream_chunk *chunk =
			(const void *)(command->chunks.data + cursor->chunk);
		const bool is_plain = chunk->kind == STREAM_PLAIN;
		const struct perf_event_header *record;
		const uint8_t *bytes;
		size_t n;

		if (!cursor->is_open)
			open_chunk(cursor, chunk);
		bytes = is_plain ? (const void *)(chunk + 1) : cursor->unpacked->records.data;
		n = is_plain ? chunk->size : cursor->unpacked->records.size;
		if (cursor->offset < n) {
			record = (const void *)(bytes + cursor->offset);
			cursor->offset += record->size;
			return record;
		}
		cursor->chunk += sizeof(*chunk) +
				 (chunk->size + CHUNK_ALIGN - 1) / CHUNK_ALIGN * CHUNK_ALIGN;
		cursor->offset = 0;
		cursor->is_open = false;
	}
	return NULL;
}

void stream_cursor_free(struct stream_cursor *cursor)
{
	struct stream_unpacked *unpacked = cursor->unpacked;

	for (unsigned cpu = 0; unpacked && cpu < FRAME_STREAMS; cpu++)
		free(unpacked->unpackers[cpu]);
	if (unpacked)
		buf_free(&unpacked->records);
	free(unpacked);
	*cursor = (struct stream_cursor){0};
}

uint32_t stream_record_cpu(const struct stream_command *command, const struct stream_cursor *cursor)
{
	const struct stream_chunk *chunk = (const void *)(command->chunks.data + cursor->chunk);

	return chunk->cpu;
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
