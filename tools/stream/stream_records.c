// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream_records.c - takes frames of records, packed or plain, and of traces. They are kept in the
 * bytes in which they arrived, together with records about missing samples.
 */
#include "tools/stream/takers.h"

#include <errno.h>
#include <string.h>

#include "tools/stream/stream_record.h"
#include "tools/util/memory.h"

void stream_note_time(struct stream_command *command, const struct perf_event_header *record)
{
	const struct record_format format = stream_format(command);
	uint64_t time;

	if (command->nevents && record_time(&format, record, &time))
		command->last_time = time;
}

/* Returns whether the bytes are complete records, and counts the samples. */
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

/*
 * Returns the command that records; NULL with the reason. Its events may still arrive when they are
 * repeated.
 */
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
	buf_pad(&command->chunks, 0, STREAM_CHUNK_ALIGN);
}

void stream_add_lost(struct stream_command *command, uint32_t cpu, uint64_t lost)
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

/* The complete records of one frame, aligned to 8, and the encoding in which they are kept. */
struct records {
	const uint8_t *bytes;
	size_t n;
	uint64_t samples;
	enum stream_chunk_kind kind;
	const void *kept;
	size_t nkept; /* bytes that are kept */
};

static void add_records(struct stream *stream, struct stream_command *command, uint32_t cpu,
			const struct records *records)
{
	const struct perf_event_header *record = NULL;

	add_chunk(command, cpu, records->kind, records->kept, records->nkept);
	for (size_t at = 0; at < records->n; at += record->size) {
		record = (const void *)(records->bytes + at);
		stream_note_time(command, record);
	}
	if (record) {
		command->last_record.size = 0;
		buf_add(&command->last_record, record, record->size);
	}
	command->samples += records->samples;
	command->received += records->n;
	stream->size += records->n;
}

/*
 * Returns whether `n` more bytes exceed the limit. After that no records are taken, so that there
 * is no gap in the middle.
 */
static bool is_too_much(struct stream *stream, size_t n)
{
	if (!stream->left_out && n <= stream->max_size - stream->size)
		return false;
	stream->left_out++;
	return true;
}

int stream_take_data(struct stream *stream, const struct frame *frame, struct payload *c,
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

/* Counts unpacked records and drops them; the packed payload is kept. */
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
	stream_add_lost(command, frame->stream, lost);
	add_records(stream, command, frame->stream, &records);
}

/* Takes a packed frame. No part of it is used before all of it is checked. */
int stream_take_packed(struct stream *stream, const struct frame *frame, struct payload *c,
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
	verdict = unpacker_frame(stream_unpacker(stream->unpackers, frame->stream),
				 (enum wire_type)frame->type, c->at, c->left, &lost,
				 stream_add_unpacked, &stream->scratch);
	if (verdict == UNPACK_RECORDS)
		take_unpacked(stream, command, frame, lost);
	return verdict == UNPACK_MALFORMED || verdict == UNPACK_REPEATED ? -EBADMSG : 0;
}

/* Returns the last part of the same trace; NULL: none. */
static struct stream_aux *find_part(struct stream_command *command, uint64_t id, uint32_t cpu)
{
	size_t i = index_find(&command->by_trace, id, cpu);

	return i == INDEX_NONE ? NULL : &command->aux[i];
}

/* Returns the part for new bytes of a trace. A snapshot is a part of its own. Bytes after a gap
 * begin a new part, too, which can be decoded by itself; stream_check() reports the gap. */
static struct stream_aux *aux_part(struct stream_command *command, const struct wire_aux *head,
				   uint32_t cpu)
{
	struct stream_aux *aux = find_part(command, head->id, cpu);
	size_t before;

	if (aux && !(head->flags & WIRE_AUX_BEGIN) &&
	    aux->head.offset + aux->bytes.size == head->offset)
		return aux;
	before = aux ? (size_t)(aux - command->aux) : INDEX_NONE;
	command->aux = memory_grow(command->aux, command->naux, sizeof(*aux));
	index_set(&command->by_trace, head->id, cpu, command->naux);
	aux = &command->aux[command->naux++];
	aux->before = before;
	aux->head = *head;
	aux->cpu = cpu;
	return aux;
}

int stream_take_aux(struct stream *stream, const struct frame *frame, struct payload *c,
		    struct reason *why)
{
	struct stream_command *command;
	struct wire_aux head = {0};
	struct stream_aux *part;

	payload_take_struct(c, &head, sizeof(head));
	if (c->bad || head.time_shift > 63 || !head.tsc)
		return -EBADMSG;
	command = stream_running(stream, head.command);
	if (!command || !command->nevents)
		return refuse(why, EBADMSG, "trace of CPU %u belongs to no recording",
			      frame->stream);
	part = aux_part(command, &head, frame->stream);
	buf_add(&part->bytes, c->at, c->left);
	part->last = head;
	return 0;
}
