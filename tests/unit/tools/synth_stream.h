/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * synth_stream.h - makes streams like the image's: frames in sequence, perf records, right
 * accounts. Tests damage them afterwards.
 */
#ifndef TESTS_UNIT_TOOLS_SYNTH_STREAM_H
#define TESTS_UNIT_TOOLS_SYNTH_STREAM_H

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/wire_frames.h"
#include "lib/format/frame.h"
#include "lib/format/pack.h"
#include "tools/util/buf.h"
#include "tools/stream/stream.h"

#define SYNTH_SAMPLE_TYPE                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct synth {
	struct buf out;
	uint32_t seq[FRAME_STREAMS];
};

/* A sample of SYNTH_SAMPLE_TYPE, in the layout of perf_event_open(2). */
struct synth_sample {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t period;
};

/* The trailer of other records with sample_id_all. */
struct synth_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

static inline void synth_frame(struct synth *s, uint8_t type, uint8_t stream, const void *payload,
			       size_t n)
{
	uint8_t frame[FRAME_MAX_SIZE];

	buf_add(&s->out, frame, frame_encode(frame, type, stream, s->seq[stream]++, payload, n));
}

static inline void synth_main(struct synth *s, uint8_t type, struct buf *payload)
{
	synth_frame(s, type, WIRE_STREAM_MAIN, payload->data, payload->size);
	buf_free(payload);
}

static inline void synth_string(struct buf *payload, const char *text)
{
	buf_add(payload, text, strlen(text) + 1);
}

static inline void synth_hello(struct synth *s, const struct wire_hello *hello)
{
	struct buf payload = {0};

	buf_add(&payload, hello, sizeof(*hello));
	synth_string(&payload, "0.1");
	synth_string(&payload, "GenuineIntel");
	synth_string(&payload, "Synthetic CPU @ 1.00GHz");
	synth_string(&payload, "text=framed");
	synth_main(s, WIRE_HELLO, &payload);
}

static inline void synth_text(struct synth *s, uint8_t kind, const char *text)
{
	struct buf payload = {0};

	buf_add(&payload, &kind, 1);
	buf_add(&payload, text, strlen(text));
	synth_main(s, WIRE_TEXT, &payload);
}

static inline void synth_begin(struct synth *s, uint32_t command, const char *line)
{
	const struct wire_begin begin = {.command = command};
	struct buf payload = {0};

	buf_add(&payload, &begin, sizeof(begin));
	synth_string(&payload, line);
	synth_main(s, WIRE_BEGIN, &payload);
}

static inline struct perf_event_attr synth_attr(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = 10007,
		.sample_type = SYNTH_SAMPLE_TYPE,
		.sample_id_all = 1,
	};
}

static inline void synth_event(struct synth *s, uint32_t command,
			       const struct perf_event_attr *attr, const char *name, uint64_t id)
{
	const struct wire_event event = {.command = command, .attr_size = sizeof(*attr), .nids = 1};
	struct buf payload = {0};

	buf_add(&payload, &event, sizeof(event));
	buf_add(&payload, attr, sizeof(*attr));
	buf_add(&payload, &id, sizeof(id));
	synth_string(&payload, name);
	synth_main(s, WIRE_EVENT, &payload);
}

/* Sends an event of several CPUs, with an id for each. */
static inline void synth_event_of_cpus(struct synth *s, uint32_t command,
				       const struct perf_event_attr *attr, const char *name,
				       const uint64_t *ids, const uint16_t *cpus, uint16_t n)
{
	const struct wire_event event = {.command = command, .attr_size = sizeof(*attr), .nids = n};
	struct buf payload = {0};

	buf_add(&payload, &event, sizeof(event));
	buf_add(&payload, attr, sizeof(*attr));
	buf_add(&payload, ids, n * sizeof(*ids));
	synth_string(&payload, name);
	buf_add(&payload, cpus, n * sizeof(*cpus));
	synth_main(s, WIRE_EVENT, &payload);
}

