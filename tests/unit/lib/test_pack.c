// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pack.c - any records are packed and unpacked without change; losses are counted; the
 * unpacker survives any bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/frame.h"
#include "lib/format/pack.h"
#include "tests/unit/tools/synth_stream.h"
#include "tools/util/buf.h"

static uint64_t seed;

static uint64_t random_word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t word_below(uint64_t n)
{
	return random_word() % n;
}

/* Frames as a packer emitted them, one after the other. */
struct sent {
	enum wire_type type;
	uint16_t size;
	uint8_t payload[WIRE_MAX_PAYLOAD];
};

static struct buf frame_bytes;
static struct sent *frames;
static size_t nframes, wire_bytes;

static void on_emit(void *ctx, enum wire_type type, const void *payload, size_t n)
{
	struct sent *f = buf_extend(&frame_bytes, sizeof(*f));

	(void)ctx;
	assert_true(n <= WIRE_MAX_PAYLOAD);
	f->type = type;
	f->size = (uint16_t)n;
	memcpy(f->payload, payload, n);
	wire_bytes += n + FRAME_OVERHEAD;
	frames = (struct sent *)frame_bytes.data;
	nframes++;
}

static void drop_frames(void)
{
	nframes = wire_bytes = 0;
	frame_bytes.size = 0;
}

static struct packer packer;
static struct unpacker unpacker;

static void start_packing(void)
{
	drop_frames();
	packer_init(&packer, on_emit, NULL);
	unpacker_init(&unpacker);
}

static void on_record(void *ctx, const struct perf_event_header *record)
{
	buf_add(ctx, record, record->size);
}

/* Takes frame `i`, and appends the records to `out`. */
static enum unpack_verdict unpack_frame(size_t i, struct buf *out, uint32_t *lost)
{
	size_t before = out->size;
	enum unpack_verdict verdict = unpacker_frame(&unpacker, frames[i].type, frames[i].payload,
						     frames[i].size, lost, on_record, out);

	if (verdict != UNPACK_RECORDS)
		assert_int_equal(out->size, before);
	return verdict;
}

static void give_all(struct buf *out)
{
	for (size_t i = 0; i < nframes; i++) {
		uint32_t lost;
		enum unpack_verdict verdict = unpack_frame(i, out, &lost);

		assert_true(verdict == UNPACK_RECORDS ||
			    (verdict == UNPACK_NOTHING && frames[i].type == WIRE_PART));
		assert_int_equal(lost, 0);
	}
}

static void add_all(const struct buf *records)
{
	for (size_t at = 0; at < records->size;) {
		const struct perf_event_header *record = (const void *)(records->data + at);

		packer_add(&packer, record);
		at += record->size;
	}
	packer_flush(&packer);
}

static void expect_same(const struct buf *a, const struct buf *b)
{
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->data, b->data, a->size);
}

/* Makes a record with `words` words after its header: some as before, some near, some random. */
static void add_random(struct buf *records, uint32_t type, size_t words)
{
	static uint64_t last[8192];
	struct perf_event_header header = {
		.type = type,
		.misc = (uint16_t)word_below(3),
		.size = (uint16_t)((words + 1) * 8),
	};

	buf_add(records, &header, sizeof(header));
	for (size_t i = 0; i < words; i++) {
		switch (word_below(6)) {
		case 0:
			break;
		case 1:
			last[i] += word_below(256) - 128;
			break;
		case 2:
			last[i] += word_below(1u << 20);
			break;
		case 3:
			last[i] = 0;
			break;
		case 4:
			last[i] = i ? last[i - 1] + word_below(100) : 7;
			break;
		default:
			last[i] = random_word() >> word_below(64);
		}
		buf_add_u64(records, last[i]);
	}
}

TEST(any_records_come_back)
{
	for (seed = 1; seed < 40; seed += 2) {
		struct buf in = {0}, out = {0};

		start_packing();
		for (int i = 0; i < 400; i++)
			add_random(&in, 1 + (uint32_t)word_below(15),
				   word_below(word_below(20) ? 40 : 2000));
		add_all(&in);
		give_all(&out);
		expect_same(&in, &out);
		buf_free(&in);
		buf_free(&out);
	}
}

