// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_scale.c - a stream of eight times the length takes about eight times the work, for any
 * contents. A reader that looks through all earlier data would take sixty-four times. Work is CPU
 * time of this process, the least of some tries, and is only compared with itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"
#include "tools/out/out.h"
#include "tools/out/perfdata.h"

#define TIMES 8
#define MOST  26 /* times the work: well above TIMES log TIMES, well below TIMES squared */
#define TRIES 3

static const struct elf_image elf = {
	.path = "/perf0.elf",
	.build_id_size = 20,
	.segments = {{0x1000, 0x1000, 0x2000}},
	.nsegments = 1,
};

static uint64_t processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Reads, checks, and writes every form of the last command. */
static void use(const struct buf *bytes)
{
	static const char *const forms[] = {"csv", "json", "folded", "speedscope", "text"};
	struct stream stream;
	struct frame_stats stats = synth_read(bytes, &stream);
	const struct stream_command *command = &stream.commands[stream.ncommands - 1];
	const struct out_source source = {&stream, command, &elf, ","};
	struct reason why;
	struct buf out = {0};

	stream_check(&stream, &stats, &why);
	assert_int_equal(stream.malformed.frames, 0);
	if (stream_is_recording(command))
		assert_int_equal(perfdata_build(&out, &stream, command, &elf, &why), 0);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct out_format *format = out_find(forms[i]);

		out.size = 0;
		if (format->of_counts || stream_is_recording(command))
			assert_int_equal(format->build(&out, &source, &why), 0);
	}
	buf_free(&out);
	stream_free(&stream);
}

static uint64_t work(void (*make)(struct synth *s, unsigned n), unsigned n)
{
	struct synth s = {.seq = {0}};
	uint64_t least = UINT64_MAX;

	make(&s, n);
	for (int try = 0; try < TRIES; try++) {
		uint64_t before = processor_ns(), took;

		use(&s.out);
		took = processor_ns() - before;
		least = took < least ? took : least;
	}
	buf_free(&s.out);
	return least;
}

static void expect_in_proportion(void (*make)(struct synth *s, unsigned n), unsigned n)
{
	uint64_t few = work(make, n), many = work(make, TIMES * n);

	if (many > MOST * few)
		print_message("%u: %llu us, %u: %llu us\n", n, (unsigned long long)few / 1000,
			      TIMES * n, (unsigned long long)many / 1000);
	assert_true(many <= MOST * few);
}

static void hello(struct synth *s)
{
	const struct wire_hello head = {.version = WIRE_VERSION, .ncpus = 1};

	synth_hello(s, &head);
}

static void send_record_event(struct synth *s)
{
	const struct perf_event_attr attr = synth_attr();

	hello(s);
	synth_begin(s, 0, "record loop");
	synth_event(s, 0, &attr, "instructions", 1);
}

/* Records are sent as they are, a number of them in each frame. */
static void add_record(struct synth *s, struct buf *records, const void *record, size_t n,
		       bool is_last)
{
	buf_add(records, record, n);
	if (!is_last && records->size < 3000)
		return;
	synth_frame(s, WIRE_DATA, 0, records->data, records->size);
	records->size = 0;
}

static void add_sample(struct synth *s, struct buf *records, uint64_t id, uint32_t tid,
		       uint64_t time, bool is_last)
{
	const struct synth_sample sample = {
		.header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(sample)},
		.id = id,
		.ip = 0x1000 + time % 512,
		.pid = 1,
		.tid = tid,
		.time = time,
		.period = 1,
	};

	add_record(s, records, &sample, sizeof(sample), is_last);
}

/* A stream of `n` commands, each of which begins and ends. */
static void make_commands(struct synth *s, unsigned n)
{
	const struct wire_books none = {0};

	hello(s);
	for (unsigned i = 0; i < n; i++) {
		synth_begin(s, i, "loop");
		synth_result(s, i, 0, &none);
	}
}

static void make_begins(struct synth *s, unsigned n)
{
	hello(s);
	for (unsigned i = 0; i < n; i++)
		synth_begin(s, i, "loop");
}

/* As many events as samples; each sample belongs to a different event. */
static void make_events(struct synth *s, unsigned n)
{
	const struct perf_event_attr attr = synth_attr();
	struct buf records = {0};

	send_record_event(s);
	for (unsigned i = 0; i < n; i++)
		synth_event(s, 0, &attr, "e", 2 + i);
	for (unsigned i = 0; i < n; i++)
		add_sample(s, &records, 1 + i, 1, i, i + 1 == n);
	buf_free(&records);
}

/* Events between records, as when they are repeated. */
static void make_late_events(struct synth *s, unsigned n)
{
	const struct perf_event_attr attr = synth_attr();
	struct buf records = {0};

	send_record_event(s);
	for (unsigned i = 0; i < n; i++) {
		add_sample(s, &records, 1 + i, 1, i, true);
		synth_event(s, 0, &attr, "e", 2 + i);
	}
	buf_free(&records);
}

