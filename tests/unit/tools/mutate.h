/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mutate.h - streams of intact but wrong frames: a recording with every type of frame. Some frames
 * are changed, swapped, left out, repeated or moved to another CPU, and get right checks again. A
 * damaged line cannot cause that, but a wrong sender can.
 */
#ifndef TESTS_UNIT_TOOLS_MUTATE_H
#define TESTS_UNIT_TOOLS_MUTATE_H

#include "tests/unit/tools/synth_stream.h"

struct mutate {
	uint64_t random;
};

static inline uint64_t mutate_any(struct mutate *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return m->random * 0x2545f4914f6cdd1d;
}

static inline uint64_t mutate_below(struct mutate *m, uint64_t n)
{
	return (mutate_any(m) >> 16) % n;
}

/* Makes records of all kinds: names, maps, switches, AUX and samples of two events. */
static inline void mutate_records(struct buf *out, unsigned n)
{
	const struct synth_trailer trailer = {.pid = 1, .tid = 2, .time = 900, .id = 1};
	struct perf_event_header comm = {.type = PERF_RECORD_COMM, .size = 16 + 8 + 32},
				 map = {.type = PERF_RECORD_MMAP2, .size = 8 + 64 + 8 + 32},
				 aux = {.type = PERF_RECORD_AUX, .size = 8 + 24 + 32};

	buf_add(out, &comm, sizeof(comm));
	buf_add(out, (const uint32_t[]){1, 2}, 8);
	buf_add(out, "worker\0", 8);
	buf_add(out, &trailer, sizeof(trailer));
	buf_add(out, &map, sizeof(map));
	buf_add(out, (const uint32_t[]){1, 2}, 8);
	buf_add(out, (const uint64_t[]){0x1000, 0x2000, 0}, 24);
	buf_extend(out, 32);
	buf_add(out, "/x\0\0\0\0\0", 8);
	buf_add(out, &trailer, sizeof(trailer));
	buf_add(out, &aux, sizeof(aux));
	buf_add(out, (const uint64_t[]){0, 64, 0}, 24);
	buf_add(out, &trailer, sizeof(trailer));
	for (unsigned i = 0; i < n; i++)
		synth_sample(out, 1 + i % 2, 0x1000 + i * 16 % 0x3000, 1000 + i * 50, 0);
}

/* Makes a record of 9000 bytes, which is sent as PARTs. */
static inline void mutate_large(struct buf *out)
{
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = 9000};
	uint64_t word = 1;

	buf_add(out, &header, sizeof(header));
	for (size_t at = sizeof(header); at < header.size; at += sizeof(word)) {
		word = word * 6364136223846793005u + 1442695040888963407u;
		buf_add_u64(out, word);
	}
}

static inline void mutate_on_packed(void *ctx, enum wire_type type, const void *payload, size_t n)
{
	synth_frame(ctx, (uint8_t)type, 0, payload, n);
}

static inline void mutate_pack(struct synth *s, const struct buf *records)
{
	static struct packer packer;

	packer_init(&packer, mutate_on_packed, s);
	for (size_t at = 0; at < records->size;) {
		const struct perf_event_header *record = (const void *)(records->data + at);

		packer_add(&packer, record);
		at += record->size;
	}
	packer_flush(&packer);
}

static inline void mutate_aux(struct synth *s, uint64_t offset, uint16_t flags)
{
	const struct wire_aux head = {
		.flags = flags, .tsc = 5, .id = 1, .offset = offset, .produced = 64};
	struct buf payload = {0};

	buf_add(&payload, &head, sizeof(head));
	buf_extend(&payload, 32);
	synth_frame(s, WIRE_AUX, 0, payload.data, payload.size);
	buf_free(&payload);
}

