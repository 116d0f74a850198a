// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_damage.c - a recording over a bad line: intact frames are decoded, damaged frames are
 * counted, and no damage makes the reader fail.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"
#include "tools/out/perfdata.h"
#include "tools/stream/stream_record.h"

#define NSAMPLES 20000

static uint64_t seed;

static uint64_t damage_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

/* The records that are left of the recording. */
struct left {
	uint64_t samples, lost;
	bool in_order;
};

static struct left count_left(const struct stream_command *command)
{
	const struct record_format format = stream_format(command);
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	struct left left = {.in_order = true};
	uint64_t time, last = 0, lost;

	while ((record = stream_next_record(command, &cursor))) {
		left.samples += record->type == PERF_RECORD_SAMPLE;
		if (record->type == PERF_RECORD_LOST_SAMPLES) {
			memcpy(&lost, record + 1, sizeof(lost));
			left.lost += lost;
		}
		if (!format.nevents || !record_time(&format, record, &time))
			continue;
		left.in_order &= time >= last;
		last = time;
	}
	stream_cursor_free(&cursor);
	return left;
}

/* Changes `n` bytes, in bursts of at most `burst`. */
static void damage(struct buf *bytes, size_t n, size_t burst)
{
	while (n) {
		size_t run = 1 + damage_below(burst), at = damage_below(bytes->size - burst);

		run = run < n ? run : n;
		n -= run;
		while (run--)
			bytes->data[at++] ^= (uint8_t)(1 + damage_below(255));
	}
}

/* Drops some bytes. */
static void drop_bytes(struct buf *bytes, size_t n)
{
	while (n--) {
		size_t at = damage_below(bytes->size);

		memmove(bytes->data + at, bytes->data + at + 1, --bytes->size - at);
	}
}

/* Each received sample was sent, and is counted once. */
static void check_damaged(const struct buf *bytes, uint64_t *samples, uint64_t *whole_books)
{
	struct stream stream;
	struct frame_stats stats = synth_read(bytes, &stream);
	struct reason why;

	assert_int_equal(stream.malformed.frames, 0);
	assert_int_equal(stream_check(&stream, &stats, &why), -EBADMSG);
	assert_true(stats.text + stats.skipped + stats.frames * FRAME_OVERHEAD <= bytes->size);
	if (stream.ncommands) {
		const struct stream_command *command = &stream.commands[0];
		struct left left = count_left(command);

		assert_int_equal(stream.ncommands, 1);
		assert_int_equal(left.samples, command->samples);
		assert_true(command->samples + command->lost <= NSAMPLES);
		assert_true(left.in_order);
		*samples += left.samples;
		if (command->ended) {
			assert_int_equal(command->samples + command->lost, NSAMPLES);
			if (command->nevents)
				assert_int_equal(left.lost, command->lost);
			(*whole_books)++;
		}
		if (command->nevents && stream.has_hello) {
			struct buf file = {0};

			assert_int_equal(perfdata_build(&file, &stream, command, NULL, &why), 0);
			buf_free(&file);
		}
	}
	stream_free(&stream);
}

/* Each of some seeds damages the recording anew. */
static void each_seed(void (*harm)(struct buf *bytes), unsigned rounds, uint64_t *samples,
		      uint64_t *whole_books)
{
	struct synth s = synth_recording(NSAMPLES);

	*samples = *whole_books = 0;
	for (unsigned round = 1; round <= rounds; round++) {
		struct buf bytes = {0};

		seed = round * 0x9e3779b97f4a7c15;
		buf_add(&bytes, s.out.data, s.out.size);
		harm(&bytes);
		check_damaged(&bytes, samples, whole_books);
		buf_free(&bytes);
	}
	buf_free(&s.out);
}

static void bursts(struct buf *bytes)
{
	damage(bytes, bytes->size / 100, 256);
}

static void single_bytes(struct buf *bytes)
{
	damage(bytes, bytes->size / 100, 1);
}

static void a_few_bytes(struct buf *bytes)
{
	damage(bytes, 3, 1);
}

static void fall_out(struct buf *bytes)
{
	drop_bytes(bytes, 20);
}

static void a_piece_is_missing(struct buf *bytes)
{
	size_t n = bytes->size / 10, at = damage_below(bytes->size - n);

	memmove(bytes->data + at, bytes->data + at + n, bytes->size - at - n);
	bytes->size -= n;
}

/* A large part of the recording stays intact between bursts. */
TEST(one_percent_in_bursts)
{
	uint64_t samples, whole_books;

	each_seed(bursts, 20, &samples, &whole_books);
	assert_true(samples > 20 * NSAMPLES / 3);
	assert_true(whole_books > 10);
}

/* Frames of more than some hundred bytes rarely survive this. The reader invents nothing. */
TEST(one_percent_spread_out)
{
	uint64_t samples, whole_books;

	each_seed(single_bytes, 20, &samples, &whole_books);
	assert_true(samples < 20 * NSAMPLES / 10);
}

/* A flipped byte loses one frame, or the frames that depend on one KEY. */
TEST(few_bytes_cost_little)
{
	uint64_t samples, whole_books;

	each_seed(a_few_bytes, 20, &samples, &whole_books);
	assert_true(samples > 20 * (NSAMPLES - NSAMPLES / 8));
}

TEST(missing_bytes)
{
	uint64_t samples, whole_books;

	each_seed(fall_out, 20, &samples, &whole_books);
	assert_true(samples > 20 * NSAMPLES / 3);
	each_seed(a_piece_is_missing, 20, &samples, &whole_books);
	assert_true(samples > 20 * NSAMPLES / 2);
}

/* More overwritten than written records: the accounts are wrong, but no record is missing. */
TEST(impossible_books)
{
	const struct wire_books books = {.overflows = 10, .written = 10, .overwritten = 11};
	struct synth s = {.seq = {0}};
	struct frame_stats stats;
	struct stream stream;
	struct reason why;

	synth_announce(&s);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);
	stats = synth_read(&s.out, &stream);
	assert_int_equal(stream.commands[0].lost, 0);
	assert_int_equal(stream_check(&stream, &stats, &why), -EBADMSG);
	stream_free(&stream);
	buf_free(&s.out);
}

/* Records of a command without EVENT frames. */
TEST(records_without_an_event)
{
	struct wire_books books = {.overflows = 1, .written = 1};
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};
	struct synth s = {.seq = {0}};
	struct buf records = {0};
	struct frame_stats stats;
	struct stream stream;
	struct reason why;

	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record loop");
	synth_sample(&records, 1, 2, 3, 0);
	books.sent = records.size;
	synth_frame(&s, WIRE_DATA, 0, records.data, records.size);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);
	stats = synth_read(&s.out, &stream);
	assert_int_equal(stream_check(&stream, &stats, &why), 0);
	assert_int_equal(stream.commands[0].samples, 1);
	assert_false(stream_is_recording(&stream.commands[0]));
	stream_free(&stream);
	buf_free(&records);
	buf_free(&s.out);
}
