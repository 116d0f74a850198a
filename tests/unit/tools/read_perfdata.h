/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read_perfdata.h - streams to perf.data: a stream with an image, and the resulting file. The
 * "image" is the test itself: an ELF file with a build-id and the functions hot and cold.
 */
#ifndef TESTS_PERFDATA_H
#define TESTS_PERFDATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/synth_stream.h"
#include "tools/symbols/elf_image.h"
#include "tools/util/outfile.h"
#include "tools/out/perfdata.h"
#include "tools/stream/stream_record.h"
#include "tools/cmd/recording.h"

#define IMAGE_BASE 0xffff80007e000000ull
#define USER_BASE  0x400000000000ull
#define NSAMPLES   1000

extern const char __executable_start[];

static volatile uint64_t sink;

__attribute__((noinline)) static void hot(uint64_t n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) static void cold(uint64_t n)
{
	while (n--)
		sink ^= n;
}

static inline uint64_t address_of(void (*function)(uint64_t))
{
	return (uint64_t)((const char *)function - __executable_start);
}

static inline struct wire_hello make_hello(const struct elf_image *elf)
{
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = 2,
		.tsc_khz = 1000000,
		.image_base = IMAGE_BASE,
		.user_base = USER_BASE,
		.cpu_signature = 0x50654,
		.memory_mib = 256,
	};

	if (elf) {
		hello.build_id_size = (uint32_t)elf->build_id_size;
		memcpy(hello.build_id, elf->build_id, elf->build_id_size);
	}
	return hello;
}

/* Three of four samples are in hot(), most in ring 3, some in ring 0; newest first, on two CPUs. */
static inline void add_samples(struct buf *records, uint32_t cpu)
{
	for (uint64_t i = NSAMPLES / 2; i--;) {
		uint64_t function = i % 4 ? address_of(hot) : address_of(cold);
		uint64_t base = i % 10 ? USER_BASE : IMAGE_BASE;

		synth_sample(records, 77, base + function + 4, 1000 + 20 * i + cpu, cpu);
	}
}

static inline void send_records(struct synth *s, uint8_t cpu, struct buf *records,
				struct wire_books *books)
{
	const size_t part =
		WIRE_MAX_PAYLOAD / sizeof(struct synth_sample) * sizeof(struct synth_sample);

	for (size_t at = 0; at < records->size; at += part) {
		size_t n = records->size - at < part ? records->size - at : part;

		synth_frame(s, WIRE_DATA, cpu, records->data + at, n);
	}
	books->written += records->size / sizeof(struct synth_sample);
	books->sent += records->size;
	books->overflows = books->written;
	buf_free(records);
}

/* Makes a recording like that of `record -e instructions -c 10007 -- hotcold 5`. */
static inline void make_recording(struct synth *s, uint32_t command, struct wire_books *books)
{
	struct perf_event_attr attr = synth_attr();
	struct buf records = {0};

	synth_begin(s, command, "record -e instructions -c 10007 -- hotcold 5");
	synth_event(s, command, &attr, "instructions", 77);
	for (uint8_t cpu = 0; cpu < 2; cpu++) {
		add_samples(&records, cpu);
		send_records(s, cpu, &records, books);
	}
	synth_count(s, command, "instructions", 123456789);
	synth_result(s, command, 0, books);
}

static inline struct buf make_stream(const struct elf_image *elf)
{
	const struct wire_hello hello = make_hello(elf);
	struct wire_books books = {0};
	struct synth s = {0};

	synth_hello(&s, &hello);
	make_recording(&s, 0, &books);
	synth_bye(&s, 0, 1, &books);
	return s.out;
}

/* A parsed perf.data. Parsing fails if a size does not fit. */
struct parsed {
	const uint8_t *at;
	size_t size;
};

static inline uint64_t word_at(const struct buf *file, size_t offset)
{
	uint64_t word;

	assert_true(offset + sizeof(word) <= file->size);
	memcpy(&word, file->data + offset, sizeof(word));
	return word;
}

static inline struct parsed section_at(const struct buf *file, size_t offset)
{
	uint64_t at = word_at(file, offset), size = word_at(file, offset + 8);

	assert_true(at + size <= file->size);
	return (struct parsed){file->data + at, size};
}

static inline struct buf build(const struct buf *bytes, const struct elf_image *elf)
{
	struct buf file = {0};
	struct stream stream = {0};
	struct reason why = {""};

	synth_read(bytes, &stream);
	if (perfdata_build(&file, &stream,
			   recording_choose(&stream, ANY_COMMAND, &out_perfdata, &why), elf, &why))
		fail_msg("%s", why.text);
	stream_free(&stream);
	return file;
}

static inline void read_self(struct elf_image *elf)
{
	struct reason why;

	if (elf_image_read(elf, "/proc/self/exe", &why))
		fail_msg("%s", why.text);
	assert_int_equal(elf->build_id_size, 20);
	assert_true(elf->nsegments > 0);
}

/* Files. */

static char folder[] = "/tmp/perf0-test-XXXXXX";

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

#endif