/* Makes two commands. The first is a recording of two events. */
static inline struct synth mutate_stream(void)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 2};
	const struct wire_cpu cpus[2] = {{.apic_id = 0}, {.apic_id = 1, .core = 1}};
	const struct perf_event_attr attr = synth_attr();
	const struct wire_books none = {0};
	struct synth s = {.seq = {0}};
	struct buf records = {0};

	synth_hello(&s, &hello);
	synth_frame(&s, WIRE_CPUS, WIRE_STREAM_MAIN, cpus, sizeof(cpus));
	synth_begin(&s, 0, "record -e a,b -- loop");
	synth_event(&s, 0, &attr, "a", 1);
	synth_event_of_cpus(&s, 0, &attr, "b", (const uint64_t[]){2, 3}, (const uint16_t[]){0, 1},
			    2);
	synth_format(&s, 0, 7, "sched", "switch", "name: switch\n");
	synth_text(&s, WIRE_TEXT_OUT, "says\n");
	mutate_records(&records, 30);
	synth_frame(&s, WIRE_DATA, 1, records.data, records.size);
	mutate_records(&records, 120);
	mutate_large(&records);
	mutate_pack(&s, &records);
	mutate_aux(&s, 0, 0);
	mutate_aux(&s, 32, WIRE_AUX_LAST);
	synth_count(&s, 0, "a", 12345);
	synth_result(&s, 0, 0, &none);
	synth_begin(&s, 1, "stat loop");
	synth_count(&s, 1, "cycles", 99);
	synth_result(&s, 1, 0, &none);
	synth_bye(&s, 0, 2, &none);
	buf_free(&records);
	return s;
}

/* A frame before it is sent. */
struct mutate_frame {
	uint8_t type, stream;
	uint16_t length;
	uint8_t payload[WIRE_MAX_PAYLOAD] __attribute__((aligned(8)));
};

static inline void mutate_on_frame(void *ctx, const struct frame *frame)
{
	struct mutate_frame *f = buf_extend(ctx, sizeof(*f));

	f->type = frame->type;
	f->stream = frame->stream;
	f->length = (uint16_t)frame->length;
	memcpy(f->payload, frame->payload, frame->length);
}

static inline struct buf mutate_split(const struct buf *stream)
{
	struct buf frames = {0};
	const struct frame_sink sink = {mutate_on_frame, synth_on_other, synth_on_other, &frames};
	static struct frame_reader reader;

	frame_reader_init(&reader, &sink);
	frame_reader_feed(&reader, stream->data, stream->size);
	frame_reader_end(&reader);
	return frames;
}

static inline uint64_t mutate_number(struct mutate *m)
{
	static const uint64_t edges[] = {0,          1,         7,          8,
					 0xff,       0x7fff,    0xffff,     INT32_MAX,
					 UINT32_MAX, INT64_MAX, UINT64_MAX, 0xfff8};

	if (mutate_below(m, 3))
		return edges[mutate_below(m, sizeof(edges) / sizeof(edges[0]))];
	return mutate_any(m) >> mutate_below(m, 64);
}

/* Changes a bit, a byte or a number of the payload, its length, its type or its CPU. */
static inline void mutate_change(struct mutate *m, struct mutate_frame *f)
{
	uint64_t number = mutate_number(m);
	size_t n = (size_t)1 << mutate_below(m, 4), at;

	switch (mutate_below(m, 8)) {
	case 0:
		f->type = (uint8_t)mutate_below(m, 17);
		return;
	case 1:
		f->stream = (uint8_t)(mutate_below(m, 2) ? mutate_below(m, 3) : mutate_any(m));
		return;
	case 2:
		f->length = (uint16_t)mutate_below(m, f->length + 1u);
		return;
	case 3:
		f->length =
			(uint16_t)(f->length + mutate_below(m, WIRE_MAX_PAYLOAD + 1 - f->length));
		return;
	case 4:
		if (f->length)
			f->payload[mutate_below(m, f->length)] ^=
				(uint8_t)(1u << mutate_below(m, 8));
		return;
	default:
		if (f->length < n)
			return;
		/* Fields stand in front. */
		at = mutate_below(m, mutate_below(m, 3) && f->length >= 64 ? 64 - n + 1
									   : f->length - n + 1u);
		memcpy(f->payload + at, &number, n);
	}
}

/* Makes the stream of these frames, some of them changed, with right checks. */
static inline struct buf mutate_make(struct mutate *m, const struct buf *frames)
{
	const struct mutate_frame *all = (const void *)frames->data;
	size_t n = frames->size / sizeof(*all);
	uint64_t rate = 2 + mutate_below(m, 20);
	struct synth s = {.seq = {0}};

	for (size_t i = 0; i < n; i++) {
		static struct mutate_frame f;
		uint64_t times = mutate_below(m, 4 * rate) ? 1 : mutate_below(m, 4);

		f = all[mutate_below(m, 8 * rate) ? i : mutate_below(m, n)];
		while (!mutate_below(m, rate))
			mutate_change(m, &f);
		while (times--)
			synth_frame(&s, f.type, f.stream, f.payload, f.length);
	}
	return s.out;
}

#endif
