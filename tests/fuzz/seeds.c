// SPDX-License-Identifier: BSD-2-Clause
/*
 * seeds.c - first inputs for the fuzzers, made of streams as the image sends them: `seeds DIR`
 * writes them into DIR/NAME for each fuzzer NAME that has some.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/tools/mutate.h"

static const char *folder;

static void write_seed(const char *fuzzer, unsigned number, const struct buf *bytes)
{
	struct buf path = {0};
	FILE *file;

	buf_printf(&path, "%s/%s", folder, fuzzer);
	if (mkdir(buf_text(&path), 0777) && errno != EEXIST)
		err(1, "%s", buf_text(&path));
	buf_printf(&path, "/seed-%u", number);
	file = fopen(buf_text(&path), "wbe");
	if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
		err(1, "%s", buf_text(&path));
	buf_free(&path);
}

/* As bytes of a line, and as a list of frames. */
static void write_streams(const struct synth *s, const struct buf *frames)
{
	const struct mutate_frame *frame = (const void *)frames->data;
	struct buf line = {0}, list = {0};

	buf_add(&line, "\377\001", 2);
	buf_add(&line, s->out.data, s->out.size);
	write_seed("fuzz_stream", 0, &line);
	buf_add(&list, "\377", 2);
	for (size_t i = 0; i < frames->size / sizeof(*frame); i++) {
		const uint8_t head[] = {frame[i].type, frame[i].stream, (uint8_t)frame[i].length,
					(uint8_t)(frame[i].length >> 8)};

		buf_add(&list, head, sizeof(head));
		buf_add(&list, frame[i].payload, frame[i].length);
	}
	write_seed("fuzz_stream", 1, &list);
	buf_free(&line);
	buf_free(&list);
}

/* The payloads of packed frames, and the records that they are made of. */
static void write_packed(const struct buf *frames)
{
	const struct mutate_frame *frame = (const void *)frames->data;
	struct buf payloads = {0}, records = {0}, list = {0};

	buf_add(&payloads, "\001", 1);
	for (size_t i = 0; i < frames->size / sizeof(*frame); i++) {
		uint8_t kind = frame[i].type == WIRE_KEY ? 0 : frame[i].type == WIRE_PART ? 2 : 1;
		const uint8_t head[] = {kind, (uint8_t)frame[i].length,
					(uint8_t)(frame[i].length >> 8)};

		if (frame[i].type != WIRE_KEY && frame[i].type != WIRE_PACKED &&
		    frame[i].type != WIRE_PART)
			continue;
		buf_add(&payloads, head, sizeof(head));
		buf_add(&payloads, frame[i].payload, frame[i].length);
	}
	write_seed("fuzz_pack", 0, &payloads);
	mutate_records(&records, 40);
	buf_extend(&list, 1);
	for (size_t at = 0; at < records.size;) {
		const struct perf_event_header *record = (const void *)(records.data + at);
		size_t n = record->size - sizeof(*record);
		const uint8_t head[] = {(uint8_t)record->type, (uint8_t)(n / 8),
					(uint8_t)(n / 8 >> 8)};

		buf_add(&list, head, sizeof(head));
		buf_add(&list, record + 1, n);
		at += record->size;
	}
	write_seed("fuzz_pack", 1, &list);
	buf_free(&payloads);
	buf_free(&records);
	buf_free(&list);
}

/* A sample of many fields, with a chain of two. */
static void write_samples(void)
{
	const uint64_t words[] = {SYNTH_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
				  0,
				  0,
				  0,
				  0,
				  1,
				  0x1000,
				  0x200000001,
				  1000,
				  0,
				  10007,
				  2,
				  PERF_CONTEXT_USER,
				  0x1000,
				  0x400000004,
				  0};
	struct buf bytes = {0};

	buf_add(&bytes, words, sizeof(words));
	write_seed("fuzz_sample", 0, &bytes);
	buf_free(&bytes);
}

int main(int argc, char **argv)
{
	struct synth s = mutate_stream();
	struct buf frames = mutate_split(&s.out);

	if (argc != 2)
		errx(2, "usage: seeds DIR");
	folder = argv[1];
	write_streams(&s, &frames);
	write_packed(&frames);
	write_samples();
	buf_free(&frames);
	buf_free(&s.out);
	return 0;
}
