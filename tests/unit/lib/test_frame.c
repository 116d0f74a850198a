// SPDX-License-Identifier: BSD-2-Clause
/* test_frame.c - the wire codec: round trips in pieces of any size, and the limits of damage. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/crc32c.h"
#include "lib/format/frame.h"
#include "tools/util/buf.h"

#define NFRAMES 40

/* Everything that a reader found. */
struct found {
	struct buf frames; /* the frames again, encoded */
	struct buf text, debris;
	size_t nframes;
};

static void on_frame(void *ctx, const struct frame *frame)
{
	struct found *found = ctx;
	uint8_t out[FRAME_MAX_SIZE];

	assert_int_equal((uintptr_t)frame->payload % 8, 0);
	assert_true(frame->length <= WIRE_MAX_PAYLOAD);
	buf_add(&found->frames, out,
		frame_encode(out, frame->type, frame->stream, frame->seq, frame->payload,
			     frame->length));
	found->nframes++;
}

static void on_text(void *ctx, const void *bytes, size_t n)
{
	assert_true(n > 0);
	buf_add(&((struct found *)ctx)->text, bytes, n);
}

static void on_debris(void *ctx, const void *bytes, size_t n)
{
	assert_true(n > 0);
	buf_add(&((struct found *)ctx)->debris, bytes, n);
}

static void found_free(struct found *found)
{
	buf_free(&found->frames);
	buf_free(&found->text);
	buf_free(&found->debris);
	*found = (struct found){0};
}

static uint32_t random_state;

/* xorshift32: the same numbers in every run. */
static uint32_t xorshift_below(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % below;
}

FIXTURE(set_up)
{
	random_state = 2463534242u;
	return 0;
}

/* Reads `bytes` in pieces of at most `piece`; 0: random ones. */
static struct frame_stats read_all(struct found *found, const struct buf *bytes, size_t piece)
{
	static struct frame_reader reader;
	const struct frame_sink sink = {on_frame, on_text, on_debris, found};
	size_t at = 0;

	frame_reader_init(&reader, &sink);
	while (at < bytes->size) {
		size_t n = piece ? piece : 1 + xorshift_below(300);

		n = n < bytes->size - at ? n : bytes->size - at;
		frame_reader_feed(&reader, bytes->data + at, n);
		at += n;
	}
	frame_reader_end(&reader);
	assert_int_equal(reader.stats.frames, found->nframes);
	assert_int_equal(reader.stats.text, found->text.size);
	assert_int_equal(reader.stats.skipped, found->debris.size);
	assert_int_equal(bytes->size, found->frames.size + found->text.size + found->debris.size);
	return reader.stats;
}

static void add_frame(struct buf *out, uint8_t stream, uint32_t seq, size_t length)
{
	uint8_t payload[WIRE_MAX_PAYLOAD], frame[FRAME_MAX_SIZE];

	for (size_t i = 0; i < length; i++)
		payload[i] = (uint8_t)xorshift_below(256);
	buf_add(out, frame, frame_encode(frame, WIRE_DATA, stream, seq, payload, length));
}

/* Encodes NFRAMES frames of all sizes on two streams. `ends` gets the end of each frame. */
static struct buf make_stream(size_t ends[NFRAMES])
{
	struct buf out = {0};

	for (uint32_t i = 0; i < NFRAMES; i++) {
		size_t length = i == 3 ? WIRE_MAX_PAYLOAD : i % 5 ? xorshift_below(200) : 0;

		add_frame(&out, i & 1, i / 2, length);
		if (ends)
			ends[i] = out.size;
	}
	return out;
}

TEST_WITH(test_layout, set_up, NULL)
{
	static const uint8_t wanted[] = {0xf5, 0xfe, 2, 0xff, 5, 0, 0, 0, 3, 0};
	uint8_t out[FRAME_OVERHEAD + 3];
	uint32_t crc;

	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283); /* RFC 3720's check value */
	assert_int_equal(frame_encode(out, WIRE_TEXT, WIRE_STREAM_MAIN, 5, "\1hi", 3), sizeof(out));
	assert_memory_equal(out, wanted, sizeof(wanted));
	assert_int_equal(out[10] | out[11] << 8, crc32c(0, out, 10) & 0xffff);
	assert_memory_equal(out + 12, "\1hi", 3);
	memcpy(&crc, out + 15, sizeof(crc));
	assert_int_equal(crc, crc32c(0, out, 15));
}