/* Sends further ids of an event, which its first id names. */
static inline void synth_more_ids(struct synth *s, uint32_t command, const uint64_t *ids,
				  const uint16_t *cpus, uint16_t n)
{
	const struct wire_event event = {.command = command, .nids = n};
	struct buf payload = {0};

	buf_add(&payload, &event, sizeof(event));
	buf_add(&payload, ids, n * sizeof(*ids));
	synth_string(&payload, "");
	buf_add(&payload, cpus, n * sizeof(*cpus));
	synth_main(s, WIRE_EVENT, &payload);
}

static inline void synth_format(struct synth *s, uint32_t command, uint32_t id, const char *system,
				const char *name, const char *text)
{
	const struct wire_format format = {.command = command, .id = id};
	struct buf payload = {0};

	buf_add(&payload, &format, sizeof(format));
	synth_string(&payload, system);
	synth_string(&payload, name);
	synth_string(&payload, text);
	synth_main(s, WIRE_FORMAT, &payload);
}

static inline void synth_count(struct synth *s, uint32_t command, const char *name, uint64_t value)
{
	const struct wire_count count = {.command = command, .value = value};
	struct buf payload = {0};

	buf_add(&payload, &count, sizeof(count));
	synth_string(&payload, name);
	synth_main(s, WIRE_COUNT, &payload);
}

static inline void synth_sample(struct buf *records, uint64_t id, uint64_t ip, uint64_t time,
				uint32_t cpu)
{
	const struct synth_sample sample = {
		.header = {.type = PERF_RECORD_SAMPLE,
			   .misc = PERF_RECORD_MISC_KERNEL,
			   .size = sizeof(sample)},
		.id = id,
		.ip = ip,
		.pid = 1,
		.tid = 1 + cpu,
		.time = time,
		.cpu = cpu,
		.period = 10007,
	};

	buf_add(records, &sample, sizeof(sample));
}

static inline void synth_result(struct synth *s, uint32_t command, int status,
				const struct wire_books *books)
{
	const struct wire_result result = {.command = command, .status = status, .books = *books};

	synth_frame(s, WIRE_RESULT, WIRE_STREAM_MAIN, &result, sizeof(result));
}

static inline void synth_bye(struct synth *s, int status, uint32_t commands,
			     const struct wire_books *books)
{
	const struct wire_bye bye = {.status = status, .commands = commands, .books = *books};

	synth_frame(s, WIRE_BYE, WIRE_STREAM_MAIN, &bye, sizeof(bye));
}

/* Sends a recording as the image does: packed, with the state for a late listener before each
 * KEY. */

static inline void synth_announce(struct synth *s)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};
	const struct perf_event_attr attr = synth_attr();

	synth_hello(s, &hello);
	synth_begin(s, 0, "record loop");
	synth_event(s, 0, &attr, "instructions", 1);
}

static inline void synth_on_packed(void *ctx, enum wire_type type, const void *payload, size_t n)
{
	struct synth *s = ctx;

	if (type == WIRE_KEY && s->seq[0])
		synth_announce(s);
	synth_frame(s, (uint8_t)type, 0, payload, n);
}

static inline struct synth synth_recording(unsigned nsamples)
{
	static struct packer packer;
	struct wire_books books = {.overflows = nsamples, .written = nsamples};
	struct synth s = {0};
	struct buf sample = {0};

	synth_announce(&s);
	packer_init(&packer, synth_on_packed, &s);
	srand(1);
	for (unsigned i = 0; i < nsamples; i++) {
		sample.size = 0;
		synth_sample(&sample, 1, 0x1000 + (unsigned)rand() % 4096, 1000 + i * 250000ull, 0);
		packer_add(&packer, (const void *)sample.data);
		books.sent += sample.size;
	}
	packer_flush(&packer);
	buf_free(&sample);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);
	return s;
}

/* Reading back. */

static inline void synth_on_frame(void *ctx, const struct frame *frame)
{
	stream_frame(ctx, frame);
}

static inline void synth_on_other(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

static inline struct frame_stats synth_read(const struct buf *bytes, struct stream *stream)
{
	const struct frame_sink sink = {synth_on_frame, synth_on_other, synth_on_other, stream};
	static struct frame_reader reader;

	stream_init(stream);
	frame_reader_init(&reader, &sink);
	frame_reader_feed(&reader, bytes->data, bytes->size);
	frame_reader_end(&reader);
	return reader.stats;
}

#endif
