// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_auxtrace.c - traces on the wire and in perf.data: parts that belong together, accounts that
 * must add up, and the records that perf needs.
 */
#include "tools/out/auxtrace.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "pmu/names/dynamic.h"
#include "pmu/names/step_trace.h"
#include "tests/unit/tools/synth_stream.h"

#define ID  42
#define TSC 0x123456789ull

static struct synth wire;
static struct stream stream;
static struct frame_reader reader;
static uint8_t trace[10000];
static struct wire_books books;
static uint32_t tid; /* whose trace it is */

static void stream_trace_frame(void *ctx, const struct frame *frame)
{
	(void)ctx;
	stream_frame(&stream, frame);
}

static void fail_on_debris(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	fail_msg("not all of it is frames");
}

FIXTURE(setup)
{
	wire = (struct synth){.out = {0}};
	books = (struct wire_books){0};
	tid = 1;
	stream_init(&stream);
	for (size_t i = 0; i < sizeof(trace); i++)
		trace[i] = (uint8_t)(i * 7);
	return 0;
}

FIXTURE(teardown)
{
	stream_free(&stream);
	buf_free(&wire.out);
	return 0;
}

static void begin_like(bool switches, const uint64_t *ids, const uint16_t *cpus, uint16_t n)
{
	struct perf_event_attr attr = synth_attr();
	const struct wire_event head = {.attr_size = sizeof(attr), .nids = n};
	struct buf payload = {0};

	attr.type = PMU_TYPE_STEP_TRACE;
	attr.config = STEP_TRACE_DEFAULT;
	attr.sample_period = 0;
	attr.context_switch = switches;
	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 1});
	synth_begin(&wire, 0, "record -e step_trace//u -- loop");
	buf_add(&payload, &head, sizeof(head));
	buf_add(&payload, &attr, sizeof(attr));
	buf_add(&payload, ids, n * sizeof(*ids));
	buf_add(&payload, "step_trace//u", sizeof("step_trace//u"));
	buf_add(&payload, cpus, n * sizeof(*cpus));
	synth_frame(&wire, WIRE_EVENT, WIRE_STREAM_MAIN, payload.data, payload.size);
	buf_free(&payload);
}

static void send_trace_event(void)
{
	struct perf_event_attr attr = synth_attr();

	attr.type = PMU_TYPE_STEP_TRACE;
	attr.config = STEP_TRACE_DEFAULT;
	attr.sample_period = 0;
	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 1});
	synth_begin(&wire, 0, "record -e step_trace//u -- loop");
	synth_event(&wire, 0, &attr, "step_trace//u", ID);
}

/* Sends `n` bytes of the trace of event `id` on `cpu`, from `offset` on. */
static void part_of(uint64_t id, uint8_t cpu, uint64_t offset, size_t n, uint16_t flags,
		    uint64_t produced)
{
	const struct wire_aux head = {
		.flags = flags,
		.time_shift = 31,
		.time_mult = 0x80000000,
		.time_zero = 5,
		.tid = tid,
		.tsc = TSC + offset,
		.id = id,
		.offset = offset,
		.produced = produced,
	};
	struct buf payload = {0};

	buf_add(&payload, &head, sizeof(head));
	buf_add(&payload, trace + offset, n);
	synth_frame(&wire, WIRE_AUX, cpu, payload.data, payload.size);
	buf_free(&payload);
}

static void part(uint64_t offset, size_t n, uint16_t flags, uint64_t produced)
{
	part_of(ID, 0, offset, n, flags, produced);
}

struct aux_record {
	struct perf_event_header header;
	uint64_t offset, size, flags;
	struct synth_trailer trailer;
};

static void told_of(uint64_t id, uint8_t cpu, uint64_t offset, uint64_t size, uint64_t flags)
{
	const struct aux_record record = {
		.header = {.type = PERF_RECORD_AUX, .size = sizeof(record)},
		.offset = offset,
		.size = size,
		.flags = flags,
		.trailer = {1, 1, 1000, cpu, 0, id},
	};

	synth_frame(&wire, WIRE_DATA, cpu, &record, sizeof(record));
	books.sent += sizeof(record);
}

static void told(uint64_t offset, uint64_t size, uint64_t flags)
{
	told_of(ID, 0, offset, size, flags);
}

