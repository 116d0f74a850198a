// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_perfdata_streams.c - streams to perf.data: accounting, incomplete streams, and expected
 * bytes.
 */
#include "tests/unit/tools/read_perfdata.h"

#include "tests/unit/test.h"

static int check_received(const struct stream *stream, const struct frame_stats *stats)
{
	struct reason why;

	return stream_check(stream, stats, &why);
}

TEST(test_a_whole_stream)
{
	struct buf bytes = make_stream(NULL);
	struct stream stream = {0};
	struct frame_stats stats = synth_read(&bytes, &stream);
	const struct stream_command *command;

	assert_int_equal(check_received(&stream, &stats), 0);
	assert_true(stream.has_hello && stream.has_bye);
	assert_string_equal(stream.brand, "Synthetic CPU @ 1.00GHz");
	assert_int_equal(stream.ncommands, 1);
	command = &stream.commands[0];
	assert_int_equal(command->samples, NSAMPLES);
	assert_int_equal(command->ncounts, 1);
	assert_int_equal(command->counts[0].count.value, 123456789);
	assert_string_equal(command->events[0].name, "instructions");
	assert_int_equal(command->events[0].ids[0], 77);
	stream_free(&stream);
	buf_free(&bytes);
}

/* Each kind of damage that makes a run incomplete, with a word of its reason. */
struct damage {
	const char *word;
	void (*change)(struct synth *s, struct wire_books *books, struct wire_books *total);
};

static void lose_a_frame(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	s->seq[WIRE_STREAM_MAIN]++;
}

static void repeat_a_frame(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	s->seq[WIRE_STREAM_MAIN]--;
}

static void lose_an_overflow(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->overflows++;
	total->overflows++;
}

static void claim_a_sample(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->written++;
	books->overflows++;
	*total = *books;
}

static void claim_bytes(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->sent += 8;
	*total = *books;
}

static void wrong_total(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	(void)books;
	total->lost++;
}

static void tear_a_record(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_frame(s, WIRE_DATA, 0, "\x09\0\0\0\0\0\x10\0", 8);
}

static void forge_a_result(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)total;
	synth_result(s, 9, 0, books);
}

static void shorten_a_count(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_frame(s, WIRE_COUNT, WIRE_STREAM_MAIN, "abc", 3);
}

static void begin_twice(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_begin(s, 0, "again");
}

static const struct damage damages[] = {
	{"missing", lose_a_frame},
	{"out of order", repeat_a_frame},
	{"overflows", lose_an_overflow},
	{"samples written", claim_a_sample},
	{"bytes of records", claim_bytes},
	{"total", wrong_total},
	{"torn", tear_a_record},
	{"does not run", forge_a_result},
	{"makes no sense", shorten_a_count},
	{"began twice", begin_twice},
};

static struct buf make_damaged(const struct damage *damage)
{
	struct perf_event_attr attr = synth_attr();
	const struct wire_hello hello = make_hello(NULL);
	struct wire_books books = {0}, total;
	struct buf records = {0};
	struct synth s = {0};

	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record loop");
	synth_event(&s, 0, &attr, "instructions", 77);
	synth_sample(&records, 77, 1, 2, 0);
	send_records(&s, 0, &records, &books);
	total = books;
	damage->change(&s, &books, &total);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &total);
	return s.out;
}

TEST(test_incomplete_streams)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct buf bytes = make_damaged(&damages[i]);
		struct stream stream;
		struct frame_stats stats = synth_read(&bytes, &stream);
		struct reason why = {""};

		assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
		if (!strstr(why.text, damages[i].word))
			fail_msg("'%s' is not in: %s", damages[i].word, why.text);
		stream_free(&stream);
		buf_free(&bytes);
	}
}

