// SPDX-License-Identifier: BSD-2-Clause
/* stream.c - see stream.h. */
#include "tools/stream.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/record.h"
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
	if (!c->bad && stream->has_hello && !memcmp(&hello, &stream->hello, sizeof(hello)))
		return 0; /* said again, for who comes late */
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

/* Said again it is the same. */
static int take_cpus(struct stream *stream, const struct frame *frame, struct cursor *c,
		     struct reason *why)
{
	const size_t n = c->left / sizeof(*stream->cpus);

	(void)frame;
	(void)why;
	if (!n || c->left % sizeof(*stream->cpus))
		return -EBADMSG;
	stream->cpus = checked(reallocarray(stream->cpus, n, sizeof(*stream->cpus)));
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
		return reason_set(why, -EBADMSG, "command %u began twice", begin.command);
	stream->commands = grow(stream->commands, stream->ncommands, sizeof(*command));
	command = &stream->commands[stream->ncommands++];
	command->number = begin.command;
	command->line = copy_string(line);
	for (unsigned cpu = 0; cpu < FRAME_STREAMS; cpu++)
		if (stream->unpackers[cpu])
			unpacker_restart(stream->unpackers[cpu]);
	return 0;
}

/* Of a command of which no BEGIN came, or whose RESULT came already. */
static int out_of_turn(struct reason *why, const char *what, const char *name)
{
	return reason_set(why, -ENOENT, "%s '%s' came out of its turn", what, name);
}

/* Keeps the time of the last record that says one. */
static void note_time(struct stream_command *command, const struct perf_event_header *record)
{
	const struct record_format format = {command->events, command->nevents};
	uint64_t time;

	if (command->nevents && record_time(&format, record, &time))
		command->last_time = time;
}

static void note_times(struct stream_command *command)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;

	while ((record = stream_next_record(command, &cursor)))
		note_time(command, record);
}

/* Was this event announced before? Ids are never used twice. */
static bool knows_event(const struct stream_command *command, const void *ids, uint32_t nids)
{
	for (size_t i = 0; i < command->nevents; i++)
		if (nids && command->events[i].nids == nids &&
		    !memcmp(command->events[i].ids, ids, nids * sizeof(uint64_t)))
			return true;
	return false;
}

/* Image and tool may not be of one age: where the CPUs are not told, any may be. */
static uint16_t *take_targets(struct cursor *c, uint32_t nids)
{
	uint16_t *cpus = checked(calloc(nids + 1u, sizeof(*cpus)));
	struct cursor ahead = *c;
	const void *told = take(&ahead, nids * sizeof(*cpus));

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

	(void)frame;
	take_struct(c, &head, sizeof(head));
	attr = take(c, head.attr_size);
	ids = take(c, head.nids * sizeof(uint64_t));
	name = take_string(c);
	if (c->bad || head.attr_size < PERF_ATTR_SIZE_VER0 ||
	    head.attr_size > sizeof(struct perf_event_attr))
		return -EBADMSG;
	command = running_command(stream, head.command);
	if (!command)
		return out_of_turn(why, "event", name);
	if (knows_event(command, ids, head.nids))
		return 0;
	command->events = grow(command->events, command->nevents, sizeof(*event));
	event = &command->events[command->nevents++];
	memcpy(&event->attr, attr, head.attr_size);
	event->attr.size = head.attr_size;
	event->nids = head.nids;
	event->ids = checked(calloc(head.nids + 1u, sizeof(uint64_t)));
	memcpy(event->ids, ids, head.nids * sizeof(uint64_t));
	event->cpus = take_targets(c, head.nids);
	event->name = copy_string(name);
	note_times(command); /* of records that came before, where the first EVENT was lost */
	return 0;
}

static bool knows_format(const struct stream_command *command, uint32_t id)
{
	for (size_t i = 0; i < command->nformats; i++)
		if (command->formats[i].id == id)
			return true;
	return false;
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
	if (knows_format(command, head.id))
		return 0;
	command->formats = grow(command->formats, command->nformats, sizeof(*format));
	format = &command->formats[command->nformats++];
	*format = (struct stream_format){head.id, copy_string(system), copy_string(name),
					 copy_string(text)};
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
	command->counts = grow(command->counts, command->ncounts, sizeof(*slot));
	slot = &command->counts[command->ncounts++];
	slot->count = count;
	slot->name = copy_string(name);
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
	reason_set(why, 0, "records of CPU %u belong to no recording", cpu);
	return NULL;
}

static void add_chunk(struct stream_command *command, uint32_t cpu, const void *bytes, size_t n)
{
	const struct stream_chunk chunk = {.cpu = cpu, .size = (uint32_t)n};

	buf_add(&command->chunks, &chunk, sizeof(chunk));
	buf_add(&command->chunks, bytes, n);
}