/* Returns the verdict of stream_check() about the whole stream. */
static const char *ended(void)
{
	static struct reason why;
	const struct wire_bye bye = {.commands = 1, .books = books};
	const struct frame_sink sink = {stream_trace_frame, fail_on_debris, fail_on_debris, NULL};
	int err;

	synth_result(&wire, 0, 0, &books);
	synth_frame(&wire, WIRE_BYE, WIRE_STREAM_MAIN, &bye, sizeof(bye));
	books = (struct wire_books){0};
	frame_reader_init(&reader, &sink);
	frame_reader_feed(&reader, wire.out.data, wire.out.size);
	frame_reader_end(&reader);
	err = stream_check(&stream, &reader.stats, &why);
	return err ? why.text : "complete";
}

static void says(const char *what)
{
	const char *got = ended();

	if (!strstr(got, what))
		fail_msg("'%s' is not in '%s'", what, got);
}

TEST_WITH(test_parts_are_put_together, setup, teardown)
{
	send_trace_event();
	told(0, 1000, 0);
	told(1000, 3000, PERF_AUX_FLAG_TRUNCATED);
	part(0, 3500, 0, 4000);
	part(3500, 500, 0, 4000);
	part(4000, 0, WIRE_AUX_LAST, 4000);
	assert_string_equal(ended(), "complete");
	assert_int_equal(stream.commands[0].naux, 1);
	assert_int_equal(stream.commands[0].aux[0].bytes.size, 4000);
	assert_memory_equal(stream.commands[0].aux[0].bytes.data, trace, 4000);
}

/* Each CPU has its own area, in any order of frames. */
TEST_WITH(test_two_cpus, setup, teardown)
{
	struct buf out = {0};

	send_trace_event();
	told_of(ID, 0, 0, 1000, 0);
	told_of(ID + 1, 1, 0, 2500, 0);
	told_of(ID, 0, 1000, 500, 0);
	part_of(ID, 0, 0, 1000, 0, 1500);
	part_of(ID + 1, 1, 0, 2000, 0, 2500);
	part_of(ID, 0, 1000, 500, 0, 1500);
	part_of(ID, 0, 1500, 0, WIRE_AUX_LAST, 1500);
	part_of(ID + 1, 1, 2000, 500, 0, 2500);
	part_of(ID + 1, 1, 2500, 0, WIRE_AUX_LAST, 2500);
	assert_string_equal(ended(), "complete");
	assert_int_equal(stream.commands[0].naux, 2);
	assert_int_equal(stream.commands[0].aux[0].bytes.size, 1500);
	assert_int_equal(stream.commands[0].aux[1].bytes.size, 2500);
	auxtrace_add_data(&out, &stream.commands[0]);
	assert_int_equal(out.size, 48 + 1504 + 48 + 2504);
	buf_free(&out);
}

TEST_WITH(test_one_of_two_has_no_end, setup, teardown)
{
	send_trace_event();
	told_of(ID, 0, 0, 1000, 0);
	told_of(ID + 1, 1, 0, 2000, 0);
	part_of(ID, 0, 0, 1000, 0, 1000);
	part_of(ID + 1, 1, 0, 2000, 0, 2000);
	part_of(ID + 1, 1, 2000, 0, WIRE_AUX_LAST, 2000);
	says("the trace has no end");
}

TEST_WITH(test_a_snapshot_is_the_end, setup, teardown)
{
	send_trace_event();
	told(0, 4096, PERF_AUX_FLAG_OVERWRITE);
	told(904, 4096, PERF_AUX_FLAG_OVERWRITE); /* of a longer run: only the last one counts */
	part(904, 3500, WIRE_AUX_SNAPSHOT, 5000);
	part(4404, 596, WIRE_AUX_SNAPSHOT, 5000);
	part(5000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_LAST, 5000);
	assert_string_equal(ended(), "complete");
	assert_int_equal(stream.commands[0].naux, 1);
}

/* Each snapshot is a separate part, even if it continues the one before it. */
static void snapshots(void)
{
	send_trace_event();
	told(0, 3000, PERF_AUX_FLAG_OVERWRITE);
	told(0, 3500, PERF_AUX_FLAG_OVERWRITE); /* a switch */
	told(904, 4096, PERF_AUX_FLAG_OVERWRITE);
	told(5904, 4096, PERF_AUX_FLAG_OVERWRITE);
	part(0, 2000, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 10000);
	part(2000, 1000, WIRE_AUX_SNAPSHOT, 10000);
	part(3000, 2000, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 10000);
	part(5904, 2000, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 10000);
	part(7904, 2096, WIRE_AUX_SNAPSHOT, 10000);
	part(10000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_LAST, 10000);
}

