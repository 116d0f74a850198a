// SPDX-License-Identifier: BSD-2-Clause
/* stream_check.c - is a stream complete, and do its books balance? See docs/WIRE.md, "The books".
 */
#include "tools/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

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

/* What the AUX records of a recording tell: the sum, and the last one. */
struct aux_told {
	uint64_t bytes;
	uint64_t last_offset, last_size;
};

static struct aux_told read_aux_records(const struct stream_command *command)
{
	struct aux_told told = {0};
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;

	while ((record = stream_next_record(command, &cursor))) {
		uint64_t body[2];

		if (record->type != PERF_RECORD_AUX ||
		    record->size < sizeof(*record) + sizeof(body))
			continue;
		memcpy(body, record + 1, sizeof(body));
		told.last_offset = body[0];
		told.last_size = body[1];
		told.bytes += body[1];
	}
	return told;
}

/* Of a snapshot the area's end; else all that was produced. Both as the AUX records have it. */
static int check_aux(const struct stream_command *command, struct reason *why)
{
	const struct wire_aux *last = &command->aux_last;
	const struct aux_told told = read_aux_records(command);
	const struct stream_aux *aux = command->naux ? &command->aux[command->naux - 1] : NULL;
	uint64_t begin = 0, end;

	if (!aux)
		return told.bytes
			       ? reason_set(why, -EBADMSG, "command %u: AUX records, but no trace",
					    command->number)
			       : 0;
	end = aux->head.offset + aux->bytes.size;
	if (last->flags & WIRE_AUX_SNAPSHOT)
		begin = told.last_offset;
	if (!(last->flags & WIRE_AUX_LAST))
		return reason_set(why, -EBADMSG, "command %u: the trace has no end",
				  command->number);
	if (aux->head.offset != begin || end != last->produced)
		return reason_set(why, -EBADMSG,
				  "command %u: bytes %" PRIu64 " to %" PRIu64
				  " of the trace were received, not %" PRIu64 " to %" PRIu64,
				  command->number, aux->head.offset, end, begin, last->produced);
	if (begin + (last->flags & WIRE_AUX_SNAPSHOT ? told.last_size : told.bytes) != end)
		return reason_set(why, -EBADMSG,
				  "command %u: AUX records tell of %" PRIu64
				  " bytes of trace, not of %" PRIu64,
				  command->number, told.bytes, end - begin);
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
		if (check_books(command, why) || check_aux(command, why))
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
