// SPDX-License-Identifier: BSD-2-Clause
/* test_many_cpus.c - recordings of several rings: the ring of each record, and the order in which
 * records are merged. */
#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"
#include "tools/out/features.h"
#include "tools/stream/timeline.h"

static struct stream stream;
static struct synth wire;
static struct wire_books books;

static void stream_sample_frame(void *ctx, const struct frame *frame)
{
	(void)ctx;
	stream_frame(&stream, frame);
}

static void on_bytes(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

FIXTURE(set_up)
{
	stream_init(&stream);
	wire = (struct synth){0};
	books = (struct wire_books){0};
	return 0;
}

FIXTURE(tear_down)
{
	stream_free(&stream);
	buf_free(&wire.out);
	return 0;
}

/* Event 11 counts on the first CPU, event 12 on the second. */
static void send_two_cpus(uint16_t first, uint16_t second)
{
	const struct perf_event_attr attr = synth_attr();
	const uint64_t ids[] = {11, 12};
	const uint16_t cpus[] = {first, second};

	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 256});
	synth_begin(&wire, 0, "record -a -- loop");
	synth_event_of_cpus(&wire, 0, &attr, "instructions", ids, cpus, 2);
}

/* Writes into the ring of CPU `ring` a sample of event `id`, whose CPU field is `cpu`. */
static void sample(uint8_t ring, uint64_t id, uint64_t time, uint32_t cpu)
{
	struct synth_sample record = {
		.header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(record)},
		.id = id,
		.pid = 1,
		.tid = 1,
		.time = time,
		.cpu = cpu,
		.period = 1,
	};

	synth_frame(&wire, WIRE_DATA, ring, &record, sizeof(record));
	books.sent += sizeof(record);
	books.written++;
	books.overflows++;
}

static void says(const char *what)
{
	const struct wire_bye bye = {.commands = 1, .books = books};
	const struct frame_sink sink = {stream_sample_frame, on_bytes, on_bytes, NULL};
	static struct frame_reader reader;
	struct reason why = {"complete"};

	synth_result(&wire, 0, 0, &books);
	synth_frame(&wire, WIRE_BYE, WIRE_STREAM_MAIN, &bye, sizeof(bye));
	frame_reader_init(&reader, &sink);
	frame_reader_feed(&reader, wire.out.data, wire.out.size);
	frame_reader_end(&reader);
	stream_check(&stream, &reader.stats, &why);
	if (!strstr(why.text, what))
		fail_msg("'%s' is not in '%s'", what, why.text);
}

TEST_WITH(test_rings_in_order_of_time, set_up, tear_down)
{
	static const uint64_t times[] = {5, 10, 20, 25, 30};
	struct record_format format;
	const struct timeline_entry *entry;
	struct timeline timeline;

	send_two_cpus(0, 3);
	sample(0, 11, 10, 0);
	sample(0, 11, 30, 0);
	sample(3, 12, 5, 3);
	sample(3, 12, 20, 3);
	sample(3, 12, 25, 3);
	says("complete");
	format = stream_format(&stream.commands[0]);
	timeline_make(&timeline, &stream.commands[0], &format);
	for (size_t i = 0; i < 5; i++) {
		entry = timeline_next(&timeline);
		assert_non_null(entry);
		assert_int_equal(entry->time, times[i]);
	}
	assert_null(timeline_next(&timeline));
	timeline_free(&timeline);
}

TEST_WITH(test_wrong_ring, set_up, tear_down)
{
	send_two_cpus(0, 3);
	sample(0, 11, 10, 0);
	sample(0, 12, 11, 3);
	says("command 0: a sample of an event for CPU 3 was in the ring of CPU 0");
}

TEST_WITH(test_wrong_cpu, set_up, tear_down)
{
	send_two_cpus(0, 3);
	sample(3, 12, 11, 1);
	says("command 0: an event for CPU 3 was sampled on CPU 1");
}

/* An event that follows its task may sample on any CPU. */
TEST_WITH(test_any_cpu, set_up, tear_down)
{
	send_two_cpus(WIRE_ANY_CPU, WIRE_ANY_CPU);
	sample(0, 11, 10, 0);
	sample(0, 11, 11, 3);
	says("complete");
}

/* The last CPUs share a stream, because one of the numbers has another meaning. */
TEST_WITH(test_last_cpus, set_up, tear_down)
{
	send_two_cpus(254, 255);
	sample(WIRE_STREAM_LAST, 11, 10, 254);
	sample(WIRE_STREAM_LAST, 12, 11, 255);
	says("complete");
}