TEST_WITH(test_snapshots_on_request, setup, teardown)
{
	static const struct {
		uint64_t offset, size;
	} wanted[] = {{0, 3000}, {3000, 2000}, {5904, 4096}};
	struct buf out = {0};

	snapshots();
	assert_string_equal(ended(), "complete");
	assert_int_equal(stream.commands[0].naux, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct stream_aux *aux = &stream.commands[0].aux[i];

		assert_int_equal(aux->head.offset, wanted[i].offset);
		assert_int_equal(aux->bytes.size, wanted[i].size);
		assert_memory_equal(aux->bytes.data, trace + wanted[i].offset, wanted[i].size);
	}
	auxtrace_add_data(&out, &stream.commands[0]);
	assert_int_equal(out.size, 3 * 48 + 3000 + 2000 + 4096);
	buf_free(&out);
}

/* The last snapshot was taken at the very end. */
TEST_WITH(test_nothing_behind_a_snapshot, setup, teardown)
{
	struct buf out = {0};

	send_trace_event();
	told(0, 3000, PERF_AUX_FLAG_OVERWRITE);
	part(0, 3000, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 3000);
	part(3000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN | WIRE_AUX_LAST, 3000);
	assert_string_equal(ended(), "complete");
	auxtrace_add_data(&out, &stream.commands[0]);
	assert_int_equal(out.size, 48 + 3000);
	buf_free(&out);
}

/* The snapshot has more or fewer bytes than came, or no record. */
TEST_WITH(test_snapshots_that_are_not_whole, setup, teardown)
{
	send_trace_event();
	told(0, 3000, PERF_AUX_FLAG_OVERWRITE);
	part(100, 2900, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 3000);
	part(3000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN | WIRE_AUX_LAST, 3000);
	says("bytes 100 to 3000 of the trace were received, not 0 to 3000");

	teardown(NULL);
	setup(NULL);
	send_trace_event();
	told(0, 3000, PERF_AUX_FLAG_OVERWRITE);
	told(904, 4096, PERF_AUX_FLAG_OVERWRITE);
	part(0, 3000, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 5000);
	part(3500, 1500, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 5000);
	part(5000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_LAST, 5000);
	says("bytes 3500 to 5000 of the trace were received, not 3000 to 5000");

	teardown(NULL);
	setup(NULL);
	send_trace_event();
	told(0, 3000, PERF_AUX_FLAG_OVERWRITE);
	told(904, 4096, PERF_AUX_FLAG_OVERWRITE);
	part(0, 3200, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 5000);
	part(3200, 1800, WIRE_AUX_SNAPSHOT | WIRE_AUX_BEGIN, 5000);
	part(5000, 0, WIRE_AUX_SNAPSHOT | WIRE_AUX_LAST, 5000);
	says("AUX records tell of 3000 bytes of trace, not of 3200");
}

TEST_WITH(test_a_gap, setup, teardown)
{
	send_trace_event();
	told(0, 3000, 0);
	part(0, 1000, 0, 3000);
	part(2000, 1000, 0, 3000);
	part(3000, 0, WIRE_AUX_LAST, 3000);
	says("bytes 2000 to 3000 of the trace were received, not 0 to 3000");
	assert_int_equal(stream.commands[0].naux, 2);
}

TEST_WITH(test_bytes_that_no_record_tells_of, setup, teardown)
{
	send_trace_event();
	told(0, 2000, 0);
	part(0, 3000, 0, 3000);
	part(3000, 0, WIRE_AUX_LAST, 3000);
	says("AUX records tell of 2000 bytes of trace, not of 3000");
}

TEST_WITH(test_bytes_that_never_came, setup, teardown)
{
	send_trace_event();
	told(0, 3000, 0);
	part(0, 2000, 0, 3000);
	part(2000, 0, WIRE_AUX_LAST, 3000);
	says("bytes 0 to 2000 of the trace were received, not 0 to 3000");
}

TEST_WITH(test_records_without_a_trace, setup, teardown)
{
	send_trace_event();
	told(0, 3000, 0);
	says("AUX records, but no trace");
}

TEST_WITH(test_no_end, setup, teardown)
{
	send_trace_event();
	told(0, 100, 0);
	part(0, 100, 0, 100);
	says("the trace has no end");
}

TEST_WITH(test_malformed, setup, teardown)
{
	static const uint8_t few[sizeof(struct wire_aux) - 1];

	send_trace_event();
	synth_frame(&wire, WIRE_AUX, 0, few, sizeof(few));
	says("a AUX frame of 55 bytes makes no sense");
}

