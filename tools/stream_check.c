// SPDX-License-Identifier: BSD-2-Clause
/* stream_check.c - is a stream complete, and do its books balance? See docs/WIRE.md, "The books".
 */
#include "tools/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/record.h"
#include "tools/sample.h"

static void add_books(struct wire_books *sum, const struct wire_books *books)
{
	sum->overflows += books->overflows;
	sum->written += books->written;
	sum->lost += books->lost;
	sum->refused += books->refused;
	sum->sent += books->sent;
	sum->overwritten += books->overwritten;
}

static int check_books(const struct stream_command *command, struct reason *why)
{
	const struct wire_books *b = &command->result.books;
	uint32_t n = command->number;

	if (b->overflows != b->written + b->lost + b->refused)
		return reason_set(why, -EBADMSG,
				  "command %u: %" PRIu64 " overflows, but %" PRIu64
				  " written + %" PRIu64 " lost + %" PRIu64 " refused",
				  n, b->overflows, b->written, b->lost, b->refused);
	if (b->written != command->samples + b->overwritten)
		return reason_set(why, -EBADMSG,
				  "command %u: %" PRIu64 " samples written, %" PRIu64
				  " overwritten, %" PRIu64 " received",
				  n, b->written, b->overwritten, command->samples);
	if (b->sent != command->received)
		return reason_set(why, -EBADMSG,
				  "command %u: %" PRIu64 " bytes of records sent, %" PRIu64
				  " received",
				  n, b->sent, command->received);
	return 0;
}

/* What the AUX records of one trace tell, up to byte `end`: the sum, and the last one. */
struct aux_told {
	uint64_t bytes;
	uint64_t last_offset, last_size;
};

/* Of the trace of event `id`; 0: of all. */
static struct aux_told read_aux_records(const struct stream_command *command, uint64_t id,
					uint64_t end)
{
	const struct record_format format = {command->events, command->nevents};
	struct aux_told told = {0};
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;

	while ((record = stream_next_record(command, &cursor))) {
		uint64_t body[2], whose;

		if (record->type != PERF_RECORD_AUX ||
		    record->size < sizeof(*record) + sizeof(body))
			continue;
		if (id && record_id(&format, record, &whose) && whose != id)
			continue;
		memcpy(body, record + 1, sizeof(body));
		if (body[0] + body[1] > end)
			continue;
		told.last_offset = body[0];
		told.last_size = body[1];
		told.bytes += body[1];
	}
	return told;
}

static int refuse_bytes(const struct stream_command *command, const struct stream_aux *aux,
			uint64_t begin, uint64_t end, struct reason *why)
{
	return reason_set(why, -EBADMSG,
			  "command %u: bytes %" PRIu64 " to %" PRIu64
			  " of the trace were received, not %" PRIu64 " to %" PRIu64,
			  command->number, aux->head.offset, aux->head.offset + aux->bytes.size,
			  begin, end);
}

static int refuse_told(const struct stream_command *command, uint64_t bytes, uint64_t received,
		       struct reason *why)
{
	return reason_set(why, -EBADMSG,
			  "command %u: AUX records tell of %" PRIu64
			  " bytes of trace, not of %" PRIu64,
			  command->number, bytes, received);
}

/* The part of the same trace in front of it; NULL: there is none. */
static const struct stream_aux *part_before(const struct stream_command *command,
					    const struct stream_aux *aux)
{
	for (const struct stream_aux *at = aux; at-- > command->aux;)
		if (at->head.id == aux->head.id && at->cpu == aux->cpu)
			return at;
	return NULL;
}

static uint64_t end_of(const struct stream_aux *aux)
{
	return aux ? aux->head.offset + aux->bytes.size : 0;
}

/* What an AUX record tells that the area held then, but for what the snapshot before has. */
static int check_snapshot(const struct stream_command *command, const struct stream_aux *aux,
			  uint64_t id, struct reason *why)
{
	const struct stream_aux *last = part_before(command, aux);
	const uint64_t end = end_of(aux), end_before = end_of(last);
	const struct aux_told told = read_aux_records(command, id, end);
	uint64_t begin = told.last_offset;

	if (last && begin < end_before)
		begin = end_before;
	if (aux->head.offset != begin)
		return refuse_bytes(command, aux, begin, end, why);
	if (told.last_offset + told.last_size != end)
		return refuse_told(command, told.bytes, end - begin, why);
	return 0;
}

static int check_whole(const struct stream_command *command, const struct stream_aux *aux,
		       uint64_t id, struct reason *why)
{
	const struct aux_told told = read_aux_records(command, id, UINT64_MAX);
	const uint64_t end = end_of(aux);

	if (aux->head.offset)
		return refuse_bytes(command, aux, 0, end, why);
	return told.bytes == end ? 0 : refuse_told(command, told.bytes, end, why);
}

/* Is there no later part of the same trace? */
static bool is_last_part(const struct stream_command *command, const struct stream_aux *part)
{
	for (const struct stream_aux *at = part + 1; at < command->aux + command->naux; at++)
		if (at->head.id == part->head.id && at->cpu == part->cpu)
			return false;
	return true;
}

/* Each snapshot; of another trace all that was produced, and no gap, before which is not all of it.
 */
