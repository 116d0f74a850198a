// SPDX-License-Identifier: BSD-2-Clause
/* stream_check.c - checks whether a stream is complete, and whether its totals agree with its
 * data. See docs/WIRE.md, "The books". */
#include "tools/stream/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stream/stream_record.h"
#include "tools/stream/stream_sample.h"

static int check_books(const struct stream_command *command, struct reason *why)
{
	const struct wire_books *b = &command->result.books;
	uint32_t n = command->number;

	if (b->overflows != b->written + b->lost + b->refused)
		return refuse(why, EBADMSG,
			      "command %u: %" PRIu64 " overflows, but %" PRIu64
			      " written + %" PRIu64 " lost + %" PRIu64 " refused",
			      n, b->overflows, b->written, b->lost, b->refused);
	if (b->written != command->samples + b->overwritten)
		return refuse(why, EBADMSG,
			      "command %u: %" PRIu64 " samples written, %" PRIu64
			      " overwritten, %" PRIu64 " received",
			      n, b->written, b->overwritten, command->samples);
	if (b->sent != command->received)
		return refuse(why, EBADMSG,
			      "command %u: %" PRIu64 " bytes of records sent, %" PRIu64 " received",
			      n, b->sent, command->received);
	return 0;
}

/* An AUX record, or the sum of several. */
struct aux_told {
	uint64_t offset, size; /* bytes */
	uint64_t order;        /* position in the stream */
};

/* The AUX records of one trace. */
struct aux_trace {
	uint64_t bytes;     /* of all records */
	struct buf records; /* struct aux_told, sorted by their ends */
};

/* The AUX records of all traces, collected in one pass. */
struct aux_tale {
	struct aux_trace all;
	struct buf of_events; /* struct aux_trace */
	struct index by_id;   /* maps an event's id to its index in `of_events` */
};

static void add_told(struct aux_trace *trace, const uint64_t body[2])
{
	const struct aux_told told = {body[0], body[1],
				      trace->records.size / sizeof(struct aux_told)};

	buf_add(&trace->records, &told, sizeof(told));
	trace->bytes += told.size;
}

static struct aux_trace *find_aux_trace(struct aux_tale *tale, uint64_t id)
{
	size_t i = index_find(&tale->by_id, id, 0);

	if (i == INDEX_NONE) {
		i = tale->of_events.size / sizeof(struct aux_trace);
		buf_extend(&tale->of_events, sizeof(struct aux_trace));
		index_set(&tale->by_id, id, 0, i);
	}
	return (struct aux_trace *)(void *)tale->of_events.data + i;
}