TEST_WITH(test_outside_of_a_recording, setup, teardown)
{
	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 1});
	synth_begin(&wire, 0, "stat");
	part(0, 100, 0, 100);
	says("trace of CPU 0 belongs to no recording");
}

/* --- For perf --- */

static uint64_t word(const struct buf *b, size_t n)
{
	uint64_t w;

	assert_true(8 * n + 8 <= b->size);
	memcpy(&w, b->data + 8 * n, sizeof(w));
	return w;
}

TEST_WITH(test_records_for_perf, setup, teardown)
{
	struct buf out = {0};

	send_trace_event();
	told(0, 13, 0);
	part(0, 13, 0, 13);
	part(13, 0, WIRE_AUX_LAST, 13);
	assert_string_equal(ended(), "complete");
	auxtrace_add_info(&out, &stream.commands[0]);
	assert_int_equal(out.size, 152 + 56);
	assert_true(word(&out, 0) == (70 | 152ull << 48));
	assert_true(word(&out, 1) == 1); /* Intel PT */
	assert_true(word(&out, 2) == PMU_TYPE_STEP_TRACE);
	assert_true(word(&out, 3) == 31 && word(&out, 4) == 0x80000000 && word(&out, 5) == 5);
	assert_true(word(&out, 6) == 1);
	assert_true(word(&out, 7) == 0x400 && word(&out, 8) == 0x800);
	assert_true(!word(&out, 10) && !word(&out, 11)); /* no snapshot, of a thread */
	assert_true(word(&out, 19) == (79 | 56ull << 48));
	buf_free(&out);

	auxtrace_add_data(&out, &stream.commands[0]);
	assert_int_equal(out.size, 48 + 16);
	assert_true(word(&out, 0) == (71 | 48ull << 48));
	assert_true(word(&out, 1) == 16 && word(&out, 2) == 0 && word(&out, 3) == TSC);
	assert_true(word(&out, 4) == 1ull << 32 && word(&out, 5) == UINT32_MAX);
	assert_memory_equal(out.data + 48, trace, 13);
	assert_memory_equal(out.data + 48 + 13, "\0\0\0", 3); /* PAD */
	buf_free(&out);
}

/* SWITCH records assign a CPU's area to the task that runs there. */
TEST_WITH(test_areas_of_cpus, setup, teardown)
{
	struct buf out = {0};

	tid = 0;
	begin_like(true, (const uint64_t[]){ID, ID + 1}, (const uint16_t[]){2, 300}, 2);
	told_of(ID, 2, 0, 16, 0);
	told_of(ID + 1, WIRE_STREAM_LAST, 0, 8, 0);
	part_of(ID, 2, 0, 16, 0, 16);
	part_of(ID, 2, 16, 0, WIRE_AUX_LAST, 16);
	part_of(ID + 1, WIRE_STREAM_LAST, 0, 8, 0, 8);
	part_of(ID + 1, WIRE_STREAM_LAST, 8, 0, WIRE_AUX_LAST, 8);
	assert_string_equal(ended(), "complete");
	auxtrace_add_info(&out, &stream.commands[0]);
	assert_true(word(&out, 9) == 2 && word(&out, 11) == 1);
	buf_free(&out);
	auxtrace_add_data(&out, &stream.commands[0]);
	assert_true(word(&out, 4) == (2 | (uint64_t)UINT32_MAX << 32) && word(&out, 5) == 2);
	assert_true(word(&out, 12) == (300 | (uint64_t)UINT32_MAX << 32) && word(&out, 13) == 300);
	buf_free(&out);
}

/* Without records of switches perf must not look for them. */
TEST_WITH(test_an_area_without_switches, setup, teardown)
{
	struct buf out = {0};

	tid = 0;
	begin_like(false, (const uint64_t[]){ID}, (const uint16_t[]){0}, 1);
	told(0, 16, 0);
	part(0, 16, 0, 16);
	part(16, 0, WIRE_AUX_LAST, 16);
	assert_string_equal(ended(), "complete");
	auxtrace_add_info(&out, &stream.commands[0]);
	assert_true(word(&out, 9) == 0 && word(&out, 11) == 1);
	buf_free(&out);
}

TEST_WITH(test_nothing_without_a_trace, setup, teardown)
{
	struct buf out = {0};

	send_trace_event();
	assert_string_equal(ended(), "complete");
	auxtrace_add_info(&out, &stream.commands[0]);
	auxtrace_add_data(&out, &stream.commands[0]);
	assert_int_equal(out.size, 0);
}