/* The reader accepts a stream that does not say which CPU an event is for. */
TEST_WITH(test_untold, set_up, tear_down)
{
	const struct perf_event_attr attr = synth_attr();

	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = 1});
	synth_begin(&wire, 0, "record -- loop");
	synth_event(&wire, 0, &attr, "instructions", 11);
	sample(0, 11, 10, 0);
	says("complete");
	assert_int_equal(stream.commands[0].events[0].cpus[0], WIRE_ANY_CPU);
}

static uint32_t take_u32(const uint8_t **at)
{
	uint32_t v;

	memcpy(&v, *at, sizeof(v));
	*at += sizeof(v);
	return v;
}

/* perf stores a string with its size before it, padded. */
static void string_is(const uint8_t **at, const char *text)
{
	uint32_t size = take_u32(at);

	assert_string_equal((const char *)*at, text);
	*at += size;
}

/* Two packages. The first has two cores of two threads, in an order that firmware may choose. */
TEST_WITH(test_topology, set_up, tear_down)
{
	static const struct wire_cpu cpus[] = {
		{.package = 0, .core = 0},
		{.package = 0, .core = 4},
		{.package = 1, .core = 0},
		{.package = 0, .core = 0, .thread = 1},
		{.package = 0, .core = 4, .thread = 1},
	};
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 5};
	struct features_input input = {.stream = &stream};
	struct buf out = {0};
	const uint8_t *at;

	synth_hello(&wire, &hello);
	synth_begin(&wire, 0, "record -- loop");
	says("");
	assert_false(features_add(&out, 13, &input));
	tear_down(NULL);
	set_up(NULL);
	synth_hello(&wire, &hello);
	synth_frame(&wire, WIRE_CPUS, WIRE_STREAM_MAIN, cpus, sizeof(cpus));
	synth_frame(&wire, WIRE_CPUS, WIRE_STREAM_MAIN, cpus, sizeof(cpus)); /* said again */
	synth_begin(&wire, 0, "record -- loop");
	says("complete");
	assert_true(features_add(&out, 13, &input));
	at = out.data;
	assert_int_equal(take_u32(&at), 2);
	string_is(&at, "0-1,3-4");
	string_is(&at, "2");
	assert_int_equal(take_u32(&at), 3);
	string_is(&at, "0,3");
	string_is(&at, "1,4");
	string_is(&at, "2");
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(take_u32(&at), cpus[i].core);
		assert_int_equal(take_u32(&at), cpus[i].package);
	}
	assert_int_equal(take_u32(&at), 2);
	string_is(&at, "0-1,3-4");
	string_is(&at, "2");
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(take_u32(&at), 0);
	assert_ptr_equal(at, out.data + out.size);
	buf_free(&out);
}

struct synth_nodes {
	struct wire_nodes head;
	uint64_t kib[3];
	uint8_t node_of[8];
};

/* A node without CPUs, and nodes whose CPUs are not consecutive. Without data about nodes one node
 * has all CPUs and all memory. */
TEST_WITH(test_nodes, set_up, tear_down)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 8, .memory_mib = 5};
	struct synth_nodes nodes = {{3, 8, 0}, {1024, 2048, 4096}, {0, 0, 2, 0, 2, 2, 2, 0}};
	struct features_input input = {.stream = &stream};
	struct buf out = {0};
	const uint8_t *at;

	synth_hello(&wire, &hello);
	synth_frame(&wire, WIRE_NODES, WIRE_STREAM_MAIN, &nodes, sizeof(nodes));
	synth_frame(&wire, WIRE_NODES, WIRE_STREAM_MAIN, &nodes, sizeof(nodes)); /* said again */
	synth_begin(&wire, 0, "record -- loop");
	says("complete");
	assert_true(features_add(&out, 14, &input));
	at = out.data;
	assert_int_equal(take_u32(&at), 3);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const lists[] = {"0-1,3,7", "", "2,4-6"};

		assert_int_equal(take_u32(&at), i);
		assert_int_equal(take_u32(&at), nodes.kib[i]);
		at += 12; /* the upper half of KiB, and the free KiB */
		string_is(&at, lists[i]);
	}
	assert_ptr_equal(at, out.data + out.size);
	buf_free(&out);
	tear_down(NULL);
	set_up(NULL);
	synth_hello(&wire, &hello);
	nodes.node_of[7] = 3;
	synth_frame(&wire, WIRE_NODES, WIRE_STREAM_MAIN, &nodes, sizeof(nodes)); /* there is none */
	synth_frame(&wire, WIRE_NODES, WIRE_STREAM_MAIN, &nodes, 20);
	says("malformed");
	assert_int_equal(stream.nnodes, 0);
	assert_true(features_add(&out, 14, &input));
	at = out.data;
	assert_int_equal(take_u32(&at), 1);
	assert_int_equal(take_u32(&at), 0);
	assert_int_equal(take_u32(&at), 5 * 1024);
	at += 12;
	string_is(&at, "0-7");
	buf_free(&out);
}