/* Says in the place of `lost` samples that they are missing, as soon as it is known what of. */
static void add_lost(struct stream_command *command, uint32_t cpu, uint64_t lost)
{
	const struct record_format format = {command->events, command->nevents};
	struct buf record = {0};

	command->lost += lost;
	command->untold += lost;
	if (!command->untold || !command->nevents)
		return;
	record_add_lost(&record, &format, command->last_time, command->untold);
	add_chunk(command, cpu, record.data, record.size);
	command->untold = 0;
	buf_free(&record);
}

/* `bytes` are whole records, aligned to 8. */
static void add_records(struct stream_command *command, uint32_t cpu, const uint8_t *bytes,
			size_t n, uint64_t samples)
{
	add_chunk(command, cpu, bytes, n);
	for (size_t at = 0; at < n;) {
		const struct perf_event_header *record = (const void *)(bytes + at);

		note_time(command, record);
		at += record->size;
	}
	command->samples += samples;
	command->received += n;
}

static int take_data(struct stream *stream, const struct frame *frame, struct cursor *c,
		     struct reason *why)
{
	struct stream_command *command = recording_command(stream, frame->stream, why);
	uint64_t samples = 0;

	if (!command)
		return -ENOENT;
	if (!count_records(c->at, c->left, &samples))
		return reason_set(why, -EBADMSG, "a record of CPU %u is torn", frame->stream);
	add_records(command, frame->stream, c->at, c->left, samples);
	return 0;
}

static struct unpacker *unpacker_of(struct stream *stream, unsigned cpu)
{
	struct unpacker **u = &stream->unpackers[cpu];

	if (!*u) {
		*u = checked(malloc(sizeof(**u)));
		unpacker_init(*u);
	}
	return *u;
}

static void on_unpacked(void *ctx, const struct perf_event_header *record)
{
	buf_add(ctx, record, record->size);
}

/* Nothing of a frame is believed before all of it is. */
static int take_packed(struct stream *stream, const struct frame *frame, struct cursor *c,
		       struct reason *why)
{
	struct stream_command *command = recording_command(stream, frame->stream, why);
	enum unpack_verdict verdict;
	struct buf records = {0};
	uint64_t samples = 0;
	uint32_t lost;

	if (!command)
		return -ENOENT;
	verdict = unpacker_frame(unpacker_of(stream, frame->stream), (enum wire_type)frame->type,
				 c->at, c->left, &lost, on_unpacked, &records);
	if (verdict == UNPACK_RECORDS) {
		count_records(records.data, records.size, &samples);
		add_lost(command, frame->stream, lost);
		add_records(command, frame->stream, records.data, records.size, samples);
	}
	buf_free(&records);
	return verdict == UNPACK_MALFORMED || verdict == UNPACK_REPEATED ? -EBADMSG : 0;
}

/* The last part of the same trace; NULL: there is none. */
static struct stream_aux *find_part(struct stream_command *command, uint64_t id, uint32_t cpu)
{
	for (size_t i = command->naux; i-- > 0;)
		if (command->aux[i].head.id == id && command->aux[i].cpu == cpu)
			return &command->aux[i];
	return NULL;
}

/* A snapshot is a part, and behind a gap a new one begins, too, which can be decoded by itself:
 * stream_check() finds the gap. */
static struct stream_aux *aux_part(struct stream_command *command, const struct wire_aux *head,
				   uint32_t cpu)
{
	struct stream_aux *aux = find_part(command, head->id, cpu);

	if (aux && !(head->flags & WIRE_AUX_BEGIN) &&
	    aux->head.offset + aux->bytes.size == head->offset)
		return aux;
	command->aux = grow(command->aux, command->naux, sizeof(*aux));
	aux = &command->aux[command->naux++];
	aux->head = *head;
	aux->cpu = cpu;
	return aux;
}

static int take_aux(struct stream *stream, const struct frame *frame, struct cursor *c,
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
		return reason_set(why, -EBADMSG, "trace of CPU %u belongs to no recording",
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
		return reason_set(why, -ENOENT, "result of command %u, which does not run",
				  result.command);
	command->result = result;
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
	[WIRE_AUX] = {"AUX", take_aux},       [WIRE_FORMAT] = {"FORMAT", take_format},
	[WIRE_CPUS] = {"CPUS", take_cpus},
};

static void note(struct stream_fault *fault, const struct reason *why)
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
	reason_set(&why, 0, "a %s frame of %u bytes makes no sense", taker->name, frame->length);
	err = taker->take(stream, frame, &cursor, &why);
	if (err)
		note(err == -ENOENT ? &stream->stray : &stream->malformed, &why);
}

void stream_init(struct stream *stream)
{
	*stream = (struct stream){0};
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
	free(stream->commands);
	free(stream->version);
	free(stream->vendor);
	free(stream->brand);
	free(stream->load_options);
	free(stream->cpus);
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