TEST(test_no_bye_no_result_no_hello)
{
	struct buf whole = make_stream(NULL);
	const size_t bye = FRAME_OVERHEAD + sizeof(struct wire_bye);
	const size_t result = FRAME_OVERHEAD + sizeof(struct wire_result);
	const struct {
		size_t cut;
		const char *word;
	} cuts[] = {{bye, "BYE"}, {bye + result, "BYE"}, {whole.size, "HELLO"}};

	for (size_t i = 0; i < 3; i++) {
		struct buf part = whole;
		struct stream stream;
		struct frame_stats stats;
		struct reason why;

		part.size -= cuts[i].cut;
		stats = synth_read(&part, &stream);
		assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
		assert_non_null(strstr(why.text, cuts[i].word));
		stream_free(&stream);
	}
	buf_free(&whole);
}

/* A stream of another version is refused. */
TEST(test_other_version)
{
	struct wire_hello hello = make_hello(NULL);
	struct synth s = {0};
	struct stream stream = {0};
	struct frame_stats stats;
	struct reason why;

	hello.version = WIRE_VERSION + 1;
	synth_hello(&s, &hello);
	stats = synth_read(&s.out, &stream);
	assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
	assert_non_null(strstr(why.text, "version 2"));
	stream_free(&stream);
	buf_free(&s.out);
}

TEST(test_golden_bytes)
{
	struct buf bytes = make_damaged(&(struct damage){"", lose_a_frame});
	struct buf file = build(&bytes, NULL);
	struct synth_sample sample = {
		.header = {.type = PERF_RECORD_SAMPLE,
			   .misc = PERF_RECORD_MISC_USER,
			   .size = sizeof(sample)},
		.id = 77,
		.ip = 1,
		.pid = 1,
		.tid = 1,
		.time = 2,
		.period = 10007,
	};
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[8];
		struct synth_trailer trailer;
	} comm = {{PERF_RECORD_COMM, 0, sizeof(comm)}, 1, 1, "record", {0}};
	struct parsed attrs, data;
	struct perf_event_attr attr = synth_attr();

	assert_memory_equal(file.data, "PERFILE2", 8);
	assert_int_equal(word_at(&file, 8), 104);
	assert_int_equal(word_at(&file, 16), 144);
	attrs = section_at(&file, 24);
	assert_int_equal(attrs.size, 144);
	assert_ptr_equal(attrs.at, file.data + 104);
	attr.exclude_kernel = attr.exclude_hv = 1;
	assert_memory_equal(attrs.at, &attr, sizeof(attr));
	assert_int_equal(word_at(&file, 104 + 128), 104 + 144); /* the ids follow */
	assert_int_equal(word_at(&file, 104 + 128 + 8), 8);
	assert_int_equal(word_at(&file, 104 + 144), 77);
	data = section_at(&file, 40);
	assert_int_equal(data.size, sizeof(comm) + sizeof(sample));
	assert_memory_equal(data.at, &comm, sizeof(comm));
	assert_memory_equal(data.at + sizeof(comm), &sample, sizeof(sample));
	assert_int_equal(word_at(&file, 72), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 |
						     1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 |
						     1 << 14 | 1 << 21);
	buf_free(&file);
	buf_free(&bytes);
}

/* Records are in the order of time, sizes add up, all samples are of user mode, and all addresses
 * are mapped. */
TEST(test_records_are_sorted_and_mapped)
{
	static struct elf_image elf;
	struct buf bytes, file;
	struct parsed data;
	uint64_t last = 0, samples = 0, maps = 0;

	read_self(&elf);
	bytes = make_stream(&elf);
	file = build(&bytes, &elf);
	data = section_at(&file, 40);
	for (size_t at = 0; at < data.size;) {
		const struct perf_event_header *record = (const void *)(data.at + at);
		const struct synth_sample *sample = (const void *)record;

		assert_true(record->size >= 8 && record->size % 8 == 0);
		assert_true(record->size <= data.size - at);
		at += record->size;
		if (record->type == PERF_RECORD_MMAP2) {
			maps++;
			assert_int_equal(samples, 0);
		}
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		assert_int_equal(record->misc, PERF_RECORD_MISC_USER);
		assert_true(sample->time >= last);
		last = sample->time;
	}
	assert_int_equal(samples, NSAMPLES);
	assert_int_equal(maps, 2 * elf.nsegments);
	buf_free(&file);
	buf_free(&bytes);
}

GROUP(make_folder, remove_folder);