TEST(extremes_come_back)
{
	static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 477, 478, 479, 480, 481, 8190, 8190};
	struct buf in = {0}, out = {0};

	seed = 99;
	start_packing();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int twice = 0; twice < 2; twice++)
			add_random(&in, PERF_RECORD_SAMPLE, sizes[i]);
	/* These records cannot be packed: each takes all its bytes. */
	for (int i = 0; i < 3; i++) {
		const struct perf_event_header header = {.type = 9, .size = PACK_RECORD_MAX};

		buf_add(&in, &header, sizeof(header));
		for (size_t k = 8; k < PACK_RECORD_MAX; k += 8)
			buf_add_u64(&in, random_word() | 1ull << 63);
	}
	add_all(&in);
	give_all(&out);
	expect_same(&in, &out);
	buf_free(&in);
	buf_free(&out);
}

/* Samples like those of `record`: some addresses in a loop, and a steady clock with jitter. */
static void make_loop_samples(struct buf *records, unsigned n)
{
	uint64_t time = 1000000000;

	for (unsigned i = 0; i < n; i++) {
		time += 250000 + word_below(3000);
		synth_sample(records, 1, 0x1000000 + word_below(40) * 4, time, 0);
	}
}

TEST(samples_are_small)
{
	struct buf in = {0}, out = {0};

	seed = 5;
	start_packing();
	make_loop_samples(&in, 20000);
	add_all(&in);
	give_all(&out);
	expect_same(&in, &out);
	assert_true(wire_bytes / 20000 <= 6);
	buf_free(&in);
	buf_free(&out);
}

/* A KEY comes at least every 64 KiB on the line. */
TEST(a_key_is_never_far)
{
	struct buf in = {0};
	size_t since = 0, keys = 0;

	seed = 3;
	start_packing();
	for (int i = 0; i < 30000; i++)
		add_random(&in, PERF_RECORD_SAMPLE,
			   word_below(200) ? 1 + word_below(20) : word_below(6000));
	add_all(&in);
	for (size_t i = 0; i < nframes; i++) {
		if (frames[i].type == WIRE_KEY) {
			since = 0;
			keys++;
		}
		since += frames[i].size + FRAME_OVERHEAD;
		assert_true(since <= 64 * 1024);
	}
	assert_true(keys > 2);
	buf_free(&in);
}

static size_t count_samples(const struct buf *records)
{
	size_t n = 0;

	for (size_t at = 0; at < records->size;) {
		const struct perf_event_header *record = (const void *)(records->data + at);

		n += record->type == PERF_RECORD_SAMPLE;
		at += record->size;
	}
	return n;
}

/* After any loss, frames whose KEY came are read, and the number of missing records before them is
 * known. */
TEST(losses_are_counted)
{
	struct buf in = {0};

	seed = 11;
	start_packing();
	for (int i = 0; i < 20000; i++)
		add_random(&in, word_below(9) ? PERF_RECORD_SAMPLE : 2,
			   word_below(2000) ? 6 + word_below(9) : 600);
	add_all(&in);
	for (int round = 0; round < 30; round++) {
		struct buf out = {0};
		uint64_t lost = 0, no_key = 0, dropped = 0;
		uint32_t gap;
		bool has_key = false;

		unpacker_init(&unpacker);
		for (size_t i = 0; i < nframes; i++) {
			enum unpack_verdict verdict;

			if (!word_below(6) && i + 1 < nframes) {
				has_key &= frames[i].type != WIRE_KEY;
				dropped++;
				continue;
			}
			has_key |= frames[i].type == WIRE_KEY;
			verdict = unpack_frame(i, &out, &gap);
			lost += gap;
			no_key += verdict == UNPACK_NO_KEY;
			if (frames[i].type != WIRE_PART)
				assert_int_equal(verdict, has_key ? UNPACK_RECORDS : UNPACK_NO_KEY);
		}
		assert_true(dropped > 0);
		if (has_key)
			assert_int_equal(count_samples(&out) + lost, count_samples(&in));
		buf_free(&out);
	}
	buf_free(&in);
}