TEST_WITH(test_encode_limits, set_up, NULL)
{
	static uint8_t out[FRAME_MAX_SIZE], payload[WIRE_MAX_PAYLOAD + 1];

	assert_int_equal(frame_encode(out, 1, 0, 0, payload, WIRE_MAX_PAYLOAD), FRAME_MAX_SIZE);
	assert_int_equal(frame_encode(out, 1, 0, 0, payload, WIRE_MAX_PAYLOAD + 1), 0);
	assert_int_equal(frame_encode(out, 1, 0, 0, NULL, 0), FRAME_OVERHEAD);
}

TEST_WITH(test_encode_in_place, set_up, NULL)
{
	uint8_t a[FRAME_OVERHEAD + 4], b[FRAME_OVERHEAD + 4];

	memcpy(a + sizeof(struct wire_header), "abcd", 4);
	frame_encode(a, 1, 2, 3, a + sizeof(struct wire_header), 4);
	frame_encode(b, 1, 2, 3, "abcd", 4);
	assert_memory_equal(a, b, sizeof(a));
}

TEST_WITH(test_round_trip_in_pieces, set_up, NULL)
{
	static const size_t pieces[] = {1, 2, 7, 12, 13, 4096, 1 << 20, 0};
	struct buf stream = make_stream(NULL);

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct found found = {0};
		struct frame_stats stats = read_all(&found, &stream, pieces[i]);

		assert_int_equal(stats.frames, NFRAMES);
		assert_int_equal(stats.missing + stats.late, 0);
		assert_int_equal(found.frames.size, stream.size);
		assert_memory_equal(found.frames.data, stream.data, stream.size);
		found_free(&found);
	}
	buf_free(&stream);
}

TEST_WITH(test_text_between_frames, set_up, NULL)
{
	static const char text[] = "firmware: \xc3\xbc\xf5 \xf5\xf5x\xfe\n";
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	for (uint32_t i = 0; i < 3; i++) {
		buf_add(&stream, text, sizeof(text) - 1);
		add_frame(&stream, 0, i, 50);
	}
	buf_add(&stream, text, sizeof(text) - 1);
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.frames, 3);
	assert_int_equal(stats.bad_headers + stats.bad_crcs + stats.skipped, 0);
	assert_int_equal(found.text.size, 4 * (sizeof(text) - 1));
	assert_memory_equal(found.text.data + 3 * (sizeof(text) - 1), text, sizeof(text) - 1);
	found_free(&found);
	buf_free(&stream);
}

/* A lone first magic byte at the end of the stream is text. */
TEST_WITH(test_text_is_not_held_back, set_up, NULL)
{
	static struct frame_reader reader;
	struct found found = {0};
	const struct frame_sink sink = {on_frame, on_text, on_debris, &found};

	frame_reader_init(&reader, &sink);
	frame_reader_feed(&reader, "login: ", 7);
	assert_int_equal(found.text.size, 7);
	frame_reader_feed(&reader, "\xf5", 1);
	assert_int_equal(found.text.size, 7);
	frame_reader_feed(&reader, "a", 1);
	assert_int_equal(found.text.size, 9);
	found_free(&found);
}

/* Was the original frame at `at` decoded? */
static bool came_out(const struct found *found, const uint8_t *frame, size_t size)
{
	return memmem(found->frames.data, found->frames.size, frame, size);
}

/* One flipped bit loses the frame that contains it, and no other frame. */
TEST_WITH(test_every_bit_flip, set_up, NULL)
{
	size_t ends[NFRAMES];
	struct buf stream = make_stream(ends);

	for (size_t bit = 0; bit < stream.size * 8; bit += 1 + xorshift_below(7)) {
		size_t byte = bit / 8, start = 0;
		struct found found = {0};
		struct frame_stats stats;

		stream.data[byte] ^= (uint8_t)(1 << bit % 8);
		stats = read_all(&found, &stream, 0);
		assert_int_equal(stats.frames, NFRAMES - 1);
		assert_true(stats.bad_headers + stats.bad_crcs + stats.text > 0);
		for (size_t i = 0; i < NFRAMES; start = ends[i++]) {
			bool hit = byte >= start && byte < ends[i];

			if (!hit)
				assert_true(came_out(&found, stream.data + start, ends[i] - start));
			/* A lost frame leaves a gap, unless it is the last of its stream. */
			if (hit && i < NFRAMES - 2)
				assert_int_equal(stats.missing, 1);
		}
		stream.data[byte] ^= (uint8_t)(1 << bit % 8);
		found_free(&found);
	}
	buf_free(&stream);
}

TEST_WITH(test_every_truncation, set_up, NULL)
{
	size_t ends[NFRAMES];
	struct buf stream = make_stream(ends);
	size_t whole = stream.size;

	for (size_t cut = 0; cut <= whole; cut += 1 + xorshift_below(20)) {
		struct found found = {0};
		size_t intact = 0, end = 0;
		struct frame_stats stats;

		while (intact < NFRAMES && ends[intact] <= cut)
			end = ends[intact++];
		stream.size = cut;
		stats = read_all(&found, &stream, 0);
		assert_int_equal(stats.frames, intact);
		assert_int_equal(stats.bad_headers + stats.bad_crcs >= 1, cut != end);
		assert_int_equal(stats.skipped + stats.text, cut - end);
		found_free(&found);
	}
	stream.size = whole;
	buf_free(&stream);
}

