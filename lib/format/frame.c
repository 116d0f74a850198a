// SPDX-License-Identifier: BSD-2-Clause
/*
 * frame.c - see frame.h.
 *
 * The reader's buffer is empty or begins with a candidate: bytes that may still become a frame.
 * Text is passed on at once and never buffered. A candidate that fails gives up its first byte
 * only, and the rest of the buffer is searched again. Each byte is given up at most once, so the
 * work per byte is bounded by the CRCs of the candidates that contain it.
 */
#include "lib/format/frame.h"

#include "lib/format/crc32c.h"
#include "lib/string.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the wire is little endian");

static uint16_t header_check(const void *header)
{
	return (uint16_t)crc32c(0, header, offsetof(struct wire_header, hcheck));
}

size_t frame_encode(void *out, uint8_t type, uint8_t stream, uint32_t seq, const void *payload,
		    size_t length)
{
	struct wire_header header = {
		.magic = {WIRE_MAGIC0, WIRE_MAGIC1},
		.type = type,
		.stream = stream,
		.seq = seq,
		.length = (uint16_t)length,
	};
	uint8_t *body = (uint8_t *)out + sizeof(header);
	uint32_t crc;

	if (length > WIRE_MAX_PAYLOAD)
		return 0;
	header.hcheck = header_check(&header);
	memcpy(out, &header, sizeof(header));
	if (length && payload != body)
		memcpy(body, payload, length);
	crc = crc32c(0, out, sizeof(header) + length);
	memcpy(body + length, &crc, sizeof(crc));
	return FRAME_OVERHEAD + length;
}

enum verdict { NO_FRAME, BAD_HEADER, BAD_CRC, INTACT, NEED_MORE };

/* Classifies the candidate at `bytes`. `*size` is set where the header is right. */
static enum verdict examine_candidate(const uint8_t *bytes, size_t n, size_t *size)
{
	struct wire_header header;
	uint32_t crc;

	if (bytes[0] != WIRE_MAGIC0)
		return NO_FRAME;
	if (n < 2)
		return NEED_MORE;
	if (bytes[1] != WIRE_MAGIC1)
		return NO_FRAME;
	if (n < sizeof(header))
		return NEED_MORE;
	memcpy(&header, bytes, sizeof(header));
	if (header.hcheck != header_check(bytes) || header.length > WIRE_MAX_PAYLOAD)
		return BAD_HEADER;
	*size = FRAME_OVERHEAD + header.length;
	if (n < *size)
		return NEED_MORE;
	memcpy(&crc, bytes + *size - sizeof(crc), sizeof(crc));
	return crc == crc32c(0, bytes, *size - sizeof(crc)) ? INTACT : BAD_CRC;
}

static void count_seq(struct frame_reader *reader, const struct frame *frame)
{
	uint32_t *next = &reader->next_seq[frame->stream];
	int32_t ahead;

	if (frame->type == WIRE_TAKEN)
		return;
	if (reader->joining[frame->stream])
		*next = frame->seq;
	reader->joining[frame->stream] = 0;
	ahead = (int32_t)(frame->seq - *next);
	if (ahead < 0) {
		reader->stats.late++;
		return;
	}
	reader->stats.missing += (uint32_t)ahead;
	*next = frame->seq + 1;
}

static struct frame read_intact(const uint8_t *bytes)
{
	struct wire_header header;

	memcpy(&header, bytes, sizeof(header));
	return (struct frame){
		.type = header.type,
		.stream = header.stream,
		.length = header.length,
		.seq = header.seq,
		.payload = bytes + sizeof(header),
	};
}

bool frame_decode(const void *bytes, size_t n, struct frame *frame)
{
	size_t size = 0;

	if (!n || examine_candidate(bytes, n, &size) != INTACT || size != n)
		return false;
	*frame = read_intact(bytes);
	return true;
}

static void give_frame(struct frame_reader *reader, const uint8_t *bytes)
{
	const struct frame frame = read_intact(bytes);

	reader->stats.frames++;
	reader->suspect = 0;
	count_seq(reader, &frame);
	reader->sink.frame(reader->sink.ctx, &frame);
}