/*
 * A record has a list of ways if the last ways cannot encode its words, or if new ways save more
 * than the list takes. The sizes are counted by hand: token, list of ways, bytes of words.
 */
TEST(ways_are_told_where_they_are_worth_it)
{
	static const struct {
		uint64_t words[4];
		size_t size;
		bool ways;
	} rows[] = {
		{{1000, 70000, 0, 5}, 10 + 2 + 2 + 3 + 0 + 1, true}, /* defines */
		{{1000, 70000, 0, 5}, 1 + 2 + 0, true},              /* nothing changed: no bytes */
		{{1000, 70000, 0, 5}, 1 + 0, false},                 /* and no ways either */
		{{1001, 70000, 0, 5}, 1 + 2 + 1, true},              /* 0 bytes cannot tell it */
		{{1002, 70000, 0, 5}, 1 + 1, false},                 /* 1 byte can, again */
		{{UINT64_MAX / 3, 70000, 0, 5}, 1 + 2 + 8, true},    /* no way but the plain one */
		{{1002, 70000, 0, 5}, 1 + 2 + 2, true}, /* 8 bytes could: 2 save more than a list */
	};
	static struct pack_state there, back;
	uint8_t out[128];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct {
			struct perf_event_header header;
			uint64_t words[4];
		} record = {.header = {.type = 2, .size = sizeof(record)}}, got;
		size_t n;

		memcpy(record.words, rows[i].words, sizeof(record.words));
		n = pack_record(&there, &record.header, out);
		assert_int_equal(n, rows[i].size);
		assert_int_equal((out[0] & 0x20) != 0, rows[i].ways);
		assert_int_equal(unpack_record(&back, out, n, &got.header), n);
		assert_memory_equal(&got, &record, sizeof(got));
	}
}

static void on_counted(void *ctx, const struct perf_event_header *record)
{
	uint64_t *sum = ctx;

	sum[0]++;
	sum[1] += record->size;
}

/* A frame with more records than it announces ends after the announced number. */
TEST(no_more_comes_than_is_announced)
{
	struct buf in = {0};
	struct wire_packed head;
	uint64_t sum[2] = {0};
	uint32_t lost;
	struct sent f;

	seed = 41;
	start_packing();
	make_loop_samples(&in, 20);
	add_all(&in);
	f = frames[0];
	memcpy(&head, f.payload, sizeof(head));
	assert_int_equal(head.records, 20);
	head.records = head.samples = 3;
	memcpy(f.payload, &head, sizeof(head));
	assert_int_equal(
		unpacker_frame(&unpacker, f.type, f.payload, f.size, &lost, on_counted, sum),
		UNPACK_MALFORMED);
	assert_int_equal(sum[0], 3);
	head.records = head.samples = 20;
	head.bytes = 2 * sizeof(struct synth_sample);
	memcpy(f.payload, &head, sizeof(head));
	sum[0] = sum[1] = 0;
	assert_int_equal(
		unpacker_frame(&unpacker, f.type, f.payload, f.size, &lost, on_counted, sum),
		UNPACK_MALFORMED);
	assert_int_equal(sum[1], head.bytes);
	buf_free(&in);
}

/* Parts make one record. Without a limit, many small parts would make a megabyte from a few bytes
 * each. */