static int check_part(const struct stream_command *command, const struct stream_aux *aux,
		      uint64_t id, struct reason *why)
{
	const bool is_snapshot = aux->last.flags & WIRE_AUX_SNAPSHOT;

	if (is_last_part(command, aux)) {
		if (!(aux->last.flags & WIRE_AUX_LAST))
			return reason_set(why, -EBADMSG, "command %u: the trace has no end",
					  command->number);
		if (end_of(aux) != aux->last.produced)
			return refuse_bytes(command, aux, is_snapshot ? aux->head.offset : 0,
					    aux->last.produced, why);
	} else if (!is_snapshot) {
		return 0;
	}
	return is_snapshot ? check_snapshot(command, aux, id, why)
			   : check_whole(command, aux, id, why);
}

static bool is_one_trace(const struct stream_command *command)
{
	for (size_t i = 1; i < command->naux; i++)
		if (command->aux[i].head.id != command->aux[0].head.id)
			return false;
	return true;
}

static int check_aux(const struct stream_command *command, struct reason *why)
{
	const bool one = is_one_trace(command);
	int bad = 0;

	if (!command->naux && read_aux_records(command, 0, UINT64_MAX).bytes)
		return reason_set(why, -EBADMSG, "command %u: AUX records, but no trace",
				  command->number);
	for (size_t i = 0; i < command->naux && !bad; i++) {
		const struct stream_aux *aux = &command->aux[i];

		bad = check_part(command, aux, one ? 0 : aux->head.id, why);
	}
	return bad;
}

/* The CPU that the event `id` is for; WIRE_ANY_CPU also where nobody said. */
static uint16_t cpu_of(const struct stream_command *command, uint64_t id)
{
	for (size_t i = 0; i < command->nevents; i++)
		for (uint32_t j = 0; j < command->events[i].nids; j++)
			if (command->events[i].ids[j] == id)
				return command->events[i].cpus[j];
	return WIRE_ANY_CPU;
}

/* What a CPU's event samples was there, and is in that CPU's ring. */
static int check_places(const struct stream_command *command, struct reason *why)
{
	const struct record_format format = {command->events, command->nevents};
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;

	while ((record = stream_next_record(command, &cursor))) {
		const uint32_t ring = stream_record_cpu(command, &cursor);
		struct sample sample;
		uint64_t id;
		uint16_t cpu;

		if (record->type != PERF_RECORD_SAMPLE || !record_id(&format, record, &id))
			continue;
		cpu = cpu_of(command, id);
		if (cpu == WIRE_ANY_CPU)
			continue;
		if (wire_stream(cpu) != ring)
			return reason_set(why, -EBADMSG,
					  "command %u: a sample of an event for CPU %u was in the "
					  "ring of CPU %u",
					  command->number, cpu, ring);
		if (sample_parse(&format, record, &sample) && sample.has & PERF_SAMPLE_CPU &&
		    sample.cpu != cpu)
			return reason_set(why, -EBADMSG,
					  "command %u: an event for CPU %u was sampled on CPU %u",
					  command->number, cpu, sample.cpu);
	}
	return 0;
}

static int check_commands(const struct stream *stream, struct reason *why)
{
	struct wire_books sum = {0};

	for (size_t i = 0; i < stream->ncommands; i++) {
		const struct stream_command *command = &stream->commands[i];

		if (!command->ended)
			return reason_set(why, -EBADMSG, "command %u has no result",
					  command->number);
		if (check_books(command, why) || check_aux(command, why) ||
		    check_places(command, why))
			return -EBADMSG;
		add_books(&sum, &command->result.books);
	}
	if (stream->bye.commands != stream->ncommands)
		return reason_set(why, -EBADMSG, "%u commands were run, %zu were received",
				  stream->bye.commands, stream->ncommands);
	if (memcmp(&sum, &stream->bye.books, sizeof(sum)))
		return reason_set(why, -EBADMSG, "the total of the books is not their sum");
	return 0;
}

static int check_line(const struct stream *stream, const struct frame_stats *stats,
		      struct reason *why)
{
	uint64_t lost = 0, samples = 0;

	if (!stats->missing && !stats->late)
		return 0;
	for (size_t i = 0; i < stream->ncommands; i++) {
		lost += stream->commands[i].lost;
		samples += stream->commands[i].samples;
	}
	return reason_set(why, -EBADMSG,
			  "%" PRIu64 " frames missing, %" PRIu64 " out of order (%" PRIu64
			  " damaged headers, %" PRIu64 " damaged frames, %" PRIu64
			  " bytes skipped): %" PRIu64 " samples came, %" PRIu64 " are lost",
			  stats->missing, stats->late, stats->bad_headers, stats->bad_crcs,
			  stats->skipped, samples, lost);
}

static int check_fault(const struct stream_fault *fault, const char *what, struct reason *why)
{
	if (!fault->frames)
		return 0;
	return reason_set(why, -EBADMSG, "%s (%s frames: %" PRIu64 ")", fault->first.text, what,
			  fault->frames);
}

int stream_check(const struct stream *stream, const struct frame_stats *stats, struct reason *why)
{
	if (check_line(stream, stats, why) || check_fault(&stream->malformed, "malformed", why) ||
	    check_fault(&stream->stray, "stray", why))
		return -EBADMSG;
	if (!stream->has_hello)
		return reason_set(why, -EBADMSG, "no HELLO: the image did not start");
	if (!stream->has_bye)
		return reason_set(why, -EBADMSG, "no BYE: the image did not finish");
	return check_commands(stream, why);
}

int stream_check_so_far(const struct stream *stream, const struct frame_stats *stats,
			struct reason *why)
{
	if (check_line(stream, stats, why) || check_fault(&stream->malformed, "malformed", why))
		return -EBADMSG;
	for (size_t i = 0; i < stream->ncommands; i++)
		if (stream->commands[i].ended && check_books(&stream->commands[i], why))
			return -EBADMSG;
	return 0;
}