static int compare_ends(const void *a, const void *b)
{
	const struct aux_told *x = a, *y = b;
	const uint64_t end_x = x->offset + x->size, end_y = y->offset + y->size;

	if (end_x != end_y)
		return end_x > end_y ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

static size_t records_of(const struct aux_trace *trace)
{
	return trace->records.size / sizeof(struct aux_told);
}

static void sort_records(struct aux_trace *trace)
{
	if (trace->records.size)
		qsort(trace->records.data, records_of(trace), sizeof(struct aux_told),
		      compare_ends);
}

/* Returns the last record that ends at byte `end` or before; an empty one at 0 if there is none. */
static struct aux_told told_until(const struct aux_trace *trace, uint64_t end)
{
	const struct aux_told *records = (const void *)trace->records.data;
	size_t low = 0, high = records_of(trace);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (records[middle].offset + records[middle].size <= end)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? records[low - 1] : (struct aux_told){0};
}

static void read_aux_records(struct aux_tale *tale, const struct stream_command *command)
{
	const struct record_format format = stream_format(command);
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	struct aux_trace *traces;

	*tale = (struct aux_tale){0};
	while ((record = stream_next_record(command, &cursor))) {
		uint64_t body[2], whose;

		if (record->type != PERF_RECORD_AUX ||
		    record->size < sizeof(*record) + sizeof(body))
			continue;
		memcpy(body, record + 1, sizeof(body));
		add_told(&tale->all, body);
		if (record_id(&format, record, &whose))
			add_told(find_aux_trace(tale, whose), body);
	}
	stream_cursor_free(&cursor);
	sort_records(&tale->all);
	traces = (void *)tale->of_events.data;
	for (size_t i = 0; i < tale->of_events.size / sizeof(*traces); i++)
		sort_records(&traces[i]);
}

static void free_tale(struct aux_tale *tale)
{
	struct aux_trace *traces = (void *)tale->of_events.data;

	for (size_t i = 0; i < tale->of_events.size / sizeof(*traces); i++)
		buf_free(&traces[i].records);
	buf_free(&tale->all.records);
	buf_free(&tale->of_events);
	index_free(&tale->by_id);
}

static int refuse_bytes(const struct stream_command *command, const struct stream_aux *aux,
			uint64_t begin, uint64_t end, struct reason *why)
{
	return refuse(why, EBADMSG,
		      "command %u: bytes %" PRIu64 " to %" PRIu64
		      " of the trace were received, not %" PRIu64 " to %" PRIu64,
		      command->number, aux->head.offset, aux->head.offset + aux->bytes.size, begin,
		      end);
}

static int refuse_told(const struct stream_command *command, uint64_t bytes, uint64_t received,
		       struct reason *why)
{
	return refuse(why, EBADMSG,
		      "command %u: AUX records tell of %" PRIu64 " bytes of trace, not of %" PRIu64,
		      command->number, bytes, received);
}

static uint64_t end_of(const struct stream_aux *aux)
{
	return aux->head.offset + aux->bytes.size;
}

/* A snapshot has the bytes that its AUX record announces, except those of the snapshot before. */
static int check_snapshot(const struct stream_command *command, const struct stream_aux *aux,
			  const struct aux_trace *trace, struct reason *why)
{
	const uint64_t end = end_of(aux);
	const uint64_t end_before =
		aux->before == INDEX_NONE ? 0 : end_of(&command->aux[aux->before]);
	const struct aux_told told = told_until(trace, end);
	const uint64_t begin = told.offset < end_before ? end_before : told.offset;

	if (aux->head.offset != begin)
		return refuse_bytes(command, aux, begin, end, why);
	if (told.offset + told.size != end)
		return refuse_told(command, told.size, end - begin, why);
	return 0;
}

static int check_whole(const struct stream_command *command, const struct stream_aux *aux,
		       const struct aux_trace *trace, struct reason *why)
{
	const uint64_t end = end_of(aux);

	if (aux->head.offset)
		return refuse_bytes(command, aux, 0, end, why);
	return trace->bytes == end ? 0 : refuse_told(command, trace->bytes, end, why);
}

/* Returns whether the part is the last one of its trace. */
static bool is_last_part(const struct stream_command *command, size_t part)
{
	const struct stream_aux *aux = &command->aux[part];

	return index_find(&command->by_trace, aux->head.id, aux->cpu) == part;
}

/*
 * Checks a snapshot, or the last part of another trace: it has all produced bytes without a gap.
 * Earlier parts need no check, because a gap shows in the last one.
 */
static int check_part(const struct stream_command *command, size_t part,
		      const struct aux_trace *trace, struct reason *why)
{
	const struct stream_aux *aux = &command->aux[part];
	const bool is_snapshot = aux->last.flags & WIRE_AUX_SNAPSHOT;

	if (is_last_part(command, part)) {
		if (!(aux->last.flags & WIRE_AUX_LAST))
			return refuse(why, EBADMSG, "command %u: the trace has no end",
				      command->number);
		if (end_of(aux) != aux->last.produced)
			return refuse_bytes(command, aux, is_snapshot ? aux->head.offset : 0,
					    aux->last.produced, why);
	} else if (!is_snapshot) {
		return 0;
	}
	return is_snapshot ? check_snapshot(command, aux, trace, why)
			   : check_whole(command, aux, trace, why);
}

static bool is_one_trace(const struct stream_command *command)
{
	for (size_t i = 1; i < command->naux; i++)
		if (command->aux[i].head.id != command->aux[0].head.id)
			return false;
	return true;
}

static int check_traces(const struct stream_command *command, struct aux_tale *tale,
			struct reason *why)
{
	/* without ids, the events of records are unknown */
	const bool one = is_one_trace(command) || !tale->by_id.used;
	int bad = 0;

	if (!command->naux && tale->all.bytes)
		return refuse(why, EBADMSG, "command %u: AUX records, but no trace",
			      command->number);
	for (size_t i = 0; i < command->naux && !bad; i++)
		bad = check_part(command, i,
				 one ? &tale->all : find_aux_trace(tale, command->aux[i].head.id),
				 why);
	return bad;
}

static int check_aux(const struct stream_command *command, struct reason *why)
{
	struct aux_tale tale;
	int bad;

	read_aux_records(&tale, command);
	bad = check_traces(command, &tale, why);
	free_tale(&tale);
	return bad;
}

/* Returns the CPU of the event `id`; WIRE_ANY_CPU also if the stream does not tell. */
static uint16_t aux_event_cpu(const struct stream_command *command, uint64_t id)
{
	uint16_t cpu = WIRE_ANY_CPU;

	stream_event_of_id(command, id, &cpu);
	return cpu;
}

/*
 * Checks a record from the ring of CPU `ring`. A sample of an event for one CPU must come from that
 * CPU and its ring.
 */
static int check_sample_cpu(const struct stream_command *command,
			    const struct record_format *format,
			    const struct perf_event_header *record, uint32_t ring,
			    struct reason *why)
{
	struct sample sample;
	uint64_t id;
	uint16_t cpu;

	if (record->type != PERF_RECORD_SAMPLE || !record_id(format, record, &id))
		return 0;
	cpu = aux_event_cpu(command, id);
	if (cpu == WIRE_ANY_CPU)
		return 0;
	if (wire_stream(cpu) != ring)
		return refuse(why, EBADMSG,
			      "command %u: a sample of an event for CPU %u was in the "
			      "ring of CPU %u",
			      command->number, cpu, ring);
	if (sample_parse(format, record, &sample) && sample.has & PERF_SAMPLE_CPU &&
	    sample.cpu != cpu)
		return refuse(why, EBADMSG, "command %u: an event for CPU %u was sampled on CPU %u",
			      command->number, cpu, sample.cpu);
	return 0;
}

/*
 * Checks that an event of one CPU samples on that CPU alone, and that its samples are in that CPU's
 * ring.
 */
static int check_sample_cpus(const struct stream_command *command, struct reason *why)
{
	const struct record_format format = stream_format(command);
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	int bad = 0;

	while (!bad && (record = stream_next_record(command, &cursor)))
		bad = check_sample_cpu(command, &format, record,
				       stream_record_cpu(command, &cursor), why);
	stream_cursor_free(&cursor);
	return bad;
}

static int check_commands(const struct stream *stream, struct wire_books *sum, struct reason *why)
{
	for (size_t i = 0; i < stream->ncommands; i++) {
		const struct stream_command *command = &stream->commands[i];

		if (!command->ended)
			return refuse(why, EBADMSG, "command %u has no result", command->number);
		if (check_books(command, why) || check_aux(command, why) ||
		    check_sample_cpus(command, why))
			return -EBADMSG;
		wire_books_add(sum, &command->result.books);
	}
	return 0;
}

static int check_bye(const struct stream *stream, struct reason *why)
{
	struct wire_books sum = {0};

	if (!stream->has_bye)
		return refuse(why, EBADMSG, "no BYE: the image did not finish");
	if (check_commands(stream, &sum, why))
		return -EBADMSG;
	if (stream->bye.commands != stream->ncommands)
		return refuse(why, EBADMSG, "%u commands were run, %zu were received",
			      stream->bye.commands, stream->ncommands);
	if (memcmp(&sum, &stream->bye.books, sizeof(sum)))
		return refuse(why, EBADMSG, "the total of the books is not their sum");
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
	return refuse(why, EBADMSG,
		      "%" PRIu64 " frames missing, %" PRIu64 " out of order (%" PRIu64
		      " damaged headers, %" PRIu64 " damaged frames, %" PRIu64
		      " bytes skipped): %" PRIu64 " samples came, %" PRIu64 " are lost",
		      stats->missing, stats->late, stats->bad_headers, stats->bad_crcs,
		      stats->skipped, samples, lost);
}

/* Checks for dropped records. This comes first, because they are missing in the totals, too. */
static int check_stream_size(const struct stream *stream, struct reason *why)
{
	if (!stream->left_out)
		return 0;
	return refuse(why, EMSGSIZE,
		      "its records take more than %" PRIu64 " bytes, and are left out from "
		      "there on (%" PRIu64 " frames); --max-size SIZE allows more",
		      stream->max_size, stream->left_out);
}

static int check_fault(const struct stream_fault *fault, const char *what, struct reason *why)
{
	if (!fault->frames)
		return 0;
	return refuse(why, EBADMSG, "%s (%s frames: %" PRIu64 ")", fault->first.text, what,
		      fault->frames);
}

/* Checks that all frames were valid, and that none is missing. */
static int check_frames(const struct stream *stream, const struct frame_stats *stats,
			struct reason *why)
{
	if (check_stream_size(stream, why) || check_line(stream, stats, why) ||
	    check_fault(&stream->malformed, "malformed", why) ||
	    check_fault(&stream->stray, "stray", why))
		return -EBADMSG;
	if (!stream->has_hello)
		return refuse(why, EBADMSG, "no HELLO: the image did not start");
	return 0;
}

int stream_check(const struct stream *stream, const struct frame_stats *stats, struct reason *why)
{
	return check_frames(stream, stats, why) || check_bye(stream, why) ? -EBADMSG : 0;
}

int stream_check_line(const struct stream *stream, const struct frame_stats *stats,
		      struct reason *why)
{
	struct wire_books sum = {0};

	return check_frames(stream, stats, why) || check_commands(stream, &sum, why) ? -EBADMSG : 0;
}

int stream_check_so_far(const struct stream *stream, const struct frame_stats *stats,
			struct reason *why)
{
	if (check_stream_size(stream, why) || check_line(stream, stats, why) ||
	    check_fault(&stream->malformed, "malformed", why))
		return -EBADMSG;
	for (size_t i = 0; i < stream->ncommands; i++)
		if (stream->commands[i].ended && check_books(&stream->commands[i], why))
			return -EBADMSG;
	return 0;
}