TEST(parts_make_one_record)
{
	static uint8_t payload[WIRE_MAX_PAYLOAD];
	struct buf in = {0}, blob = {0};
	struct wire_packed head = {.key = 1, .records = 1};
	uint64_t sum[2] = {0};
	enum unpack_verdict verdict = UNPACK_NOTHING;
	uint32_t lost;

	seed = 43;
	start_packing();
	make_loop_samples(&in, 1);
	add_all(&in);
	assert_int_equal(unpacker_frame(&unpacker, WIRE_KEY, frames[0].payload, frames[0].size,
					&lost, on_counted, sum),
			 UNPACK_RECORDS);
	head.sample = 1;
	head.samples = head.records = 6000;
	head.bytes = 6000 * sizeof(struct synth_sample);
	buf_add(&blob, &head, sizeof(head));
	for (int i = 0; i < 6000; i++)
		buf_add(&blob, (const uint8_t[]){0x20, 0, 0, 0}, 4); /* as the last, in no bytes */
	for (size_t at = 0, n; at < blob.size; at += n) {
		const struct wire_part part = {(uint32_t)blob.size, (uint32_t)at};

		n = blob.size - at;
		n = n < sizeof(payload) - sizeof(part) ? n : sizeof(payload) - sizeof(part);
		memcpy(payload, &part, sizeof(part));
		memcpy(payload + sizeof(part), blob.data + at, n);
		verdict = unpacker_frame(&unpacker, WIRE_PART, payload, sizeof(part) + n, &lost,
					 on_counted, sum);
	}
	assert_int_equal(verdict, UNPACK_MALFORMED);
	assert_int_equal(sum[0], 1);
	buf_free(&in);
	buf_free(&blob);
}

/* Each command's frames begin with a KEY of that command. */
TEST(keys_end_with_their_command)
{
	struct buf in = {0}, out = {0};
	uint32_t lost;

	seed = 47;
	start_packing();
	make_loop_samples(&in, 400);
	add_all(&in);
	assert_int_equal(frames[1].type, WIRE_PACKED);
	assert_int_equal(unpack_frame(0, &out, &lost), UNPACK_RECORDS);
	unpacker_restart(&unpacker);
	assert_int_equal(unpack_frame(1, &out, &lost), UNPACK_NO_KEY);
	buf_free(&in);
	buf_free(&out);
}

/* A later command counts from 0 again, and begins with a KEY. */
TEST(commands_are_apart)
{
	struct buf in = {0}, out = {0};
	uint32_t lost;

	seed = 21;
	start_packing();
	make_loop_samples(&in, 100);
	add_all(&in);
	give_all(&out);
	assert_int_equal(unpack_frame(0, &out, &lost), UNPACK_REPEATED);
	packer_restart(&packer);
	unpacker_restart(&unpacker);
	drop_frames();
	add_all(&in);
	assert_int_equal(frames[0].type, WIRE_KEY);
	out.size = 0;
	give_all(&out);
	expect_same(&in, &out);
	buf_free(&in);
	buf_free(&out);
}

static void on_any(void *ctx, const struct perf_event_header *record)
{
	assert_true(record->size >= sizeof(*record) && record->size % 8 == 0);
	(*(uint64_t *)ctx)++;
}

/* Frames with flipped bytes, which a CRC would have caught, and bytes that are no frames. */
TEST(nonsense_does_no_harm)
{
	struct buf in = {0};
	uint64_t records = 0, malformed = 0;
	uint32_t lost;

	seed = 31;
	start_packing();
	for (int i = 0; i < 3000; i++)
		add_random(&in, PERF_RECORD_SAMPLE, word_below(300) ? word_below(30) : 700);
	add_all(&in);
	for (int round = 0; round < 3000; round++) {
		struct sent f = frames[word_below(nframes)];

		for (uint64_t flips = 1 + word_below(4); flips; flips--)
			f.payload[word_below(f.size)] = (uint8_t)random_word();
		f.size = (uint16_t)(f.size - (word_below(3) ? 0 : word_below(f.size)));
		if (!word_below(8))
			for (size_t i = 0; i < f.size; i++)
				f.payload[i] = (uint8_t)random_word();
		if (!word_below(4))
			unpacker_restart(&unpacker);
		malformed += unpacker_frame(&unpacker, f.type, f.payload, f.size, &lost, on_any,
					    &records) == UNPACK_MALFORMED;
	}
	assert_true(records > 0 && malformed > 0);
	buf_free(&in);
}

FIXTURE(free_frames)
{
	buf_free(&frame_bytes);
	return 0;
}

GROUP(NULL, free_frames);