static void make_formats(struct synth *s, unsigned n)
{
	char system[16];

	send_record_event(s);
	for (unsigned i = 0; i < n; i++) {
		snprintf(system, sizeof(system), "s%u", i / 2);
		synth_format(s, 0, i, system, "name", "format");
	}
}

static void make_counts(struct synth *s, unsigned n)
{
	send_record_event(s);
	for (unsigned i = 0; i < n; i++)
		synth_count(s, 0, "instructions", i);
}

/* Each trace belongs to one event, and has an AUX record. */
static void make_traces(struct synth *s, unsigned n)
{
	const struct perf_event_attr attr = synth_attr();
	struct buf records = {0};

	send_record_event(s);
	for (unsigned i = 0; i < n; i++)
		synth_event(s, 0, &attr, "e", 2 + i);
	for (unsigned i = 0; i < n; i++) {
		const struct {
			struct perf_event_header header;
			uint64_t offset, size, flags;
			struct synth_trailer trailer;
		} record = {
			.header = {.type = PERF_RECORD_AUX, .size = sizeof(record)},
			.size = 8,
			.trailer = {.time = i, .id = 2 + i},
		};

		add_record(s, &records, &record, sizeof(record), i + 1 == n);
	}
	for (unsigned i = 0; i < n; i++) {
		const struct wire_aux head = {
			.id = 2 + i, .tsc = 1, .produced = 8, .flags = WIRE_AUX_LAST};
		uint8_t payload[sizeof(head) + 8] = {0};

		memcpy(payload, &head, sizeof(head));
		synth_frame(s, WIRE_AUX, 0, payload, sizeof(payload));
	}
	buf_free(&records);
}

/* As many tasks as samples; each task has a name. */
static void make_tasks(struct synth *s, unsigned n)
{
	struct buf records = {0};

	send_record_event(s);
	for (unsigned i = 0; i < n; i++) {
		const struct {
			struct perf_event_header header;
			uint32_t pid, tid;
			char name[8];
			struct synth_trailer trailer;
		} record = {
			.header = {.type = PERF_RECORD_COMM, .size = sizeof(record)},
			.pid = 1,
			.tid = i,
			.name = "task",
			.trailer = {.time = i, .id = 1},
		};

		add_record(s, &records, &record, sizeof(record), false);
	}
	for (unsigned i = 0; i < n; i++)
		add_sample(s, &records, 1, i, n + i, i + 1 == n);
	buf_free(&records);
}

static void make_maps_of(struct synth *s, unsigned n, bool one_task)
{
	struct buf records = {0};

	send_record_event(s);
	for (unsigned i = 0; i < n; i++) {
		const struct {
			struct perf_event_header header;
			uint32_t pid, tid;
			uint64_t addr, len, pgoff, build_id[3];
			uint32_t prot, flags;
			char path[8];
			struct synth_trailer trailer;
		} record = {
			.header = {.type = PERF_RECORD_MMAP2, .size = sizeof(record)},
			.pid = one_task ? 1 : 2 + i,
			.tid = 1,
			.addr = 0x100000 + i * 0x1000ull,
			.len = 0x1000,
			.path = "/x",
			.trailer = {.time = i, .id = 1},
		};

		add_record(s, &records, &record, sizeof(record), false);
	}
	for (unsigned i = 0; i < n; i++) {
		const struct synth_sample sample = {
			.header = {.type = PERF_RECORD_SAMPLE,
				   .misc = PERF_RECORD_MISC_USER,
				   .size = sizeof(sample)},
			.id = 1,
			.ip = 0x100000 + i % 7 * 0x1000ull,
			.pid = one_task ? 1 : 2 + i,
			.tid = 1,
			.time = n + i,
			.period = 1,
		};

		add_record(s, &records, &sample, sizeof(sample), i + 1 == n);
	}
	buf_free(&records);
}

static void make_maps(struct synth *s, unsigned n)
{
	make_maps_of(s, n, true);
}

static void make_maps_of_tasks(struct synth *s, unsigned n)
{
	make_maps_of(s, n, false);
}

struct row {
	void (*make)(struct synth *s, unsigned n);
	unsigned n;
};

static void work_is_in_proportion(void **state)
{
	const struct row *row = *state;

	expect_in_proportion(row->make, row->n);
}

#define ROW(what, make, n)                                             \
	{                                                              \
		what, work_is_in_proportion, NULL, NULL, &(struct row) \
		{                                                      \
			make, n                                        \
		}                                                      \
	}

static const struct CMUnitTest rows[] REGISTERED = {
	ROW("commands", make_commands, 4000), ROW("commands that never end", make_begins, 4000),
	ROW("events", make_events, 1000),     ROW("events between records", make_late_events, 1000),
	ROW("formats", make_formats, 2000),   ROW("counts", make_counts, 2000),
	ROW("traces", make_traces, 1000),     ROW("tasks", make_tasks, 2000),
	ROW("maps", make_maps, 2000),         ROW("maps of tasks", make_maps_of_tasks, 2000),
};