#define MANY 600 /* two full frames, and some */

/* Part `part` of the CPUs of that machine, each a core of its own. */
static void cpus_frame(unsigned part)
{
	const unsigned first = part * WIRE_CPUS_MOST,
		       n = MANY - first < WIRE_CPUS_MOST ? MANY - first : WIRE_CPUS_MOST;
	struct wire_cpu cpus[WIRE_CPUS_MOST] = {{0}};

	for (unsigned i = 0; i < n; i++)
		cpus[i] = (struct wire_cpu){.apic_id = 2 * (first + i),
					    .core = (uint16_t)(first + i),
					    .part = (uint8_t)part};
	synth_frame(&wire, WIRE_CPUS, WIRE_STREAM_MAIN, cpus, n * sizeof(*cpus));
}

TEST_WITH(test_more_cpus_than_a_frame_holds, set_up, tear_down)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = MANY};
	struct features_input input = {.stream = &stream};
	struct buf out = {0};

	synth_hello(&wire, &hello);
	cpus_frame(0);
	cpus_frame(2); /* frame 1 was lost: frame 2 must not take its place */
	synth_begin(&wire, 0, "record -- loop");
	says("");
	assert_int_equal(stream.ncpus, WIRE_CPUS_MOST);
	assert_false(features_add(&out, 13, &input));
	tear_down(NULL);
	set_up(NULL);
	synth_hello(&wire, &hello);
	for (unsigned i = 0; i < 6; i++)
		cpus_frame(i % 3); /* said again */
	synth_begin(&wire, 0, "record -- loop");
	says("complete");
	assert_int_equal(stream.ncpus, MANY);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(stream.cpus[i].apic_id, 2 * i);
	assert_true(features_add(&out, 13, &input));
	buf_free(&out);
}

/* The frames of an event for that machine. */
static void event_frames(void)
{
	struct perf_event_attr attr = synth_attr();
	uint64_t ids[WIRE_IDS_MOST + 1];
	uint16_t cpus[WIRE_IDS_MOST + 1];

	for (unsigned i = 0; i < WIRE_IDS_MOST; i++) {
		ids[i] = 1000 + i;
		cpus[i] = (uint16_t)i;
	}
	synth_event_of_cpus(&wire, 0, &attr, "instructions", ids, cpus, WIRE_IDS_MOST);
	for (unsigned first = WIRE_IDS_MOST; first < MANY; first += WIRE_IDS_MOST) {
		const unsigned left = MANY - first, n = left < WIRE_IDS_MOST ? left : WIRE_IDS_MOST;

		for (unsigned i = 0; i < n; i++) {
			ids[i + 1] = 1000 + first + i;
			cpus[i + 1] = (uint16_t)(first + i);
		}
		synth_more_ids(&wire, 0, ids, cpus, (uint16_t)(n + 1));
	}
}

TEST_WITH(test_more_ids_than_a_frame_holds, set_up, tear_down)
{
	const struct stream_event *event;

	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = MANY});
	synth_begin(&wire, 0, "record -- loop");
	event_frames();
	event_frames();
	sample(WIRE_STREAM_LAST, 1000 + MANY - 1, 10, MANY - 1);
	sample(3, 1003, 11, 3);
	says("complete");
	assert_int_equal(stream.commands[0].nevents, 1);
	event = &stream.commands[0].events[0];
	assert_int_equal(event->nids, MANY);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(event->ids[i], 1000 + i);
		assert_int_equal(event->cpus[i], i);
	}
}

/* Ids of an event that was not announced, no ids, the event's own id again, another event's id. */
TEST_WITH(test_more_ids_that_make_no_sense, set_up, tear_down)
{
	struct perf_event_attr attr = synth_attr();
	static const uint64_t unknown[] = {7, 8}, others[] = {1000, 2000};
	static const uint16_t cpus[] = {0, 1};
	const uint64_t first = 1000, second = 2000;

	synth_hello(&wire, &(struct wire_hello){.version = WIRE_VERSION, .ncpus = MANY});
	synth_begin(&wire, 0, "record -- loop");
	synth_event_of_cpus(&wire, 0, &attr, "instructions", &first, cpus, 1);
	synth_event_of_cpus(&wire, 0, &attr, "cycles", &second, cpus, 1);
	synth_more_ids(&wire, 0, unknown, cpus, 2);
	synth_more_ids(&wire, 0, others, cpus, 2);
	says("complete");
	assert_int_equal(stream.commands[0].nevents, 2);
	assert_int_equal(stream.commands[0].events[0].nids, 1);
	assert_int_equal(stream.commands[0].events[1].nids, 1);
}