/* A sender stops in the middle of a frame and begins anew: the reader finds the next frame. */
TEST_WITH(test_frame_inside_a_broken_one, set_up, NULL)
{
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	add_frame(&stream, 0, 0, 1000);
	stream.size -= 700;
	add_frame(&stream, 0, 1, 40);
	add_frame(&stream, 0, 2, 900);
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.frames, 2);
	assert_int_equal(stats.bad_crcs, 1);
	assert_int_equal(stats.missing, 1);
	found_free(&found);
	buf_free(&stream);
}

/* Text that a dying sender wrote into its frame comes out whole, as debris. */
TEST_WITH(test_panic_inside_a_frame, set_up, NULL)
{
	static const char panic[] = "panic: out of luck";
	struct buf stream = {0};
	struct found found = {0};

	add_frame(&stream, 0, 0, 1000);
	stream.size -= 900;
	buf_add(&stream, panic, sizeof(panic) - 1);
	read_all(&found, &stream, 0);
	assert_non_null(memmem(found.debris.data, found.debris.size, panic, sizeof(panic) - 1));
	found_free(&found);
	buf_free(&stream);
}

TEST_WITH(test_order, set_up, NULL)
{
	static const uint32_t seqs[] = {0, 1, 5, 3, 6, 6, 7};
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	for (size_t i = 0; i < sizeof(seqs) / sizeof(seqs[0]); i++)
		add_frame(&stream, 9, seqs[i], 8);
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.frames, 7);
	assert_int_equal(stats.missing, 3);
	assert_int_equal(stats.late, 2);
	found_free(&found);
	buf_free(&stream);
}

TEST_WITH(test_streams_count_apart, set_up, NULL)
{
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	for (uint32_t i = 0; i < FRAME_STREAMS; i++)
		add_frame(&stream, (uint8_t)i, 0, 1);
	add_frame(&stream, 7, 2, 1);
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.missing, 1);
	found_free(&found);
	buf_free(&stream);
}

/* Answers to typed lines have no number: a lost one does not count as missing. */
TEST_WITH(test_answers_do_not_count, set_up, NULL)
{
	const struct wire_taken taken = {.upload = 1};
	uint8_t frame[FRAME_OVERHEAD + sizeof(taken)];
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	for (uint32_t i = 0; i < 3; i++) {
		add_frame(&stream, WIRE_STREAM_MAIN, i, 1);
		buf_add(&stream, frame,
			frame_encode(frame, WIRE_TAKEN, WIRE_STREAM_MAIN, 0, &taken,
				     sizeof(taken)));
	}
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.frames, 6);
	assert_int_equal(stats.missing + stats.late, 0);
	found_free(&found);
	buf_free(&stream);
}

/* A header with a length that is too large is no header, even if its check is right. */
TEST_WITH(test_length_over_the_limit, set_up, NULL)
{
	struct wire_header header = {
		.magic = {WIRE_MAGIC0, WIRE_MAGIC1}, .type = 1, .length = WIRE_MAX_PAYLOAD + 1};
	struct buf stream = {0};
	struct found found = {0};
	struct frame_stats stats;

	header.hcheck = (uint16_t)crc32c(0, &header, offsetof(struct wire_header, hcheck));
	buf_add(&stream, &header, sizeof(header));
	add_frame(&stream, 0, 0, 10);
	stats = read_all(&found, &stream, 0);
	assert_int_equal(stats.bad_headers, 1);
	assert_int_equal(stats.frames, 1);
	found_free(&found);
	buf_free(&stream);
}

/* Noise with many bytes that look like the beginning of a frame. */
TEST_WITH(test_noise, set_up, NULL)
{
	for (unsigned round = 0; round < 30; round++) {
		struct buf stream = {0};
		struct found found = {0};

		for (unsigned i = 0; i < 3000; i++) {
			static const uint8_t likely[] = {WIRE_MAGIC0, WIRE_MAGIC1, 0, 4};
			uint8_t byte = xorshift_below(3) ? likely[xorshift_below(4)]
							 : (uint8_t)xorshift_below(256);

			buf_add(&stream, &byte, 1);
		}
		add_frame(&stream, 0, 0, 100);
		assert_int_equal(read_all(&found, &stream, 0).frames, 1);
		found_free(&found);
		buf_free(&stream);
	}
}