/* Passes on bytes outside of frames: debris as far as the damage may reach, text after it. */
static void give_rest(struct frame_reader *reader, const uint8_t *bytes, size_t n)
{
	size_t debris = n < reader->suspect ? n : reader->suspect;

	reader->suspect -= debris;
	reader->stats.skipped += debris;
	reader->stats.text += n - debris;
	if (debris)
		reader->sink.debris(reader->sink.ctx, bytes, debris);
	if (n > debris)
		reader->sink.text(reader->sink.ctx, bytes + debris, n - debris);
}

static void suspect_at_least(struct frame_reader *reader, size_t n)
{
	if (reader->suspect < n)
		reader->suspect = n;
}

/*
 * Notes damage at the head of the buffer. Without a header the damage may reach FRAME_MAX_SIZE
 * bytes.
 */
static void note_damage(struct frame_reader *reader, enum verdict verdict, size_t size)
{
	if (verdict == BAD_HEADER) {
		reader->stats.bad_headers++;
		suspect_at_least(reader, FRAME_MAX_SIZE);
	} else {
		reader->stats.bad_crcs++;
		suspect_at_least(reader, size);
	}
}

/* The number of bytes from `bytes` on that cannot begin a frame. */
static size_t run_length(const uint8_t *bytes, size_t n)
{
	size_t i = 0;

	while (i < n && bytes[i] != WIRE_MAGIC0)
		i++;
	return i;
}

static void drop_front(struct frame_reader *reader, size_t n)
{
	reader->have -= n;
	memmove(reader->bytes, reader->bytes + n, reader->have);
}

/* Gives up the head of the buffer, which begins no intact frame, up to the next candidate. */
static void give_up_head(struct frame_reader *reader, enum verdict verdict, size_t size)
{
	size_t run = 1 + run_length(reader->bytes + 1, reader->have - 1);

	if (verdict != NO_FRAME)
		note_damage(reader, verdict, size);
	give_rest(reader, reader->bytes, run);
	drop_front(reader, run);
}

/* Restores the invariant of the buffer: it is empty, or holds a candidate that needs more bytes. */
static void settle_reader(struct frame_reader *reader)
{
	while (reader->have) {
		size_t size = 0;
		enum verdict verdict = examine_candidate(reader->bytes, reader->have, &size);

		if (verdict == NEED_MORE)
			return;
		if (verdict == INTACT) {
			give_frame(reader, reader->bytes);
			drop_front(reader, size);
		} else {
			give_up_head(reader, verdict, size);
		}
	}
}

/* The size of the candidate in the buffer: of its header until that is complete, then of all. */
static size_t candidate_bytes(const struct frame_reader *reader)
{
	struct wire_header header;

	if (reader->have < sizeof(header))
		return sizeof(header);
	memcpy(&header, reader->bytes, sizeof(header));
	return FRAME_OVERHEAD + header.length;
}

static size_t take_candidate_bytes(struct frame_reader *reader, const uint8_t *bytes, size_t n)
{
	size_t room = candidate_bytes(reader) - reader->have;

	if (n > room)
		n = room;
	memcpy(reader->bytes + reader->have, bytes, n);
	reader->have += n;
	return n;
}

void frame_reader_init(struct frame_reader *reader, const struct frame_sink *sink)
{
	memset(reader, 0, sizeof(*reader));
	reader->sink = *sink;
}

void frame_reader_join(struct frame_reader *reader)
{
	memset(reader->joining, 1, sizeof(reader->joining));
}

void frame_reader_feed(struct frame_reader *reader, const void *bytes, size_t n)
{
	const uint8_t *p = bytes, *end = p + n;

	while (p < end) {
		if (!reader->have) {
			size_t run = run_length(p, (size_t)(end - p));

			give_rest(reader, p, run);
			p += run;
		}
		p += take_candidate_bytes(reader, p, (size_t)(end - p));
		settle_reader(reader);
	}
}

void frame_reader_end(struct frame_reader *reader)
{
	while (reader->have) {
		size_t size = candidate_bytes(reader);

		give_up_head(reader,
			     reader->have < sizeof(struct wire_header) ? BAD_HEADER : BAD_CRC,
			     size);
		settle_reader(reader);
	}
}
